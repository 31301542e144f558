package model

import (
	"fmt"
	"reflect"

	"fencepost/sim"
)

// A Checker is what a property remembers, in exported fields, and the function that is called
// for everything that it looks at.
//
// What it remembers is put back before each run to what it was when the property was made: maps
// are cleared and slices truncated, and keep their memory; a nil map is made. Maps and slices
// that had elements then are parameters, and kept, as is what a pointer refers to. A field with
// a method Reset() is reset by that. See [At] for tables by node.
//
// A Checker with a method Begin(r *Report[M]) has that called when a run begins, of which
// nothing has happened yet: r has no Observation. One with a method End(r *Report[M]) has that
// called when the run is over. One with a method Bound() sim.Bound is a [sim.Bounded], and one
// with a method Level() sim.Level a [sim.Leveled], which calls [Report.Near].
type Checker[M sim.Message] interface {
	Check(r *Report[M])
}

type (
	beginner[M sim.Message] interface{ Begin(r *Report[M]) }
	ender[M sim.Message]    interface{ End(r *Report[M]) }
)

// Report is what a [Checker] looks at, and what it tells: View has the time, the names and
// the clocks, Observation what has happened, which at the end of a run is [sim.Ended].
type Report[M sim.Message] struct {
	*sim.View[M]
	*sim.Observation[M]

	found  sim.Finding
	near   int64
	format string // of the words for what happened at the first violation
	args   []any
}

// Saw says that there was something to check.
func (r *Report[M]) Saw() {
	if r.found.Verdict == sim.NotExercised {
		r.found.Verdict = sim.Holds
	}
}

// Withdraw takes back Saw: at the end of a run in which what the property is about was still to come, so that what was
// seen before does not show that it holds. A violation stays one.
func (r *Report[M]) Withdraw() {
	if r.found.Verdict == sim.Holds {
		r.found.Verdict = sim.NotExercised
	}
}

// Violated says that the property is violated now, and by which nodes, at most two. It
// reports whether no violation so far was earlier: then say how with Why.
//
//	if before, again := c.Done[r.Msg.ID]; again && r.Violated(r.Node, before) {
//		r.Why("%s has done %d, which %s had done", r.Name(r.Node), r.Msg.ID, r.Name(before))
//	}
func (r *Report[M]) Violated(nodes ...sim.NodeID) bool { return r.ViolatedAt(r.Now(), nodes...) }

// ViolatedAt is Violated for an instant that is known only now: when a time ran out.
func (r *Report[M]) ViolatedAt(at sim.Time, nodes ...sim.NodeID) bool {
	r.found.Verdict = sim.Violated
	r.found.Violations++
	if at >= r.found.First {
		return false
	}
	r.found.First, r.found.Nodes = at, [2]sim.NodeID{}
	copy(r.found.Nodes[:], nodes)
	return true
}

// Why says in words what happened at the violation that was reported last: call it only where
// Violated was true. The words are made when they are asked for, so what they are about has to be
// values of this instant.
func (r *Report[M]) Why(format string, args ...any) {
	r.format, r.args = format, append(r.args[:0], args...)
}

// Near says how near the run comes now to violating the property, in the unit of the checker's
// Level: larger is nearer. What was nearer before stands.
func (r *Report[M]) Near(level int64) { r.near = max(r.near, level) }

// Property is a [sim.Property] made of a name, what it looks at, and a [Checker].
type Property[M sim.Message] struct {
	part[M]
	name  string
	needs string // what would exercise it
	class sim.Class
	ender ender[M] // the checker, nil if it has no End
	ended sim.Observation[M]
}

// NewProperty makes a property that looks at the notes of some kinds. If none are given it
// looks at all notes.
func NewProperty[M sim.Message](name string, c Checker[M], on ...sim.Kind) *Property[M] {
	p := &Property[M]{part: newPart(c, c, on), name: name, ended: sim.Observation[M]{Event: sim.Ended}}
	p.ender, _ = c.(ender[M])
	return p
}

// AlsoFaults lets the property look at all that faults do to nodes, besides notes.
func (p *Property[M]) AlsoFaults() *Property[M] {
	return p.Also(faults...)
}

// Also lets the property look at some of what faults do to nodes or to the network, besides notes. With
// [sim.Elapsed] the checker's End is called when the time is over that it awaits, too: it checks
// the time up to now.
func (p *Property[M]) Also(events ...sim.Event) *Property[M] {
	p.also(events)
	return p
}

// Needs says what would exercise the property: a clause in the present tense, as "a client must ask for the lock while
// another holds it". Reports print it where a run gave the property nothing to check.
func (p *Property[M]) Needs(clause string) *Property[M] {
	p.needs = clause
	return p
}

// Loses says what is lost where the property is violated.
func (p *Property[M]) Loses(c sim.Class) *Property[M] {
	p.class = c
	return p
}

// Name implements [sim.Property].
func (p *Property[M]) Name() string { return p.name }

// Type is the type of the checker, whose comment defines the property.
func (p *Property[M]) Type() reflect.Type { return reflect.TypeOf(p.checker).Elem() }

// Bound implements [sim.Bounded].
func (p *Property[M]) Bound() (b sim.Bound) {
	if bounded, ok := p.checker.(sim.Bounded); ok {
		b = bounded.Bound()
	}
	b.Needs, b.Class = p.needs, p.class
	return b
}

// Level implements [sim.Leveled].
func (p *Property[M]) Level() sim.Level {
	if l, ok := p.checker.(interface{ Level() sim.Level }); ok {
		return l.Level()
	}
	return sim.Level{}
}

// Near implements [sim.Leveled].
func (p *Property[M]) Near() int64 { return p.report.near }

// Reset implements [sim.Observer].
func (p *Property[M]) Reset(v *sim.View[M]) {
	p.reset()
	p.report = Report[M]{found: sim.Finding{First: sim.Never}, near: sim.Unreached, args: p.report.args[:0]}
	if b, ok := p.checker.(beginner[M]); ok {
		p.report.View = v
		b.Begin(&p.report)
	}
}

// Observe implements [sim.Observer].
func (p *Property[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	if o.Event == sim.Elapsed {
		p.end(v, o)
		return
	}
	p.part.Observe(v, o)
}

// End implements [sim.Ender].
func (p *Property[M]) End(v *sim.View[M]) { p.end(v, &p.ended) }

func (p *Property[M]) end(v *sim.View[M], o *sim.Observation[M]) {
	if p.ender != nil {
		p.report.View, p.report.Observation = v, o
		p.ender.End(&p.report)
	}
}

// Print implements [sim.Printer]: the verdict so far, and what the checker remembers.
func (p *Property[M]) Print(to *sim.Print) {
	f := &p.report.found
	to.Fold(uint64(f.Verdict), uint64(f.Violations), uint64(f.First), uint64(f.Nodes[0])<<32|uint64(f.Nodes[1]))
	if c, ok := p.checker.(sim.Printer); ok {
		c.Print(to)
		return
	}
	to.Value(p.checker)
}

// Remembers is the pointer to what the property remembers: its checker.
func (p *Property[M]) Remembers() any { return p.checker }

// Symbolic is the property in the form that can be checked with time as a symbol, nil if its checker
// has none. One that has says so by a method Symbolic() (Checker[M], []sim.Kind): a checker that
// compares instants with Before alone, looks at no clock and at no ledger, and the notes that it
// looks at. What it has to say of time that has passed it says at the next of these, or at the end. It is
// told of crashes and restarts if the property is.
func (p *Property[M]) Symbolic() sim.Property[M] {
	if s, ok := p.checker.(interface {
		Symbolic() (Checker[M], []sim.Kind)
	}); ok {
		c, notes := s.Symbolic()
		if c == nil {
			return nil
		}
		form := NewProperty(p.name, c, notes...)
		form.events |= p.events & (1<<sim.Crashed | 1<<sim.Restarted)
		return form
	}
	return nil
}

// Refusal says why the checker has no such form with its parameters, "" if it has, or has none at all. One that has none
// with some says so by a method Refusal() string.
func (p *Property[M]) Refusal() string {
	if c, ok := p.checker.(interface{ Refusal() string }); ok {
		return c.Refusal()
	}
	return ""
}

// Finding implements [sim.Property].
func (p *Property[M]) Finding() sim.Finding { return p.report.found }

// Why implements [sim.Property].
func (p *Property[M]) Why(*sim.View[M]) string {
	return fmt.Sprintf(p.report.format, p.report.args...)
}
