package mutex

import (
	"fmt"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/sim"
	"fencepost/sim/model"
)

// System is the system that the parameters describe: processes that talk to each other.
func (p *Params) System() sim.System[Msg] {
	system := description.System("mutex", p.Problems())
	if system.Err != nil {
		return system
	}
	system.Properties, system.States = p.properties(fact.Hear(&system, facts)), states
	system.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDescriber(p.Processes).describe }
	for i := range p.Processes {
		id := sim.NodeID(i + 1)
		if p.Algorithm == "ricart-agrawala" {
			system.Nodes = append(system.Nodes, place(p, id, NewRicartAgrawala(id, p.Processes)))
		} else {
			system.Nodes = append(system.Nodes, place(p, id, NewLamport(id, p.Processes)))
		}
	}
	model.AddMeter(&system, &meter{Crowd: newCrowd(p.Processes), Left: sim.Never})
	return system
}

// place is the node of a process with its part of an algorithm.
func place[A any, P algorithm[A]](p *Params, id sim.NodeID, part A) sim.Spec[Msg] {
	return sim.Place[Msg](fmt.Sprintf("process-%d", id), Process[A, P]{Part: part, Life: p.life(int(id - 1))})
}

// facts says which note is which fact.
var facts = fact.Map(
	fact.Row[Msg]{Note: Entered, Fact: fact.Acquired},
	fact.Row[Msg]{Note: Left, Fact: fact.Left},
)

// properties are what is checked. Progress is checked at faults, too, so that who is late is
// seen early.
func (p *Params) properties(h *fact.Hearing[Msg]) []sim.Property[Msg] {
	n := p.Processes
	return []sim.Property[Msg]{
		h.Property(fact.Property{Claim: model.Claim{Name: "mutual-exclusion", Loses: sim.Exclusion, Needs: "a process enters"}, Checker: &check.OneInside{}}),
		model.NewProperty("in-request-order", &inRequestOrder{Crowd: newCrowd(n)}, Requested, Resumed, Entered, Left).Also(sim.Crashed).Needs("a process enters"),
		model.NewProperty("progress", &progress{Within: p.within(), Crowd: newCrowd(n), Next: sim.Never}, Requested, Resumed, Entered, Left).AlsoFaults().Loses(sim.Liveness).Needs("a process asks, and enters or the bound ends"),
	}
}

// states are what a timeline shows of processes.
var states = []sim.State[Msg]{
	{Name: "in the critical section", Enter: []sim.Kind{Entered}, Leave: []sim.Kind{Left}, Exclusive: true},
	{Name: "waits to enter", Enter: []sim.Kind{Requested, Resumed}, Leave: []sim.Kind{Entered}},
}
