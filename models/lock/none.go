package lock

import "fencepost/sim"

// None is no lock at all: every client has it when it wants it. It is the baseline, for
// what the others cost and for what they keep from happening.
type None struct{ attempt }

// Acquire implements [Algorithm].
func (n *None) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	n.begin(in, out, 1)
	return Granted
}

// Receive implements [Algorithm].
func (n *None) Receive(in sim.In[Msg], _ *sim.Out[Msg]) Outcome {
	panic("lock: a client without a lock got " + in.Msg.String())
}

// Release implements [Algorithm].
func (n *None) Release(sim.In[Msg], *sim.Out[Msg]) Outcome { return Done }

// Hold implements [Algorithm].
func (n *None) Hold() Hold { return n.held() }
