// Package candidates finds what simctl compare compares: the members of a family, the points of a grid, or several
// scenarios.
package candidates

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/text"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Invalid is the error of scenarios that cannot be loaded.
type Invalid []cli.InvalidFile

func (f Invalid) Error() string { return fmt.Sprintf("%d scenarios are invalid", len(f)) }

// Query says what is to be compared.
type Query struct {
	Names    []string // scenarios, files, or one family
	Sets     []result.Setting
	NoFaults bool
	Seed     *uint64 // nil is as the first file says
	Runs     *int    // nil is as the file with the most runs says
	Baseline string  // "" is the first
	Measures []string
	Required []string // properties that no candidate may violate
	Jobs     int
}

// Load loads whatever is to be compared.
func Load(c *cli.Catalog, q *Query) ([]execute.Candidate, error) {
	l := loader{c, q}
	var list []execute.Candidate
	var err error
	if f := l.family(); f != nil && len(f.Members) > 0 {
		list, err = l.members(f)
	} else if f != nil {
		list, err = l.points(f.Scenario)
	} else if len(q.Names) == 1 {
		list, err = l.points(q.Names[0])
	} else {
		list, err = l.several()
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range list {
		s := list[i].Scenario
		switch {
		case seen[list[i].Name]:
			return nil, fmt.Errorf("compare: %s is named twice", list[i].Name)
		case s.Replays():
			return nil, cli.NoNodes(s, "compare")
		}
		seen[list[i].Name] = true
	}
	if err := fitting(list); err != nil {
		return nil, err
	}
	if !alike(list) {
		return nil, errors.New("compare: they share no property and no measure: there is nothing to compare")
	}
	return list, nil
}

// loader loads what a query asks for.
type loader struct {
	catalog *cli.Catalog
	query   *Query
}

// fitting reports more candidates than there is room for.
func fitting(list []execute.Candidate) error {
	if axes := execute.Axes(list); len(axes) == 2 {
		if rows, columns := len(axes[0].Values), len(axes[1].Values); rows > maxRows || columns > maxColumns {
			return fmt.Errorf("compare: a grid of %d x %d points is too large for a table: want at most %d x %d; --set picks points", rows, columns, maxRows, maxColumns)
		}
		return nil
	}
	if len(list) > maxCandidates {
		return fmt.Errorf("compare: %d are too many to compare: want at most %d; --set picks points of a grid", len(list), maxCandidates)
	}
	return nil
}

// family is the family that is asked for; a scenario of the same name goes before it.
func (l *loader) family() *family {
	if len(l.query.Names) != 1 || slices.Contains(l.catalog.Names(), l.query.Names[0]) {
		return nil
	}
	return Find(l.query.Names[0])
}

// alike reports whether all have some property or measure in common.
func alike(list []execute.Candidate) bool {
	var programs []sim.Program
	for i := range list {
		programs = append(programs, list[i].Scenario.Program)
	}
	common, _ := execute.Shared(programs)
	return len(common) > 0
}

// load loads one of the scenarios.
func (l *loader) load(name string, more ...result.Setting) (*format.Scenario, error) {
	if err := cli.NoRecord(name); err != nil {
		return nil, err
	}
	sets := slices.Concat(l.query.Sets, more)
	s, err := l.catalog.Load(name, format.Options{Sets: sets, NoFaults: l.query.NoFaults})
	if err != nil {
		return nil, Invalid{{Name: name, Err: err}}
	}
	return s, cli.PickPoints(s, sets)
}

// members are those of a family.
func (l *loader) members(f *family) (list []execute.Candidate, err error) {
	for _, m := range f.Members {
		s, err := l.load(f.Scenario, m.Sets...)
		if err != nil {
			return nil, err
		}
		list = append(list, execute.Candidate{Name: m.Name, Scenario: s, Settings: m.Sets})
	}
	return list, nil
}

// points are those of the grid of one scenario.
func (l *loader) points(name string) (list []execute.Candidate, err error) {
	s, err := l.load(name)
	if err != nil {
		return nil, orFamily(name, err)
	}
	if len(s.Variants) == 1 {
		return nil, fmt.Errorf("%s: --set leaves one point of the grid: want two or more to compare", s.Name)
	}
	if len(s.Variants) == 0 && !s.Replays() {
		return nil, fmt.Errorf("%s is one scenario: want two or more, one with a grid (vary:), or %s", s.Name, FamilyNames())
	}
	for _, v := range s.Variants {
		list = append(list, execute.Candidate{Scenario: v.Scenario, Name: pointName(s.Variants, v.Settings), Settings: v.Settings})
	}
	if s.Replays() {
		list = append(list, execute.Candidate{Name: name, Scenario: s})
	}
	return list, nil
}

// pointName is what makes a point differ from the others: its value, or the settings that
// not all have.
func pointName(points []format.Variant, settings []result.Setting) string {
	own := slices.DeleteFunc(slices.Clone(settings), func(set result.Setting) bool {
		return !slices.ContainsFunc(points, func(v format.Variant) bool { return !slices.Contains(v.Settings, set) })
	})
	var words []string
	for _, set := range own {
		word := set.Value
		if len(own) > 1 {
			word = set.Path[strings.LastIndexByte(set.Path, '.')+1:] + "=" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// orFamily adds to the error for an unknown name the family that may have been meant.
func orFamily(name string, err error) error {
	var names []string
	for _, f := range Families {
		names = append(names, f.Name)
	}
	near := text.Nearest(name, names)
	if i := slices.IndexFunc(names, func(n string) bool { return len(name) > 2 && strings.HasPrefix(n, name) }); near == "" && i >= 0 {
		near = names[i]
	}
	if near == "" || strings.ContainsAny(name, "/.") {
		return err
	}
	return fmt.Errorf("compare: no scenario is called %q; did you mean %q?", name, near)
}

// several are scenarios of which each is one, or one point of its grid.
func (l *loader) several() (list []execute.Candidate, err error) {
	var invalid Invalid
	for _, name := range l.query.Names {
		if f := Find(name); f != nil && !slices.Contains(l.catalog.Names(), name) {
			return nil, fmt.Errorf("compare: %s is a whole comparison: want it alone, or %s instead", name, f.Scenario)
		}
		s, err := l.load(name)
		if f := (Invalid)(nil); errors.As(err, &f) {
			invalid = append(invalid, f...)
			continue
		} else if err != nil {
			return nil, err
		}
		c := execute.Candidate{Name: name, Scenario: s}
		switch len(s.Variants) {
		case 0:
		case 1:
			c.Scenario = s.Variants[0].Scenario
			c.Settings = append(c.Settings, s.Variants[0].Settings...)
		default:
			return nil, fmt.Errorf("%s: the file has a grid of %d points: compare it alone, or pick one with --set %s", name, len(s.Variants), cli.PointOf(s))
		}
		list = append(list, c)
	}
	if len(invalid) > 0 {
		return nil, invalid
	}
	shorten(list)
	return list, nil
}

// shorten leaves out of the names of scenarios the folder that all have.
func shorten(list []execute.Candidate) {
	folder := path.Dir(list[0].Name)
	for i := range list {
		if path.Dir(list[i].Name) != folder {
			return
		}
	}
	for i := range list {
		list[i].Name = path.Base(list[i].Name)
	}
}

// Limits of a comparison: a table of more is nothing to read.
const (
	maxCandidates = 32
	maxRows       = 32 // of a grid of two axes: values of the first
	maxColumns    = 16 // and of the second
)

// FamilyNames names the families, as in "a, b or c".
func FamilyNames() string {
	var names []string
	for _, f := range Families {
		names = append(names, f.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
