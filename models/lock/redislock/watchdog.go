package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Watchdog is Redisson's RLock: a reentrant lock with a lease that the client renews, every
// third of it after the last success, for as long as it believes to hold the lock. Renewals run
// in a thread of their own: they continue when the holder's is stuck, and stop when the process
// does. The holder never looks at its lease.
//
// A client that is refused subscribes to the lock's channel, tries again, and waits for the
// message of an unlock, or until the lease of the other is over.
//
// Source: Redisson 3.17 to 3.2x (2022), RedissonLock.lock, tryAcquireAsync and
// unlockInnerAsync, RedissonBaseLock.renewExpiration, scheduleExpirationRenewal and
// cancelExpirationRenewal. What differs in other versions is a parameter.
type Watchdog struct {
	core.Attempt
	Connection
	Lease   time.Duration // lockWatchdogTimeout
	PerNode time.Duration // it waits this long for an answer
	Tries   int           // calls of lock that may end in a timeout; 0: without end
	Retry   sim.Dist      // between two of them
	Entries int           // how often it enters, and leaves again

	Resend      bool          // a request that is not answered in time is sent again
	Callback    time.Duration // from the answer of lock to the callback that starts the renewal
	Late        sim.Dist      // how late the timer of the renewal comes
	KeepsOn     bool          // a renewal that fails is tried again; else it is the last
	OnlyFreed   bool          // renewal ends only when unlock says that the lock is free; else with any answer or none
	TellsHolder bool          // the holder learns that a renewal found its lock gone
	Most        int           // renewals of a lock; 0: without end
	Interrupt   time.Duration // lockInterruptibly is interrupted after this; 0: never
	Unlocks     bool          // what an interrupted lock gets in the end is unlocked

	stage      watchdogStage
	calls      int    // of lock
	abandoned  uint32 // the attempt that was interrupted: its answer is still to come
	tries      int    // attempts in this acquisition
	entered    int    // answers of lock in this acquisition
	subscribed bool   // to the channel
	waits      uint16
	leases     int    // entries that the renewal knows of
	watch      uint16 // number of the timer of the renewal
	renewals   int    // of this lock
	pending    bool   // a renewal has not been answered
}

type watchdogStage uint8

const (
	idleDog watchdogStage = iota
	connects
	enters
	subscribes
	awaitsUnlock
	holds
	unlocks
)

// ofInterrupt is what a timeout is about, besides a stage.
const ofInterrupt = 100

// callback is the number of the timer that starts the renewal, which no other has.
const callback = 0

// owner is the field of the hash: the client and its thread, the same in every attempt.
func owner(self sim.NodeID) uint64 { return uint64(self) << 32 }

// Acquire implements [core.Algorithm].
func (w *Watchdog) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	w.calls++
	w.tries, w.entered = 0, 0
	if w.Interrupt > 0 {
		out.After(w.Interrupt, core.NewCallTimeout(ofInterrupt, w.calls))
	}
	return w.again(in, out)
}

// again is tryAcquire.
func (w *Watchdog) again(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	w.tries++
	w.Begin(in.Self, out, w.tries)
	if w.master == sim.None {
		w.stage = connects
		w.find(in, out)
		return core.Pending
	}
	w.enter(in, out)
	return core.Pending
}

// enter sends the script of lock.
func (w *Watchdog) enter(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	w.stage = enters
	w.call(out, core.NewScript(core.Enter, owner(in.Self), w.Lease))
	w.expect(out, enters)
}

// call sends a command to the master, if there is one.
func (w *Watchdog) call(out *sim.Out[core.Msg], m core.Msg) {
	if w.master != sim.None {
		w.Ask(out, w.master, m)
	}
}

// expect waits for an answer, but not forever.
func (w *Watchdog) expect(out *sim.Out[core.Msg], stage watchdogStage) {
	w.waits++
	w.Later(out, w.PerNode, core.NewCallTimeout(uint16(stage), int(w.waits)))
}

// Receive implements [core.Algorithm].
func (w *Watchdog) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	if ofConnection(m) {
		if w.connect(in, out) && w.stage == connects {
			w.enter(in, out)
		}
		return core.Pending
	}
	switch m.Kind {
	case core.EnterReply, core.LeaveReply, core.ExtReply, core.Subscribed:
		w.Count()
	}
	switch m.Kind {
	case core.Watch: // the renewal does not know of attempts
		w.watched(in, out)
		return core.Pending
	case core.ExtReply:
		return w.renewed(in, out)
	case core.Unlocked:
		if w.stage == awaitsUnlock {
			return w.again(in, out)
		}
		return core.Pending
	}
	switch {
	case m.Kind == core.Timeout && m.About() == ofInterrupt:
		return w.interrupt(in, out)
	case m.Kind == core.EnterReply && m.OK && m.Try == w.abandoned:
		w.surprise(in, out)
		return core.Pending
	case m.Try != w.Try:
		return core.Pending // about an attempt that is over
	}
	switch m.Kind {
	case core.EnterReply:
		return w.answered(in, out)
	case core.Subscribed:
		if w.stage == subscribes && m.OK {
			return w.again(in, out)
		}
	case core.LeaveReply:
		if w.stage == unlocks {
			return w.left(in, out, m.OK, m.Unlocked())
		}
	case core.Latch, core.Retry:
		return w.again(in, out)
	case core.Timeout:
		return w.timedOut(in, out)
	default:
		panic("lock: a client of Redisson got " + m.String())
	}
	return core.Pending
}

// answered is the answer to the script of lock.
func (w *Watchdog) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch {
	case w.stage != enters:
	case m.OK:
		w.schedule(out)
		if w.entered++; w.entered < w.Entries {
			w.enter(in, out)
			return core.Pending
		}
		w.stage = holds
		w.subscribe(out, false)
		return core.Granted
	case m.Refusal() == core.ReadOnly:
		return w.failed(out)
	case !w.subscribed:
		out.Note(core.NewRefused(w.Try, 0, 0))
		w.stage = subscribes
		w.subscribe(out, true)
		w.expect(out, subscribes)
	default:
		out.Note(core.NewRefused(w.Try, 0, 0))
		w.wait(out, m.Left())
	}
	return core.Pending
}

// wait waits for the message of an unlock, but no longer than what is left of the lease of another.
func (w *Watchdog) wait(out *sim.Out[core.Msg], left time.Duration) {
	w.stage = awaitsUnlock
	switch left {
	case core.Endless:
		return
	case 0: // PTTL in the last millisecond
		left = time.Millisecond
	}
	w.Later(out, left, core.New(core.Latch))
}

// subscribe listens to the lock's channel, or no more.
func (w *Watchdog) subscribe(out *sim.Out[core.Msg], on bool) {
	if on != w.subscribed {
		w.subscribed = on
		w.call(out, core.NewReply(core.Subscribe, on))
	}
}

// timedOut is an answer that has not come: the call throws, whatever the server has done.
func (w *Watchdog) timedOut(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; {
	case m.Call() != int(w.waits) || m.About() != uint16(w.stage):
	case w.stage == enters && w.Resend:
		w.enter(in, out)
	case w.stage == enters, w.stage == subscribes:
		return w.failed(out)
	case w.stage == unlocks:
		return w.left(in, out, false, false)
	}
	return core.Pending
}

// interrupt makes lock throw. A request that is under way may yet be carried out.
func (w *Watchdog) interrupt(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if in.Msg.Call() != w.calls || w.stage == idleDog || w.stage >= holds {
		return core.Pending
	}
	if w.stage == enters {
		w.abandoned = w.Try
	}
	w.subscribe(out, false)
	w.stage = idleDog
	return core.GaveUp
}

// surprise is that an interrupted lock was granted. No thread knows that it has it; the
// callback starts the renewal all the same.
//
// Source: Redisson issue #7272 and pull request #7277, which unlocks it.
func (w *Watchdog) surprise(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	w.abandoned = 0
	if w.Unlocks {
		w.call(out, core.NewScript(core.Leave, owner(in.Self), w.Lease))
		return
	}
	w.schedule(out)
}

// failed ends an attempt without an answer that counts.
func (w *Watchdog) failed(out *sim.Out[core.Msg]) core.Outcome {
	out.Note(core.NewRefused(w.Try, 0, 0))
	w.stage, w.subscribed = idleDog, false
	w.forget()
	if w.Tries > 0 && w.tries >= w.Tries {
		return core.GaveUp
	}
	out.AfterDraw(w.Retry, core.New(core.Retry).Of(w.Try))
	return core.Pending
}

// Release implements [core.Algorithm].
func (w *Watchdog) Release(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	w.leave(in, out)
	return core.Pending
}

// leave sends the script of unlock.
func (w *Watchdog) leave(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	w.stage = unlocks
	w.call(out, core.NewScript(core.Leave, owner(in.Self), w.Lease))
	w.expect(out, unlocks)
}

// left is the answer to the script of unlock, or that there is none.
func (w *Watchdog) left(in sim.In[core.Msg], out *sim.Out[core.Msg], held, freed bool) core.Outcome {
	if freed || !w.OnlyFreed {
		w.cancel()
	} else if w.leases > 0 && w.entered <= 1 {
		out.Note(core.New(core.WatchLeaked).Of(w.Try))
	}
	if w.entered--; w.entered > 0 && held {
		w.leave(in, out)
		return core.Pending
	}
	w.stage = idleDog
	return core.Done
}

// Hold implements [core.Algorithm]. The lease has an end, but the client never looks at it.
func (w *Watchdog) Hold() core.Hold { return w.Held() }
