package idempotency

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// eventsInOrder holds if events of one key reach consumers in the order in which their rows of an ordered table were
// committed: no event is begun for the first time after a later one. An event that is lost or comes twice is for
// exactly-once-fold. In which order consumers finish is not checked.
//
// Source: Richardson, "Microservices Patterns", 2018, section 3.3: events of one aggregate have to be published in order.
type eventsInOrder struct {
	Layout *Layout
	Events table[staged]   // by event
	Keys   table[sequence] // by key
}

// staged is an event whose row is committed.
type staged struct {
	Key   Value
	Place int // among the events of its key, from 1
	Begun bool
}

// sequence is the events of a key.
type sequence struct {
	Events int
	Latest Value // of those that consumers have begun with, the one that was committed last
	Place  int   // of Latest
}

// Check implements [model.Checker].
func (p *eventsInOrder) Check(r *model.Report[Msg]) {
	id, key := r.Msg.event()
	if r.Msg.Kind == Staged {
		if e := p.Events.at(id); e.Place == 0 { // after a crash the database says it again
			k := p.Keys.at(key)
			k.Events++
			*e = staged{Key: key, Place: k.Events}
		}
		return
	}
	e := p.Events.find(id)
	if e == nil || e.Begun {
		return
	}
	e.Begun = true
	k := p.Keys.at(e.Key)
	if k.Place > 0 {
		r.Saw()
	}
	if e.Place > k.Place {
		k.Latest, k.Place = id, e.Place
	} else if r.Violated(r.Node) {
		r.Why("%s begins with event %d%s after event %d, which was committed later", r.Name(r.Node), id, p.ofKey(e.Key), k.Latest)
	}
}

// ofKey names the key of an event, if there are several.
func (p *eventsInOrder) ofKey(key Value) string {
	if key == Null {
		return ""
	}
	return fmt.Sprintf(" of %s %d", p.Layout.Ordered, key)
}

func (p *eventsInOrder) property() sim.Property[Msg] {
	return model.NewProperty("events-in-order", p, Staged, Handling).Needs("two events of one key of an `ordered` table reach a consumer")
}
