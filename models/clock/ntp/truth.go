package ntp

import (
	"time"

	"fencepost/sim"
)

// truth is what the properties and the meter have in common: what every clock really
// shows, which no node knows. It keeps a copy of each client's correction, which the
// client notes whenever it changes.
type truth struct {
	Layout Layout

	ahead  []int64         // by node-1: the wall clock over the monotonic one, as last seen
	gone   []bool          // by node-1: it has crashed
	clocks []Disciplined   // by client
	worst  []time.Duration // by server: the most that it was ever off
	apart  time.Duration   // the most that two servers ever were apart
}

func (t *truth) reset(v *sim.View[Msg]) {
	if t.ahead == nil {
		t.ahead, t.gone = make([]int64, v.Nodes()), make([]bool, v.Nodes())
		t.clocks = make([]Disciplined, t.Layout.Clients)
		t.worst = make([]time.Duration, t.Layout.Servers)
	}
	for i := range t.ahead {
		t.ahead[i] = t.lead(v, sim.NodeID(i+1))
	}
	for i := range t.clocks {
		t.clocks[i] = Disciplined{Rate: t.Layout.Rate}
	}
	clear(t.worst)
	clear(t.gone)
	t.apart = 0
	t.look(v)
}

// lead is how far the wall clock of a node is ahead of its monotonic clock.
func (t *truth) lead(v *sim.View[Msg], n sim.NodeID) int64 {
	return v.Read(n, sim.WallClock) - v.Read(n, sim.MonoClock)
}

// observe is to be called before the truth of an observation is asked for.
func (t *truth) observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n := o.Node - 1
	switch {
	case t.reboot(o):
		t.gone[n] = o.Event != sim.Restarted
		if t.Layout.isClient(o.Node) {
			*t.clock(o.Node) = Disciplined{Rate: t.Layout.Rate}
		}
	case o.Event == sim.Retimed: // until now it was what it had been
		t.look(v)
	case o.Event == sim.Noted && o.Msg.Kind == Stepped:
		t.clock(o.Node).Step(time.Duration(o.Msg.Y), sim.Mono(o.Msg.Z))
	case o.Event == sim.Noted && o.Msg.Kind == Slewed:
		t.clock(o.Node).Slew(time.Duration(o.Msg.Y), sim.Mono(o.Msg.Z))
	}
	t.ahead[n] = t.lead(v, o.Node)
	if o.Event != sim.Noted || o.Msg.Kind == Sampled {
		t.look(v)
	}
}

// reboot reports whether an observation is of a node that was or is down, and has not yet
// been observed: its correction is lost, and its monotonic clock begins again.
func (t *truth) reboot(o *sim.Observation[Msg]) bool {
	return o.Event == sim.Crashed || t.gone[o.Node-1]
}

// look reads the clocks of the servers. Between two looks their errors change evenly, so
// that they are largest at one of them.
func (t *truth) look(v *sim.View[Msg]) {
	first := true
	var low, high time.Duration
	for s := range t.worst {
		id := sim.NodeID(s + 1)
		if t.gone[s] {
			continue
		}
		off := time.Duration(v.Read(id, sim.MonoClock) + t.ahead[s] - int64(v.Now()))
		t.worst[s] = max(t.worst[s], off.Abs())
		if first {
			first, low, high = false, off, off
		}
		low, high = min(low, off), max(high, off)
	}
	t.apart = max(t.apart, high-low)
}

// right reports whether the clock of a server has never been wrong.
func (t *truth) right(server sim.NodeID) bool { return t.worst[server-1] <= t.Layout.Accuracy }

// clock is the correction of a client.
func (t *truth) clock(client sim.NodeID) *Disciplined {
	return &t.clocks[int(client)-1-t.Layout.Servers]
}

// rawBehind is by how much the wall clock of a node is behind true time, without the
// correction.
func (t *truth) rawBehind(v *sim.View[Msg], n sim.NodeID) time.Duration {
	return time.Duration(int64(v.Now()) - v.Read(n, sim.WallClock))
}

// shown is what the clock of a client reads. Before an observation was observed, it is what
// the clock would read but for that.
func (t *truth) shown(v *sim.View[Msg], client sim.NodeID) int64 {
	mono := v.Read(client, sim.MonoClock)
	return mono + t.ahead[client-1] + int64(t.clock(client).Correction(sim.Mono(mono)))
}

// behind is by how much the clock of a client is behind true time: the true offset.
func (t *truth) behind(v *sim.View[Msg], client sim.NodeID) time.Duration {
	return time.Duration(int64(v.Now()) - t.shown(v, client))
}

// behindThen is the true offset by the correction at the reading of a note, which may
// leave later than it was made.
func (t *truth) behindThen(v *sim.View[Msg], note *sim.Observation[Msg]) time.Duration {
	return t.rawBehind(v, note.Node) - t.clock(note.Node).Correction(sim.Mono(note.Msg.Z))
}
