package mutex

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// mutualExclusion holds if at no instant two processes are in the critical section. One
// that is paused there is in; one that has crashed is not.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, condition (I).
type mutualExclusion struct{ Crowd crowd }

// Check implements [model.Checker].
func (p *mutualExclusion) Check(r *model.Report[Msg]) {
	if r.Event == sim.Noted && r.Msg.Kind == Entered {
		r.Saw()
		if other := p.Crowd.other(r.Node); other != sim.None && r.Violated(r.Node, other) {
			r.Why("%s entered while %s was in", r.Name(r.Node), r.Name(other))
		}
	}
	p.Crowd.observe(r.Now(), r.Observation)
}

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
