package adaptive

import (
	"slices"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The nodes, in order.
const (
	theLoad sim.NodeID = iota + 1
	theLimiter
	thePlant
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if err := kit.Errors(p.Problems()).Err("adaptive"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	control := p.controller()
	plant := Plant{Limiter: theLimiter, Cores: p.Cores, Service: p.Service, Later: p.Service, Cost: p.Cost, CostLater: p.Cost,
		Change: p.Change, Sample: p.Sample, IgnorePauses: p.IgnorePauses}
	if p.ServiceLater != nil {
		plant.Later = *p.ServiceLater
	}
	if p.CostLater != nil {
		plant.CostLater = *p.CostLater
	}
	s := sim.System[Msg]{
		Nodes: []sim.Spec[Msg]{
			sim.Place[Msg]("load", Load{Limiter: theLimiter, Phases: p.Load, Patience: p.Patience}),
			sim.Place[Msg]("limiter", p.limiter(control)),
			sim.Place[Msg]("plant", plant),
		},
		Kinds: kinds.Names(), Notes: kinds.Notes(),
		Properties: p.properties(control),
		Describe:   func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return describe },
		Detail:     func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail },
	}
	kit.AddMeter(&s, &meter{})
	return s
}

func (p *Params) limiter(c Controller) Limiter {
	return Limiter{Load: theLoad, Plant: thePlant, Control: c, Initial: p.Limit, Sample: p.Sample, Each: p.Per == "round-trip", Late: p.Late,
		Saturated: p.Cores == 0, IgnorePauses: p.IgnorePauses}
}

func (p *Params) controller() Controller {
	c := NewController(Algorithm(max(0, slices.Index(algorithmNames[:], p.Algorithm))))
	c.SetBounds(Bounds{Min: p.Min, Max: p.Max, Unguarded: !p.Guard})
	c.AIMD.Timeout = p.Timeout
	c.CPU.High, c.CPU.Low, c.CPU.Step = p.High, p.Low, p.Step
	return c
}

func (p *Params) properties(c Controller) []sim.Property[Msg] {
	bounds := *c.Bounds()
	if c.Algorithm == Static {
		bounds = Bounds{Min: p.Limit, Max: p.Limit}
	}
	rest := &settles{Within: p.Settle, Change: p.Change, OfLoad: p.Algorithm == "cpu" || p.Cores == 0}
	if len(p.Band) == 2 {
		rest.Low, rest.High, rest.Judged = p.Band[0], p.Band[1], true
	}
	return []sim.Property[Msg]{
		kit.NewProperty("limit-in-range", &limitInRange{Bounds: bounds}, Limited),
		kit.NewProperty("no-growth-unused", &noGrowthUnused{}, Limited),
		kit.NewProperty("goodput", &goodput{Capacity: p.Capacity, From: p.Settle}, Sent, Answered),
		kit.NewProperty("settles", rest, Measured, Limited, Sent),
	}
}
