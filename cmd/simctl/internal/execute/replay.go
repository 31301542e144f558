package execute

import (
	"context"
	"slices"

	"fencepost/reports"
	"fencepost/scenarios"
	"fencepost/sim"
)

// Replay runs a record again.
func Replay(ctx context.Context, r *scenarios.Record) (*scenarios.Replayed, error) {
	return abandon(ctx, r.Scenario, patience, r.Replay)
}

// Replayed puts what came of a record into a report.
func Replayed(file string, r *scenarios.Record, got *scenarios.Replayed) *reports.Replay {
	c := got.Scenario
	x := &reports.Replay{
		Schema: reports.ReplaySchema, File: file, Scenario: r.Scenario, About: c.About, Source: c.Source, Model: c.Model,
		Version: r.Version, Command: r.Command, Recorded: side(&r.Verdict, r.Steps, r.Digest), Replayed: side(&got.Verdict, got.Steps, got.Digest),
		Same: got.Same, OtherDigests: r.Digests != sim.DigestVersion, Faults: phrases(&c.Program, c.Config.Faults), Calm: r.Calm, Seed: r.Seed,
		Draws: []string{},
	}
	for i := range c.Config.Overrides {
		x.Draws = append(x.Draws, drawWords(&c.Program, &c.Config.Overrides[i]))
	}
	want, is := &r.Verdict, &got.Verdict
	x.OK = is.AtNS >= 0 && is.Panic == want.Panic && is.Property == want.Property && slices.Equal(is.Nodes, want.Nodes)
	if p := got.Parting; p != nil {
		x.Parting = &reports.Parting{Step: p.Step, Recorded: p.Recorded, Replayed: p.Replay}
	}
	return x
}

func side(b *scenarios.Broken, steps uint64, digest string) reports.Side {
	return reports.Side{Property: b.Property, Panic: b.Panic, Violated: b.AtNS >= 0, AtNS: max(b.AtNS, 0), Nodes: b.Nodes, Why: b.Why, Events: steps, Digest: digest}
}
