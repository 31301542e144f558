package broadcast

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// System is the system that the parameters describe: processes that broadcast to each
// other, each with a replica of the account.
func (p *Params) System() sim.System[Msg] {
	s := description.System("broadcast", p.Problems())
	if s.Err != nil {
		return s
	}
	l := newLedger(p.Processes, Account(p.Balance*cents))
	s.Properties = properties(l, p.Within)
	s.Marks = []sim.Mark[Msg]{{Name: "broadcasts", On: []sim.Kind{Sent}}, {Name: "delivers", On: []sim.Kind{Delivered}}}
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return p.describe }
	for i := range p.Processes {
		s.Nodes = append(s.Nodes, p.process(sim.NodeID(i+1)))
	}
	model.AddMeter(&s, &meter{Ledger: l})
	return s
}

// properties are what is checked. The first keeps the ledger, and the others read it.
func properties(l *ledger, within time.Duration) []sim.Property[Msg] {
	return []sim.Property[Msg]{
		model.NewProperty("fifo-order", &fifoOrder{l}, Sent, Delivered).Also(sim.Crashed).Needs("a process delivers a message"),
		model.NewProperty("causal-order", &causalOrder{l}, Delivered).Needs("a process delivers a message"),
		model.NewProperty("same-order", &sameOrder{l}, Delivered).Needs("a process delivers a message"),
		model.NewProperty("agreement", &agreement{l, within}, start).Needs("a message is delivered, and the bound ends before the run"), // which is no note: it looks at the end only
		model.NewProperty("validity", &validity{l, within}, start).Needs("a message is sent, and the bound ends before the run"),
		model.NewProperty("no-duplicates", &noDuplicates{l}, Delivered).Needs("a message is delivered"),
		model.NewProperty("replicas-agree", &replicasAgree{l}, Delivered).Needs("two replicas have delivered the same messages"),
	}
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
	r := p.replica(int(id - 1))
	r.Operation = p.operation(int(id - 1))
	return sim.Place[Msg](fmt.Sprintf("process-%d", id), Process[A, P]{Part: part, Replica: r})
}
