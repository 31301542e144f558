package lock

import (
	"time"

	"fencepost/sim"
)

// Redlock is a lease on a majority of independent Redis. Rules and [Acquisition] decide;
// this is the client that asks.
//
// Source: Redis documentation, "Distributed Locks with Redis", "The Redlock Algorithm",
// steps 1 to 5, which are quoted below.
type Redlock struct {
	polling
	Rules      Rules
	Servers    sim.NodeID    // the first instance; the others follow
	Clock      sim.ClockID   // that the client measures its lease with
	Sequential bool          // ask one instance after the other
	Cleanup    Cleanup       // after an attempt that failed
	KeepValue  bool          // every attempt of an acquisition has the same value
	Renew      time.Duration // the client extends the lock this often; 0: never
	Extend     sim.Kind      // the script that does: [Extend] or [ExtendOrSet]

	phase     phase
	acq, ext  Acquisition
	extension renewal
	until     int64 // the reading up to which the client may act
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

// Acquire implements [Algorithm].
func (r *Redlock) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	r.nth = 0
	r.lock(in, out)
	return Pending
}

// lock is one attempt.
//
// Step 1: "It gets the current time in milliseconds."
//
// Step 2: "It tries to acquire the lock in all the N instances sequentially, using the same
// key name and random value in all the instances." With a timeout for each "which is small
// compared to the total lock auto-release time". Libraries ask all instances at once.
func (r *Redlock) lock(in sim.In[Msg], out *sim.Out[Msg]) {
	r.nth++
	r.fresh(in, out)
	r.phase = asking
	r.acq.Begin(reading(in, r.Clock))
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
func (r *Redlock) fresh(in sim.In[Msg], out *sim.Out[Msg]) {
	kept := r.grant
	r.try++
	r.grant = grantOf(in.Self, r.try)
	if r.KeepValue && r.nth > 1 {
		r.grant = kept
	}
	r.note(out, r.nth)
}

func (r *Redlock) set(out *sim.Out[Msg], i int) {
	r.ask(out, r.Servers+sim.NodeID(i), Msg{Kind: Set, Value: r.grant, X: int64(r.Rules.TTL)})
}

// askAll asks every instance.
func (r *Redlock) askAll(out *sim.Out[Msg], m Msg) {
	for i := range r.Rules.Instances {
		r.ask(out, r.Servers+sim.NodeID(i), m)
	}
}

// Receive implements [Algorithm].
func (r *Redlock) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := in.Msg
	switch m.Kind {
	case retry:
		r.lock(in, out)
		return Pending
	case SetReply, DelReply, ExtReply:
		r.count()
	}
	if m.Try != r.try {
		return Pending // about an attempt that is over
	}
	switch i := int(in.From - r.Servers); m.Kind {
	case SetReply:
		if r.phase == asking && r.acq.Answer(i, m.OK) {
			return r.answered(in, out, i)
		}
	case ExtReply:
		return r.extended(in, out, m.N, i, m.OK)
	case renew:
		r.extend(in, out)
	case timeout:
		return r.timeout(in, out)
	case DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of Redlock got " + m.String())
	}
	return Pending
}

// timeout takes those that have not answered in time for instances that did not grant the
// lock, or the extension.
func (r *Redlock) timeout(in sim.In[Msg], out *sim.Out[Msg]) (o Outcome) {
	about := in.Msg.N
	if about != everyone && about < theExtension {
		return r.miss(in, out, int(about-1))
	}
	for i := 0; i < r.Rules.Instances && o == Pending; i++ {
		if about == everyone {
			o = r.miss(in, out, i)
		} else {
			o = r.extended(in, out, about-theExtension, i, false)
		}
	}
	return o
}

func (r *Redlock) miss(in sim.In[Msg], out *sim.Out[Msg], i int) Outcome {
	if r.phase == asking && r.acq.Miss(i) {
		return r.answered(in, out, i)
	}
	return Pending
}

// answered goes to the next instance, or decides if there is nothing left to wait for.
func (r *Redlock) answered(in sim.In[Msg], out *sim.Out[Msg], i int) Outcome {
	switch {
	case r.acq.Settled(&r.Rules):
		return r.decide(in, out)
	case r.acq.Split(&r.Rules):
		out.Note(Msg{Kind: Hung, Try: r.try, N: uint16(r.acq.Granted())}) // and waits forever
	case r.Sequential:
		r.set(out, i+1)
		r.await(out, uint16(i+2))
	}
	return Pending
}

// decide accepts the lock, or gives it back and tries again.
//
// Step 3: "If and only if the client was able to acquire the lock in the majority of the
// instances (at least 3), and the total time elapsed to acquire the lock is less than lock
// validity time, the lock is considered to be acquired."
//
// Step 4: "If the lock was acquired, its validity time is considered to be the initial
// validity time minus the time elapsed, as computed in step 3."
func (r *Redlock) decide(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	now := reading(in, r.Clock)
	if !r.acq.Accept(&r.Rules, now) {
		out.Note(Msg{Kind: Refused, Try: r.try, N: uint16(r.acq.Granted()), X: int64(r.acq.Validity(&r.Rules, now))})
		return r.fail(out)
	}
	r.phase, r.extension = holding, renewal{}
	r.until = r.acq.ValidUntil(&r.Rules)
	r.extension.plan(&r.attempt, out, r.Renew)
	return Granted
}

// fail is an attempt that failed.
//
// Step 5: "If the client failed to acquire the lock for some reason (...), it will try to
// unlock all the instances (even the instances it believed it was not able to lock)." And
// "Retry on Failure": "it should try again after a random delay".
func (r *Redlock) fail(out *sim.Out[Msg]) Outcome {
	r.phase = idle
	cleanup := r.Cleanup
	if cleanup == CleanNone && r.last() {
		cleanup = CleanAll // the keys are kept between two attempts only
	}
	for i := range r.Rules.Instances {
		if cleanup == CleanAll || cleanup == CleanGranted && r.acq.GrantedBy(i) {
			r.ask(out, r.Servers+sim.NodeID(i), Msg{Kind: DelIf, Value: r.grant})
		}
	}
	return r.again(out)
}

// Release implements [Algorithm]: by the script, on every instance.
//
// "Releasing the Lock": "simple, and can be performed whether or not the client believes it
// was able to successfully lock a given instance".
func (r *Redlock) Release(_ sim.In[Msg], out *sim.Out[Msg]) Outcome {
	r.phase = idle
	r.askAll(out, Msg{Kind: DelIf, Value: r.grant})
	return Done
}

// extend asks every instance for another TTL from now.
//
// "Making the algorithm more reliable: Extending the lock": the script extends the TTL "if
// the key exists and its value is still the random value the client assigned".
func (r *Redlock) extend(in sim.In[Msg], out *sim.Out[Msg]) {
	if r.phase != holding {
		return
	}
	r.ext.Begin(reading(in, r.Clock))
	n := r.extension.begin(r.ext.t1)
	r.askAll(out, Msg{Kind: r.Extend, N: n, Value: r.grant, X: int64(r.Rules.TTL)})
	r.await(out, theExtension|n)
}

// extended collects the answers to an extension. Only a majority in time moves the reading
// up to which the client may act; otherwise the old one stays.
func (r *Redlock) extended(in sim.In[Msg], out *sim.Out[Msg], n uint16, i int, ok bool) Outcome {
	if r.phase != holding || !r.extension.is(n) || !r.ext.Answer(i, ok) || !r.ext.Settled(&r.Rules) {
		return Pending
	}
	r.extension.end(&r.attempt, out, r.Renew)
	if !r.ext.Accept(&r.Rules, reading(in, r.Clock)) {
		return Pending
	}
	r.until = r.ext.ValidUntil(&r.Rules)
	return Renewed
}

// Hold implements [Algorithm].
func (r *Redlock) Hold() Hold {
	h := r.held()
	h.Until, h.Ends = r.until, true
	return h
}
