package store

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noLostCount holds if on the word of a store's counter never more is admitted than it
// has counted. A counter lives from the write that makes its key until the key is gone;
// of each life, whenever a request is admitted that was charged to it: the admitted so
// far are at most the count that the store last had. A counter may count more: rejected
// requests, calls that came twice, and what is decided without the store. Of a log, it
// is the members it has ever got that count.
//
// The other direction is no-false-rejection.
type noLostCount struct {
	Lives map[int64]life // by number
}

// life is a counter from when its key is made until it is gone.
type life struct{ admitted, counted int64 }

// NewNoLostCount makes the property no-lost-count: the store has counted what was admitted.
func NewNoLostCount() sim.Property[message.Msg] {
	return model.NewProperty("no-lost-count", &noLostCount{}, message.StoreOp, message.Admitted).
		Needs("params.form must be central, and a request must be admitted by a counter of the store")
}

// Check implements [model.Checker].
func (p *noLostCount) Check(r *model.Report[message.Msg]) {
	switch m := &r.Msg; {
	case m.Kind == message.StoreOp && m.Cost > 0:
		l := p.Lives[int64(m.Cost)]
		l.counted = m.Value()
		p.Lives[int64(m.Cost)] = l
	case m.Kind == message.Admitted && m.CounterLife() > 0:
		r.Saw()
		l := p.Lives[m.CounterLife()]
		l.admitted += int64(m.Cost)
		p.Lives[m.CounterLife()] = l
		if l.admitted > l.counted && r.Violated(r.Node) {
			r.Why("with what %s admitted, %d of key %d have been admitted on the word of a counter that stands at %d", r.Name(r.Node), l.admitted, m.Key, l.counted)
		}
	}
}
