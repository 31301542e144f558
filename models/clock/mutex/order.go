package mutex

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// inRequestOrder holds if processes enter in the order of the stamps of their requests: none
// enters while one with a smaller stamp waits, or after one with a larger stamp. As
// long as the clocks are Lamport's, that is: if one request happened before another, it
// is granted first.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, condition (II).
type inRequestOrder struct {
	Crowd  crowd
	Latest Stamp // of those that have entered
}

// Check implements [model.Checker].
func (p *inRequestOrder) Check(r *model.Report[Msg]) {
	p.Crowd.observe(r.Now(), r.Observation)
	if r.Event != sim.Noted || r.Msg.Kind != Entered {
		return
	}
	r.Saw()
	own := Stamp{C: r.Msg.Stamp, P: r.Node}
	if own.Compare(p.Latest) < 0 {
		p.violated(r, p.Latest, "%s entered by a request stamped %d, after %s had entered by one stamped %d")
		return
	}
	p.Latest = own
	for id := sim.NodeID(1); int(id) <= r.Nodes(); id++ {
		if other := (Stamp{C: p.Crowd.stamps[id], P: id}); p.Crowd.waits(id) && other.Compare(own) < 0 {
			p.violated(r, other, "%s entered by a request stamped %d, while %s waited with one stamped %d")
			return
		}
	}
}

func (p *inRequestOrder) violated(r *model.Report[Msg], other Stamp, words string) {
	if r.Violated(r.Node, other.P) {
		r.Why(words, r.Name(r.Node), r.Msg.Stamp, r.Name(other.P), other.C)
	}
}
