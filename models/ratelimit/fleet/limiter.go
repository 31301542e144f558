package fleet

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// Limiter decides alone: an algorithm, and what it remembers of each key.
type Limiter struct {
	Clock sim.ClockID // whose readings the algorithm gets
	Keys  keys
}

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	keys := l.Keys
	*l = *initial
	l.Keys = copyKeys(keys, initial.Keys)
}

// decide is the algorithm's decision of a request.
func (l *Limiter) decide(in *sim.In[Msg]) ratelimit.Decision {
	return l.Keys.take(in.Msg.Key, reading(in, l.Clock), int64(in.Msg.Cost))
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
	case Request:
		answer(out, m, in.From, l.decide(&in))
	case serve:
		out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
		out.Send(sim.NodeID(m.N), Msg{Kind: Response, OK: true, ID: m.ID, Y: m.Y})
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// answer tells the observers and the client what was decided; a request that has to
// wait for its turn is answered when that comes.
func answer(out *sim.Out[Msg], m Msg, client sim.NodeID, d ratelimit.Decision) {
	switch wait := d.Delay(); {
	case !d.Allowed:
		rejectAs(out, m, client, d)
	case wait > 0:
		show(out, m, d)
		out.Note(Msg{Kind: Admitted, ID: m.ID, Key: m.Key, Cost: m.Cost, X: int64(wait)})
		out.After(wait, Msg{Kind: serve, N: uint16(client), ID: m.ID, Key: m.Key, Cost: m.Cost, Y: d.Remaining})
	default:
		admitAs(out, m, client, d)
	}
}

// admit lets a request through now.
func admit(out *sim.Out[Msg], m Msg, client sim.NodeID, remaining int64) {
	admitAs(out, m, client, ratelimit.Decision{Allowed: true, Remaining: remaining})
}

// admitAs is admit where all of the decision is known.
func admitAs(out *sim.Out[Msg], m Msg, client sim.NodeID, d ratelimit.Decision) {
	show(out, m, d)
	out.Note(Msg{Kind: Admitted, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.Send(client, Msg{Kind: Response, OK: true, ID: m.ID, Y: d.Remaining})
}

// reject refuses a request.
func reject(out *sim.Out[Msg], m Msg, client sim.NodeID, retry time.Duration) {
	rejectAs(out, m, client, ratelimit.Decision{Wait: retry})
}

// rejectAs is reject where all of the decision is known.
func rejectAs(out *sim.Out[Msg], m Msg, client sim.NodeID, d ratelimit.Decision) {
	show(out, m, d)
	out.Note(Msg{Kind: Rejected, ID: m.ID, Key: m.Key, Cost: m.Cost, X: int64(d.Wait)})
	out.Send(client, Msg{Kind: Response, ID: m.ID, X: int64(d.Wait)})
}

// reading is what one of the node's clocks shows.
func reading(in *sim.In[Msg], clock sim.ClockID) ratelimit.Reading {
	switch clock {
	case sim.BootClock:
		return ratelimit.Reading(in.Boot)
	case sim.WallClock:
		return ratelimit.Reading(in.Wall)
	}
	return ratelimit.Reading(in.Mono)
}
