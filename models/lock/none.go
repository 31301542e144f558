package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// None is no lock at all: every client has it when it wants it. It is the baseline, for
// what the others cost and for what they keep from happening.
type None struct{ core.Attempt }

// Acquire implements [core.Algorithm].
func (n *None) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	n.Begin(in.Self, out, 1)
	return core.Granted
}

// Receive implements [core.Algorithm].
func (n *None) Receive(in sim.In[core.Msg], _ *sim.Out[core.Msg]) core.Outcome {
	panic("lock: a client without a lock got " + in.Msg.String())
}

// Release implements [core.Algorithm].
func (n *None) Release(sim.In[core.Msg], *sim.Out[core.Msg]) core.Outcome { return core.Done }

// Hold implements [core.Algorithm].
func (n *None) Hold() core.Hold { return n.Held() }
