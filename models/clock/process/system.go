package process

import (
	"fmt"

	"fencepost/models/clock/script"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// System is the system that the parameters describe: the processes.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("process", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	l := &ledger{kind: p.Clock, room: maxNumbers, latest: none}
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	var want []expected
	if p.scripted() {
		s, err := script.Parse(p.Script)
		if err != nil {
			panic("process: " + err.Error()) // the parameters have been checked
		}
		l.script, l.names, l.copies = s, s.Processes, make([]int64, len(s.Events))
		if p.Stamps != "" {
			r := stampReader{script: s, kind: p.Clock, bad: func(int, string, ...any) {}}
			r.read(p.Stamps)
			want = r.want
		}
		by := steps(s)
		for i, name := range s.Processes {
			for _, e := range by[i] {
				l.copies[e.event] = int64(len(e.to))
			}
			system.Nodes = append(system.Nodes, sim.Place[Msg](name, Scripted{Steps: by[i], Gap: p.gap(), Then: values.At(p.Then, i, 0), life: p.life(i, len(s.Processes))}))
		}
	} else {
		for i := range p.Processes {
			l.names = append(l.names, p.name(i))
			system.Nodes = append(system.Nodes, sim.Place[Msg](p.name(i), Process{Pattern: patterns[p.Pattern], Processes: p.Processes, Gap: p.gap(),
				Events: values.Or(p.Events, 10), Locals: p.Locals, Serves: p.Pattern == "client-server" && i == 0, life: p.life(i, p.Processes)}))
		}
	}
	system.Properties = p.properties(l, want)
	detects := system.Properties[1].(*DetectsConcurrency)
	system.Measures, system.Meters = measures(), []sim.Observer[Msg]{&meter{claim: claim{ledger: l, held: true}, detects: detects, query: p.query()}}
	teller := &teller{ledger: l}
	system.Order = func(v *sim.View[Msg]) sim.EventOrder { return &order{ledger: l, view: v, teller: teller} }
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return teller.tell }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return teller.detail }
	return system
}

var patterns = map[string]Pattern{"": Random, "random": Random, "ring": Ring, "client-server": ClientServer, "gossip": Gossip}

// name is that of a process of a pattern.
func (p *Params) name(i int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch {
	case p.Pattern == "client-server" && i == 0:
		return "server"
	case p.Pattern == "client-server":
		return fmt.Sprintf("client-%d", i)
	case p.Processes <= len(letters):
		return letters[i : i+1]
	}
	return fmt.Sprintf("process-%d", i+1)
}

func (p *Params) life(self, processes int) life {
	l := life{Clock: p.clock(self, processes), Granule: p.Granule, Literal: p.Rules == "literal"}
	if p.Durable && p.Clock == "hlc" {
		l.Every = p.PersistEvery
	}
	return l
}

// full is the counter of a hybrid clock that carries into l, -1 if none does.
func (p *Params) full() int64 {
	if p.Overflow == "wait" {
		return -1
	}
	return p.MaxCounter
}

func (p *Params) properties(l *ledger, want []expected) []sim.Property[Msg] {
	of := func(name string) claim { return claim{ledger: l, held: p.held(name), a: none, b: none} }
	epsilon := values.Or(p.Epsilon, 0)
	granule := p.Granule
	if p.Epsilon == nil {
		granule = 0 // e is not claimed
	}
	return []sim.Property[Msg]{
		&OrdersCausally{of("orders-causally")},
		&DetectsConcurrency{claim: of("detects-concurrency")},
		&TotalOrder{of("total-order")},
		&CloseToPhysical{Epsilon: epsilon, claim: of("close-to-physical")},
		&CounterBound{Epsilon: epsilon, Granule: granule, Full: p.full(), Durable: p.Durable, claim: of("counter-bound")},
		&AsWritten{claim: claim{ledger: l, held: want != nil, a: none, b: none}, want: want, missing: noEvent},
	}
}
