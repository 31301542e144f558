package permits

import (
	"time"

	"fencepost/sim"
)

// FixedLimiter is the node around [Fixed].
type FixedLimiter struct {
	Limit   Fixed
	Timeout time.Duration // the longest that a request waits
	Drain   time.Duration // the longest that requests continue after a shutdown

	executor
}

// Reset implements [sim.Resetter].
func (l *FixedLimiter) Reset(initial *FixedLimiter) {
	l.Limit.Reset(&initial.Limit)
	l.executor.reset(&initial.executor)
	l.Timeout, l.Drain = initial.Timeout, initial.Drain
}

// Step implements [sim.Node].
func (l *FixedLimiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start: // it waits to be asked
	case Req:
		l.arrive(in, out)
	case expire:
		if l.Limit.Leave(m.Rid) {
			answer(out, m.Rid, Unavailable)
		}
	case Cancel:
		out.Note(Msg{Kind: Cancelled, Rid: m.Rid})
		if l.Limit.Leave(m.Rid) {
			answer(out, m.Rid, ClientClosed)
		}
	case finish:
		if l.finished(out, m.Rid) {
			l.release(in, out, m.Rid)
		}
	case Shutdown:
		l.shutdown(out)
	case drainTimeout:
		for len(l.running) > 0 {
			l.cutOff(in, out, l.running[0])
		}
	default:
		panic("permits: a limiter got " + m.String())
	}
}

func (l *FixedLimiter) arrive(in sim.In[Msg], out *sim.Out[Msg]) {
	rid, wait := in.Msg.Rid, l.Timeout
	if l.isCopy(rid) {
		return
	}
	if d := in.Msg.Wait; d > 0 {
		wait = min(wait, d)
	}
	w := Waiter{rid, int64(in.Mono.Add(wait))}
	out.Note(Msg{Kind: Arrived, Rid: rid, Wait: wait})
	switch l.Limit.Arrive(w) {
	case Start:
		granted(out, rid, l.Limit.InUse())
		l.run(out, rid)
	case Wait:
		out.Note(Msg{Kind: Queued, Rid: rid})
		out.After(wait, Msg{Kind: expire, Rid: rid})
	case Full:
		answer(out, rid, TooManyRequests)
	case Closed:
		answer(out, rid, Unavailable)
	}
}

// release takes the permit of a request back, or hands it on.
func (l *FixedLimiter) release(in sim.In[Msg], out *sim.Out[Msg], rid uint32) {
	freed(out, rid, l.Limit.InUse()-1)
	for {
		w, fate := l.Limit.Release(int64(in.Mono))
		switch fate {
		case Expired: // its timer is due and has not been handled: it finds no waiter
			answer(out, w.Rid, Unavailable)
			continue
		case Handed:
			granted(out, w.Rid, l.Limit.InUse())
			l.run(out, w.Rid)
		case Kept:
			l.drained(out)
		}
		return
	}
}

func (l *FixedLimiter) shutdown(out *sim.Out[Msg]) {
	out.Note(Msg{Kind: Draining})
	for _, w := range l.Limit.Shutdown() {
		answer(out, w.Rid, Unavailable)
	}
	out.After(l.Drain, Msg{Kind: drainTimeout})
	l.drained(out)
}

// cutOff ends a handler: the time for draining is over.
func (l *FixedLimiter) cutOff(in sim.In[Msg], out *sim.Out[Msg], rid uint32) {
	remove(&l.running, rid)
	out.Note(Msg{Kind: Overridden, Rid: rid})
	answer(out, rid, Unavailable)
	l.release(in, out, rid)
}

func (l *FixedLimiter) drained(out *sim.Out[Msg]) {
	if l.Limit.Drained() {
		out.Note(Msg{Kind: Drained})
	}
}
