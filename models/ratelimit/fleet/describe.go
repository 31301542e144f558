package fleet

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/lease"
	"fencepost/models/ratelimit/fleet/local"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/regions"
	"fencepost/models/ratelimit/fleet/sync"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// describer says in words what happens in a fleet, for one run: bursts of decisions in one
// sentence each, as they would be too many otherwise.
type describer struct {
	*core.Describer
	windows    measure.Windows
	overs      int            // how often one was
	over       []bool         // by key: the last window told was over the bound
	turned     []bool         // by client: its last request was rejected
	admittedAt core.Questions // when
	rows       []int          // by client: how often it was rejected after an admission
	stored     central.StoreDescriber
	counters   local.Counters
}

func newDescriber(l core.Layout) *describer {
	t := &describer{Describer: core.NewDescriber(l), over: make([]bool, l.Keys+1), turned: make([]bool, l.Clients+1), rows: make([]int, l.Clients+1)}
	t.stored.Describer = t.Describer
	t.windows.Grow(l.Keys, l.Window)
	t.counters.Reset(l)
	t.admittedAt.Grow(l.Clients)
	return t
}

// enough is how many rows of rejections are told of a client, and how many windows that
// are over the bound.
const enough = 3

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	if o.Event == sim.Restarted {
		clear(t.Said) // it all begins anew
	}
	if t.Layout.Counts {
		t.counters.Observe(v, o)
	}
	if o.Event == sim.Ended {
		t.worst(v)
	}
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case message.Admitted:
		return t.admitted(v, o.Node, m)
	case message.Rejected:
		return t.rejected(v, o.Node, m)
	case message.Started:
		return t.started(v, o.Node, m)
	case message.Dropped:
		return t.dropped(v, o.Node, m)
	case message.Changed:
		return fmt.Sprintf("%s takes the algorithm %s, with nothing counted", v.Name(o.Node), t.Layout.Later)
	case message.Moved:
		moved, keys := m.Moved()
		return fmt.Sprintf("%s has %d of %d keys go to another limiter", v.Name(o.Node), moved, keys)
	case message.Counted:
		return sync.DescribeCounted(t.Describer, v, o)
	case message.Leased, message.Returned, message.Lapsed:
		return lease.DescribeLeases(t.Describer, v, o)
	case message.Heard:
		return regions.DescribeHeard(t.Describer, v, o)
	case message.StoreOp, message.Evicted, message.TakenOver, message.FellBack, message.Opened, message.Closed:
		return t.stored.Describe(v, o)
	}
	return ""
}

// admitted tells of a client that gets in again, and of each window that is over the
// bound, when it first is.
func (t *describer) admitted(v *sim.View[message.Msg], limiter sim.NodeID, m *message.Msg) string {
	t.admittedAt.Ask(m.ID, v.Now(), limiter)
	sum := t.windows[m.Key].Admit(v.Now(), int64(m.Cost))
	who := v.Name(message.ClientOf(m.ID))
	was, again := t.over[m.Key], t.turned[message.ClientOf(m.ID)]
	t.over[m.Key], t.turned[message.ClientOf(m.ID)] = sum > t.Layout.Bound, false
	switch {
	case sum > t.Layout.Bound && !was:
		if t.overs++; t.overs > enough {
			return ""
		}
		return fmt.Sprintf("%s admits %s: now %d of key %d in %v, over the bound of %d", v.Name(limiter), who, sum, m.Key, values.Length(t.Layout.Window), t.Layout.Bound)
	case again && t.rows[message.ClientOf(m.ID)] <= enough:
		return fmt.Sprintf("%s admits %s again", v.Name(limiter), who)
	}
	return ""
}

// worst describes the fullest window, if one was over the bound.
func (t *describer) worst(v *sim.View[message.Msg]) {
	if t.overs == 0 {
		return
	}
	key, most, end := 0, int64(0), sim.Time(0)
	for k := range t.windows {
		if sum, at := t.windows[k].Worst(); sum > most {
			key, most, end = k, sum, at
		}
	}
	from := sim.Time(0) // of a window that begins before the run
	if start := end.Add(-t.Layout.Window); start > 0 {
		from = start
	}
	v.Describe(end, fmt.Sprintf("the worst window of key %d is (%v, %v]: %d admitted in %s, and the limit is %d",
		key, from, end, most, values.Length(t.Layout.Window), t.Layout.Limit))
}

// rejected tells of the first rejection of each of a client's first rows.
func (t *describer) rejected(v *sim.View[message.Msg], limiter sim.NodeID, m *message.Msg) string {
	client := message.ClientOf(m.ID)
	if t.turned[client] {
		return ""
	}
	t.turned[client] = true
	if t.rows[client]++; t.rows[client] > enough {
		return ""
	}
	text := fmt.Sprintf("%s rejects %s", v.Name(limiter), v.Name(client))
	if t.Layout.Dimensions != nil {
		text += " by the limit " + t.Layout.Dimensions[m.RejectedBy()].Name
	}
	if m.Wait() < 0 && int64(m.Cost) > t.Layout.Limit {
		return text + fmt.Sprintf(" forever: a cost of %d is more than is ever admitted", m.Cost)
	}
	text += fmt.Sprintf(": %d of key %d in %v", t.windows[m.Key].Sum(v.Now()), m.Key, values.Length(t.Layout.Window))
	if m.Wait() > 0 {
		text += fmt.Sprintf(", retry after %s", values.Length(m.Wait()))
	} else if m.Wait() < 0 {
		text += ", forever: the counter does not expire"
	}
	return text
}

// dropped tells of the first that waits in vain of each client.
func (t *describer) dropped(v *sim.View[message.Msg], limiter sim.NodeID, m *message.Msg) string {
	if !t.First(message.Dropped, m.Key, uint64(message.ClientOf(m.ID))) {
		return ""
	}
	return fmt.Sprintf("%s drops a request of %s, which does not wait any more", v.Name(limiter), v.Name(message.ClientOf(m.ID)))
}

// started tells of a start that is late for the first time.
func (t *describer) started(v *sim.View[message.Msg], limiter sim.NodeID, m *message.Msg) string {
	if t.Layout.Forward == 0 {
		return ""
	}
	at := t.admittedAt.Of(m.ID).Asked
	if late := v.Now().Sub(at); late > t.Layout.Forward && t.First(message.Started, m.Key, uint64(at)) {
		return fmt.Sprintf("%s lets %s through, %s after it was admitted", v.Name(limiter), v.Name(message.ClientOf(m.ID)), values.Length(late))
	}
	return ""
}
