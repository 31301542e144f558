// Package shipped is what the repository keeps of the scenarios that ship: their figures
// and a replay file of each violation that they expect. Its tests run each scenario once
// and check everything that depends on its result, and run it without its cause; package replays finds each violation again.
package shipped

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/reports/plot"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// Same reports whether a scenario is without its cause what it is with it, as it has no faults and no other cause: the
// result of its control is its own.
func Same(s *format.Scenario) (bool, error) {
	points := Points(s)
	if len(s.Control) > 0 || slices.ContainsFunc(points, func(p *format.Scenario) bool { return len(p.Config.Faults) > 0 }) {
		return false, nil // without another look at the file
	}
	c, _, err := execute.ControlOf(scenarios.Load, s.Name, s, nil)
	return err == nil && slices.EqualFunc(points, Points(c), alike), err
}

func alike(a, b *format.Scenario) bool {
	return a.Runs == b.Runs && a.Seed == b.Seed && reflect.DeepEqual(a.Config, b.Config)
}

// Points are those of the grid of a scenario, or itself.
func Points(s *format.Scenario) (list []*format.Scenario) {
	if len(s.Variants) == 0 {
		return []*format.Scenario{s}
	}
	for _, v := range s.Variants {
		list = append(list, v.Scenario)
	}
	return list
}

// Figures draws the plots of a result.
func Figures(r *reports.Run, do func(file string, f *figure.Figure) error) error {
	for i := range r.Plots {
		f, err := plot.Figure(r, &r.Plots[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.Scenario, err)
		}
		if err := do(r.Plots[i].File, f); err != nil {
			return err
		}
	}
	return nil
}

// EachFigure runs the scenarios that have plots, and draws them.
func EachFigure(ctx context.Context, do func(file string, f *figure.Figure) error) error {
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name, format.Options{})
		if err != nil {
			return err
		}
		if len(s.Plots) == 0 {
			continue
		}
		r, err := execute.Run(ctx, &execute.Plan{Scenario: s})
		switch {
		case err != nil:
			return err
		case !r.OK:
			return fmt.Errorf("%s is not as expected: see simctl run %s", name, name)
		}
		if err := Figures(r, do); err != nil {
			return err
		}
	}
	return nil
}
