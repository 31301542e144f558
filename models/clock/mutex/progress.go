package mutex

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// progress holds if every process that asks enters in time, unless it crashes itself: whatever
// becomes of the others. The time of one that comes back and still waits begins anew. Who has asked less than that before the end is not checked.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, condition (III), with a bound: one crashed process blocks all.
type progress struct {
	Within time.Duration
	Crowd  crowd
	Late   []bool   // by process: that it waits for too long has been said
	Next   sim.Time // the first instant by which a process has to enter
}

// Bound implements [sim.Bounded].
func (p *progress) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("each enters within %v", p.Within)}
}

// Check implements [model.Checker].
func (p *progress) Check(r *model.Report[Msg]) {
	if r.Now() > p.Next {
		p.due(r, r.Now()-1)
	}
	p.Crowd.observe(r.Now(), r.Observation)
	if r.Event != sim.Noted {
		return
	}
	switch r.Msg.Kind {
	case Requested, Resumed:
		*model.At(&p.Late, r.Node) = false
		p.Next = min(p.Next, r.Now().Add(p.Within))
	case Entered:
		r.Saw()
	}
}

// due looks for those that had to enter up to an instant.
func (p *progress) due(r *model.Report[Msg], upTo sim.Time) {
	p.Next = sim.Never
	for i, since := range p.Crowd.since {
		late := model.At(&p.Late, i)
		if since == sim.Never || *late {
			continue
		}
		due := since.Add(p.Within)
		if due > upTo {
			p.Next = min(p.Next, due)
			continue
		}
		*late = true
		if r.ViolatedAt(due, sim.NodeID(i)) {
			r.Why("%s had asked %v before, and was not let in%s", r.Name(sim.NodeID(i)), p.Within, down(r))
		}
	}
}

// down says which process is down, "" if all are up.
func down(r *model.Report[Msg]) string {
	for id := sim.NodeID(1); int(id) <= r.Nodes(); id++ {
		if r.Down(id) {
			return fmt.Sprintf(": %s was down", r.Name(id))
		}
	}
	return ""
}

// End checks those that had to enter before the run was over.
func (p *progress) End(r *model.Report[Msg]) { p.due(r, r.Now()) }
