package main

import (
	"fmt"
	"slices"
	"strconv"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// plan loads a scenario and applies the options.
func (a *app) plan(name string, o *runOptions) (*execute.Plan, error) {
	if err := cli.NoRecord(name); err != nil {
		return nil, err
	}
	s, mode, err := a.loadMode(name, o)
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
	p := &execute.Plan{Scenario: s, Mode: mode, Jobs: o.Jobs, Memory: o.Memory, Headers: o.Headers}
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
	if err := areMeasures(measures, names); err != nil {
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
func (a *app) loadMode(name string, o *runOptions) (*format.Scenario, string, error) {
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
func command(name string, o *runOptions, seed uint64, runs int, many bool, point []result.Setting) string {
	words := []string{"simctl", "run", cli.PathArgument(name), "--seed", strconv.FormatUint(seed, 10)}
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
