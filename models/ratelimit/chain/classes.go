package chain

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
)

// sheds reports whether the limiter looks at classes.
func (p *LimiterParams) sheds() bool { return p.Kind == "shed-fleet" || p.Kind == "shed-worker" }

// classed reports whether there are classes to tell apart.
func (p *Params) classed() bool { return len(p.Class) > 0 || p.Limiter.sheds() }

// shedding finds what is wrong with how classes are shed.
func (p *Params) shedding(l *problems) {
	s := &p.Limiter.Shed
	for _, v := range []struct {
		path, kind string
		set        bool
	}{
		{"reserved", "shed-fleet", s.Reserved != nil}, {"low", "shed-worker", s.Low != nil},
		{"high", "shed-worker", s.High != nil}, {"every", "shed-worker", s.Every != nil},
	} {
		if v.set && p.Limiter.Kind != v.kind {
			l.Add("limiter.shed."+v.path, "it is of kind %s, and the limiter is of kind %s", v.kind, p.Limiter.Kind)
		}
	}
	switch p.Limiter.Kind {
	case "shed-fleet":
		l.count("limiter.shed.reserved", int(p.fleet().Reserved), 0, 1000)
	case "shed-worker":
		w := p.worker()
		l.count("limiter.shed.low", int(w.Low), 0, max(1, p.Database.Workers))
		l.count("limiter.shed.high", int(w.High), int(w.Low), max(int(w.Low), p.Database.Workers))
		l.length("limiter.shed.every", s.Every, 0, maxLength)
	}
}

// The measures of classes come after the others: the changes of what is shed, and of each
// class how many operations succeeded and how many requests were refused.
const (
	shedChanges = replays + 1
	firstClass  = shedChanges + 1
	ofClass     = 2
)

func (p *Params) measures() []sim.Measure {
	if !p.classed() {
		return measures
	}
	all := append(measures[:len(measures):len(measures)], sim.Measure{Name: "shed-changes", Total: true})
	for c := range shed.Class(shed.Classes) {
		all = append(all, sim.Measure{Name: c.String() + "-useful", Total: true}, sim.Measure{Name: c.String() + "-rejected", Total: true})
	}
	return all
}

// class counts for a class.
func (m *meter) class(v *sim.View[Msg], o *sim.Observation[Msg]) {
	first := firstClass + ofClass*int(o.Msg.Class)
	switch {
	case o.Msg.Kind == Shedding:
		v.Record(shedChanges, 1)
	case o.Msg.Kind == Succeeded && m.layout.isClient(o.Node):
		v.Record(first, 1)
	case o.Msg.Kind == Rejected:
		v.Record(first+1, 1)
	}
}

// letsIn is what a limiter lets in that sheds that many classes.
func letsIn(shedding int64) string {
	switch shedding {
	case 0:
		return "lets in every class"
	case shed.Classes:
		return "lets in nothing"
	}
	return fmt.Sprintf("lets in nothing less important than %v", shed.Class(shed.Classes-1-shedding))
}

// refusalStands is how long the refusal of a critical request is held against what is let
// in: later there may be room again, and no critical one has asked.
const refusalStands = time.Second

// ClassOrder holds if nothing less important is let in after a critical request was
// refused, by the limiter or by the queue, until another critical one is let in: where
// there is no room for it there is none for the others. A refusal counts for a second,
// unless the limiter changes what it sheds.
//
// Source: Stripe, "Scaling your API with rate limiters", 2017, the load shedders.
type ClassOrder struct {
	sim.Check
	refused uint64 // the operation of the last critical request that was, 0 for none
	at      sim.Time
	class   shed.Class // of the first violation
}

// Name implements [sim.Property].
func (p *ClassOrder) Name() string { return "class-order" }

// Reset implements [sim.Observer].
func (p *ClassOrder) Reset(*sim.View[Msg]) {
	p.Clear()
	p.refused, p.at, p.class = 0, 0, 0
}

// Observe implements [sim.Observer].
func (p *ClassOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Crashed {
		p.refused = 0
	}
	if o.Event != sim.Noted {
		return
	}
	critical := o.Msg.Class == shed.Critical
	switch {
	case o.Msg.Kind == Shedding:
		p.refused = 0
	case o.Msg.Kind == Rejected && critical:
		p.refused, p.at = o.Msg.ID, v.Now()
	case o.Msg.Kind == Admitted && critical:
		p.refused = 0
	case o.Msg.Kind == Admitted:
		p.Saw()
		if p.refused != 0 && v.Now().Sub(p.at) <= refusalStands && p.Violate(v.Now(), o.Node, caller(p.refused)) {
			p.class = o.Msg.Class
		}
	}
}

// End implements [sim.Observer].
func (p *ClassOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *ClassOrder) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("the %s lets in a request of the class %v after a critical one of %s was refused", v.Name(n[0]), p.class, v.Name(n[1]))
}
