package model

import (
	"fmt"
	"reflect"

	"fencepost/sim"
)

// Findings is the verdict of a run so far. A checker writes it.
type Findings struct {
	found  sim.Finding
	near   int64
	format string // of the words for what happened at the first violation
	args   []any
}

// Saw says that there was something to check.
func (f *Findings) Saw() {
	if f.found.Verdict == sim.NotExercised {
		f.found.Verdict = sim.Holds
	}
}

// Withdraw takes back Saw: at the end of a run in which what the property is about was still to come, so that what was
// seen before does not show that it holds. A violation stays one.
func (f *Findings) Withdraw() {
	if f.found.Verdict == sim.Holds {
		f.found.Verdict = sim.NotExercised
	}
}

// ViolatedAt is Violated for an instant that is known only now: when a time ran out.
func (f *Findings) ViolatedAt(at sim.Time, nodes ...sim.NodeID) bool {
	f.found.Verdict = sim.Violated
	f.found.Violations++
	if at >= f.found.First {
		return false
	}
	f.found.First, f.found.Nodes = at, [2]sim.NodeID{}
	copy(f.found.Nodes[:], nodes)
	return true
}

// Why says in words what happened at the violation that was reported last: call it only where
// Violated was true. The words are made when they are asked for, so what they are about has to be
// values of this instant.
func (f *Findings) Why(format string, args ...any) {
	f.format, f.args = format, append(f.args[:0], args...)
}

// Near says how near the run comes now to violating the property, in the unit of the checker's
// Level: larger is nearer. What was nearer before stands.
func (f *Findings) Near(level int64) { f.near = max(f.near, level) }

// Claim is the name of a property and its words for users.
type Claim struct {
	Name string
	// Needs says what would exercise the property: a clause in the present tense, as "a client must ask for the lock while
	// another holds it". Reports print it where a run gave the property nothing to check.
	Needs string
	// Loses is what is lost where the property is violated.
	Loses sim.Class
}

// Base has the methods of a [sim.Property] that do not depend on the type of its messages. Embed it.
type Base struct {
	claim    Claim
	memory   any
	findings *Findings
}

// NewBase makes the base of a property. The checker, a pointer to what the property remembers, writes the findings.
func NewBase(c Claim, checker any, to *Findings) Base { return Base{c, checker, to} }

// Begin forgets the run before.
func (p *Base) Begin() {
	*p.findings = Findings{found: sim.Finding{First: sim.Never}, near: sim.Unreached, args: p.findings.args[:0]}
}

// Name implements [sim.Property].
func (p *Base) Name() string { return p.claim.Name }

// Type is the type of the checker, whose comment defines the property.
func (p *Base) Type() reflect.Type { return reflect.TypeOf(p.memory).Elem() }

// Bound implements [sim.Bounded].
func (p *Base) Bound() (b sim.Bound) {
	if bounded, ok := p.memory.(sim.Bounded); ok {
		b = bounded.Bound()
	}
	b.Needs, b.Class = p.claim.Needs, p.claim.Loses
	return b
}

// Level implements [sim.Leveled].
func (p *Base) Level() sim.Level {
	if l, ok := p.memory.(interface{ Level() sim.Level }); ok {
		return l.Level()
	}
	return sim.Level{}
}

// Near implements [sim.Leveled].
func (p *Base) Near() int64 { return p.findings.near }

// Print implements [sim.Printer]: the verdict so far, and what the checker remembers.
func (p *Base) Print(to *sim.Print) {
	f := &p.findings.found
	to.Fold(uint64(f.Verdict), uint64(f.Violations), uint64(f.First), uint64(f.Nodes[0])<<32|uint64(f.Nodes[1]))
	if c, ok := p.memory.(sim.Printer); ok {
		c.Print(to)
		return
	}
	to.Value(p.memory)
}

// Remembers is the pointer to what the property remembers: its checker.
func (p *Base) Remembers() any { return p.memory }

// Refusal says why the checker has no form with symbolic time with its parameters, "" if it has, or has none at all. One
// that has none with some says so by a method Refusal() string.
func (p *Base) Refusal() string {
	if c, ok := p.memory.(interface{ Refusal() string }); ok {
		return c.Refusal()
	}
	return ""
}

// Finding implements [sim.Property].
func (p *Base) Finding() sim.Finding { return p.findings.found }

// Words says what happened at the first violation.
func (p *Base) Words() string { return fmt.Sprintf(p.findings.format, p.findings.args...) }
