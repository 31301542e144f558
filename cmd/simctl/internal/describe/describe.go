// Package describe says in words what a scenario does, as simctl show prints it.
package describe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/reports/listing"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// untimed reports whether the runs of a scenario are trials, which have no clock.
func untimed(s *format.Scenario) bool {
	if len(s.Program.Nodes) > 0 {
		return false
	}
	w, err := s.Program.NewWorld(s.Config)
	timed, ok := w.(interface{ Span() time.Duration })
	return err == nil && ok && timed.Span() < 0
}

// Scenario is a scenario in words; c has those to see also.
func Scenario(c *cli.Catalog, s *format.Scenario) *listing.Shown {
	meanings := c.Meanings()
	r := &listing.Shown{
		Name: s.Name, About: s.About, Source: s.Source, Model: s.Model, Runs: max(s.Runs, 1), Seed: s.Seed, UntilNS: int64(s.Until),
		Program: &s.Program, Config: &s.Config, Params: given(meanings, s, "params"), Budget: given(meanings, s, "budget"), Points: len(s.Variants),
	}
	if untimed(s) {
		r.UntilNS = 0
	}
	m, _ := c.Model(s.Model)
	r.ModelAbout = m.About
	r.Follows = follows(s)
	for i := range s.Expect {
		r.Expect = append(r.Expect, mustBe(s, &s.Expect[i]))
	}
	r.Control = s.Control
	for _, in := range s.Inputs {
		r.Inputs = append(r.Inputs, in.Summary)
	}
	for _, row := range catalog.ExpectedAt(s) {
		r.ExpectAt = append(r.ExpectAt, row.Path+": "+row.Value)
	}
	r.Reported = s.Show
	r.Grid = axes(s)
	for _, v := range r.Grid {
		if list := cases(s, v.Name); len(list) > 0 {
			r.Cases = append(r.Cases, listing.ShownCases{Axis: v.Name, Cases: list})
		}
	}
	for i := range s.Plots {
		file := s.Plots[i].File + ".svg"
		if slices.Contains(c.Names(), s.Name) {
			file = "docs/figures/" + file // where those of all embedded scenarios are
		}
		r.Figures = append(r.Figures, listing.ShownValue{Name: file, Value: s.Plots[i].Title})
	}
	r.SeeAlso, r.Try = seeAlso(c, s), trials(s)
	return r
}

// follows are the products that a scenario and the points of its grid follow, each once.
func follows(s *format.Scenario) (list []listing.ShownValue) {
	add := func(s *format.Scenario) {
		for _, p := range s.Follows {
			if v := (listing.ShownValue{Name: p.Name, Value: p.String()}); !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	add(s)
	for _, v := range s.Variants {
		add(v.Scenario)
	}
	return list
}

func given(meanings catalog.Meanings, s *format.Scenario, block string) (list []listing.ShownValue) {
	for _, g := range meanings.GivenIn(s, block) {
		if g.Meaning == g.Value {
			g.Meaning = "the default"
		}
		list = append(list, listing.ShownValue{Name: g.Path, Value: g.Value, Meaning: g.Meaning})
	}
	return list
}

// mustBe says what is expected of a property or measure.
func mustBe(s *format.Scenario, e *format.Expectation) listing.ShownValue {
	if e.Measure != "" {
		return listing.ShownValue{Name: e.Measure, Value: bounds(e.Want, unit(s, e.Measure))}
	}
	text := e.Verdict.String()
	switch {
	case e.Low != nil && e.High != nil:
		text = fmt.Sprintf("violated in %s to %s of the runs", chance(*e.Low), chance(*e.High))
	case e.Certified:
		text = "certified: no run violates it, whatever is drawn and whenever its pauses begin"
	case e.Verdict == sim.NotExercised:
		text = "not exercised: no run has what it checks"
	}
	if e.At != nil {
		text += ", first at " + units.Exact(int64(*e.At))
	}
	if len(e.Nodes) > 0 {
		text += ", by " + strings.Join(e.Nodes, " and ")
	}
	if i := slices.Index(s.Program.Properties, e.Property); i >= 0 && s.Program.Bound(i).Text != "" {
		text += ": " + s.Program.Bound(i).Text
	}
	return listing.ShownValue{Name: e.Property, Value: text}
}

func chance(c sim.Chance) string { return units.Percent(float64(c) / float64(sim.Certain)) }

func unit(s *format.Scenario, measure string) sim.Unit {
	i := slices.IndexFunc(s.Program.Measures, func(m sim.Measure) bool { return m.Name == measure })
	if i < 0 {
		return 0
	}
	return s.Program.Measures[i].Unit
}

// bounds says what a measure must be.
func bounds(b format.Bound, u sim.Unit) string {
	number := func(n int64) string {
		if u == sim.Duration {
			return units.Exact(n)
		}
		return units.Plain(n)
	}
	switch {
	case b.Least == nil && b.Most == nil:
		return "anything"
	case b.Most == nil:
		return "at least " + number(*b.Least)
	case b.Least == nil:
		return "at most " + number(*b.Most)
	case *b.Least == *b.Most:
		return number(*b.Least)
	}
	return number(*b.Least) + " to " + number(*b.Most)
}

// axes are what the grid varies.
func axes(s *format.Scenario) (list []listing.ShownValue) {
	seen := map[result.Setting]bool{}
	for _, v := range s.Variants {
		for _, set := range v.Settings {
			i := slices.IndexFunc(list, func(a listing.ShownValue) bool { return a.Name == set.Path })
			switch {
			case i < 0:
				list = append(list, listing.ShownValue{Name: set.Path, Value: set.Value})
			case !seen[set]:
				list[i].Value += ", " + set.Value
			}
			seen[set] = true
		}
	}
	return list
}

// cases are those of an axis, none if it has values.
func cases(s *format.Scenario, axis string) (list []listing.ShownValue) {
	for _, c := range s.Cases(axis) {
		var changes []string
		for _, set := range c.Changes {
			changes = append(changes, set.Path+" is "+set.Value)
		}
		if len(changes) == 0 {
			changes = []string{"nothing: it is the file"}
		}
		list = append(list, listing.ShownValue{Name: c.Name, Value: strings.Join(changes, ", ")})
	}
	return list
}

// trials are commands for the scenario.
func trials(s *format.Scenario) []string {
	name := cli.PathArgument(s.Name)
	list := []string{terminal.Quote(program.Name(), "run", name)}
	if len(s.Control) > 0 || len(s.Config.Faults) > 0 {
		list = append(list, terminal.Quote(program.Name(), "run", name, "--control"))
	}
	if len(s.Plots) > 0 {
		list = append(list, terminal.Quote(program.Name(), "run", name, "--out", "DIR"))
	}
	if len(s.Variants) == 0 {
		for _, e := range s.Expect {
			if e.Property != "" && e.Verdict == sim.Violated {
				list = append(list, terminal.Quote(program.Name(), "explain", name, "--property", e.Property))
				break
			}
		}
	}
	return append(list, terminal.Quote(program.Name(), "show", name, "--file"))
}
