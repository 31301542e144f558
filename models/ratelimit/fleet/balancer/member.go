package balancer

import (
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Member is a limiter behind a balancer. It says that it lives, and may learn how many share
// the limit.
type Member struct {
	core.Limiter

	shares []core.Keys // the algorithm with the limit of one of 1, 2, 3 ... limiters; nil if that does not change
}

// Reset implements [sim.Resetter].
func (l *Member) Reset(initial *Member) {
	l.shares = initial.shares
	l.Limiter.Reset(&initial.Limiter)
}

// Step implements [sim.Node].
func (l *Member) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Ping:
		out.Send(in.From, message.Msg{Kind: message.Alive})
	case message.Members:
		l.Keys.Adopt(l.shares[m.Limiters()-1])
	default:
		l.Limiter.Step(in, out)
	}
}
