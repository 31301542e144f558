package fact

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// Checker is the memory of a property, the facts that it hears, and the function that is called for each of them. Its
// memory is put back before each run, as a [model.Checker] has it.
//
// A checker may have more methods. Begin(r *Report) is called when a run begins. End(r *Report) is called when the run is
// over and, if it hears Elapsed, when an awaited instant has passed. Bound and Level are as in [model.Checker].
// Symbolic() Checker gives the form for symbolic time: it reads no ledger and compares instants with Before alone.
type Checker interface {
	Hears() []Kind
	Check(r *Report)
}

type (
	beginner interface{ Begin(r *Report) }
	ender    interface{ End(r *Report) }
)

// Report is what a checker reads and where it writes its verdict.
type Report struct {
	World
	*Fact // at hand

	model.Findings
}

// Violated records a violation now and up to two nodes. It reports whether no earlier violation is known: then give the
// reason with Why.
func (r *Report) Violated(nodes ...sim.NodeID) bool { return r.ViolatedAt(r.At, nodes...) }

// Property is a claim and its checker.
type Property struct {
	model.Claim
	Checker Checker
}

// Evaluator follows one property through a run.
type Evaluator struct {
	model.Base
	Report  Report
	checker Checker
	ender   ender
	on      uint64 // a bit for each kind that it hears
	reset   func()
}

// NewEvaluator makes the evaluator of a property. It reads the fact at hand: all properties that share a ledger, and the
// ledger itself, read the same.
func NewEvaluator(p Property, hand *Fact) *Evaluator { return newEvaluator(p, hand, p.Checker) }

// NewLedger makes the evaluator of what several properties remember together. It hears a fact before they do. Its memory is
// a pointer to a struct, which the checker changes.
func NewLedger(memory any, c Checker, hand *Fact) *Evaluator {
	return newEvaluator(Property{Checker: c}, hand, memory)
}

// newEvaluator makes an evaluator that puts the given memory back before each run.
func newEvaluator(p Property, hand *Fact, memory any) *Evaluator {
	e := &Evaluator{Report: Report{Fact: hand}, checker: p.Checker, on: set(p.Checker.Hears()), reset: model.Restore(memory)}
	e.Base = model.NewBase(p.Claim, p.Checker, &e.Report.Findings)
	e.ender, _ = p.Checker.(ender)
	return e
}

// set has a bit for each kind.
func set(on []Kind) (bits uint64) {
	for _, k := range on {
		bits |= 1 << k
	}
	return bits
}

// Begin forgets the run before and takes the world of the next one.
func (e *Evaluator) Begin(w World) {
	e.reset()
	e.Base.Begin()
	e.Report.World = w
	if b, ok := e.checker.(beginner); ok {
		b.Begin(&e.Report)
	}
}

// Hear shows the fact at hand to the checker if that hears its kind.
func (e *Evaluator) Hear() {
	switch k := e.Report.Kind; {
	case k == Ended || k == Elapsed && e.on>>Elapsed&1 != 0:
		if e.ender != nil {
			e.ender.End(&e.Report)
		}
	case e.on>>k&1 != 0:
		e.checker.Check(&e.Report)
	}
}
