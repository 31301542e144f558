package fact

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// property is an [Evaluator] as a [sim.Property] of a model.
type property[M sim.Message] struct {
	model.Watch
	*Evaluator
	hearing *Hearing[M]
}

func (p *property[M]) itself() *property[M] { return p }

// Reset implements [sim.Observer].
func (p *property[M]) Reset(v *sim.View[M]) { p.Begin(v) }

// Observe implements [sim.Observer]. The hearing has observed it before.
func (p *property[M]) Observe(*sim.View[M], *sim.Observation[M]) { p.Hear() }

// End implements [sim.Ender].
func (p *property[M]) End(*sim.View[M]) { p.Hear() }

// Why implements [sim.Property].
func (p *property[M]) Why(*sim.View[M]) string { return p.Words() }

// Symbolic is the property in the form that is checked with time as a symbol, nil if its checker has none.
func (p *property[M]) Symbolic() sim.Property[M] {
	s, ok := p.checker.(interface{ Symbolic() Checker })
	if !ok {
		return nil
	}
	c := s.Symbolic()
	if c == nil {
		return nil
	}
	h := &Hearing[M]{facts: p.hearing.facts}
	return &alone[M]{h.property(Property{model.Claim{Name: p.Name()}, c}), h}
}

// alone is a property without ledgers before it: it has a hearing of its own.
type alone[M sim.Message] struct {
	*property[M]
	hearing *Hearing[M]
}

// Observe implements [sim.Observer].
func (p *alone[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	if o.Event != sim.Noted {
		p.hearing.Observe(v, o)
		p.Hear()
		return
	}
	rows := p.hearing.facts.rows[o.Msg.Label()]
	for i := range rows {
		p.hearing.fill(v, o, &rows[i])
		p.Hear()
	}
}

// End implements [sim.Ender].
func (p *alone[M]) End(v *sim.View[M]) {
	p.hearing.End(v)
	p.Hear()
}

// ledger is an [Evaluator] without a verdict.
type ledger[M sim.Message] struct {
	property[M]
	memory any
}

// Print implements [sim.Printer].
func (l *ledger[M]) Print(to *sim.Print) { to.Value(l.memory) }
