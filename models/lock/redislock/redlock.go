package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Redlock is a lease on a majority of independent Redis. This is the client that asks; [Rules]
// and [Acquisition] decide, in acquisition.go: the quorum, the drift and the validity.
//
// Source: Redis documentation, "Distributed Locks with Redis", "The Redlock Algorithm",
// steps 1 to 5, which are quoted below.
type Redlock struct {
	Polling
	Rules      Rules
	Servers    sim.NodeID    // the first instance; the others follow
	Clock      sim.ClockID   // that the client measures its lease with
	Sequential bool          // ask one instance after the other
	Cleanup    Cleanup       // after an attempt that failed
	KeepValue  bool          // every attempt of an acquisition has the same value
	Renew      time.Duration // the client extends the lock this often; 0: never
	Extend     sim.Kind      // the script that does: [core.Extend] or [core.ExtendOrSet]

	phase     phase
	acq, ext  Acquisition
	extension renewal
	until     int64 `state:"reading"` // the reading up to which the client may act
}

// Cleanup is which instances a client deletes its key from after an attempt that failed.
type Cleanup uint8

// All is what the page says: a request may have been carried out and its reply lost. Granted
// is a common shortcut. None is node-redlock between two attempts.
const (
	CleanAll Cleanup = iota
	CleanGranted
	CleanNone
)

// Acquire implements [core.Algorithm].
func (r *Redlock) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	r.nth = 0
	r.lock(in, out)
	return core.Pending
}

// lock is one attempt.
//
// Step 1: "It gets the current time in milliseconds."
//
// Step 2: "It tries to acquire the lock in all the N instances sequentially, using the same
// key name and random value in all the instances." With a timeout for each "which is small
// compared to the total lock auto-release time". Libraries ask all instances at once.
func (r *Redlock) lock(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	r.nth++
	r.fresh(in, out)
	r.phase = asking
	r.acq.Begin(core.Reading(&in, r.Clock))
	if r.Sequential {
		r.set(out, 0)
		r.await(out, 1)
		return
	}
	for i := range r.Rules.Instances {
		r.set(out, i)
	}
	r.await(out, everyone)
}

// fresh numbers the attempt, and makes the value.
func (r *Redlock) fresh(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	kept := r.Grant
	r.Try++
	r.Grant = core.GrantOf(in.Self, r.Try)
	if r.KeepValue && r.nth > 1 {
		r.Grant = kept
	}
	r.Note(out, r.nth)
}

func (r *Redlock) set(out *sim.Out[core.Msg], i int) {
	r.Ask(out, r.Servers+sim.NodeID(i), core.NewSet(r.Grant, r.Rules.TTL))
}

// askAll asks every instance.
func (r *Redlock) askAll(out *sim.Out[core.Msg], m core.Msg) {
	for i := range r.Rules.Instances {
		r.Ask(out, r.Servers+sim.NodeID(i), m)
	}
}

// Receive implements [core.Algorithm].
func (r *Redlock) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := in.Msg
	switch m.Kind {
	case core.Retry:
		r.lock(in, out)
		return core.Pending
	case core.SetReply, core.DelReply, core.ExtReply:
		r.Count()
	}
	if m.Try != r.Try {
		return core.Pending // about an attempt that is over
	}
	switch i := int(in.From - r.Servers); m.Kind {
	case core.SetReply:
		if r.phase == asking && r.acq.Answer(i, m.OK) {
			return r.answered(in, out, i)
		}
	case core.ExtReply:
		return r.extended(in, out, m.Number(), i, m.OK)
	case core.Renew:
		r.extend(in, out)
	case core.Timeout:
		return r.timeout(in, out)
	case core.DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of Redlock got " + m.String())
	}
	return core.Pending
}

// timeout takes those that have not answered in time for instances that did not grant the
// lock, or the extension.
func (r *Redlock) timeout(in sim.In[core.Msg], out *sim.Out[core.Msg]) (o core.Outcome) {
	about := in.Msg.About()
	if about != everyone && about < theExtension {
		return r.miss(in, out, int(about-1))
	}
	for i := 0; i < r.Rules.Instances && o == core.Pending; i++ {
		if about == everyone {
			o = r.miss(in, out, i)
		} else {
			o = r.extended(in, out, about-theExtension, i, false)
		}
	}
	return o
}

func (r *Redlock) miss(in sim.In[core.Msg], out *sim.Out[core.Msg], i int) core.Outcome {
	if r.phase == asking && r.acq.Miss(i) {
		return r.answered(in, out, i)
	}
	return core.Pending
}

// answered goes to the next instance, or decides if there is nothing left to wait for.
func (r *Redlock) answered(in sim.In[core.Msg], out *sim.Out[core.Msg], i int) core.Outcome {
	switch {
	case r.acq.Settled(&r.Rules):
		return r.decide(in, out)
	case r.acq.Split(&r.Rules):
		out.Note(core.NewHung(r.Try, r.acq.Granted())) // and waits forever
	case r.Sequential:
		r.set(out, i+1)
		r.await(out, uint16(i+2))
	}
	return core.Pending
}

// decide accepts the lock, or gives it back and tries again.
//
// Step 3: "If and only if the client was able to acquire the lock in the majority of the
// instances (at least 3), and the total time elapsed to acquire the lock is less than lock
// validity time, the lock is considered to be acquired."
//
// Step 4: "If the lock was acquired, its validity time is considered to be the initial
// validity time minus the time elapsed, as computed in step 3."
func (r *Redlock) decide(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	now := core.Reading(&in, r.Clock)
	if !r.acq.Accept(&r.Rules, now) {
		out.Note(core.NewRefused(r.Try, r.acq.Granted(), r.acq.Validity(&r.Rules, now)))
		return r.fail(out)
	}
	r.phase, r.extension = holding, renewal{}
	r.until = r.acq.ValidUntil(&r.Rules)
	r.extension.plan(&r.Attempt, out, r.Renew)
	return core.Granted
}

// fail is an attempt that failed.
//
// Step 5: "If the client failed to acquire the lock for some reason (...), it will try to
// unlock all the instances (even the instances it believed it was not able to lock)." And
// "Retry on Failure": "it should try again after a random delay".
func (r *Redlock) fail(out *sim.Out[core.Msg]) core.Outcome {
	r.phase = idle
	cleanup := r.Cleanup
	if cleanup == CleanNone && r.last() {
		cleanup = CleanAll // the keys are kept between two attempts only
	}
	for i := range r.Rules.Instances {
		if cleanup == CleanAll || cleanup == CleanGranted && r.acq.GrantedBy(i) {
			r.Ask(out, r.Servers+sim.NodeID(i), core.NewDelIf(r.Grant))
		}
	}
	return r.again(out)
}

// Release implements [core.Algorithm]: by the script, on every instance.
//
// "Releasing the Lock": "simple, and can be performed whether or not the client believes it
// was able to successfully lock a given instance".
func (r *Redlock) Release(_ sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	r.phase = idle
	r.askAll(out, core.NewDelIf(r.Grant))
	return core.Done
}

// extend asks every instance for another TTL from now.
//
// "Making the algorithm more reliable: Extending the lock": the script extends the TTL "if
// the key exists and its value is still the random value the client assigned".
func (r *Redlock) extend(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if r.phase != holding {
		return
	}
	r.ext.Begin(core.Reading(&in, r.Clock))
	n := r.extension.begin(r.ext.t1)
	r.askAll(out, core.NewExtend(r.Extend, n, r.Grant, r.Rules.TTL))
	r.await(out, theExtension|n)
}

// extended collects the answers to an extension. Only a majority in time moves the reading
// up to which the client may act; otherwise the old one stays.
func (r *Redlock) extended(in sim.In[core.Msg], out *sim.Out[core.Msg], n uint16, i int, ok bool) core.Outcome {
	if r.phase != holding || !r.extension.is(n) || !r.ext.Answer(i, ok) || !r.ext.Settled(&r.Rules) {
		return core.Pending
	}
	r.extension.end(&r.Attempt, out, r.Renew)
	if !r.ext.Accept(&r.Rules, core.Reading(&in, r.Clock)) {
		return core.Pending
	}
	r.until = r.ext.ValidUntil(&r.Rules)
	return core.Renewed
}

// Hold implements [core.Algorithm].
func (r *Redlock) Hold() core.Hold {
	h := r.Held()
	h.Until, h.Ends = r.until, true
	return h
}
