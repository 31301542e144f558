package execute

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/sim"
)

// Point is the result of a point of a grid: all that the report needs of it, so that
// it can be kept, and the grid continue from it.
type Point struct {
	Variant reports.Variant `json:"variant"`
	Inputs  []result.Input  `json:"inputs,omitempty"`  // that were read while it ran
	SpanNS  int64           `json:"span_ns,omitempty"` // of them
}

// runGrid runs each point of a grid that was not run before. Of a point that is
// interrupted nothing is reported.
func runGrid(ctx context.Context, p *Plan, r *reports.Run) (*reports.Run, error) {
	variants := p.Scenario.Variants
	g := Progress{Points: len(variants)}
	for i, v := range variants {
		g.Total += v.Scenario.Runs
		if i < len(p.Kept) {
			g.Kept += v.Scenario.Runs
		}
	}
	sum := gridSum{report: r}
	for i := range variants {
		point, err := p.point(ctx, i, g)
		if err == nil {
			err = sum.add(point)
		}
		if err != nil {
			r.PointsWanted = len(variants)
			if len(r.Variants) == 0 {
				r = nil
			}
			return r, err
		}
		g.Done += point.Variant.Runs
	}
	return r, nil
}

// point is the result of a point of the grid: that which is kept, or else that of
// running it.
func (p *Plan) point(ctx context.Context, i int, g Progress) (*Point, error) {
	if i < len(p.Kept) {
		return &p.Kept[i], nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v, settings := &p.Scenario.Variants[i], p.Scenario.Variants[i].Settings
	g.Point = i + 1
	one := point{plan: p, index: i, scenario: v.Scenario, settings: settings, progress: g}
	if err := one.run(ctx); err != nil {
		return nil, err
	}
	if one.stopped {
		return nil, ctx.Err() // the replay counts as run, but is none to its end
	}
	done := &Point{
		Variant: reports.Variant{Settings: settings, Seed: v.Scenario.Seed, Runs: one.runs, Outcome: one.outcome},
		Inputs:  one.inputs, SpanNS: int64(one.span),
	}
	if p.Keep != nil {
		if err := p.Keep(done); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// gridSum adds up the points of a grid, in their order.
type gridSum struct {
	report *reports.Run
	digest sim.Digest
}

func (g *gridSum) add(p *Point) error {
	r, o := g.report, &p.Variant.Outcome
	digest, err := strconv.ParseUint(o.Digest, 16, 64)
	if err != nil {
		return fmt.Errorf("the digest of a point: %w", err)
	}
	g.digest = g.digest.Fold(digest, uint64(len(r.Variants)))
	r.Digest = reports.Digest(g.digest.Sum())
	r.Variants = append(r.Variants, p.Variant)
	r.Events += o.Events
	if r.Reproduce == "" {
		r.Reproduce = o.Reproduce
	}
	readInto(r, p.Inputs, p.SpanNS)
	return nil
}

// CheckKept refuses points that are not those of the grid, each at its place: a file of
// which a line is missing, or comes twice, has none that is damaged.
func (p *Plan) CheckKept() error {
	for i := range p.Kept {
		if i >= len(p.Scenario.Variants) {
			return fmt.Errorf("%d points are kept of a grid of %d", len(p.Kept), len(p.Scenario.Variants))
		}
		k := &p.Kept[i].Variant
		if s := p.Scenario.Variants[i].Scenario; k.Seed != s.Seed || !slices.Equal(k.Settings, p.Scenario.Variants[i].Settings) {
			return fmt.Errorf("the kept point %d is not that of the grid: lines are missing, or in another order", i+1)
		}
		s := p.Scenario.Variants[i].Scenario
		if err := k.Check(s.Runs, s.Program.Properties, len(s.Config.Faults)); err != nil {
			return fmt.Errorf("line %d: %w", i+2, err) // after the header
		}
	}
	return nil
}
