package fleet

import "fencepost/sim"

// Member is a limiter behind a balancer. It says that it lives, and may learn how many share
// the limit.
type Member struct {
	Limiter

	shares []keys // the algorithm with the limit of one of 1, 2, 3 ... limiters; nil if that does not change
}

// Reset implements [sim.Resetter].
func (l *Member) Reset(initial *Member) {
	l.shares = initial.shares
	l.Limiter.Reset(&initial.Limiter)
}

// Step implements [sim.Node].
func (l *Member) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case Ping:
		out.Send(in.From, Msg{Kind: Alive})
	case Members:
		l.Keys.adopt(l.shares[m.N-1])
	default:
		l.Limiter.Step(in, out)
	}
}
