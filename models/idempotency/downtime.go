package idempotency

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// downtime measures for how long the system could not answer: some node was paused, or every node of a role was down. A
// bound does not count that time. A paused node keeps its requests and row locks until it resumes, so no other node can
// finish them. A crash of one server of several is no excuse: clients ask the next.
type downtime struct {
	Layout *Layout
	Nodes  []stopped // by node
	Out    bool      // now
	Since  sim.Time  // of Out
	Lost   time.Duration
}

// stopped is whether a node is paused, and whether it is down.
type stopped struct{ Paused, Down bool }

// observe takes in that a node stops or resumes.
func (d *downtime) observe(r *model.Report[Msg]) {
	s := model.At(&d.Nodes, r.Node)
	switch r.Event {
	case sim.Paused, sim.Resumed:
		s.Paused = r.Event == sim.Paused
	case sim.Crashed, sim.Restarted:
		s.Down = r.Event == sim.Crashed
	}
	switch out := d.out(); {
	case out && !d.Out:
		d.Out, d.Since = true, r.Now()
	case !out && d.Out:
		d.Out, d.Lost, d.Since = false, d.Lost+r.Now().Sub(d.Since), 0
	}
}

// out reports whether a node is paused, or all nodes of some role are down.
func (d *downtime) out() bool {
	for _, role := range d.Layout.Roles {
		up := false
		for id := role[0]; id <= role[1]; id++ {
			s := model.At(&d.Nodes, id)
			if s.Paused {
				return true
			}
			up = up || !s.Down
		}
		if !up {
			return true
		}
	}
	return false
}

// lost is for how long the system could not answer, from the start of the run.
func (d *downtime) lost(now sim.Time) time.Duration {
	if d.Out {
		return d.Lost + now.Sub(d.Since)
	}
	return d.Lost
}

// print takes in all but the layout.
func (d *downtime) print(to *sim.Print) {
	to.Fold(uint64(d.Since), uint64(d.Lost), uint64(len(d.Nodes)))
	for _, n := range d.Nodes {
		flags := uint64(0)
		if n.Paused {
			flags |= 1
		}
		if n.Down {
			flags |= 2
		}
		to.Fold(flags)
	}
}
