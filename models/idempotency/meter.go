package idempotency

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// meter records what a flow does, and what it costs.
type meter struct {
	Requests   kit.Measure `measure:"requests,total"`
	Retries    kit.Measure `measure:"retries,total"`
	Refusals   kit.Measure `measure:"refused,total"`
	Effects    kit.Measure `measure:"effects,total"`
	Removals   kit.Measure `measure:"removed,total"`
	Duplicates kit.Measure `measure:"duplicates,total"` // effects of an intent beyond the first
	Charges    kit.Measure `measure:"charges,total"`
	Recharges  kit.Measure `measure:"charges-answered-again,total"`
	Answers    kit.Measure `measure:"answers,total"` // final
	Successes  kit.Measure `measure:"successes,total"`
	GivenUp    kit.Measure `measure:"gave-up,total"`
	Timeouts   kit.Measure `measure:"timeouts,total"`   // attempts without an answer
	Replays    kit.Measure `measure:"replays,total"`    // as the flow notes
	Conflicts  kit.Measure `measure:"conflicts,total"`  // answers 409
	Mismatches kit.Measure `measure:"mismatches,total"` // answers 422
	Errors     kit.Measure `measure:"errors,total"`     // answers of 500 and above
	Claims     kit.Measure `measure:"claims,total"`
	Takeovers  kit.Measure `measure:"takeovers,total"`
	Fenced     kit.Measure `measure:"fenced,total"`
	Resumed    kit.Measure `measure:"resumed,total"`
	Locked     kit.Measure `measure:"locks,total"`

	Statements kit.Measure `measure:"statements-per-request"`
	Trips      kit.Measure `measure:"round-trips-per-request"`
	Locks      kit.Measure `measure:"locks-per-request,per=handled"`
	Handled    kit.Measure `measure:"handled,total"` // requests that a server has answered
	Aborts     kit.Measure `measure:"sql-errors,total"`
	Waits      kit.Measure `measure:"lock-waits,total"`
	Unanswered kit.Measure `measure:"calls-unanswered,total"`

	Latency kit.Measure `measure:"latency,duration"`        // of a call, to its final answer
	Answer  kit.Measure `measure:"time-to-answer,duration"` // of an intent
	Replay  kit.Measure `measure:"handling-time,duration"`  // of a request by a server

	Published   kit.Measure `measure:"events-published,total"`
	Delivered   kit.Measure `measure:"events-delivered,total"`
	EventsTwice kit.Measure `measure:"events-twice,total"` // deliveries of an event beyond the first
	EventsLost  kit.Measure `measure:"events-lost,total"`  // effects without an event at the end, of a flow that publishes
	EventsOpen  kit.Measure `measure:"events-open,total"`  // events that are not acknowledged at the end

	Watched kit.Measure `measure:"watched,signed"` // the last value of the column that is watched

	Layout   *Layout
	Asked    table[demanded] // by intent
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

// totals are the notes of which each counts.
func (m *meter) totals(k sim.Kind) (kit.Measure, bool) {
	switch k {
	case Retrying:
		return m.Retries, true
	case Refused:
		return m.Refusals, true
	case ChargeAgain:
		return m.Recharges, true
	case GaveUp:
		return m.GivenUp, true
	case Replayed:
		return m.Replays, true
	case Claimed:
		return m.Claims, true
	case TookOver:
		return m.Takeovers, true
	case Fenced:
		return m.Fenced, true
	case Resumed:
		return m.Resumed, true
	case Aborted:
		return m.Aborts, true
	case Waits:
		return m.Waits, true
	case Unanswered:
		return m.Unanswered, true
	}
	return kit.Measure{}, false
}

// Observe implements [kit.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	if total, ok := m.totals(o.Msg.Kind); ok {
		total.Record(v, 1)
	}
	switch n := &o.Msg; n.Kind {
	case Asked:
		m.asked(v, n)
	case Retrying:
		if n.Status == 0 {
			m.Timeouts.Record(v, 1)
		}
	case Answered:
		m.answered(v, n)
	case Locked:
		m.Locked.Record(v, 1)
		m.Locks.Record(v, 1)
	case Effect, ChargeMade, Removed:
		m.effect(v, n)
	case Began:
		*kit.At(&m.Began, m.place(o)) = v.Now()
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

func (m *meter) asked(v *sim.View[Msg], n *Msg) {
	m.Requests.Record(v, 1)
	if d := m.Asked.at(n.intent()); !d.Known {
		*d = demanded{At: v.Now(), Known: true}
	}
}

func (m *meter) answered(v *sim.View[Msg], n *Msg) {
	m.Answers.Record(v, 1)
	if m.Layout.success(n.Status) {
		m.Successes.Record(v, 1)
	}
	d := m.Asked.at(n.intent())
	m.Latency.RecordDuration(v, v.Now().Sub(d.At))
	if !d.Answered {
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
	m.Handled.Record(v, 1)
	m.Statements.Record(v, int64(n.Values[3]))
	m.Trips.Record(v, int64(n.Values[4]))
	m.Replay.RecordDuration(v, v.Now().Sub(*kit.At(&m.Began, m.place(o))))
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
		m.Published.Record(v, 1)
		m.Open++
		if !e.Published {
			m.Distinct++
		}
		e.Published = true
	case Delivered:
		m.Delivered.Record(v, 1)
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
