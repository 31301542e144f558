package core

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Limiter decides alone: an algorithm, and what it remembers of each key.
type Limiter struct {
	Clock sim.ClockID // whose readings the algorithm gets
	Keys  Keys
}

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	keys := l.Keys
	*l = *initial
	l.Keys = CopyKeys(keys, initial.Keys)
}

// Decide is the algorithm's decision of a request.
func (l *Limiter) Decide(in *sim.In[message.Msg]) ratelimit.Decision {
	return l.Keys.Take(in.Msg.Key, Reading(in, l.Clock), int64(in.Msg.Cost))
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
	case message.Request:
		Answer(out, m, in.From, l.Decide(&in))
	case message.Serve:
		out.Note(message.Of(message.Started, m))
		out.Send(m.Client(), message.NewAdmission(m.ID, m.Remaining()))
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// Answer tells the observers and the client what was decided; a request that has to
// wait for its turn is answered when that comes.
func Answer(out *sim.Out[message.Msg], m message.Msg, client sim.NodeID, d ratelimit.Decision) {
	switch wait := d.Delay(); {
	case !d.Allowed:
		rejectAs(out, m, client, d)
	case wait > 0:
		Show(out, m, d)
		out.Note(message.NewAdmitted(m, wait))
		out.After(wait, message.NewServe(m, client, d.Remaining))
	default:
		admitAs(out, m, client, d)
	}
}

// Admit lets a request through now.
func Admit(out *sim.Out[message.Msg], m message.Msg, client sim.NodeID, remaining int64) {
	admitAs(out, m, client, ratelimit.Decision{Allowed: true, Remaining: remaining})
}

// admitAs is admit where all of the decision is known.
func admitAs(out *sim.Out[message.Msg], m message.Msg, client sim.NodeID, d ratelimit.Decision) {
	Show(out, m, d)
	out.Note(message.NewAdmitted(m, 0))
	out.Note(message.Of(message.Started, m))
	out.Send(client, message.NewAdmission(m.ID, d.Remaining))
}

// Reject refuses a request.
func Reject(out *sim.Out[message.Msg], m message.Msg, client sim.NodeID, retry time.Duration) {
	rejectAs(out, m, client, ratelimit.Decision{Wait: retry})
}

// rejectAs is reject where all of the decision is known.
func rejectAs(out *sim.Out[message.Msg], m message.Msg, client sim.NodeID, d ratelimit.Decision) {
	Show(out, m, d)
	out.Note(message.NewRejected(m, d.Wait, 0))
	out.Send(client, message.NewRejection(m.ID, d.Wait))
}

// Reading is what one of the node's clocks shows.
func Reading(in *sim.In[message.Msg], clock sim.ClockID) ratelimit.Reading {
	switch clock {
	case sim.BootClock:
		return ratelimit.Reading(in.Boot)
	case sim.WallClock:
		return ratelimit.Reading(in.Wall)
	}
	return ratelimit.Reading(in.Mono)
}
