package model

import "fencepost/sim"

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

	Findings
}

// Violated says that the property is violated now, and by which nodes, at most two. It
// reports whether no violation so far was earlier: then say how with Why.
//
//	if before, again := c.Done[r.Msg.ID]; again && r.Violated(r.Node, before) {
//		r.Why("%s has done %d, which %s had done", r.Name(r.Node), r.Msg.ID, r.Name(before))
//	}
func (r *Report[M]) Violated(nodes ...sim.NodeID) bool { return r.ViolatedAt(r.Now(), nodes...) }

// Property is a [sim.Property] made of a name, what it looks at, and a [Checker].
type Property[M sim.Message] struct {
	part[M]
	Base
	ender ender[M] // the checker, nil if it has no End
	ended sim.Observation[M]
}

// NewProperty makes a property that looks at the notes of some kinds. If none are given it
// looks at all notes.
func NewProperty[M sim.Message](name string, c Checker[M], on ...sim.Kind) *Property[M] {
	p := &Property[M]{part: newPart(c, c, on), ended: sim.Observation[M]{Event: sim.Ended}}
	p.Base = NewBase(Claim{Name: name}, c, &p.report.Findings)
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
	p.Watch.Also(events...)
	return p
}

// Needs says what would exercise the property: a clause in the present tense, as "a client must ask for the lock while
// another holds it". Reports print it where a run gave the property nothing to check.
func (p *Property[M]) Needs(clause string) *Property[M] {
	p.claim.Needs = clause
	return p
}

// Loses says what is lost where the property is violated.
func (p *Property[M]) Loses(c sim.Class) *Property[M] {
	p.claim.Loses = c
	return p
}

// Reset implements [sim.Observer].
func (p *Property[M]) Reset(v *sim.View[M]) {
	p.reset()
	p.report.View, p.report.Observation = nil, nil
	p.Begin()
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
		form := NewProperty(p.Name(), c, notes...)
		form.events |= p.events & (1<<sim.Crashed | 1<<sim.Restarted)
		return form
	}
	return nil
}

// Why implements [sim.Property].
func (p *Property[M]) Why(*sim.View[M]) string { return p.Words() }
