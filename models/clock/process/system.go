package process

import (
	"fmt"

	"fencepost/models/clock/script"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// System is the system that the parameters describe: the processes.
func (p *Params) System() sim.System[Msg] {
	s := description.System("process", p.Problems())
	if s.Err != nil {
		return s
	}
	l := &ledger{kind: p.Clock, room: maxNumbers, latest: none}
	d := &describer{ledger: l}
	s.Order = func(v *sim.View[Msg]) sim.EventOrder { return &order{ledger: l, view: v, describer: d} }
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return d.describe }
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return d.detail }
	if p.scripted() {
		s.Nodes = p.scriptNodes(l)
	} else {
		s.Nodes = p.patternNodes(l)
	}
	p.addChecks(&s, l)
	return s
}

// scriptNodes are the processes of a script.
func (p *Params) scriptNodes(l *ledger) (nodes []sim.Spec[Msg]) {
	s, err := script.Parse(p.Script)
	if err != nil {
		panic("process: " + err.Error()) // the parameters have been checked
	}
	l.script, l.names, l.copies = s, s.Processes, make([]int64, len(s.Events))
	by := steps(s)
	for i, name := range s.Processes {
		for _, e := range by[i] {
			l.copies[e.event] = int64(len(e.to))
		}
		nodes = append(nodes, sim.Place[Msg](name, Scripted{Steps: by[i], Gap: p.gap(), Then: values.At(p.Then, i, 0), life: p.life(i, len(s.Processes))}))
	}
	return nodes
}

// patternNodes are the processes of a pattern.
func (p *Params) patternNodes(l *ledger) (nodes []sim.Spec[Msg]) {
	for i := range p.Processes {
		l.names = append(l.names, p.name(i))
		nodes = append(nodes, sim.Place[Msg](p.name(i), Process{Pattern: patterns[p.Pattern], Processes: p.Processes, Gap: p.gap(),
			Events: values.Or(p.Events, 10), Locals: p.Locals, Serves: p.Pattern == "client-server" && i == 0, life: p.life(i, p.Processes)}))
	}
	return nodes
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

// unheld is in the place of a claim that the clock is not held to.
type unheld struct{}

// Check implements [model.Checker].
func (*unheld) Check(*model.Report[Msg]) {}

// needs says what exercises each property.
var needs = map[string]string{
	"orders-causally":     "the clock claims it, and an event follows another of its process or receives a message",
	"detects-concurrency": "the clock claims it, and two events are concurrent",
	"total-order":         "the clock is one that orders all events",
	"close-to-physical":   "the clock follows a wall clock, and `epsilon` is given",
	"counter-bound":       "the clock is hybrid",
	"as-written":          "`stamps` says which stamp an event has",
}

// losses says what a violation loses; the other properties lose nothing that a comparison ranks by.
var losses = map[string]sim.Class{"as-written": sim.Written}

// addChecks adds what is checked and measured. The first property keeps the ledger, and the
// others read it.
func (p *Params) addChecks(s *sim.System[Msg], l *ledger) {
	of := func(name string, held bool, c model.Checker[Msg], kinds ...sim.Kind) *model.Property[Msg] {
		if !held {
			return model.NewProperty(name, &unheld{}, start).Needs(needs[name]) // start is no note
		}
		return model.NewProperty(name, c, append(kinds, Local, Sent, Received)...).Loses(losses[name]).Needs(needs[name])
	}
	epsilon, granule := values.Or(p.Epsilon, 0), p.Granule
	if p.Epsilon == nil {
		granule = 0 // e is not claimed
	}
	full := p.MaxCounter // of a hybrid clock that carries into l
	if p.Overflow == "wait" {
		full = -1 // none does
	}
	var want []expected
	if p.scripted() {
		want = p.stamps(l.script, func(int, string, ...any) {})
	}
	detects := of("detects-concurrency", p.held("detects-concurrency"), &detectsConcurrency{Ledger: l})
	s.Properties = []sim.Property[Msg]{
		model.NewProperty("orders-causally", &ordersCausally{l, p.held("orders-causally")}).AlsoFaults().Needs(needs["orders-causally"]),
		detects,
		of("total-order", p.held("total-order"), &totalOrder{l}),
		of("close-to-physical", p.held("close-to-physical"), &closeToPhysical{l, epsilon}),
		of("counter-bound", p.held("counter-bound"), &counterBound{Ledger: l, Epsilon: epsilon, Granule: granule, Full: full, Durable: p.Durable}),
		of("as-written", want != nil, &asWritten{Ledger: l, Want: want}, Refused),
	}
	m := &meter{Ledger: l, Query: p.query()}
	if p.held("detects-concurrency") {
		m.Detects = detects
	}
	model.AddMeter(s, m)
}
