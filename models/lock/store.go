package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Store is the thing that the lock protects: a counter that clients read, add one
// to, and write back. It is durable, but for the fence where that is said.
type Store struct {
	Policy        Policy
	VolatileFence bool // the last token is lost in a crash

	fence   Fence
	counter int64
}

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	s.fence.Policy = s.Policy
	switch m.Kind {
	case core.Read:
		out.Send(in.From, core.NewReadReply(m.Try, s.counter))
	case core.Register:
		ok := s.fence.Register(m.FencingToken(), m.LockValue())
		s.decided(&in, out, ok, core.RegisterReply)
	case core.Write:
		ok := s.fence.Write(m.FencingToken(), uint64(m.Nth()), m.LockValue())
		if ok {
			s.counter = m.Counter()
		}
		s.decided(&in, out, ok, core.WriteReply)
	case core.Start: // a store waits to be asked
	default:
		panic("lock: the store got " + m.String())
	}
}

// decided tells the observers and the client what became of an operation.
func (s *Store) decided(in *sim.In[core.Msg], out *sim.Out[core.Msg], ok bool, reply sim.Kind) {
	m, grant := &in.Msg, core.GrantOf(in.From, in.Msg.Try)
	var note core.Msg
	switch {
	case !ok:
		note = core.NewRejected(m, grant, s.fence.Last())
	case m.Kind == core.Write:
		note = core.NewApplied(m, grant, m.Nth()-1)
	default:
		note = core.NewFenced(m, grant)
	}
	if s.Policy == CompareValue && note.Kind != core.Applied {
		note.SetRegistered(s.fence.value)
	}
	out.Note(note)
	out.Send(in.From, core.NewStoreReply(reply, m.Try, ok, s.fence.Last()))
}

// Recover implements [sim.Recoverer]: the counter is durable, and so is the fence
// unless it is volatile.
func (s *Store) Recover(before *Store) {
	s.counter = before.counter
	if !s.VolatileFence {
		s.fence = before.fence
	}
}

// Counter issues fencing tokens, each one more than the last. Redlock has none of its own: a scenario that
// fences it needs such a service, linearizable and durable, beside the lock.
type Counter struct{ last uint64 }

// Step implements [sim.Node].
func (c *Counter) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch in.Msg.Kind {
	case core.Incr:
		c.last++
		out.Note(core.NewIssued(in.Msg.Try, core.GrantOf(in.From, in.Msg.Try), c.last))
		out.Send(in.From, core.NewIncrReply(in.Msg.Try, c.last))
	case core.Start: // a counter waits to be asked
	default:
		panic("lock: the counter got " + in.Msg.String())
	}
}

// Recover implements [sim.Recoverer]: the counter is durable.
func (c *Counter) Recover(before *Counter) { c.last = before.last }
