package execute

import (
	"context"

	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// First finds the first violation in the runs of a scenario as it is.
func First(ctx context.Context, s *format.Scenario, targets []int, jobs int, progress func(*explore.Report)) (*explore.Report, error) {
	return abandon(ctx, s.Name, patience, func() (*explore.Report, error) {
		return explore.Find(ctx, explore.Search{
			Program: s.Program, Config: s.Config, Targets: targets, Seed: s.Seed, Runs: max(s.Runs, 1), Jobs: jobs, Progress: progress,
		})
	})
}

// Explain tells why a failure happens.
func Explain(ctx context.Context, name string, f *explore.Failure, on *explore.Subject) (*explain.Explanation, error) {
	w, err := on.Program.NewWorld(on.Config)
	if err != nil {
		return nil, err
	}
	return abandon(ctx, name, patience, func() (*explain.Explanation, error) { return explain.Explain(ctx, w, &on.Program, f) })
}

// Decisive finds out which step decided a failure. The lengths of what is drawn anew
// are those of the budget, if there is one.
func Decisive(ctx context.Context, name string, b *explore.Budget, f *explore.Failure, on *explore.Subject, o explain.DecisiveOptions) (*explain.Curve, error) {
	s := &explore.Search{Program: on.Program, Config: on.Config}
	if b != nil {
		s.Budget = *b
	}
	return abandon(ctx, name, patience, func() (*explain.Curve, error) { return explain.Decisive(ctx, s, f, o) })
}

// Others are the properties that a failure violates besides its own.
func Others(f *explore.Failure, on *explore.Subject) ([]string, error) {
	w, err := on.Program.NewWorld(on.Config)
	if err != nil {
		return nil, err
	}
	r, err := f.Play(w)
	if err != nil {
		return nil, err
	}
	var list []string
	for i := range r.Properties {
		if i != f.Property && r.Properties[i].Verdict == sim.Violated {
			list = append(list, on.Program.Properties[i])
		}
	}
	return list, nil
}
