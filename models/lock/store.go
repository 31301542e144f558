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
	m := in.Msg
	s.fence.Policy = s.Policy
	switch m.Kind {
	case core.Read:
		out.Send(in.From, core.Msg{Kind: core.ReadReply, Try: m.Try, X: s.counter})
	case core.Register:
		ok := s.fence.Register(m.Token, m.Value)
		s.decided(in, out, ok, core.Fenced, core.RegisterReply)
	case core.Write:
		ok := s.fence.Write(m.Token, uint64(m.N), m.Value)
		if ok {
			s.counter = m.X
		}
		s.decided(in, out, ok, core.Applied, core.WriteReply)
	case core.Start: // a store waits to be asked
	default:
		panic("lock: the store got " + m.String())
	}
}

// decided tells the observers and the client what became of an operation.
func (s *Store) decided(in sim.In[core.Msg], out *sim.Out[core.Msg], ok bool, note, reply sim.Kind) {
	m := core.Msg{Kind: note, Try: in.Msg.Try, Token: in.Msg.Token, Value: core.GrantOf(in.From, in.Msg.Try), X: in.Msg.X}
	switch {
	case !ok:
		m.Kind, m.X = core.Rejected, int64(s.fence.Last())
	case note == core.Applied:
		m.N = in.Msg.N - 1
	}
	if s.Policy == CompareValue && m.Kind != core.Applied {
		m.N, m.X = 1, int64(s.fence.value)
	}
	out.Note(m)
	out.Send(in.From, core.Msg{Kind: reply, OK: ok, Try: in.Msg.Try, Token: s.fence.Last()})
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
		out.Note(core.Msg{Kind: core.Issued, Try: in.Msg.Try, Token: c.last, Value: core.GrantOf(in.From, in.Msg.Try)})
		out.Send(in.From, core.Msg{Kind: core.IncrReply, Try: in.Msg.Try, Token: c.last})
	case core.Start: // a counter waits to be asked
	default:
		panic("lock: the counter got " + in.Msg.String())
	}
}

// Recover implements [sim.Recoverer]: the counter is durable.
func (c *Counter) Recover(before *Counter) { c.last = before.last }
