package k8slock

import (
	"time"

	"fencepost/models/internal/kubernetes"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Jittered is a duration times JitterFactor, 1.2.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go.
func Jittered(d time.Duration) time.Duration { return d * 6 / 5 }

// Member is a member of the leader election of client-go: Run acquires the lease, renews
// it until that fails for RenewDeadline, and stops.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go, Run, acquire, renew
// and release; apimachinery v0.34.1, pkg/util/wait, JitterUntil and PollUntilContextTimeout.
type Member struct {
	Server          sim.NodeID
	Lease           time.Duration     // LeaseDuration
	RenewDeadline   time.Duration     // how long one renewal is tried for
	RetryPeriod     time.Duration     // between two tries
	Timeout         time.Duration     // of a request; 0: it waits forever
	ReleaseOnCancel bool              // it writes that there is no leader when it stops
	StopHook        time.Duration     // from the instant at which it learns that it has lost the lease to the end of its work
	SameIdentity    bool              // a process takes the identity of the one before it
	Expiry          kubernetes.Expiry // how it tells that the lease of another has run out
	OwnLease        bool              // it takes its own Lease for the holder's
	GrowingDelay    bool              // a candidate multiplies its wait by the jitter factor after each try

	core.Attempt
	elector kubernetes.Elector
	phase   phase
	call    uint32 // the request under way: replies to earlier ones do not count. It never comes again
	turn    uint32 // the wait under way, likewise
	nth     int    // try of this acquisition
	delay   time.Duration
	polling bool     // it tries to renew; else it waits for the next renewal
	next    sim.Mono // tick of the poll's ticker that has not been taken
	until   sim.Mono
	end     core.Outcome // of a release
}

// phase is what Run is about.
type phase uint8

const (
	stopped phase = iota
	candidate
	leading
	releasingLease
	inStopHook
)

// Acquire implements [core.Algorithm]: a new process, with a new identity, calls Run.
func (k *Member) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	k.Try++
	k.Grant = core.GrantOf(in.Self, k.Try)
	if k.SameIdentity {
		k.Grant = core.GrantOf(in.Self, 0)
	}
	k.elector = kubernetes.Elector{Identity: k.Grant, Lease: k.Lease, Expiry: k.Expiry, OwnLease: k.OwnLease}
	k.phase, k.nth, k.delay = candidate, 0, k.RetryPeriod
	return k.apply(in, out)
}

// Hold implements [core.Algorithm]. The token is the number of holders that the object has had.
func (k *Member) Hold() core.Hold {
	h := k.Held()
	h.Token, h.Until, h.Ends = uint64(k.elector.Observed().Transitions)+1, int64(k.until), true
	return h
}

// Receive implements [core.Algorithm].
func (k *Member) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; m.Kind {
	case core.ObjectReply:
		k.Count()
		if m.Try == k.call {
			return k.replied(in, out, statusOf(m))
		}
	case core.RequestTimeout:
		if m.Try == k.call {
			return k.replied(in, out, kubernetes.Failed)
		}
	case core.ElectionWait:
		if m.Try == k.turn {
			return k.waited(in, out)
		}
	case core.RenewDeadline:
		if m.Try == k.turn {
			return k.expired(in, out)
		}
	default:
		panic("lock: a member of an election got " + m.String())
	}
	return core.Pending
}

// apply is one try of a candidate.
func (k *Member) apply(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	k.nth++
	k.Note(out, k.nth)
	return k.do(in, out, k.elector.Try(in.Mono, in.Wall))
}

// do sends the request that a try needs next, or ends the try.
func (k *Member) do(in sim.In[core.Msg], out *sim.Out[core.Msg], a kubernetes.Action) core.Outcome {
	switch a {
	case kubernetes.Held:
		return k.succeeded(in, out)
	case kubernetes.Refused:
		return k.failed(in, out)
	}
	k.call++
	version, record := k.elector.Proposal()
	m := core.New(objectRequests[a]).Of(k.call)
	if a != kubernetes.Get {
		m.SetLease(kubernetes.Lease{Record: record, Version: version})
	}
	k.Count()
	out.Send(k.Server, m)
	if k.Timeout > 0 {
		out.After(k.Timeout, core.New(core.RequestTimeout).Of(k.call))
	}
	return core.Pending
}

// replied is the end of a request.
func (k *Member) replied(in sim.In[core.Msg], out *sim.Out[core.Msg], s kubernetes.Status) core.Outcome {
	k.call++
	return k.do(in, out, k.elector.Reply(in.Mono, s, in.Msg.Lease()))
}

// succeeded is a try that has got what it wanted.
func (k *Member) succeeded(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch k.phase {
	case candidate:
		k.phase, k.until = leading, in.Mono
		k.poll(in, out) // renew at once
		return core.Granted
	case leading:
		k.polling = false
		k.wait(out, k.RetryPeriod)
		k.until = in.Mono.Add(k.RetryPeriod + k.RenewDeadline)
		return core.Renewed
	}
	return k.released(out)
}

// failed is a try that has not.
func (k *Member) failed(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch k.phase {
	case candidate:
		out.Note(core.NewRefused(k.Try, 0, 0))
		k.backOff(out)
		return core.Pending
	case leading:
		return k.tick(in, out)
	}
	return k.released(out)
}

// backOff is the wait of a candidate: the jitter is added to the retry period.
func (k *Member) backOff(out *sim.Out[core.Msg]) {
	k.turn++
	if k.GrowingDelay {
		out.After(k.delay, core.New(core.ElectionWait).Of(k.turn))
		k.delay = Jittered(k.delay)
		return
	}
	out.AfterDraw(sim.Uniform(k.RetryPeriod, k.RetryPeriod+Jittered(k.RetryPeriod)), core.New(core.ElectionWait).Of(k.turn))
}

func (k *Member) wait(out *sim.Out[core.Msg], d time.Duration) {
	k.turn++
	out.After(d, core.New(core.ElectionWait).Of(k.turn))
}

// waited is the end of a wait.
func (k *Member) waited(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch {
	case k.phase == candidate:
		return k.apply(in, out)
	case k.phase == inStopHook:
		k.phase = stopped
		return core.Lost
	case !k.polling:
		return k.poll(in, out)
	}
	return k.tick(in, out)
}

// poll begins to try to renew the lease. Its deadline starts afresh, however long ago the
// last renewal was: a member that was stopped leads on.
func (k *Member) poll(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	k.polling, k.next = true, in.Mono.Add(k.RetryPeriod)
	moved := k.until.Before(in.Mono.Add(k.RenewDeadline))
	k.until = in.Mono.Add(k.RenewDeadline)
	k.turn++
	out.After(k.RenewDeadline, core.New(core.RenewDeadline).Of(k.turn))
	k.do(in, out, k.elector.Try(in.Mono, in.Wall)) // a request: the result is not known yet
	if moved {
		return core.Renewed
	}
	return core.Pending
}

// tick tries again if the ticker of the poll has ticked since the last try, and waits for it
// otherwise. A tick that comes during a try is kept, a second one is dropped.
func (k *Member) tick(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if !in.Mono.Before(k.until) {
		return k.expired(in, out)
	}
	if !in.Mono.Before(k.next) {
		k.next = nextTick(in.Mono, k.next, k.RetryPeriod)
		return k.do(in, out, k.elector.Try(in.Mono, in.Wall))
	}
	out.After(k.next.Sub(in.Mono), core.New(core.ElectionWait).Of(k.turn))
	return core.Pending
}

// nextTick is the first tick after now of a ticker that has ticked.
func nextTick(now, tick sim.Mono, period time.Duration) sim.Mono {
	n := period
	for !now.Before(tick.Add(n)) {
		n *= 2
	}
	for ; n >= period; n /= 2 {
		if !now.Before(tick.Add(n)) {
			tick = tick.Add(n)
		}
	}
	return tick.Add(period)
}

// expired is the end of a poll, or of a release, that had no success: the request under way
// is cancelled. The work is told to stop only when the release is over.
func (k *Member) expired(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if k.phase == releasingLease {
		return k.released(out)
	}
	return k.stop(in, out, core.Lost)
}

// Release implements [core.Algorithm]: the context of Run is cancelled.
func (k *Member) Release(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch k.phase {
	case leading:
		return k.stop(in, out, core.Done)
	case releasingLease:
		k.end = core.Done
		return core.Pending
	}
	k.phase = stopped
	k.turn++
	return core.Done
}

// stop ends the renewals, and gives the lease up if that is wanted.
func (k *Member) stop(in sim.In[core.Msg], out *sim.Out[core.Msg], end core.Outcome) core.Outcome {
	k.phase, k.end = releasingLease, end
	k.turn++
	k.call++
	if !k.ReleaseOnCancel {
		return k.released(out)
	}
	out.After(k.RenewDeadline, core.New(core.RenewDeadline).Of(k.turn))
	return k.do(in, out, k.elector.Release(in.Mono, in.Wall))
}

// released ends Run. What must not run without the lease may take a while to stop.
func (k *Member) released(out *sim.Out[core.Msg]) core.Outcome {
	k.phase = stopped
	k.turn++
	k.call++
	if k.end == core.Lost && k.StopHook > 0 {
		k.phase = inStopHook
		k.wait(out, k.StopHook)
		return core.Pending
	}
	return k.end
}

// Recover implements [sim.Recoverer]: replies to the process before are not for this one.
func (k *Member) Recover(before *Member) { k.call, k.turn = before.call, before.turn }
