package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// Subject is one scenario that a command asks about, and how it is to answer.
type Subject struct {
	Name     string
	Seed     *uint64 // nil is as the file says
	Sets     []result.Setting
	NoFaults bool
	Jobs     int
	JSON     bool
	Quiet    bool
	Out      string
	Color    bool
	// Changed is what the command changes in the scenario; LoadPoint sets it.
	Changed []string
}

// LoadPoint loads the scenario with further settings: a whole one, or one point of a grid.
func (a *App) LoadPoint(o *Subject, more ...result.Setting) (*format.Scenario, error) {
	if err := NoRecord(o.Name); err != nil {
		return nil, err
	}
	sets := slices.Concat(o.Sets, more)
	s, err := a.Load(o.Name, format.Options{Sets: sets, NoFaults: o.NoFaults})
	if err != nil {
		return nil, err
	}
	if s.Replays() {
		return nil, Usage(NoNodes(s, "this"))
	}
	if o.Changed = Changed(s, sets, o.Seed, nil); o.NoFaults {
		o.Changed = append(o.Changed, "no faults")
	}
	if err := PickPoints(s, sets); err != nil {
		return nil, err
	}
	if o.NoFaults {
		s.Variants = FirstOf(s.Variants, func(path string) bool { return strings.HasPrefix(path, "faults.") })
	}
	switch len(s.Variants) {
	case 0:
	case 1:
		s = s.Variants[0].Scenario
	default:
		return nil, Usage(fmt.Errorf("%s: the file has a grid of %d points, and this is about one: pick it with --set %s",
			s.Name, len(s.Variants), PointOf(s)))
	}
	if o.Seed != nil {
		s.Seed = *o.Seed
	}
	s.Runs = max(s.Runs, 1)
	return s, nil
}

// NoNodes is the error for a scenario without nodes where they are what it is about.
func NoNodes(s *format.Scenario, what string) error {
	return fmt.Errorf("%s: model %s has no nodes, which %s is about: "+program.Name()+" run shows all there is", s.Name, s.Model, what)
}

// FirstOf keeps the first of the points of a grid that differ in some axes alone.
func FirstOf(points []format.Variant, axis func(path string) bool) (kept []format.Variant) {
	for _, p := range points {
		if !slices.ContainsFunc(kept, func(k format.Variant) bool {
			return slices.EqualFunc(k.Settings, p.Settings, func(a, b result.Setting) bool { return a == b || axis(a.Path) })
		}) {
			kept = append(kept, p)
		}
	}
	return kept
}

// Axes are the axes of a grid that have several values, with those of the first point.
func Axes(s *format.Scenario) (list []result.Setting) {
	for i, set := range s.Variants[0].Settings {
		if slices.ContainsFunc(s.Variants, func(v format.Variant) bool { return v.Settings[i] != set }) {
			list = append(list, set)
		}
	}
	return list
}

// PointOf is how --set picks the first point of a grid.
func PointOf(s *format.Scenario) string {
	var words []string
	for _, set := range Axes(s) {
		words = append(words, terminal.Quote(set.Path+"="+set.Value))
	}
	return strings.Join(words, " --set ")
}

// LoadFailed is the end of a command whose scenario could not be loaded.
func (a *App) LoadFailed(o *Subject, err error) error {
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	return a.Refuse([]InvalidFile{{Name: o.Name, Err: err}}, o.JSON)
}

// FindProperty is the index of a property of the scenario.
func FindProperty(s *format.Scenario, name string) (int, error) {
	if i := slices.Index(s.Program.Properties, name); i >= 0 {
		return i, nil
	}
	if near := text.Nearest(name, s.Program.Properties); near != "" {
		return 0, Usage(fmt.Errorf("--property: %s has no property %q; did you mean %q?", s.Name, name, near))
	}
	return 0, Usage(fmt.Errorf("--property: %s has no property %q: want one of %s", s.Name, name, strings.Join(s.Program.Properties, ", ")))
}

// Mode is that of a report: without faults, or "".
func (o *Subject) Mode() string {
	if o.NoFaults {
		return reports.NoFaults
	}
	return ""
}

// Command is the command line that asks the same of this subject.
func (o *Subject) Command(verb string, seed uint64, flags ...string) string {
	words := []string{program.Name(), verb, PathArgument(o.Name), "--seed", strconv.FormatUint(seed, 10)}
	if o.NoFaults {
		words = append(words, "--no-faults")
	}
	for _, s := range o.Sets {
		words = append(words, "--set", s.Path+"="+s.Value)
	}
	return terminal.Quote(append(words, flags...)...)
}

// PathArgument is a path that is not taken for a flag.
func PathArgument(name string) string {
	if strings.HasPrefix(name, "-") && name != FromStdin {
		return "./" + name
	}
	return name
}

// PickPoints keeps the points of a grid that have the values of --set.
func PickPoints(s *format.Scenario, sets []result.Setting) error {
	for _, set := range sets {
		var values []string
		kept := s.Variants[:0:0]
		for _, v := range s.Variants {
			for _, at := range v.Settings {
				if at.Path != set.Path {
					continue
				}
				if !slices.Contains(values, at.Value) {
					values = append(values, at.Value)
				}
				if at.Value == set.Value {
					kept = append(kept, v)
				}
			}
		}
		switch {
		case len(values) == 0: // not varied
		case len(kept) == 0:
			return fmt.Errorf("%s: the grid has no point with %s=%s: want one of %s", s.Name, set.Path, set.Value, strings.Join(values, ", "))
		default:
			s.Variants = kept
		}
	}
	return nil
}
