package adaptive

import (
	"slices"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// The nodes, in order.
const (
	theLoad sim.NodeID = iota + 1
	theLimiter
	thePlant
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	s := description.System("adaptive", p.Problems())
	if s.Err != nil {
		return s
	}
	control := p.controller()
	s.Nodes = []sim.Spec[Msg]{
		sim.Place[Msg]("load", Load{Limiter: theLimiter, Phases: p.Load, Patience: p.Patience}),
		sim.Place[Msg]("limiter", p.limiter(control)),
		sim.Place[Msg]("plant", Plant{Limiter: theLimiter, Cores: p.Cores, Service: p.Service, Later: values.Or(p.ServiceLater, p.Service),
			Cost: p.Cost, CostLater: values.Or(p.CostLater, p.Cost), Change: p.Change, Sample: p.Sample, IgnorePauses: p.IgnorePauses}),
	}
	s.Properties = p.properties(control)
	model.AddMeter(&s, &meter{}, facts)
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
		model.NewProperty("limit-in-range", &limitInRange{Bounds: bounds}, Limited).
			Needs("the limit must be set once"),
		model.NewProperty("no-growth-unused", &noGrowthUnused{}, Limited).
			Needs("the limit must be set a second time"),
		model.NewProperty("goodput", &goodput{Capacity: p.Capacity, From: p.Settle}, Sent, Answered).
			Needs("params.capacity must be more than 0, and a request must be sent after params.settle"),
		model.NewProperty("settles", rest, Measured, Limited, Sent).
			Needs("params.band must be given, and the run must last beyond params.settle"),
	}
}
