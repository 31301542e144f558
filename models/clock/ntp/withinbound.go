package ntp

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// withinBound holds if the offset of each sample of a server that is right is no further
// from the true one than half the delay, what the client's oscillator gained or lost during
// the exchange, and the most that the server's own clock has ever been off. The last is at
// most the accuracy that makes a server right.
//
// Source: RFC 5905, section 8: the error is at most half of the delay.
type withinBound struct {
	Truth  Truth
	Before []reading // by node: at the last poll
}

// reading is by how much the wall clock of a node was behind, if it was read.
type reading struct {
	any    bool
	behind time.Duration
}

// Begin looks at the clocks.
func (p *withinBound) Begin(r *model.Report[Msg]) { p.Truth.begin(r.View) }

// Check implements [model.Checker].
func (p *withinBound) Check(r *model.Report[Msg]) {
	p.Truth.observe(r.View, r.Observation)
	if r.Event != sim.Noted {
		return
	}
	switch r.Msg.Kind {
	case Polled:
		*model.At(&p.Before, r.Node) = reading{true, p.Truth.rawBehind(r.View, r.Node)}
	case Sampled:
		if p.Truth.right(r.Msg.server()) {
			p.sampled(r)
		}
	}
}

func (p *withinBound) sampled(r *model.Report[Msg]) {
	r.Saw()
	drifted := time.Duration(0)
	if before := model.At(&p.Before, r.Node); before.any {
		drifted = (p.Truth.rawBehind(r.View, r.Node) - before.behind).Abs()
	}
	offset, was := r.Msg.offset(), p.Truth.behindThen(r.View, r.Observation)
	bound := (r.Msg.delay()+1)/2 + drifted + p.Truth.worst[r.Msg.server()-1]
	if (offset-was).Abs() > bound+rounding && r.Violated(r.Node, r.Msg.server()) {
		r.Why("%s takes its clock to be %s by %s, give or take %v: it is %s", r.Name(r.Node), aside(offset), r.Name(r.Msg.server()), bound, aside(was))
	}
}
