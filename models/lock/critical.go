package lock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Critical is a client's critical section: it reads the store's counter, works, checks that
// it still has the lock, writes the counter plus one, and waits for the store's reply.
type Critical struct {
	Store   sim.NodeID
	Counter sim.NodeID  // issues fencing tokens; None: there are none, or the lock's own
	Clock   sim.ClockID // that the client measures its lease with
	Own     bool        // the lock's own token is its fencing token

	Unchecked  bool          // it does not check its lease before it writes
	FenceFirst bool          // it registers its token, or its value, before it reads
	ShowValue  bool          // it shows the store the lock's value, for a compare-and-set
	Unawaited  bool          // it releases without waiting for the reply to its write: a bug
	WriteWait  time.Duration // it waits this long for that reply, and then releases; 0: forever

	Start  time.Duration // when it first wants the lock
	Work   time.Duration // from acquiring to writing
	Jitter time.Duration // and up to this besides, drawn
	Linger time.Duration // from the reply to the write to releasing
	Think  time.Duration // from releasing to wanting it again
	Rounds int           // acquisitions; 0: without end

	Beat   time.Duration // a leader writes again this long after a reply, and resigns after Linger; 0: it writes once
	Period time.Duration // of a job on the wall clock, at which it wants the lock; 0: it is no job
	Mark   bool          // the job is not run if the store says that it is done

	night int64 // the period that the job is for, from 1
	visit
}

// visit is one stay in the critical section. Outside it is the zero visit.
type visit struct {
	inside    bool
	hold      core.Hold
	token     uint64
	counter   int64 // as read
	hasRead   bool
	hasWorked bool
	written   bool
	writes    uint16 // so far
	resigns   bool   // a leader that has led for long enough
	awaits    bool   // the reply to its write
}

// theWrite is what a timeout is about that belongs to the critical section.
const theWrite = 1<<14 + 1

// ofJob reports whether a message belongs to the critical section, not to the lock.
func ofJob(m *Msg) bool {
	switch m.Kind {
	case core.IncrReply, core.RegisterReply, core.ReadReply, core.WriteReply, core.Worked, core.Unneeded, core.Pulse:
		return true
	}
	return m.Kind == core.Timeout && m.About() == theWrite
}

// enter begins the critical section. The lock took some messages, requests and replies,
// since it was granted last.
func (c *Critical) enter(in *sim.In[Msg], out *sim.Out[Msg], h core.Hold, took uint16) {
	c.visit = visit{inside: true, hold: h}
	out.Note(core.NewAcquired(&h, took))
	out.AfterDraw(c.work(), core.New(core.Worked).Of(h.Try))
	if c.Beat > 0 && c.Linger > 0 {
		out.After(c.Linger, core.New(core.Unneeded).Of(h.Try))
	}
	switch {
	case c.Own:
		c.token = h.Token
		out.Note(core.NewIssued(h.Try, core.GrantOf(in.Self, h.Try), h.Token))
	case c.Counter != sim.None:
		out.Send(c.Counter, core.New(core.Incr).Of(h.Try))
		return
	}
	c.open(out)
}

// work is how long the critical section takes until its write.
func (c *Critical) work() sim.Dist {
	if c.Jitter > 0 {
		return sim.Uniform(c.Work, c.Work+c.Jitter)
	}
	return sim.Constant(c.Work)
}

// renewed notes the reading up to which the client may act now.
func (c *Critical) renewed(out *sim.Out[Msg], h core.Hold) {
	if c.inside {
		c.hold.Until = h.Until
		out.Note(core.NewExtended(h.Try, h.Until))
	}
}

// step reports whether the critical section is over, and the lock is to be released.
func (c *Critical) step(in *sim.In[Msg], out *sim.Out[Msg]) (over bool) {
	m := &in.Msg
	if !c.inside || m.Try != c.hold.Try {
		return false // about an earlier one
	}
	switch m.Kind {
	case core.IncrReply:
		if c.token == 0 { // a second copy of the request has a token of its own
			c.token = m.FencingToken()
			c.open(out)
		}
	case core.RegisterReply:
		return c.fenced(in, out)
	case core.ReadReply:
		c.counter, c.hasRead = m.Counter(), true
		if c.skips(out) {
			return c.leave(out, core.New(core.Released))
		}
		return c.act(in, out)
	case core.Worked:
		c.hasWorked = true
		return c.act(in, out)
	case core.WriteReply:
		return c.replied(in, out)
	case core.Timeout:
		return c.doubt(out)
	case core.Unneeded:
		if c.Beat > 0 {
			c.resigns = true
			return false
		}
		return c.leave(out, core.New(core.Released))
	case core.Pulse:
		c.pulsed(out)
	}
	return false
}

// open begins the read-modify-write, now that the client has its token.
func (c *Critical) open(out *sim.Out[Msg]) {
	if c.FenceFirst {
		out.Send(c.Store, core.NewRegister(c.hold.Try, c.token, c.shown()))
		return
	}
	out.Send(c.Store, core.NewRead(c.hold.Try, c.token))
}

// shown is the lock's value where the store compares it.
func (c *Critical) shown() uint64 {
	if c.ShowValue {
		return c.hold.Value
	}
	return 0
}

// fenced is the store's answer to a registered token.
func (c *Critical) fenced(in *sim.In[Msg], out *sim.Out[Msg]) (over bool) {
	switch {
	case in.Msg.OK:
		out.Send(c.Store, core.NewRead(c.hold.Try, c.token))
	case in.Msg.FencingToken() > c.token: // else it is the answer to a second copy
		return c.leave(out, core.NewStale(false))
	}
	return false
}

// act is what the lock protects, once the counter is read and the work done: check the
// lease, write, wait for the reply. A pause may fall between any two of these.
func (c *Critical) act(in *sim.In[Msg], out *sim.Out[Msg]) (over bool) {
	if !c.hasRead || !c.hasWorked || c.written {
		return false
	}
	if !c.Unchecked && c.hold.Ends {
		if !core.Before(in, c.Clock, c.hold.Until) {
			return c.leave(out, core.New(core.Expired))
		}
		out.Note(core.NewChecked(c.hold.Try, time.Duration(c.hold.Until-core.Reading(in, c.Clock))))
	}
	c.written = true
	c.writes++
	out.Send(c.Store, core.NewWrite(c.hold.Try, c.token, c.shown(), int(c.writes), c.result()))
	if c.Unawaited {
		return c.finish(out)
	}
	if c.awaits = true; c.WriteWait > 0 {
		out.After(c.WriteWait, core.NewTimeout(theWrite).Of(c.hold.Try))
	}
	return false
}

// replied is the store's reply to the write. A write that is rejected has returned too:
// the lock is released, whatever the reply says.
//
// Source: Kleppmann, "How to do distributed locking", 2016, the first listing: the write
// returns, and then finally releases the lock.
func (c *Critical) replied(in *sim.In[Msg], out *sim.Out[Msg]) (over bool) {
	if !c.awaits {
		return false // a second copy, or it has given up waiting
	}
	c.awaits = false
	if !in.Msg.OK && (c.ShowValue || in.Msg.FencingToken() > c.token) { // else a second copy of the write was rejected, and the first applied
		return c.leave(out, core.NewStale(true))
	}
	return c.finish(out)
}

// doubt is a write that has not been answered in time: it may be applied yet, and
// finally releases the lock all the same.
func (c *Critical) doubt(out *sim.Out[Msg]) (over bool) {
	if !c.awaits {
		return false
	}
	c.awaits = false
	return c.leave(out, core.NewReleased(true))
}

// finish releases the lock once it has been held for as long as it is to be.
func (c *Critical) finish(out *sim.Out[Msg]) (over bool) {
	if c.Beat > 0 {
		return c.lead(out)
	}
	if c.Linger > 0 {
		out.After(c.Linger, core.New(core.Unneeded).Of(c.hold.Try))
		return false
	}
	return c.leave(out, core.New(core.Released))
}

// leave ends the critical section, and notes why.
func (c *Critical) leave(out *sim.Out[Msg], why Msg) (over bool) {
	why.Try = c.hold.Try
	out.Note(why)
	c.visit = visit{}
	return true
}
