package ntp

import (
	"time"

	"fencepost/sim"
)

// Truth is what the properties and the meter have in common: what every clock really
// shows, which no node knows. It keeps a copy of each client's correction, which the
// client notes whenever it changes.
type Truth struct {
	Layout

	ahead  []int64         // by node-1: the wall clock over the monotonic one, as last seen
	gone   []bool          // by node-1: it has crashed
	clocks []Disciplined   // by client
	worst  []time.Duration // by server: the most that it was ever off
	apart  time.Duration   // the most that two servers ever were apart
}

func newTruth(l Layout) Truth {
	return Truth{Layout: l, ahead: make([]int64, l.Servers+l.Clients), gone: make([]bool, l.Servers+l.Clients),
		clocks: make([]Disciplined, l.Clients), worst: make([]time.Duration, l.Servers)}
}

// Reset forgets the run; what clocks show is for begin.
func (t *Truth) Reset() {
	for i := range t.clocks {
		t.clocks[i] = Disciplined{Rate: t.Rate}
	}
	clear(t.worst)
	clear(t.gone)
	clear(t.ahead)
	t.apart = 0
}

// begin looks at the clocks as they start out.
func (t *Truth) begin(v *sim.View[Msg]) {
	for i := range t.ahead {
		t.ahead[i] = t.lead(v, sim.NodeID(i+1))
	}
	t.look(v)
}

// lead is how far the wall clock of a node is ahead of its monotonic clock.
func (t *Truth) lead(v *sim.View[Msg], n sim.NodeID) int64 {
	return v.Read(n, sim.WallClock) - v.Read(n, sim.MonoClock)
}

// observe is to be called before the truth of an observation is asked for.
func (t *Truth) observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n := o.Node - 1
	switch {
	case t.reboot(o):
		t.gone[n] = o.Event != sim.Restarted
		if t.isClient(o.Node) {
			*t.clock(o.Node) = Disciplined{Rate: t.Rate}
		}
	case o.Event == sim.ClockChanged: // until now it was what it had been
		t.look(v)
	case o.Event == sim.Noted && o.Msg.Kind == Stepped:
		t.clock(o.Node).Step(o.Msg.to(), o.Msg.at())
	case o.Event == sim.Noted && o.Msg.Kind == Slewed:
		t.clock(o.Node).Slew(o.Msg.to(), o.Msg.at())
	}
	t.ahead[n] = t.lead(v, o.Node)
	if o.Event != sim.Noted || o.Msg.Kind == Sampled {
		t.look(v)
	}
}

// reboot reports whether an observation is of a node that was or is down, and has not yet
// been observed: its correction is lost, and its monotonic clock begins again.
func (t *Truth) reboot(o *sim.Observation[Msg]) bool {
	return o.Event == sim.Crashed || t.gone[o.Node-1]
}

// look reads the clocks of the servers. Between two looks their errors change evenly, so
// that they are largest at one of them.
func (t *Truth) look(v *sim.View[Msg]) {
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
func (t *Truth) right(server sim.NodeID) bool { return t.worst[server-1] <= t.Accuracy }

// clock is the correction of a client.
func (t *Truth) clock(client sim.NodeID) *Disciplined {
	return &t.clocks[t.number(client)]
}

// rawBehind is by how much the wall clock of a node is behind true time, without the
// correction.
func (t *Truth) rawBehind(v *sim.View[Msg], n sim.NodeID) time.Duration {
	return time.Duration(int64(v.Now()) - v.Read(n, sim.WallClock))
}

// shown is what the clock of a client reads. Before an observation was observed, it is what
// the clock would read but for that.
func (t *Truth) shown(v *sim.View[Msg], client sim.NodeID) int64 {
	mono := v.Read(client, sim.MonoClock)
	return mono + t.ahead[client-1] + int64(t.clock(client).Correction(sim.Mono(mono)))
}

// behind is by how much the clock of a client is behind true time: the true offset.
func (t *Truth) behind(v *sim.View[Msg], client sim.NodeID) time.Duration {
	return time.Duration(int64(v.Now()) - t.shown(v, client))
}

// behindThen is the true offset by the correction at the reading of a note, which may
// leave later than it was made.
func (t *Truth) behindThen(v *sim.View[Msg], note *sim.Observation[Msg]) time.Duration {
	return t.rawBehind(v, note.Node) - t.clock(note.Node).Correction(note.Msg.at())
}
