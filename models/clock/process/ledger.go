package process

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/models/clock/script"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// ledger is what the observers of a run share: its events, what happened before what, and
// the stamps. The property orders-causally, the first of them, keeps it.
type ledger struct {
	kind   string // of the clock
	script *script.Script
	names  []string // of the processes
	copies []int64  // by event of the script: the messages that carry its stamp
	room   int      // in numbers, for the events and what the vectors of their stamps hold

	history *clock.History
	events  []event
	chains  [][]clock.Event // by process
	sends   [][]clock.Event // by process and number, from 1
	written []clock.Event   // by event of the script; none if it has not happened
	fresh   []bool          // by process: it has restarted, and had no event since
	taken   int             // of the room
	full    bool            // there was no room for an event, and nothing is checked any more

	latest clock.Event // that the last observation told of, none if it told of none
	a, b   clock.Sparse[uint32]
}

const none clock.Event = -1

// The room of a ledger, in numbers of 8 bytes: half a gigabyte. That is 4 million events,
// of which each takes that many numbers here and in the history, and fewer with vectors.
const (
	maxNumbers   = 1 << 26
	eventNumbers = 16
)

// event is an event of a run.
type event struct {
	Stamp
	at     sim.Time
	pt     clock.Reading
	number int32       // in the script; noEvent
	from   clock.Event // the send, if it is a receipt
	last   clock.Event // the one before it on its process
	kind   sim.Kind
	fresh  bool // the first one since its process has restarted
}

// reset forgets the run.
func (l *ledger) reset() {
	if l.history == nil {
		h, err := clock.NewHistory(len(l.names))
		if err != nil {
			panic("process: " + err.Error()) // the parameters have been checked
		}
		l.history = h
		l.chains, l.sends, l.fresh = make([][]clock.Event, len(l.names)), make([][]clock.Event, len(l.names)), make([]bool, len(l.names))
		l.events = make([]event, 0, 64)
		if l.script != nil {
			l.written = make([]clock.Event, len(l.script.Events))
		}
	}
	for p := range l.chains {
		l.chains[p], l.sends[p] = l.chains[p][:0], l.sends[p][:0]
	}
	for i := range l.written {
		l.written[i] = none
	}
	clear(l.fresh)
	clear(l.events) // stamps would keep the memory of the run
	l.history.Reset()
	l.events, l.taken, l.full, l.latest = l.events[:0], 0, false, none
	l.a, l.b = l.a[:0], l.b[:0]
}

// observe takes in an observation.
func (l *ledger) observe(now sim.Time, o *sim.Observation[Msg]) {
	l.latest = none
	p := int(o.Node) - 1
	switch {
	case o.Event == sim.Crashed:
		l.fresh[p] = true
	case o.Event != sim.Noted || l.full:
	case o.Msg.Kind == Local || o.Msg.Kind == Sent || o.Msg.Kind == Received:
		l.add(now, p, &o.Msg)
	}
}

// add records an event.
func (l *ledger) add(now sim.Time, p int, m *Msg) {
	e := event{Stamp: m.Stamp, at: now, pt: m.PT, number: m.Event, from: none, last: none, kind: m.Kind, fresh: l.fresh[p]}
	l.taken += eventNumbers
	if m.Vector != nil {
		l.taken += len(*m.Vector)
	}
	var at clock.Event
	var err error
	if m.Kind == Received {
		e.from = l.send(m)
		at, err = l.history.Receive(p, e.from)
	} else {
		at, err = l.history.Local(p)
	}
	if err != nil || l.taken > l.room {
		l.full = true
		return
	}
	if n := len(l.chains[p]); n > 0 {
		e.last = l.chains[p][n-1]
	}
	l.fresh[p] = false
	l.events, l.chains[p] = append(l.events, e), append(l.chains[p], at)
	switch {
	case m.Event != noEvent:
		l.written[m.Event] = at
	case m.Kind == Sent:
		for len(l.sends[p]) < m.Send.index() { // notes that a crash kept from leaving
			l.sends[p] = append(l.sends[p], none)
		}
		l.sends[p] = append(l.sends[p], at)
	}
	l.latest = at
}

// send is the event that sent what a note says was received.
func (l *ledger) send(m *Msg) clock.Event {
	if m.Event != noEvent {
		return l.written[m.Send.event()]
	}
	return l.sends[m.From-1][m.Send.index()]
}

// node is whose event it is.
func (l *ledger) node(e clock.Event) sim.NodeID { return sim.NodeID(l.history.Process(e) + 1) }

// before are the events right before e: on its process, and the send of what it receives.
func (l *ledger) before(e clock.Event) [2]clock.Event {
	return [2]clock.Event{l.events[e].last, l.events[e].from}
}

// relation is how two events stand to each other by their stamps alone.
func (l *ledger) relation(a, b clock.Event) clock.Relation {
	x, y := &l.events[a], &l.events[b]
	switch l.kind {
	case "vector":
		r, _ := x.Vector.Compare(*y.Vector)
		return r
	case "pruned":
		l.a, l.b = sparse(l.a[:0], x.Stamp), sparse(l.b[:0], y.Stamp)
		return l.a.Compare(l.b)
	}
	switch c := compare(x.Stamp, y.Stamp); {
	case c < 0:
		return clock.Before
	case c > 0:
		return clock.After
	}
	return clock.Equal
}

// compare is the order of stamps that are numbers.
func compare(s, t Stamp) int { return cmp.Or(cmp.Compare(s.L, t.L), cmp.Compare(s.C, t.C)) }

// scalar reports whether the stamps are numbers, of which any two are ordered or equal.
func (l *ledger) scalar() bool { return l.kind != "vector" && l.kind != "pruned" }

// name is an event in words, and its stamp.
func (l *ledger) name(v *sim.View[Msg], e clock.Event) string {
	who := v.Name(l.node(e))
	if n := l.events[e].number; n != noEvent {
		return fmt.Sprintf("%s of %s (%s)", l.script.Events[n].Name, who, l.text(l.events[e].Stamp))
	}
	return fmt.Sprintf("event %d of %s (%s)", l.history.Index(e), who, l.text(l.events[e].Stamp))
}

// text is a stamp in the text form of its clock.
func (l *ledger) text(s Stamp) string {
	switch l.kind {
	case "wall":
		return values.Length(time.Duration(s.L))
	case "hlc":
		return fmt.Sprintf("%s,%d", values.Length(time.Duration(s.L)), s.C)
	case "vector":
		return s.Vector.String()
	case "pruned":
		names := make(clock.Sparse[string], 0, len(*s.Vector)/3)
		for _, e := range sparse(nil, s) {
			names = append(names, clock.Entry[string]{ID: l.names[e.ID], N: e.N})
		}
		return names.String()
	}
	return fmt.Sprint(s.L)
}
