package mutex

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// System is the system that the parameters describe: processes that talk to each other.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("mutex", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	for i := range p.Processes {
		id := sim.NodeID(i + 1)
		if p.Algorithm == "ricart-agrawala" {
			system.Nodes = append(system.Nodes, place(p, id, NewRicartAgrawala(id, p.Processes)))
		} else {
			system.Nodes = append(system.Nodes, place(p, id, NewLamport(id, p.Processes)))
		}
	}
	system.Properties = []sim.Property[Msg]{
		&MutualExclusion{},
		&InRequestOrder{},
		&Progress{Within: p.Within},
	}
	system.Measures, system.Meters = measures, []sim.Observer[Msg]{&meter{}}
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string {
		t := teller{crowd: newCrowd(p.Processes)}
		return t.tell
	}
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail }
	system.States = states
	return system
}

// states are what a timeline shows of processes.
var states = []sim.State[Msg]{
	{Name: "in the critical section", Enter: []sim.Kind{Entered}, Leave: []sim.Kind{Left}, Exclusive: true},
	{Name: "waits to enter", Enter: []sim.Kind{Requested, Resumed}, Leave: []sim.Kind{Entered}},
}

// place is the node of a process with its part of an algorithm.
func place[A any, P algorithm[A]](p *Params, id sim.NodeID, part A) sim.Spec[Msg] {
	i := int(id - 1)
	return sim.Place[Msg](fmt.Sprintf("process-%d", id), Process[A, P]{Part: part, Life: Life{
		Processes: p.Processes, Start: values.At(p.Start, i, 0), Think: values.At(p.Think, i, sim.Dist{}),
		Work: values.At(p.Work, i, sim.Constant(usualWork)), Rounds: values.At(p.Rounds, i, 1),
		Keeps: keeps[p.Durable]}})
}

var keeps = map[string]durability{"nothing": keepsNothing, "clock": keepsClock, "everything": keepsEverything}
