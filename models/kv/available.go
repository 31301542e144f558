package kv

import (
	"fmt"
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// available holds if each request at a live node is answered without an error within a time
// from when its client sends it. A node is live if it has not crashed and is not paused; what
// is lost on the way to a node is at no node. A request does not count if its node or its
// client stops before it is answered.
//
// Source: Gilbert and Lynch, "Brewer's conjecture and the feasibility of consistent,
// available, partition-tolerant web services", 2002, section 2.2: every request received by
// a non-failing node must result in a response.
type available struct {
	*Layout
	Within time.Duration

	Open []pending // by client
}

// pending is the latest request of a client.
type pending struct {
	Req    uint32
	Node   uint16
	Out    bool // it is not answered
	At     bool // it has reached the node
	Exempt bool // its node, or the client, has stopped
	Since  sim.Time
	Write  bool
}

// Check implements [model.Checker].
func (p *available) Check(r *model.Report[core.Msg]) {
	if r.Event != sim.Noted {
		p.stopped(r)
		return
	}
	switch m := &r.Msg; m.Kind {
	case core.Asked:
		q := model.At(&p.Open, r.Node)
		*q = pending{Req: m.Req(), Node: uint16(m.Other()), Out: true, Since: r.Now(), Write: m.Write != nil, Exempt: stops(r.View, m.Other())}
	case core.Received:
		if q := model.At(&p.Open, sim.NodeID(m.Client())); q.Out && q.Req == m.Req() {
			q.At = true
		}
	default:
		p.ended(r, model.At(&p.Open, r.Node))
	}
}

// stops reports whether a node is paused or down now.
func stops(v *sim.View[core.Msg], id sim.NodeID) bool {
	_, paused := v.PausedSince(id)
	return paused || v.Down(id)
}

// stopped exempts the requests at a node that stops, and those of a client that does.
func (p *available) stopped(r *model.Report[core.Msg]) {
	if int(r.Node) <= p.Nodes {
		for i := range p.Open {
			if q := &p.Open[i]; sim.NodeID(q.Node) == r.Node {
				q.Exempt = true
			}
		}
		return
	}
	model.At(&p.Open, r.Node).Exempt = true
}

// ended is the end of a request, as its client sees it.
func (p *available) ended(r *model.Report[core.Msg], q *pending) {
	q.Out = false
	if q.Exempt || !q.At {
		return
	}
	r.Saw()
	due := q.Since.Add(p.Within)
	answered := r.Msg.Kind == core.Answered || r.Msg.Status() == core.Mismatch
	if r.Now() <= due && answered {
		return
	}
	if !r.ViolatedAt(min(r.Now(), due), r.Node, sim.NodeID(q.Node)) {
		return
	}
	if answered {
		p.why(r, r.Node, q, fmt.Sprintf("is answered after %v", r.Now().Sub(q.Since)))
	} else {
		p.why(r, r.Node, q, "fails: "+r.Msg.Status().String())
	}
}

// overdue looks at a request that has no answer when the run is over.
func (p *available) overdue(r *model.Report[core.Msg], client sim.NodeID, q *pending) {
	due := q.Since.Add(p.Within)
	if !q.Out || !q.At || q.Exempt || r.Now() <= due {
		return
	}
	r.Saw()
	if r.ViolatedAt(due, client, sim.NodeID(q.Node)) {
		p.why(r, client, q, fmt.Sprintf("has no answer after %v", p.Within))
	}
}

func (p *available) why(r *model.Report[core.Msg], client sim.NodeID, q *pending, how string) {
	what := "read"
	if q.Write {
		what = "write"
	}
	r.Why("a %s of %s at %s, which is up, %s", what, r.Name(client), r.Name(sim.NodeID(q.Node)), how)
}

// End is called when the run is over.
func (p *available) End(r *model.Report[core.Msg]) {
	for i := range p.Open {
		p.overdue(r, sim.NodeID(i), &p.Open[i])
	}
}

func (p *available) property() sim.Property[core.Msg] {
	return model.NewProperty("available", p, core.Asked, core.Received, core.Answered, core.Failed).Also(sim.Paused, sim.Crashed).
		Loses(sim.Liveness).Needs("a request reaches a node, and neither it nor its client stops before the answer")
}
