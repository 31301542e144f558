package execute

import (
	"context"
	"slices"

	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim"
)

// Replay runs a record again.
func Replay(ctx context.Context, r *record.Record, models []format.Model) (*record.Replayed, error) {
	return abandon(ctx, r.Scenario, patience, func() (*record.Replayed, error) { return r.Replay(models) })
}

// Replayed puts what came of a record into a report.
func Replayed(file string, r *record.Record, got *record.Replayed) *searches.Replay {
	c := got.Scenario
	x := &searches.Replay{
		Schema: searches.ReplaySchema, File: file, Scenario: r.Scenario, About: c.About, Source: c.Source, Model: c.Model,
		Version: r.Version, Command: r.Command, Recorded: side(&r.Verdict, r.Steps, r.Digest), Replayed: side(&got.Verdict, got.Steps, got.Digest),
		Same: got.Same, OtherDigests: r.Digests != sim.DigestVersion, Faults: phrases(&c.Program, c.Config.Faults), Minimal: r.Minimal, Seed: r.Seed,
		Draws: []string{}, Parting: got.Parting,
	}
	for i := range c.Config.Overrides {
		x.Draws = append(x.Draws, drawWords(&c.Program, &c.Config.Overrides[i]))
	}
	want, is := &r.Verdict, &got.Verdict
	x.OK = is.AtNS >= 0 && is.Panic == want.Panic && is.Property == want.Property && slices.Equal(is.Nodes, want.Nodes)
	x.Decide()
	return x
}

func side(b *record.Broken, steps uint64, digest string) searches.Side {
	return searches.Side{Property: b.Property, Panic: b.Panic, Violated: b.AtNS >= 0, AtNS: max(b.AtNS, 0), Nodes: b.Nodes, Why: b.Why, Events: steps, Digest: digest}
}
