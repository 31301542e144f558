package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a flow does, and what it costs.
type meter struct {
	Requests   model.Measure `measure:"requests,counts=asked"`
	Retries    model.Measure `measure:"retries,counts=retrying"`
	Refusals   model.Measure `measure:"refused,counts=refused"`
	Effects    model.Measure `measure:"effects,total"`
	Removals   model.Measure `measure:"removed,total"`
	Duplicates model.Measure `measure:"duplicates,total"` // effects of an intent beyond the first
	Charges    model.Measure `measure:"charges,total"`
	Recharges  model.Measure `measure:"charges-answered-again,counts=charged-again"`
	Answers    model.Measure `measure:"answers,counts=answered"` // final
	Successes  model.Measure `measure:"successes,total"`
	GivenUp    model.Measure `measure:"gave-up,counts=gave-up"`
	Timeouts   model.Measure `measure:"timeouts,total"`          // attempts without an answer
	Replays    model.Measure `measure:"replays,counts=replayed"` // as the flow notes
	Conflicts  model.Measure `measure:"conflicts,total"`         // answers 409
	Mismatches model.Measure `measure:"mismatches,total"`        // answers 422
	Errors     model.Measure `measure:"errors,total"`            // answers of 500 and above
	Claims     model.Measure `measure:"claims,counts=claimed"`
	Takeovers  model.Measure `measure:"takeovers,counts=takeover"`
	Fenced     model.Measure `measure:"fenced,counts=fenced"`
	Resumed    model.Measure `measure:"resumed,counts=resumed"`
	Locked     model.Measure `measure:"locks,counts=locked"`

	Statements model.Measure `measure:"statements-per-request"`
	Trips      model.Measure `measure:"round-trips-per-request"`
	Locks      model.Measure `measure:"locks-per-request,per=handled"`
	Handled    model.Measure `measure:"handled,counts=replied"` // requests that a server has answered
	Aborts     model.Measure `measure:"sql-errors,counts=aborted"`
	Waits      model.Measure `measure:"lock-waits,counts=waits"`
	Unanswered model.Measure `measure:"calls-unanswered,counts=unanswered"`

	Latency model.Measure `measure:"latency,duration"`        // of a call, from its first attempt to its final answer
	Answer  model.Measure `measure:"time-to-answer,duration"` // of an intent
	Replay  model.Measure `measure:"handling-time,duration"`  // of a request by a server

	Published   model.Measure `measure:"events-published,counts=published"`
	Delivered   model.Measure `measure:"events-delivered,counts=delivered"`
	EventsTwice model.Measure `measure:"events-twice,total"` // deliveries of an event beyond the first
	EventsLost  model.Measure `measure:"events-lost,total"`  // effects without an event at the end, of a flow that publishes
	EventsOpen  model.Measure `measure:"events-open,total"`  // events that are not acknowledged at the end

	Watched model.Measure `measure:"watched,signed"` // the last value of the column that is watched

	Layout   *Layout
	Asked    table[demanded] // by intent
	Calls    []calling       // that have no final answer
	Ledger   ledger
	Events   table[event]
	Began    []sim.Time // by server, then by slot
	Distinct int        // events published
	Rows     int        // effects, of the first table
	Open     int        // events that are published and not acknowledged
	Last     Value      // of the column that is watched
	Shown    bool       // it has one
}

// demanded is an intent that a client has asked for.
type demanded struct {
	At       sim.Time
	Known    bool
	Answered bool
}

// calling is a call of an intent, which is known by the number of its last attempt.
type calling struct {
	client  sim.NodeID
	intent  Value
	attempt uint16
	number  uint32
	since   sim.Time
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Asked:
		m.asked(v, o)
	case Retrying:
		if n.Status == 0 {
			m.Timeouts.Record(v, 1)
		}
	case Answered:
		m.answered(v, o)
	case GaveUp:
		m.ended(o)
	case Locked:
		m.Locks.Record(v, 1)
	case Effect, ChargeMade, Removed:
		m.effect(v, n)
	case Began:
		*model.At(&m.Began, m.place(o)) = v.Now()
	case Replied:
		m.replied(v, o)
	case Watched:
		m.Last, m.Shown = n.Values[2], true
	case Published, Delivered, Acknowledged:
		m.event(v, n)
	}
}

// place is where a server's task is kept.
func (m *meter) place(o *sim.Observation[Msg]) int { return int(o.Node)<<6 | int(o.Msg.Slot)&63 }

func (m *meter) asked(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n := &o.Msg
	if d := m.Asked.at(n.intent()); !d.Known {
		*d = demanded{At: v.Now(), Known: true}
	}
	for i := range m.Calls {
		if c := &m.Calls[i]; c.client == o.Node && c.intent == n.intent() && c.attempt+1 == n.Attempt {
			c.attempt, c.number = n.Attempt, n.Call
			return
		}
	}
	m.Calls = append(m.Calls, calling{o.Node, n.intent(), n.Attempt, n.Call, v.Now()})
}

// ended is when a call that is over began.
func (m *meter) ended(o *sim.Observation[Msg]) (since sim.Time, ok bool) {
	for i, c := range m.Calls {
		if c.client == o.Node && c.number == o.Msg.Call {
			m.Calls = append(m.Calls[:i], m.Calls[i+1:]...)
			return c.since, true
		}
	}
	return 0, false
}

func (m *meter) answered(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n := &o.Msg
	if m.Layout.success(n.Status) {
		m.Successes.Record(v, 1)
	}
	if since, ok := m.ended(o); ok {
		m.Latency.RecordDuration(v, v.Now().Sub(since))
	}
	if d := m.Asked.at(n.intent()); !d.Answered {
		d.Answered = true
		m.Answer.RecordDuration(v, v.Now().Sub(d.At))
	}
}

func (m *meter) effect(v *sim.View[Msg], n *Msg) {
	of, _, count, fresh := m.Ledger.take(n)
	switch {
	case !fresh:
		return
	case n.Kind == Removed:
		m.Removals.Record(v, 1)
		return
	}
	if n.Kind == ChargeMade {
		m.Charges.Record(v, 1)
	} else {
		m.Effects.Record(v, 1)
	}
	if count > 1 {
		m.Duplicates.Record(v, 1)
	}
	if of == 0 {
		m.Rows++
	}
}

func (m *meter) replied(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n := &o.Msg
	m.Statements.Record(v, int64(n.Values[3]))
	m.Trips.Record(v, int64(n.Values[4]))
	m.Replay.RecordDuration(v, v.Now().Sub(*model.At(&m.Began, m.place(o))))
	switch {
	case n.Status == 409:
		m.Conflicts.Record(v, 1)
	case n.Status == 422:
		m.Mismatches.Record(v, 1)
	case n.Status >= 500:
		m.Errors.Record(v, 1)
	}
}

func (m *meter) event(v *sim.View[Msg], n *Msg) {
	id, _ := n.event()
	e := m.Events.at(id)
	switch n.Kind {
	case Published:
		m.Open++
		if !e.Published {
			m.Distinct++
		}
		e.Published = true
	case Delivered:
		if e.Delivered {
			m.EventsTwice.Record(v, 1)
		}
		e.Delivered = true
	case Acknowledged:
		m.Open--
	}
}

// End records what is known at the end of a run only.
func (m *meter) End(v *sim.View[Msg]) {
	if m.Shown {
		m.Watched.Record(v, int64(m.Last))
	}
	if !m.Layout.Publishes {
		return
	}
	m.EventsOpen.Record(v, int64(m.Open))
	m.EventsLost.Record(v, int64(max(0, m.Rows-m.Distinct)))
}
