package process

import (
	"slices"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// The measures, in the order in which they are declared.
const (
	events            = iota
	messages          // sent, a copy to each receiver of a script being one message
	orderedPairs      // one event of the pair happened before the other
	concurrentPairs   // neither did
	concurrentOrdered // concurrent pairs that the stamps order
	concurrentShare   // the same, of all concurrent pairs
	falseConcurrent   // ordered pairs that the stamps call concurrent, or the same
	misordered        // ordered pairs that the stamps put the other way round
	bytes             // that the stamp adds to a message: a vector is a varint for each process
	bytesSparse       // of a vector as ids and counters of those that are not 0
	ahead             // of hlc: l - pt of each event
	mostAhead         // the most in a run
	aheadAtEnd        // of the last event of a run
	counter           // of hlc: c of each event
	mostCounter       // the most in a run
	refused           // events to which the clock gave no stamp
	clockError        // of wall, pruned and hlc: how far the wall clock is from true time at each event
	unjudged          // events after the oracle was full
	uncompared        // pairs, where there are too many to say which the stamps have wrong
	queryEvents       // of a query by time: those that happened in it
	queryFound        // those that it finds by their stamps
	queryWrong        // of these, those that happened outside
	queryMissed       // those that happened in it and are not found
)

// meter records what a run shows of a clock, and what the clock costs.
type meter struct {
	claim
	detects *DetectsConcurrency
	query   *query
	stamps  []Stamp              // in the order of the stamps
	buffer  clock.Sparse[uint32] // a stamp as ids and counters
	ahead   time.Duration        // the most
	count   uint32               // the most
	lost    int
}

func measures() []sim.Measure {
	return []sim.Measure{
		events:            {Name: "events", Total: true},
		messages:          {Name: "messages", Total: true},
		orderedPairs:      {Name: "ordered-pairs", Total: true},
		concurrentPairs:   {Name: "concurrent-pairs", Total: true},
		concurrentOrdered: {Name: "concurrent-ordered", Total: true},
		concurrentShare:   {Name: "concurrent-ordered-share", Per: "concurrent-pairs", Most: 1},
		falseConcurrent:   {Name: "false-concurrent", Total: true},
		misordered:        {Name: "misordered", Total: true},
		bytes:             {Name: "bytes-per-message", Per: "messages"},
		bytesSparse:       {Name: "bytes-per-message-sparse", Per: "messages"},
		ahead:             {Name: "ahead", Unit: sim.Duration, Signed: true},
		mostAhead:         {Name: "most-ahead", Unit: sim.Duration, Signed: true},
		aheadAtEnd:        {Name: "ahead-at-end", Unit: sim.Duration, Signed: true},
		counter:           {Name: "counter"},
		mostCounter:       {Name: "most-counter"},
		refused:           {Name: "refused", Total: true},
		clockError:        {Name: "clock-error", Unit: sim.Duration, Signed: true},
		unjudged:          {Name: "unjudged", Total: true},
		uncompared:        {Name: "uncompared-pairs", Total: true},
		queryEvents:       {Name: "query-events"},
		queryFound:        {Name: "query-found"},
		queryWrong:        {Name: "query-wrong"},
		queryMissed:       {Name: "query-missed"},
	}
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.reset()
	m.ahead, m.count, m.lost = 0, 0, 0
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := m.next(v, o)
	if o.Event == sim.Noted && o.Msg.Kind == Refused {
		v.Record(refused, 1)
	}
	if !ok {
		if m.ledger.full && o.Event == sim.Noted && o.Msg.Kind != Bound && o.Msg.Kind != Refused {
			m.lost++
		}
		return
	}
	x := &m.ledger.events[e]
	v.Record(events, 1)
	if copies := m.copies(x); copies > 0 {
		v.Record(messages, copies)
		m.size(v, x.Stamp, copies)
	}
	if m.ledger.kind == "hlc" {
		by := time.Duration(x.L - int64(x.pt))
		v.RecordDuration(ahead, by)
		v.Record(counter, int64(x.C))
		m.ahead, m.count = max(m.ahead, by), max(m.count, x.C)
	}
	if k := m.ledger.kind; k == "wall" || k == "hlc" || k == "pruned" {
		v.RecordDuration(clockError, time.Duration(int64(x.pt)-int64(v.Now())).Abs())
	}
}

// copies is how many messages carry the stamp of an event.
func (m *meter) copies(x *event) int64 {
	switch {
	case x.number != noEvent:
		return m.ledger.copies[x.number]
	case x.kind == Sent:
		return 1
	}
	return 0
}

// size records how many bytes a stamp adds to messages. Readings take 8, c takes 4.
func (m *meter) size(v *sim.View[Msg], s Stamp, copies int64) {
	size := int64(8)
	switch m.ledger.kind {
	case "hlc":
		size = 12
	case "vector":
		m.buffer = m.buffer[:0]
		for p, n := range *s.Vector {
			if n > 0 {
				m.buffer = append(m.buffer, clock.Entry[uint32]{ID: uint32(p), N: n})
			}
		}
		v.Record(bytesSparse, copies*int64(m.buffer.WireSize()))
		size = int64(s.Vector.WireSize())
	case "pruned":
		m.buffer = sparse(m.buffer[:0], s)
		size = int64(m.buffer.WireSize() + 8*len(m.buffer))
	}
	v.Record(bytes, copies*size)
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	l := m.ledger
	ordered, concurrent := l.history.Pairs()
	v.Record(orderedPairs, int64(ordered))
	v.Record(concurrentPairs, int64(concurrent))
	if w, ok := m.wrong(ordered, concurrent); ok {
		v.Record(concurrentOrdered, int64(w.made))
		v.Record(concurrentShare, int64(w.made))
		v.Record(falseConcurrent, int64(w.missed))
		v.Record(misordered, int64(w.turned))
	} else {
		v.Record(uncompared, int64(ordered+concurrent))
	}
	if n := len(l.events); l.kind == "hlc" && n > 0 {
		v.RecordDuration(mostAhead, m.ahead)
		v.Record(mostCounter, int64(m.count))
		v.RecordDuration(aheadAtEnd, time.Duration(l.events[n-1].L-int64(l.events[n-1].pt)))
	}
	if m.query != nil {
		a := m.query.answer(l)
		v.Record(queryEvents, a.events)
		v.Record(queryFound, a.found)
		v.Record(queryWrong, a.wrong)
		v.Record(queryMissed, a.missed)
	}
	if m.lost > 0 {
		v.Record(unjudged, int64(m.lost))
	}
}

// maxCompared is how many pairs of events are looked at one by one.
const maxCompared = 1 << 20

// wrong counts the pairs of events of which the stamps say what is not so.
type wrong struct{ made, missed, turned uint64 }

// wrong counts them. Where that would take a look at each of too many pairs it returns
// false.
func (m *meter) wrong(ordered, concurrent uint64) (w wrong, ok bool) {
	l := m.ledger
	switch {
	case m.detects.held && m.detects.Finding().Violations == 0 && !l.scalar():
		return w, true
	case l.scalar() && m.causal(): // then events with one stamp are concurrent
		return wrong{made: concurrent - m.equal()}, true
	case ordered+concurrent > maxCompared:
		return w, false
	}
	for b := range clock.Event(len(l.events)) {
		for a := range b {
			before, says := l.history.Before(a, b), l.relation(a, b)
			switch ordered := says == clock.Before || says == clock.After; {
			case before && says == clock.After:
				w.turned++
			case before && !ordered:
				w.missed++
			case !before && ordered:
				w.made++
			}
		}
	}
	return w, true
}

// causal reports whether no stamp contradicts what happened before what.
func (m *meter) causal() bool {
	for e := range clock.Event(len(m.ledger.events)) {
		for _, a := range m.ledger.before(e) {
			if a != none && m.ledger.relation(a, e) != clock.Before {
				return false
			}
		}
	}
	return true
}

// equal is how many pairs of events share a stamp.
func (m *meter) equal() (pairs uint64) {
	m.stamps = m.stamps[:0]
	for i := range m.ledger.events {
		m.stamps = append(m.stamps, m.ledger.events[i].Stamp)
	}
	slices.SortFunc(m.stamps, compare)
	same := uint64(0) // as the one before and those before that
	for i := range m.stamps {
		if i > 0 && compare(m.stamps[i-1], m.stamps[i]) == 0 {
			same++
		} else {
			same = 0
		}
		pairs += same
	}
	return pairs
}
