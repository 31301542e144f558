package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// SentinelLock is the lock on a Redis with replicas: the lease of a single Redis, on whichever
// server is the master. The master answers before its replicas have the key. If it fails then,
// the one that is promoted grants the lock again.
//
// With Wait, the client holds the lock only when that many replicas have acknowledged its key.
// That makes the loss rarer, and no more: the replica that is promoted need not be among them.
//
// Source: Redis documentation, "Distributed Locks with Redis", "Why Failover-based
// Implementations Are Not Enough", and "WAIT".
type SentinelLock struct {
	core.Attempt
	Connection
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
	asked   int64 `state:"reading"` // reading before the extension that is under way
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

// Acquire implements [core.Algorithm].
func (l *SentinelLock) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	l.tries = 0
	return l.again(in, out)
}

// again begins the next attempt.
func (l *SentinelLock) again(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	l.tries++
	l.Begin(in.Self, out, l.tries)
	if l.master == sim.None {
		l.stage = findsMaster
		l.find(in, out)
		return core.Pending
	}
	return l.set(in, out)
}

// set asks the master for the key.
func (l *SentinelLock) set(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	l.stage, l.t1 = setsKey, core.Reading(&in, l.Clock)
	l.Ask(out, l.master, core.NewSet(l.Grant, l.TTL))
	l.Later(out, l.PerNode, core.NewTimeout(uint16(setsKey)))
	return core.Pending
}

// Receive implements [core.Algorithm].
func (l *SentinelLock) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	if ofConnection(m) {
		if !l.connect(in, out) {
			return core.Pending
		}
		return l.connected(in, out)
	}
	switch m.Kind {
	case core.SetReply, core.WaitReply, core.ExtReply, core.DelReply:
		l.Count()
	}
	if m.Try != l.Try {
		return core.Pending // about an attempt that is over
	}
	switch m.Kind {
	case core.SetReply:
		if l.stage == setsKey {
			return l.answered(in, out)
		}
	case core.WaitReply:
		if l.stage == awaitsReplicas && m.Replicas() >= l.Wait {
			return l.grantIt(in, out)
		} else if l.stage == awaitsReplicas {
			return l.refuse(in, out, true)
		}
	case core.Timeout:
		return l.timedOut(in, out)
	case core.Retry:
		return l.again(in, out)
	case core.Renew:
		l.extend(in, out)
	case core.ExtReply:
		return l.extended(in, out)
	case core.DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of Sentinel got " + m.String())
	}
	return core.Pending
}

// connected is that the client has learned of a master. What it asked another is lost with the
// connection, and it tries again at once.
func (l *SentinelLock) connected(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch l.stage {
	case findsMaster:
		return l.set(in, out)
	case setsKey, awaitsReplicas:
		out.Note(core.NewRefused(l.Try, 0, 0))
		return l.again(in, out)
	}
	return core.Pending
}

// answered is the master's answer to SET.
func (l *SentinelLock) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; {
	case !m.OK:
		if m.Refusal() == core.ReadOnly {
			l.forget()
		}
		return l.refuse(in, out, false)
	case l.Wait > 0:
		l.stage = awaitsReplicas
		l.Ask(out, l.master, core.NewWait(l.Wait, l.WaitTimeout))
		l.Later(out, l.WaitTimeout+l.PerNode, core.NewTimeout(uint16(awaitsReplicas)))
		return core.Pending
	}
	return l.grantIt(in, out)
}

// grantIt holds the lock, if something is left of the lease.
func (l *SentinelLock) grantIt(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	l.stage, l.until = holdsKey, l.t1+int64(l.TTL-l.Drift)
	if !core.Before(&in, l.Clock, l.until) {
		return l.refuse(in, out, true)
	}
	if l.Renew > 0 {
		l.Later(out, l.Renew, core.New(core.Renew))
	}
	return core.Granted
}

// refuse ends an attempt, of which a key may be left.
func (l *SentinelLock) refuse(in sim.In[core.Msg], out *sim.Out[core.Msg], left bool) core.Outcome {
	granted := 0
	if l.stage == holdsKey { // but for too short a time
		granted = 1
	}
	l.stage = idleStage
	out.Note(core.NewRefused(l.Try, granted, l.TTL-l.Drift-time.Duration(core.Reading(&in, l.Clock)-l.t1)))
	if left {
		l.delete(out)
	}
	if l.Tries > 0 && l.tries >= l.Tries {
		return core.GaveUp
	}
	out.AfterDraw(l.Retry, core.New(core.Retry).Of(l.Try))
	return core.Pending
}

// delete deletes the key if it is this attempt's.
func (l *SentinelLock) delete(out *sim.Out[core.Msg]) {
	if l.master != sim.None {
		l.Ask(out, l.master, core.NewDelIf(l.Grant))
	}
}

// timedOut is that there was no answer in time. The request may have been carried out.
func (l *SentinelLock) timedOut(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch about := in.Msg.About(); {
	case about == theRenewal|l.renewal && l.stage == holdsKey:
		l.forget()
		l.find(in, out)
		l.Later(out, l.Renew, core.New(core.Renew))
	case about == uint16(l.stage) && (l.stage == setsKey || l.stage == awaitsReplicas):
		o := l.refuse(in, out, true)
		l.forget()
		return o
	}
	return core.Pending
}

// extend asks the master to extend the lock.
func (l *SentinelLock) extend(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if l.stage != holdsKey {
		return
	}
	if l.master == sim.None {
		l.Later(out, l.Renew, core.New(core.Renew))
		return
	}
	l.asked = core.Reading(&in, l.Clock)
	l.renewal = l.renewal%(theRenewal-1) + 1
	l.Ask(out, l.master, core.NewExtend(core.Extend, l.renewal, l.Grant, l.TTL))
	l.Later(out, l.PerNode, core.NewTimeout(theRenewal|l.renewal))
}

// extended is the answer to an extension. One that was refused leaves the lease as it is.
func (l *SentinelLock) extended(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	if l.stage != holdsKey || m.Number() != l.renewal {
		return core.Pending
	}
	l.renewal = l.renewal%(theRenewal-1) + 1 // its timeout is over
	l.Later(out, l.Renew, core.New(core.Renew))
	if m.Refusal() == core.ReadOnly {
		l.forget()
		l.find(in, out)
	}
	if until := l.asked + int64(l.TTL-l.Drift); m.OK && core.Before(&in, l.Clock, until) {
		l.until = until
		return core.Renewed
	}
	return core.Pending
}

// Release implements [core.Algorithm].
func (l *SentinelLock) Release(_ sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	l.stage = idleStage
	l.delete(out)
	return core.Done
}

// Hold implements [core.Algorithm].
func (l *SentinelLock) Hold() core.Hold {
	h := l.Held()
	h.Until, h.Ends = l.until, true
	return h
}
