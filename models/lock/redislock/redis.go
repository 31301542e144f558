package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Redis is a lease on one Redis: SET key value NX PX ttl, and a script that deletes the key
// if the value is still the client's.
//
// Source: Redis documentation, "Distributed Locks with Redis", "Correct implementation with
// a single instance", and SET, "Patterns".
type Redis struct {
	Polling
	Server   sim.NodeID
	TTL      time.Duration
	Drift    time.Duration // what the clocks may err by within a TTL
	Clock    sim.ClockID   // that the client measures its lease with
	Unlock   Unlock
	Constant bool          // the lock's value is the same for every client
	Renew    time.Duration // the client extends the lock this often; 0: never
	Extend   sim.Kind      // the script that does: [core.Extend] or [core.ExtendOrSet]

	phase     phase
	t1        int64 // reading before SET was sent
	until     int64 // up to which the client may act
	extension renewal
}

// Unlock is how a client gives the lock back.
type Unlock uint8

// The script compares and deletes in one step; get-del does so in two; the plain
// delete does not compare.
const (
	UnlockScript Unlock = iota
	UnlockGetDel
	UnlockDel
)

// phase is what a client of a lock on Redis is about.
type phase uint8

const (
	idle phase = iota
	asking
	holding
	comparing // it releases by GET and DEL, and waits for what GET says
)

// Acquire implements [core.Algorithm].
func (r *Redis) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	r.nth = 0
	return r.set(&in, out)
}

// set is one attempt.
func (r *Redis) set(in *sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	r.nth++
	r.Begin(in.Self, out, r.nth)
	r.phase, r.t1 = asking, core.Reading(in, r.Clock)
	r.Ask(out, r.Server, core.NewSet(r.value(), r.TTL))
	r.await(out, everyone)
	return core.Pending
}

// value is what the key holds: as long as it is unique, only its owner deletes the key.
func (r *Redis) value() uint64 {
	if r.Constant {
		return core.ConstantValue
	}
	return r.Grant
}

// Receive implements [core.Algorithm].
func (r *Redis) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch m.Kind {
	case core.Retry:
		return r.set(&in, out)
	case core.SetReply, core.GetReply, core.DelReply, core.ExtReply:
		r.Count()
	}
	if m.Try != r.Try {
		return core.Pending // about an attempt that is over
	}
	switch m.Kind {
	case core.SetReply:
		return r.answered(&in, out, true, m.OK)
	case core.GetReply:
		return r.compared(out, m.LockValue())
	case core.ExtReply:
		return r.extended(&in, out, m.Number(), m.OK)
	case core.Renew:
		r.extend(&in, out)
	case core.Timeout:
		return r.timeout(&in, out)
	case core.DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of a Redis got " + m.String())
	}
	return core.Pending
}

func (r *Redis) timeout(in *sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch about := in.Msg.About(); about {
	case everyone:
		return r.answered(in, out, false, false)
	case theRelease:
		return r.compared(out, 0)
	default:
		return r.extended(in, out, about-theExtension, false)
	}
}

// answered is the answer to SET, or that there was none in time.
func (r *Redis) answered(in *sim.In[core.Msg], out *sim.Out[core.Msg], heard, ok bool) core.Outcome {
	if r.phase != asking {
		return core.Pending
	}
	r.until = r.t1 + int64(r.TTL-r.Drift)
	if ok && core.Before(in, r.Clock, r.until) {
		r.phase, r.extension = holding, renewal{}
		r.extension.plan(&r.Attempt, out, r.Renew)
		return core.Granted
	}
	r.phase = idle
	granted := 0
	if ok {
		granted = 1
	}
	out.Note(core.NewRefused(r.Try, granted, time.Duration(r.until-core.Reading(in, r.Clock))))
	if r.Unlock == UnlockScript && (ok || !heard) { // a SET that was not answered may have been carried out
		r.Ask(out, r.Server, core.NewDelIf(r.value()))
	}
	return r.again(out)
}

// extend asks for another TTL from now.
func (r *Redis) extend(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if r.phase == holding {
		n := r.extension.begin(core.Reading(in, r.Clock))
		r.Ask(out, r.Server, core.NewExtend(r.Extend, n, r.value(), r.TTL))
		r.await(out, theExtension|n)
	}
}

// extended is the answer to an extension, or that there was none in time: then the lease
// stays as it was.
func (r *Redis) extended(in *sim.In[core.Msg], out *sim.Out[core.Msg], n uint16, ok bool) core.Outcome {
	if r.phase != holding || !r.extension.is(n) {
		return core.Pending
	}
	r.extension.end(&r.Attempt, out, r.Renew)
	until := r.extension.t1 + int64(r.TTL-r.Drift)
	if !ok || !core.Before(in, r.Clock, until) {
		return core.Pending
	}
	r.until = until
	return core.Renewed
}

// Release implements [core.Algorithm].
func (r *Redis) Release(_ sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	r.phase = idle
	switch r.Unlock {
	case UnlockGetDel:
		r.phase = comparing
		r.Ask(out, r.Server, core.New(core.Get))
		r.await(out, theRelease)
		return core.Pending
	case UnlockDel:
		r.Ask(out, r.Server, core.New(core.Del))
	default:
		r.Ask(out, r.Server, core.NewDelIf(r.value()))
	}
	return core.Done
}

// compared is the answer to GET, 0 if there was none in time. Before DEL arrives, the key
// may expire, and be another's.
func (r *Redis) compared(out *sim.Out[core.Msg], value uint64) core.Outcome {
	if r.phase != comparing {
		return core.Pending
	}
	r.phase = idle
	if value == r.value() {
		r.Ask(out, r.Server, core.New(core.Del))
	}
	return core.Done
}

// Hold implements [core.Algorithm].
func (r *Redis) Hold() core.Hold {
	h := r.Held()
	h.Value, h.Until, h.Ends = r.value(), r.until, true
	return h
}
