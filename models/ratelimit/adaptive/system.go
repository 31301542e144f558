package adaptive

import (
	"fencepost/models/internal/values"
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
	if err := values.Refuse("adaptive", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	control := p.controller()
	limiter := Limiter{Load: theLoad, Plant: thePlant, Control: control, Initial: p.Limit, Sample: p.Sample, Each: p.Per == "round-trip", Late: p.Late,
		Saturated: p.Cores == 0, IgnorePauses: p.IgnorePauses}
	plant := Plant{Limiter: theLimiter, Cores: p.Cores, Service: p.Service, Later: p.Service, Cost: p.Cost, CostLater: p.Cost,
		Change: p.Change, Sample: p.Sample, IgnorePauses: p.IgnorePauses}
	if p.ServiceLater != nil {
		plant.Later = *p.ServiceLater
	}
	if p.CostLater != nil {
		plant.CostLater = *p.CostLater
	}
	m := &meter{}
	return sim.System[Msg]{
		Nodes: []sim.Spec[Msg]{
			sim.Place[Msg]("load", Load{Limiter: theLimiter, Phases: p.Load, Patience: p.Patience}),
			sim.Place[Msg]("limiter", limiter),
			sim.Place[Msg]("plant", plant),
		},
		Kinds: kindNames, Notes: noted,
		Properties: p.properties(control),
		Measures:   measures,
		Meters:     []sim.Observer[Msg]{m},
		Teller:     func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return tell },
		Detail:     func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail },
	}
}

func (p *Params) controller() Controller {
	var which Algorithm
	for i, name := range algorithmNames {
		if name == p.Algorithm {
			which = Algorithm(i)
		}
	}
	c := NewController(which)
	c.SetBounds(Bounds{Min: p.Min, Max: p.Max, Unguarded: !p.Guard})
	c.AIMD.Timeout = p.Timeout
	c.CPU.High, c.CPU.Low, c.CPU.Step = p.High, p.Low, p.Step
	return c
}

func (p *Params) properties(c Controller) []sim.Property[Msg] {
	bounds := *c.Bounds()
	settles := &Settles{Within: p.Settle, Change: p.Change, OfLoad: p.Algorithm == "cpu" || p.Cores == 0}
	if len(p.Band) == 2 {
		settles.Low, settles.High, settles.Judged = p.Band[0], p.Band[1], true
	}
	if c.Algorithm == Static {
		bounds = Bounds{Min: p.Limit, Max: p.Limit}
	}
	return []sim.Property[Msg]{
		&LimitInRange{Bounds: bounds},
		&NoGrowthUnused{},
		&Goodput{Capacity: p.Capacity, From: p.Settle},
		settles,
	}
}
