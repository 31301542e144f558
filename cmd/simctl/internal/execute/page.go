package execute

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"fencepost/reports"
	"fencepost/reports/page"
	"fencepost/reports/plot"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// Page is the first run of a scenario as a page shows it, with most events at most; command shows the run
// again. A run of more than [MaxExportSteps] steps is refused, before anything of it is kept.
func Page(ctx context.Context, s *format.Scenario, command string, most int) (*page.Run, error) {
	r, err := abandon(ctx, s.Name, patience, func() (*sim.Result, error) {
		w, err := s.Program.NewWorld(s.Config)
		if err != nil {
			return nil, err
		}
		return w.Run(s.Seed), nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	case r.Steps > MaxExportSteps:
		return nil, tooLong(s.Name, r.Steps, s.Until)
	case r.Steps == 0:
		return nil, fmt.Errorf("%s: the run has no events to show", s.Name)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: interrupted, and no page is written", s.Name)
	}
	return abandon(ctx, s.Name, patience, func() (*page.Run, error) { return pageOf(s, command, most) })
}

// tooLong says that a run has too many steps for a page, and when to end it.
func tooLong(name string, steps uint64, until time.Duration) error {
	millions := func(n uint64) string { return fmt.Sprintf("%d.%d M", n/1_000_000, n/100_000%10) }
	shorter := time.Duration(float64(until) / float64(steps) * MaxExportSteps * 0.9)
	grain := time.Duration(1)
	for 10*grain <= shorter {
		grain *= 10
	}
	return fmt.Errorf("%s: run too long for a page (%s steps, limit %d M). Try --set until=%s", name, millions(steps), MaxExportSteps/1_000_000,
		units.Exact(int64(max(shorter.Truncate(grain), 1))))
}

func pageOf(s *format.Scenario, command string, most int) (*page.Run, error) {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	j := &sim.Journal{Inspect: newStates(s.Program.Nodes).changed}
	r := recordRun(s, w, j, most)
	r.Model, r.Text, r.Command = s.Model, page.Harmless(s.Text), page.Harmless(command)
	return r, nil
}

// recordRun runs the first run of a scenario, with most events at most.
func recordRun(s *format.Scenario, w sim.Runner, j *sim.Journal, most int) *page.Run {
	in := &page.Recorded{Program: &s.Program, Journal: j, Timeline: &sim.Timeline{Most: most}, Why: w.Why, Faults: phrases(&s.Program, s.Config.Faults)}
	w.Watch(sim.Watch{Journal: in.Journal, Timeline: in.Timeline})
	in.Result, in.Order = w.Run(s.Seed), w.Order()
	tally := stats.NewTally(&s.Program, len(s.Config.Faults))
	tally.Add(in.Result)
	r := page.Collect(in, most)
	for i := range r.Violations {
		v := &r.Violations[i]
		v.Expected = slices.ContainsFunc(s.Expect, func(e format.Expectation) bool {
			return page.Harmless(e.Property) == v.Property && (e.Verdict == sim.Violated && e.Low == nil || e.High != nil && *e.High > 0)
		})
	}
	r.Scenario, r.About, r.Source = page.Harmless(s.Name), page.Harmless(s.About), page.Harmless(s.Source)
	o := reports.Collect(&s.Program, &s.Config, tally)
	for _, c := range o.Costs() {
		r.Costs = append(r.Costs, page.Cost{Name: page.Harmless(c[0]), Text: page.Harmless(c[1])})
	}
	return r
}

// PageFigures draws the plots of a scenario that one run has all of. One over a grid or over many runs is left to simctl run.
func PageFigures(ctx context.Context, s *format.Scenario) (list []page.Figure, err error) {
	if len(s.Plots) == 0 {
		return nil, nil
	}
	one := *s
	one.Runs = 1
	r, err := Run(ctx, &Plan{Scenario: &one, Jobs: 1})
	if err != nil {
		return nil, err
	}
	for i := range r.Plots {
		fig, err := plot.Figure(r, &r.Plots[i])
		if err != nil {
			continue // of more than one run
		}
		var svg bytes.Buffer
		if err := fig.WriteSVG(&svg); err != nil {
			return nil, err
		}
		list = append(list, page.Figure{Title: page.Harmless(r.Plots[i].Title), SVG: svg.String()})
	}
	return list, nil
}
