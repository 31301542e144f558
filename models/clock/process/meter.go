package process

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a run shows of a clock, and what the clock costs.
type meter struct {
	Events            model.Measure `measure:"stamped-events,total"`
	Messages          model.Measure `measure:"messages,total"`                                       // sent, a copy to each receiver of a script being one message
	OrderedPairs      model.Measure `measure:"ordered-pairs,total"`                                  // one event of the pair happened before the other
	ConcurrentPairs   model.Measure `measure:"concurrent-pairs,total"`                               // neither did
	ConcurrentOrdered model.Measure `measure:"concurrent-ordered,total"`                             // concurrent pairs that the stamps order
	ConcurrentShare   model.Measure `measure:"concurrent-ordered-share,per=concurrent-pairs,most=1"` // the same, of all concurrent pairs
	FalseConcurrent   model.Measure `measure:"false-concurrent,total"`                               // ordered pairs that the stamps call concurrent, or the same
	Misordered        model.Measure `measure:"misordered,total"`                                     // ordered pairs that the stamps put the other way round
	Bytes             model.Measure `measure:"bytes-per-message,per=messages"`                       // that the stamp adds to a message: a vector is a varint for each process
	BytesSparse       model.Measure `measure:"bytes-per-message-sparse,per=messages"`                // of a vector as ids and counters of those that are not 0
	Ahead             model.Measure `measure:"ahead,duration,signed"`                                // of hlc: l - pt of each event
	MostAhead         model.Measure `measure:"most-ahead,duration,signed"`                           // the most in a run
	AheadAtEnd        model.Measure `measure:"ahead-at-end,duration,signed"`                         // of the last event of a run
	Counter           model.Measure `measure:"counter"`                                              // of hlc: c of each event
	MostCounter       model.Measure `measure:"most-counter"`                                         // the most in a run
	Refused           model.Measure `measure:"refused,counts=refused"`                               // events to which the clock gave no stamp
	ClockError        model.Measure `measure:"clock-error,duration,signed"`                          // of wall, pruned and hlc: how far the wall clock is from true time at each event
	Unchecked         model.Measure `measure:"unjudged,total"`                                       // events after the oracle was full
	Uncompared        model.Measure `measure:"uncompared-pairs,total"`                               // where there are too many to say which the stamps have wrong
	QueryEvents       model.Measure `measure:"query-events"`                                         // of a query by time: those that happened in it
	QueryFound        model.Measure `measure:"query-found"`                                          // those that it finds by their stamps
	QueryWrong        model.Measure `measure:"query-wrong"`                                          // of these, those that happened outside
	QueryMissed       model.Measure `measure:"query-missed"`                                         // those that happened in it and are not found

	Ledger  *ledger
	Detects *model.Property[Msg] // detects-concurrency, nil if the clock is not held to it
	Query   *query

	Pairs    pairs
	Buffer   clock.Sparse[uint32] // a stamp as ids and counters
	Furthest time.Duration        // ahead
	Highest  uint32               // counter
	Lost     int                  // events that are not checked
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e := m.Ledger.latest
	if e == none {
		if m.Ledger.full && o.Event == sim.Noted && o.Msg.Kind != Bound && o.Msg.Kind != Refused {
			m.Lost++
		}
		return
	}
	x := &m.Ledger.events[e]
	m.Events.Record(v, 1)
	if copies := m.copies(x); copies > 0 {
		m.Messages.Record(v, copies)
		m.size(v, x.Stamp, copies)
	}
	if m.Ledger.kind == "hlc" {
		by := time.Duration(x.ahead(x.pt))
		m.Ahead.RecordDuration(v, by)
		m.Counter.Record(v, int64(x.C))
		m.Furthest, m.Highest = max(m.Furthest, by), max(m.Highest, x.C)
	}
	if k := m.Ledger.kind; k == "wall" || k == "hlc" || k == "pruned" {
		m.ClockError.RecordDuration(v, time.Duration(int64(x.pt)-int64(v.Now())).Abs())
	}
}

// copies is how many messages carry the stamp of an event.
func (m *meter) copies(x *event) int64 {
	switch {
	case x.number != noEvent:
		return m.Ledger.copies[x.number]
	case x.kind == Sent:
		return 1
	}
	return 0
}

// size records how many bytes a stamp adds to messages. Readings take 8, c takes 4.
func (m *meter) size(v *sim.View[Msg], s Stamp, copies int64) {
	size := int64(8)
	switch m.Ledger.kind {
	case "hlc":
		size = 12
	case "vector":
		m.Buffer = m.Buffer[:0]
		for p, n := range *s.Vector {
			if n > 0 {
				m.Buffer = append(m.Buffer, clock.Entry[uint32]{ID: uint32(p), N: n})
			}
		}
		m.BytesSparse.Record(v, copies*int64(m.Buffer.WireSize()))
		size = int64(s.Vector.WireSize())
	case "pruned":
		m.Buffer = sparse(m.Buffer[:0], s)
		size = int64(m.Buffer.WireSize() + 8*len(m.Buffer))
	}
	m.Bytes.Record(v, copies*size)
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	l := m.Ledger
	ordered, concurrent := l.history.Pairs()
	m.OrderedPairs.Record(v, int64(ordered))
	m.ConcurrentPairs.Record(v, int64(concurrent))
	if w, ok := m.Pairs.wrong(l, m.Detects, ordered, concurrent); ok {
		m.ConcurrentOrdered.Record(v, int64(w.made))
		m.ConcurrentShare.Record(v, int64(w.made))
		m.FalseConcurrent.Record(v, int64(w.missed))
		m.Misordered.Record(v, int64(w.turned))
	} else {
		m.Uncompared.Record(v, int64(ordered+concurrent))
	}
	if n := len(l.events); l.kind == "hlc" && n > 0 {
		m.MostAhead.RecordDuration(v, m.Furthest)
		m.MostCounter.Record(v, int64(m.Highest))
		m.AheadAtEnd.RecordDuration(v, time.Duration(l.events[n-1].ahead(l.events[n-1].pt)))
	}
	if m.Query != nil {
		a := m.Query.answer(l)
		m.QueryEvents.Record(v, a.events)
		m.QueryFound.Record(v, a.found)
		m.QueryWrong.Record(v, a.wrong)
		m.QueryMissed.Record(v, a.missed)
	}
	if m.Lost > 0 {
		m.Unchecked.Record(v, int64(m.Lost))
	}
}
