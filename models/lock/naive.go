package lock

import (
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Naive is SET NX without a TTL, and DEL. Nothing frees the key of a holder that crashes.
//
// Source: Redis documentation, SETNX, "Design pattern: Locking with SETNX", whose first
// form it is, and what that page says of clients that fail.
type Naive struct {
	polling
	Server sim.NodeID

	waits bool // for the answer to SET
}

// Acquire implements [Algorithm].
func (n *Naive) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	n.nth = 0
	return n.set(in, out)
}

// set is one attempt.
func (n *Naive) set(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	n.nth++
	n.begin(in, out, n.nth)
	n.waits = true
	n.ask(out, n.Server, Msg{Kind: Set, Value: n.grant})
	n.await(out, everyone)
	return Pending
}

// Receive implements [Algorithm].
func (n *Naive) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := in.Msg; m.Kind {
	case retry:
		return n.set(in, out)
	case SetReply:
		if n.heard(in) && n.waits {
			return n.answered(out, m.OK)
		}
	case timeout:
		if m.Try == n.try && n.waits {
			return n.answered(out, false)
		}
	case DelReply:
		n.heard(in)
	default:
		panic("lock: a client of a naive lock got " + m.String())
	}
	return Pending
}

func (n *Naive) answered(out *sim.Out[Msg], ok bool) Outcome {
	n.waits = false
	if ok {
		return Granted
	}
	out.Note(Msg{Kind: Refused, Try: n.try})
	return n.again(out)
}

// Release implements [Algorithm].
func (n *Naive) Release(_ sim.In[Msg], out *sim.Out[Msg]) Outcome {
	n.ask(out, n.Server, Msg{Kind: Del})
	return Done
}

// Hold implements [Algorithm].
func (n *Naive) Hold() Hold { return n.held() }

func planNaive(p *Params, first sim.NodeID) plan {
	lock := Naive{Server: first, polling: p.polling(usualPolling)}
	return plan{servers: p.redisServers(1), worker: worker(lock), quorum: 1, poll: lock.longest()}
}

// usualPolling is how a client asks a single server.
var usualPolling = polling{Retry: sim.Constant(100 * time.Millisecond), Wait: time.Second}

// polling is what the parameters say, or else what is usual.
func (p *Params) polling(usual polling) polling {
	return polling{Retry: values.Or(p.Retry, usual.Retry), Tries: values.Or(p.Tries, usual.Tries), Wait: values.Or(p.PerNode, usual.Wait)}
}

// clock is the clock that clients measure their lease with.
func (p *Params) clock(usual sim.ClockID) sim.ClockID { return word(p.Clock, clocks, usual) }

var clocks = map[string]sim.ClockID{"monotonic": sim.MonoClock, "boottime": sim.BootClock, "wall": sim.WallClock}

// word is what a word of the parameters stands for, or else what is usual.
func word[T any](word string, words map[string]T, usual T) T {
	if v, ok := words[word]; ok {
		return v
	}
	return usual
}
