package idempotency

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// exactlyOnceFold holds if what events are added to is always the sum of distinct events:
// all that are acknowledged, and none that was never delivered. Where each effect has to be
// published, one that is not within Within is lost. A flow without events adds the amounts of
// requests: distinct intents, those that were sent and those whose client was told of success.
// Amounts must not be negative.
//
// Source: Hohpe and Woolf, "Enterprise Integration Patterns", 2003, "Idempotent Receiver";
// Richardson, "Microservices Patterns", 2018, section 3.3, "Transactional outbox".
type exactlyOnceFold struct {
	Layout *Layout
	Within time.Duration

	Ledger       ledger
	Events       table[event]
	Delivered    Value // sum of the distinct events that are delivered
	Acknowledged Value // and of those acknowledged
	Sum          Value // that the database has
	Before       Value // any event
	Known        bool  // Before is
	Effects      []sim.Time
}

// event is what has become of an event.
type event struct{ Published, Delivered, Acknowledged bool }

// Check implements [model.Checker].
func (p *exactlyOnceFold) Check(r *model.Report[Msg]) {
	m := &r.Msg
	id, amount := m.event()
	switch m.Kind {
	case Asked:
		p.deliver(m.intent(), m.fingerprint())
	case Answered:
		if !success(m.Status) {
			return
		}
		p.acknowledge(m.intent(), m.fingerprint())
	case Effect:
		if of, _, _, fresh := p.Ledger.take(m); of == 0 && fresh && p.Layout.Publishes {
			p.Effects = append(p.Effects, r.Now())
		}
		return
	case Published:
		p.Events.at(id).Published = true
		return
	case Delivered:
		p.deliver(id, amount)
	case Acknowledged:
		p.acknowledge(id, amount)
	case Folded:
		p.Sum = m.Values[0]
		if !p.Known {
			p.Known, p.Before = true, p.Sum
		}
	}
	if p.Layout.Folds {
		p.compare(r)
	}
}

func (p *exactlyOnceFold) deliver(id, amount Value) {
	if e := p.Events.at(id); !e.Delivered {
		e.Published, e.Delivered = true, true // a crash of the broker may have come before the note
		p.Delivered += amount
	}
}

func (p *exactlyOnceFold) acknowledge(id, amount Value) {
	if e := p.Events.at(id); !e.Acknowledged {
		e.Acknowledged = true
		p.Acknowledged += amount
	}
}

// compare checks the sum against what is acknowledged and what is delivered.
func (p *exactlyOnceFold) compare(r *model.Report[Msg]) {
	if r.Msg.Kind != Folded || p.Sum != p.Before {
		r.Saw()
	}
	got := p.Sum - p.Before
	switch {
	case got > p.Delivered && r.Violated(r.Node):
		r.Why("%s add up to %d, and %d has been added", p.what("delivered", "sent"), p.Delivered, got)
	case got < p.Acknowledged && r.Violated(r.Node):
		r.Why("%s add up to %d, and %d has been added", p.what("acknowledged", "answered with success"), p.Acknowledged, got)
	}
}

// what is added, with what became of it.
func (p *exactlyOnceFold) what(events, requests string) string {
	if p.Layout.Events {
		return "the events that are " + events
	}
	return "the requests that are " + requests
}

// End is called when the run is over.
func (p *exactlyOnceFold) End(r *model.Report[Msg]) {
	if len(p.Effects) == 0 {
		return
	}
	published := 0
	for i := range p.Events.Entries {
		if p.Events.Entries[i].Published {
			published++
		}
	}
	r.Saw()
	if published >= len(p.Effects) {
		return
	}
	// Of the effects that are not published, one is no younger than this.
	if due := p.Effects[published].Add(p.Within); due < r.Now() && r.ViolatedAt(due, p.Layout.Database) {
		r.Why("of %d effects %d are published, within %v of the last", len(p.Effects), published, p.Within)
	}
}

// Bound implements [sim.Bounded].
func (p *exactlyOnceFold) Bound() sim.Bound {
	if !p.Layout.Publishes {
		return sim.Bound{}
	}
	return sim.Bound{Text: "each effect is published within " + p.Within.String()}
}

func (p *exactlyOnceFold) property() sim.Property[Msg] {
	kinds := []sim.Kind{Effect, Published, Delivered, Acknowledged, Folded}
	if p.Layout.Folds && !p.Layout.Events {
		kinds = []sim.Kind{Asked, Answered, Folded}
	}
	return model.NewProperty("exactly-once-fold", p, kinds...).
		Loses(sim.Data).Needs("a column that the flow declares with `fold` changes, or an effect has to be published")
}
