package lock

import (
	"time"

	"fencepost/sim"
)

// SentinelLock is the lock on a Redis with replicas: the lease of a single Redis, on whichever
// server is the master. The master answers before its replicas have the key. If it fails then,
// the one that is promoted grants the lock again.
//
// With Wait, the client holds the lock only when so many replicas have acknowledged its key.
// That makes the loss rarer, and no more: the replica that is promoted need not be among them.
//
// Source: Redis documentation, "Distributed Locks with Redis", "Why Failover-based
// Implementations Are Not Enough", and "WAIT".
type SentinelLock struct {
	attempt
	connection
	TTL     time.Duration
	Drift   time.Duration
	Clock   sim.ClockID   // that it measures its lease with
	PerNode time.Duration // it waits this long for an answer
	Tries   int           // attempts per acquisition; 0: without end
	Retry   sim.Dist      // between two attempts
	Renew   time.Duration // it extends the lock this often; 0: never

	Wait        int // replicas that have to acknowledge the key; 0: it does not ask
	WaitTimeout time.Duration

	stage   sentinelStage
	tries   int   // in this acquisition
	t1      int64 // reading before the request
	until   int64 // up to which it may act
	asked   int64 // reading before the extension that is under way
	renewal uint16
}

type sentinelStage uint8

const (
	idleStage sentinelStage = iota
	findsMaster
	setsKey
	awaitsReplicas
	holdsKey
)

// theRenewal is added to the number of the extension that a timeout is about.
const theRenewal = 1 << 15

// Acquire implements [Algorithm].
func (l *SentinelLock) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	l.tries = 0
	return l.again(in, out)
}

// again begins the next attempt.
func (l *SentinelLock) again(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	l.tries++
	l.begin(in, out, l.tries)
	if l.master == sim.None {
		l.stage = findsMaster
		l.find(in, out)
		return Pending
	}
	return l.set(in, out)
}

// set asks the master for the key.
func (l *SentinelLock) set(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	l.stage, l.t1 = setsKey, reading(in, l.Clock)
	l.ask(out, l.master, Msg{Kind: Set, Value: l.grant, X: int64(l.TTL)})
	l.later(out, l.PerNode, Msg{Kind: timeout, N: uint16(setsKey)})
	return Pending
}

// Receive implements [Algorithm].
func (l *SentinelLock) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	if m.ofConnection() {
		if !l.connect(in, out) {
			return Pending
		}
		return l.connected(in, out)
	}
	switch m.Kind {
	case SetReply, WaitReply, ExtReply, DelReply:
		l.count()
	}
	if m.Try != l.try {
		return Pending // about an attempt that is over
	}
	switch m.Kind {
	case SetReply:
		if l.stage == setsKey {
			return l.answered(in, out)
		}
	case WaitReply:
		if l.stage == awaitsReplicas && int(m.N) >= l.Wait {
			return l.grantIt(in, out)
		} else if l.stage == awaitsReplicas {
			return l.refuse(in, out, true)
		}
	case timeout:
		return l.timedOut(in, out)
	case retry:
		return l.again(in, out)
	case renew:
		l.extend(in, out)
	case ExtReply:
		return l.extended(in, out)
	case DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of Sentinel got " + m.String())
	}
	return Pending
}

// connected is that the client has learned of a master. What it asked another is lost with the
// connection, and it tries again at once.
func (l *SentinelLock) connected(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch l.stage {
	case findsMaster:
		return l.set(in, out)
	case setsKey, awaitsReplicas:
		out.Note(Msg{Kind: Refused, Try: l.try})
		return l.again(in, out)
	}
	return Pending
}

// answered is the master's answer to SET.
func (l *SentinelLock) answered(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := &in.Msg; {
	case !m.OK:
		if m.Token == readOnly {
			l.forget()
		}
		return l.refuse(in, out, false)
	case l.Wait > 0:
		l.stage = awaitsReplicas
		l.ask(out, l.master, Msg{Kind: Wait, N: uint16(l.Wait), X: int64(l.WaitTimeout)})
		l.later(out, l.WaitTimeout+l.PerNode, Msg{Kind: timeout, N: uint16(awaitsReplicas)})
		return Pending
	}
	return l.grantIt(in, out)
}

// grantIt holds the lock, if something is left of the lease.
func (l *SentinelLock) grantIt(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	l.stage, l.until = holdsKey, l.t1+int64(l.TTL-l.Drift)
	if !before(in, l.Clock, l.until) {
		return l.refuse(in, out, true)
	}
	if l.Renew > 0 {
		l.later(out, l.Renew, Msg{Kind: renew})
	}
	return Granted
}

// refuse ends an attempt, of which a key may be left.
func (l *SentinelLock) refuse(in sim.In[Msg], out *sim.Out[Msg], left bool) Outcome {
	n := uint16(0)
	if l.stage == holdsKey { // but for too short a time
		n = 1
	}
	l.stage = idleStage
	out.Note(Msg{Kind: Refused, Try: l.try, N: n, X: l.t1 + int64(l.TTL-l.Drift) - reading(in, l.Clock)})
	if left {
		l.delete(out)
	}
	if l.Tries > 0 && l.tries >= l.Tries {
		return GaveUp
	}
	out.AfterDraw(l.Retry, Msg{Kind: retry, Try: l.try})
	return Pending
}

// delete deletes the key if it is this attempt's.
func (l *SentinelLock) delete(out *sim.Out[Msg]) {
	if l.master != sim.None {
		l.ask(out, l.master, Msg{Kind: DelIf, Value: l.grant})
	}
}

// timedOut is that there was no answer in time. The request may have been carried out.
func (l *SentinelLock) timedOut(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch about := in.Msg.N; {
	case about == theRenewal|l.renewal && l.stage == holdsKey:
		l.forget()
		l.find(in, out)
		l.later(out, l.Renew, Msg{Kind: renew})
	case about == uint16(l.stage) && (l.stage == setsKey || l.stage == awaitsReplicas):
		o := l.refuse(in, out, true)
		l.forget()
		return o
	}
	return Pending
}

// extend asks the master to extend the lock.
func (l *SentinelLock) extend(in sim.In[Msg], out *sim.Out[Msg]) {
	if l.stage != holdsKey {
		return
	}
	if l.master == sim.None {
		l.later(out, l.Renew, Msg{Kind: renew})
		return
	}
	l.asked = reading(in, l.Clock)
	l.renewal = l.renewal%(theRenewal-1) + 1
	l.ask(out, l.master, Msg{Kind: Extend, N: l.renewal, Value: l.grant, X: int64(l.TTL)})
	l.later(out, l.PerNode, Msg{Kind: timeout, N: theRenewal | l.renewal})
}

// extended is the answer to an extension. One that was refused leaves the lease as it is.
func (l *SentinelLock) extended(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	if l.stage != holdsKey || m.N != l.renewal {
		return Pending
	}
	l.renewal = l.renewal%(theRenewal-1) + 1 // its timeout is over
	l.later(out, l.Renew, Msg{Kind: renew})
	if m.Token == readOnly {
		l.forget()
		l.find(in, out)
	}
	if until := l.asked + int64(l.TTL-l.Drift); m.OK && before(in, l.Clock, until) {
		l.until = until
		return Renewed
	}
	return Pending
}

// Release implements [Algorithm].
func (l *SentinelLock) Release(_ sim.In[Msg], out *sim.Out[Msg]) Outcome {
	l.stage = idleStage
	l.delete(out)
	return Done
}

// Hold implements [Algorithm].
func (l *SentinelLock) Hold() Hold {
	h := l.held()
	h.Until, h.Ends = l.until, true
	return h
}
