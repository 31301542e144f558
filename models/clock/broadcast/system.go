package broadcast

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// System is the system that the parameters describe: processes that broadcast to each
// other, each with a replica of the account.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("broadcast", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	for i := range p.Processes {
		system.Nodes = append(system.Nodes, p.process(sim.NodeID(i+1)))
	}
	l := newLedger(p.Processes, Account(p.Balance*cents))
	system.Properties = []sim.Property[Msg]{
		&FIFOOrder{judge: judge{ledger: l, keeps: true}}, // the first: what it has written the others read
		&CausalOrder{judge: judge{ledger: l}},
		&SameOrder{judge: judge{ledger: l}},
		&Agreement{judge: judge{ledger: l}, Within: p.Within},
		&Validity{judge: judge{ledger: l}, Within: p.Within},
		&NoDuplicates{judge: judge{ledger: l}},
		&ReplicasAgree{judge: judge{ledger: l}},
	}
	system.Measures, system.Meters = measures, []sim.Observer[Msg]{&meter{ledger: l}}
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string {
		return teller{holds: p.Order != "total-lamport"}.tell
	}
	system.Marks = []sim.Mark[Msg]{{Name: "broadcasts", On: []sim.Kind{Sent}}, {Name: "delivers", On: []sim.Kind{Delivered}}}
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail }
	return system
}

// process is a node with its part of the algorithm.
func (p *Params) process(id sim.NodeID) sim.Spec[Msg] {
	switch p.Order {
	case "fifo":
		return place(p, id, NewFIFO(p.Processes))
	case "causal":
		return place(p, id, NewCausal(id, p.Processes))
	case "total-lamport":
		return place(p, id, NewTotal(id, p.Processes))
	}
	return place(p, id, None{})
}

func place[A any, P algorithm[A]](p *Params, id sim.NodeID, part A) sim.Spec[Msg] {
	i := int(id - 1)
	return sim.Place[Msg](fmt.Sprintf("process-%d", id), Process[A, P]{Part: part, Replica: Replica{
		Processes: p.Processes, Start: values.At(p.Start, i, 0), Gap: values.At(p.Gap, i, sim.Constant(usualGap)),
		Messages: values.At(p.Messages, i, 1), Answers: values.At(p.Answers, i, 0),
		Operation: p.operation(i), Account: Account(p.Balance * cents)}})
}
