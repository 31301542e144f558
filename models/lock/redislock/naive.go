package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Naive is SET NX without a TTL, and DEL. Nothing frees the key of a holder that crashes.
//
// Source: Redis documentation, SETNX, "Design pattern: Locking with SETNX", whose first
// form it is, and what that page says of clients that fail.
type Naive struct {
	Polling
	Server sim.NodeID

	waits bool // for the answer to SET
}

// Acquire implements [core.Algorithm].
func (n *Naive) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	n.nth = 0
	return n.set(in, out)
}

// set is one attempt.
func (n *Naive) set(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	n.nth++
	n.Begin(in.Self, out, n.nth)
	n.waits = true
	n.Ask(out, n.Server, core.NewSet(n.Grant, 0))
	n.await(out, everyone)
	return core.Pending
}

// Receive implements [core.Algorithm].
func (n *Naive) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := in.Msg; m.Kind {
	case core.Retry:
		return n.set(in, out)
	case core.SetReply:
		if n.Heard(in) && n.waits {
			return n.answered(out, m.OK)
		}
	case core.Timeout:
		if m.Try == n.Try && n.waits {
			return n.answered(out, false)
		}
	case core.DelReply:
		n.Heard(in)
	default:
		panic("lock: a client of a naive lock got " + m.String())
	}
	return core.Pending
}

func (n *Naive) answered(out *sim.Out[core.Msg], ok bool) core.Outcome {
	n.waits = false
	if ok {
		return core.Granted
	}
	out.Note(core.NewRefused(n.Try, 0, 0))
	return n.again(out)
}

// Release implements [core.Algorithm].
func (n *Naive) Release(_ sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	n.Ask(out, n.Server, core.New(core.Del))
	return core.Done
}

// Hold implements [core.Algorithm].
func (n *Naive) Hold() core.Hold { return n.Held() }
