package kv

import (
	"slices"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noWriteInDoubt holds if a write that ended with an error has no effect: no client reads its value afterwards. A
// write that was refused before any node stored it does not count, nor does a compare-and-set that found another
// value.
//
// Source: "Dynamo", 2007, section 4.5; Kingsbury, Jepsen, "Riak", 2013: a write that fails may still be stored.
type noWriteInDoubt struct {
	Layout *Layout
	Failed []failedWrite
	Heads  []uint32 // of what was read last
}

// failedWrite is a write whose client got an error.
type failedWrite struct {
	Write  uint32
	Key    uint32
	Client sim.NodeID
	At     sim.Time
}

// Check implements [model.Checker].
func (p *noWriteInDoubt) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case m.Kind == core.Answered && m.Write == nil:
		p.Heads = m.Obj.Heads(p.Heads[:0])
		for i := range p.Failed {
			if f := &p.Failed[i]; f.Key == m.Key() {
				p.read(r, f)
			}
		}
	case m.Kind == core.Failed && m.Write != nil && m.Status() != core.Mismatch && m.Status() != core.Refused:
		p.Failed = append(p.Failed, failedWrite{m.Write.ID, m.Key(), r.Node, r.Now()})
	}
}

func (p *noWriteInDoubt) read(r *model.Report[core.Msg], f *failedWrite) {
	r.Saw()
	if slices.Contains(p.Heads, f.Write) && r.Violated(r.Node, f.Client) {
		r.Why("%s reads %s from %s, a write of %s that failed at %v", r.Name(r.Node), p.Layout.siblings(r.Msg.Obj), p.Layout.key(f.Key), r.Name(f.Client), f.At)
	}
}

// Print implements [sim.Printer].
func (p *noWriteInDoubt) Print(to *sim.Print) {
	to.Fold(uint64(len(p.Failed)))
	for _, f := range p.Failed {
		to.Fold(uint64(f.Write)<<32 | uint64(f.Key))
	}
}

func (p *noWriteInDoubt) property() sim.Property[core.Msg] {
	return model.NewProperty("no-write-in-doubt", p, core.Answered, core.Failed).
		Needs("`claims` names it, a write fails, and a client reads its key later")
}
