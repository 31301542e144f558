// Package plan loads what simctl run is to run.
package plan

import (
	"fmt"
	"slices"
	"strconv"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// Request says what to run of a scenario.
type Request struct {
	Seed     *uint64 // nil is as the file says
	Runs     *int
	Sets     []result.Setting
	Measures []string // to show besides those that the file shows
	NoFaults bool
	Control  bool
	Jobs     int
	Memory   int64 // that a replay of requests may keep
	Headers  bool
}

// Load loads a scenario and applies the options.
func Load(a *cli.Catalog, name string, o *Request) (*execute.Plan, error) {
	if err := cli.NoRecord(name); err != nil {
		return nil, err
	}
	s, mode, err := loadMode(a, name, o)
	if err != nil {
		return nil, err
	}
	if err := cli.PickPoints(s, o.Sets); err != nil {
		return nil, err
	}
	all := []*format.Scenario{s}
	for _, v := range s.Variants {
		all = append(all, v.Scenario)
	}
	changed := cli.Changed(s, o.Sets, o.Seed, o.Runs)
	for _, one := range all {
		if o.Seed != nil {
			one.Seed = *o.Seed
		}
		if o.Runs != nil {
			one.Runs = *o.Runs
		}
		one.Runs = max(one.Runs, 1)
	}
	if err := showMeasures(s, o.Measures); err != nil {
		return nil, cli.Usage(err)
	}
	p := &execute.Plan{Scenario: s, Mode: mode, Changed: changed, Jobs: o.Jobs, Memory: o.Memory, Headers: o.Headers}
	p.Settings = append(p.Settings, o.Sets...)
	if len(s.Variants) == 1 { // one point gets a report of its own
		for _, set := range s.Variants[0].Settings {
			if !slices.Contains(o.Sets, set) {
				p.Settings = append(p.Settings, set)
			}
		}
		p.Scenario = s.Variants[0].Scenario
	}
	p.Command = func(seed uint64, runs int, point []result.Setting) string {
		return command(name, o, seed, runs, s.Runs > 1 || o.Runs != nil, point)
	}
	return p, nil
}

// showMeasures adds measures to those that a scenario shows.
func showMeasures(s *format.Scenario, measures []string) error {
	if len(measures) == 0 {
		return nil
	}
	var names []string
	for _, m := range s.Program.Measures {
		names = append(names, m.Name)
	}
	if err := CheckMeasures(measures, names); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, m := range measures {
		if !slices.Contains(s.Show, m) {
			s.Show = append(s.Show, m)
		}
	}
	for _, v := range s.Variants {
		v.Scenario.Show = s.Show
	}
	return nil
}

// loadMode loads a scenario as it is to be run, and returns the mode.
func loadMode(a *cli.Catalog, name string, o *Request) (*format.Scenario, string, error) {
	switch {
	case o.NoFaults:
		s, err := a.Load(name, format.Options{Sets: o.Sets, NoFaults: true})
		return s, reports.NoFaults, err
	case o.Control:
		return execute.LoadControl(a.Load, name, o.Sets)
	}
	s, err := a.Load(name, format.Options{Sets: o.Sets})
	return s, "", err
}

// command is the command line that does the same again.
func command(name string, o *Request, seed uint64, runs int, many bool, point []result.Setting) string {
	words := []string{program.Name(), "run", cli.PathArgument(name), "--seed", strconv.FormatUint(seed, 10)}
	if many {
		words = append(words, "--runs", strconv.Itoa(runs))
	}
	switch {
	case o.Control:
		words = append(words, "--control")
	case o.NoFaults:
		words = append(words, "--no-faults")
	}
	given := map[string]bool{}
	for _, s := range o.Sets {
		given[s.Path] = true
		words = append(words, "--set", s.Path+"="+s.Value)
	}
	for _, s := range point {
		if !given[s.Path] {
			words = append(words, "--set", s.Path+"="+s.Value)
		}
	}
	return terminal.Quote(words...)
}

// CheckMeasures reports what of --measure is none of the measures with these names.
func CheckMeasures(list, names []string) error {
	for _, m := range list {
		switch near := text.Nearest(m, names); {
		case slices.Contains(names, m):
		case near != "":
			return fmt.Errorf("--measure: nothing here is measured as %q; did you mean %q?", m, near)
		default:
			return fmt.Errorf("--measure: nothing here is measured as %q; --json names all", m)
		}
	}
	return nil
}
