package execute

import (
	"context"
	"fmt"

	"fencepost/reports/page"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Page is the first run of a scenario as a page shows it; command shows the run again. A run of
// more than [MaxExportSteps] steps is refused, before anything of it is kept.
func Page(ctx context.Context, s *format.Scenario, command string) (*page.Run, error) {
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
		return nil, fmt.Errorf("%s: the run has %d steps, and what happens can be kept of %d: --set until=... ends it sooner", s.Name, r.Steps, MaxExportSteps)
	case r.Steps == 0:
		return nil, fmt.Errorf("%s: the run has no events to show", s.Name)
	}
	return abandon(ctx, s.Name, patience, func() (*page.Run, error) { return pageOf(s, command) })
}

func pageOf(s *format.Scenario, command string) (*page.Run, error) {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	in := &page.Recorded{Program: &s.Program, Journal: &sim.Journal{}, Timeline: &sim.Timeline{Most: page.MaxEvents}, Why: w.Why,
		Faults: phrases(&s.Program, s.Config.Faults)}
	w.SetJournal(in.Journal)
	w.SetTimeline(in.Timeline)
	in.Result = w.Run(s.Seed)
	r := page.Collect(in, page.MaxEvents)
	r.Scenario, r.About, r.Source = page.Harmless(s.Name), page.Harmless(s.About), page.Harmless(s.Source)
	r.Model, r.Text, r.Command = s.Model, page.Harmless(s.Text), page.Harmless(command)
	return r, nil
}
