package permits

import (
	"time"

	"fencepost/sim"
)

// LeasedLimiter is one of several limiters that share permits in a store. It has no
// queue: who gets no permit is told 429.
type LeasedLimiter struct {
	Store     sim.NodeID
	Timeout   time.Duration // it waits this long for the store
	Heartbeat time.Duration // it renews the permits of handlers that run this often; 0: never
	Drain     time.Duration // the longest that requests continue after a shutdown

	executor
	asking   []uint32 // requests that the store has been asked about
	draining bool
}

// Reset implements [sim.Resetter].
func (l *LeasedLimiter) Reset(initial *LeasedLimiter) {
	d, asking := l.executor, l.asking
	*l = *initial
	l.executor, l.asking = d, refill(asking, initial.asking)
	l.executor.reset(&initial.executor)
}

// Step implements [sim.Node].
func (l *LeasedLimiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start: // it waits to be asked
	case Req:
		l.arrive(in, out)
	case AcquireReply:
		l.acquired(out, m)
	case expire:
		if remove(&l.asking, m.Rid) {
			l.refuse(out, m.Rid, Unavailable)
		}
	case Cancel:
		out.Note(Msg{Kind: Cancelled, Rid: m.Rid})
		if remove(&l.asking, m.Rid) {
			l.refuse(out, m.Rid, ClientClosed)
		}
	case finish:
		if l.finished(out, m.Rid) {
			out.Send(l.Store, Msg{Kind: Free, Rid: m.Rid})
			l.drained(out)
		}
	case beat:
		l.beat(out, m.Rid)
	case Shutdown:
		l.shutdown(out)
	case drainTimeout:
		for len(l.running) > 0 {
			rid := l.running[0]
			remove(&l.running, rid)
			out.Note(Msg{Kind: Overridden, Rid: rid})
			l.refuse(out, rid, Unavailable)
			l.drained(out)
		}
	default:
		panic("permits: a limiter got " + m.String())
	}
}

func (l *LeasedLimiter) arrive(in sim.In[Msg], out *sim.Out[Msg]) {
	rid := in.Msg.Rid
	if l.isCopy(rid) {
		return
	}
	out.Note(Msg{Kind: Arrived, Rid: rid, Wait: l.Timeout})
	if l.draining {
		answer(out, rid, Unavailable)
		return
	}
	l.asking = append(l.asking, rid)
	out.Send(l.Store, Msg{Kind: Acquire, Rid: rid})
	out.After(l.Timeout, Msg{Kind: expire, Rid: rid})
}

func (l *LeasedLimiter) acquired(out *sim.Out[Msg], m Msg) {
	if !remove(&l.asking, m.Rid) {
		return // too late: it has been refused, and its permit returned
	}
	if !m.OK {
		answer(out, m.Rid, TooManyRequests)
		return
	}
	l.run(out, m.Rid)
	if l.Heartbeat > 0 {
		out.After(l.Heartbeat, Msg{Kind: beat, Rid: m.Rid})
	}
}

// refuse answers a request and gives back what the store may have granted meanwhile.
func (l *LeasedLimiter) refuse(out *sim.Out[Msg], rid uint32, code uint16) {
	answer(out, rid, code)
	out.Send(l.Store, Msg{Kind: Free, Rid: rid})
}

func (l *LeasedLimiter) beat(out *sim.Out[Msg], rid uint32) {
	for _, r := range l.running {
		if r == rid {
			out.Send(l.Store, Msg{Kind: Renew, Rid: rid})
			out.After(l.Heartbeat, Msg{Kind: beat, Rid: rid})
			return
		}
	}
}

func (l *LeasedLimiter) shutdown(out *sim.Out[Msg]) {
	out.Note(Msg{Kind: Draining})
	l.draining = true
	for len(l.asking) > 0 {
		rid := l.asking[0]
		remove(&l.asking, rid)
		l.refuse(out, rid, Unavailable)
	}
	out.After(l.Drain, Msg{Kind: drainTimeout})
	l.drained(out)
}

func (l *LeasedLimiter) drained(out *sim.Out[Msg]) {
	if l.draining && len(l.running) == 0 {
		out.Note(Msg{Kind: Drained})
	}
}

// Store is the node around [Leases]: a Redis that runs each script in one step, by its
// own wall clock, and forgets nothing in a crash.
type Store struct{ Leases Leases }

// Reset implements [sim.Resetter].
func (s *Store) Reset(initial *Store) { s.Leases.Reset(&initial.Leases) }

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	rid := in.Msg.Rid
	switch in.Msg.Kind {
	case start: // it waits to be asked
	case Acquire:
		for {
			gone, ok := s.Leases.Purge(in.Wall)
			if !ok {
				break
			}
			out.Note(Msg{Kind: Purged, Rid: gone, InUse: int32(s.Leases.InUse())})
		}
		ok := s.Leases.Acquire(in.Wall, rid)
		if ok {
			granted(out, rid, s.Leases.InUse())
		}
		out.Send(in.From, Msg{Kind: AcquireReply, Rid: rid, OK: ok})
	case Renew:
		s.Leases.Renew(in.Wall, rid)
	case Free:
		if s.Leases.Release(rid) {
			freed(out, rid, s.Leases.InUse())
		}
	default:
		panic("permits: the store got " + in.Msg.String())
	}
}

// Recover implements [sim.Recoverer].
func (s *Store) Recover(before *Store) { s.Leases.Reset(&before.Leases) }
