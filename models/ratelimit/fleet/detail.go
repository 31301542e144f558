package fleet

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// detailer says in words what is too small for the log of a run, for one run: each
// request, and each decision with what had been admitted.
type detailer struct {
	layout  core.Layout
	windows measure.Windows
	asked   sim.Time   // when a client last did
	asking  sim.NodeID // and who
}

func newDetailer(l core.Layout) *detailer {
	d := &detailer{layout: l, asked: -1}
	d.windows.Grow(l.Keys, l.Window)
	return d
}

// detail returns "" for what is nothing.
func (d *detailer) detail(v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	switch m.Kind {
	case message.Asked:
		if d.asked == v.Now() && d.asking == o.Node {
			return "" // one of a burst
		}
		d.asked, d.asking = v.Now(), o.Node
		return fmt.Sprintf("asks %s for key %d, in request %s", v.Name(m.To()), m.Key, message.RequestName(m.ID))
	case message.Answered:
		return fmt.Sprintf("hears that request %s is %s", message.RequestName(m.ID), message.Verdict(m.OK))
	case message.Admitted:
		sum := d.windows[m.Key].Admit(v.Now(), int64(m.Cost))
		return fmt.Sprintf("admits request %s: now %d of key %d in %s", message.RequestName(m.ID), sum, m.Key, values.Length(d.layout.Window))
	case message.Rejected:
		return fmt.Sprintf("rejects request %s: %d of key %d in %s", message.RequestName(m.ID), d.windows[m.Key].Sum(v.Now()), m.Key, values.Length(d.layout.Window))
	case message.Started:
		if d.layout.Service > 0 || d.layout.Forward > 0 {
			return fmt.Sprintf("starts request %s", message.RequestName(m.ID))
		}
	case message.ShardOp:
		return d.counted(m)
	}
	return ""
}

// counted is what a shard, or a store of several dimensions, does.
func (d *detailer) counted(m *message.Msg) string {
	switch {
	case m.ID == 0:
		return ""
	case !m.OK:
		return fmt.Sprintf("has no room for request %s", message.RequestName(m.ID))
	}
	return fmt.Sprintf("counts request %s", message.RequestName(m.ID))
}
