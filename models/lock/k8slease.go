package lock

import (
	"time"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
)

// jittered is a duration times JitterFactor, 1.2.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go.
func jittered(d time.Duration) time.Duration { return d * 6 / 5 }

// K8sLease is a member of the leader election of client-go: Run acquires the lease, renews
// it until that fails for RenewDeadline, and stops.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go, Run, acquire, renew
// and release; apimachinery v0.34.1, pkg/util/wait, JitterUntil and PollUntilContextTimeout.
type K8sLease struct {
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

	attempt
	elector kubernetes.Elector
	phase   electorPhase
	call    uint32 // the request under way: replies to earlier ones do not count. It never comes again
	turn    uint32 // the wait under way, likewise
	nth     int    // try of this acquisition
	delay   time.Duration
	polling bool     // it tries to renew; else it waits for the next renewal
	next    sim.Mono // tick of the poll's ticker that has not been taken
	until   sim.Mono
	end     Outcome // of a release
}

// electorPhase is what Run is about.
type electorPhase uint8

const (
	stopped electorPhase = iota
	candidate
	leading
	releasingLease
	inStopHook
)

// Acquire implements [Algorithm]: a new process, with a new identity, calls Run.
func (k *K8sLease) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	k.try++
	k.grant = grantOf(in.Self, k.try)
	if k.SameIdentity {
		k.grant = grantOf(in.Self, 0)
	}
	k.elector = kubernetes.Elector{Identity: k.grant, Lease: k.Lease, Expiry: k.Expiry, OwnLease: k.OwnLease}
	k.phase, k.nth, k.delay = candidate, 0, k.RetryPeriod
	return k.apply(in, out)
}

// Hold implements [Algorithm]. The token is the number of holders that the object has had.
func (k *K8sLease) Hold() Hold {
	h := k.held()
	h.Token, h.Until, h.Ends = uint64(k.elector.Observed().Transitions)+1, int64(k.until), true
	return h
}

// Receive implements [Algorithm].
func (k *K8sLease) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := &in.Msg; m.Kind {
	case ObjectReply:
		k.count()
		if m.Try == k.call {
			return k.replied(in, out, statusOf(m))
		}
	case requestTimeout:
		if m.Try == k.call {
			return k.replied(in, out, kubernetes.Failed)
		}
	case electionWait:
		if m.Try == k.turn {
			return k.waited(in, out)
		}
	case renewDeadline:
		if m.Try == k.turn {
			return k.expired(in, out)
		}
	default:
		panic("lock: a member of an election got " + m.String())
	}
	return Pending
}

// apply is one try of a candidate.
func (k *K8sLease) apply(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	k.nth++
	k.note(out, k.nth)
	return k.do(in, out, k.elector.Try(in.Mono, in.Wall))
}

// do sends the request that a try needs next, or ends the try.
func (k *K8sLease) do(in sim.In[Msg], out *sim.Out[Msg], a kubernetes.Action) Outcome {
	switch a {
	case kubernetes.Held:
		return k.succeeded(in, out)
	case kubernetes.Refused:
		return k.failed(in, out)
	}
	k.call++
	version, record := k.elector.Proposal()
	m := Msg{Kind: objectRequests[a], Try: k.call}
	if a != kubernetes.Get {
		m.setLease(kubernetes.Lease{Record: record, Version: version})
	}
	k.count()
	out.Send(k.Server, m)
	if k.Timeout > 0 {
		out.After(k.Timeout, Msg{Kind: requestTimeout, Try: k.call})
	}
	return Pending
}

// replied is the end of a request.
func (k *K8sLease) replied(in sim.In[Msg], out *sim.Out[Msg], s kubernetes.Status) Outcome {
	k.call++
	return k.do(in, out, k.elector.Reply(in.Mono, s, in.Msg.lease()))
}

// succeeded is a try that has got what it wanted.
func (k *K8sLease) succeeded(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch k.phase {
	case candidate:
		k.phase = leading
		k.poll(in, out) // renew at once
		return Granted
	case leading:
		k.polling = false
		k.wait(out, k.RetryPeriod)
		k.until = in.Mono.Add(k.RetryPeriod + k.RenewDeadline)
		return Renewed
	}
	return k.released(out)
}

// failed is a try that has not.
func (k *K8sLease) failed(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch k.phase {
	case candidate:
		out.Note(Msg{Kind: Refused, Try: k.try})
		k.backOff(out)
		return Pending
	case leading:
		return k.tick(in, out)
	}
	return k.released(out)
}

// backOff is the wait of a candidate: the jitter is added to the retry period.
func (k *K8sLease) backOff(out *sim.Out[Msg]) {
	k.turn++
	if k.GrowingDelay {
		out.After(k.delay, Msg{Kind: electionWait, Try: k.turn})
		k.delay = jittered(k.delay)
		return
	}
	out.AfterDraw(sim.Uniform(k.RetryPeriod, k.RetryPeriod+jittered(k.RetryPeriod)), Msg{Kind: electionWait, Try: k.turn})
}

func (k *K8sLease) wait(out *sim.Out[Msg], d time.Duration) {
	k.turn++
	out.After(d, Msg{Kind: electionWait, Try: k.turn})
}

// waited is the end of a wait.
func (k *K8sLease) waited(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch {
	case k.phase == candidate:
		return k.apply(in, out)
	case k.phase == inStopHook:
		k.phase = stopped
		return Lost
	case !k.polling:
		return k.poll(in, out)
	}
	return k.tick(in, out)
}

// poll begins to try to renew the lease. Its deadline starts afresh, however long ago the
// last renewal was: a member that was stopped leads on.
func (k *K8sLease) poll(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	k.polling, k.next = true, in.Mono.Add(k.RetryPeriod)
	moved := k.until.Before(in.Mono.Add(k.RenewDeadline))
	k.until = in.Mono.Add(k.RenewDeadline)
	k.turn++
	out.After(k.RenewDeadline, Msg{Kind: renewDeadline, Try: k.turn})
	k.do(in, out, k.elector.Try(in.Mono, in.Wall)) // a request: the result is not known yet
	if moved {
		return Renewed
	}
	return Pending
}

// tick tries again if the ticker of the poll has ticked since the last try, and waits for it
// otherwise. A tick that comes during a try is kept, a second one is dropped.
func (k *K8sLease) tick(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if !in.Mono.Before(k.until) {
		return k.expired(in, out)
	}
	if !in.Mono.Before(k.next) {
		dropped := in.Mono.Sub(k.next) / k.RetryPeriod
		k.next = k.next.Add((dropped + 1) * k.RetryPeriod)
		return k.do(in, out, k.elector.Try(in.Mono, in.Wall))
	}
	out.After(k.next.Sub(in.Mono), Msg{Kind: electionWait, Try: k.turn})
	return Pending
}

// expired is the end of a poll, or of a release, that had no success: the request under way
// is cancelled. The work is told to stop only when the release is over.
func (k *K8sLease) expired(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if k.phase == releasingLease {
		return k.released(out)
	}
	return k.stop(in, out, Lost)
}

// Release implements [Algorithm]: the context of Run is cancelled.
func (k *K8sLease) Release(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch k.phase {
	case leading:
		return k.stop(in, out, Done)
	case releasingLease:
		k.end = Done
		return Pending
	}
	k.phase = stopped
	k.turn++
	return Done
}

// stop ends the renewals, and gives the lease up if that is wanted.
func (k *K8sLease) stop(in sim.In[Msg], out *sim.Out[Msg], end Outcome) Outcome {
	k.phase, k.end = releasingLease, end
	k.turn++
	k.call++
	if !k.ReleaseOnCancel {
		return k.released(out)
	}
	out.After(k.RenewDeadline, Msg{Kind: renewDeadline, Try: k.turn})
	return k.do(in, out, k.elector.Release(in.Mono, in.Wall))
}

// released ends Run. What must not run without the lease may take a while to stop.
func (k *K8sLease) released(out *sim.Out[Msg]) Outcome {
	k.phase = stopped
	k.turn++
	k.call++
	if k.end == Lost && k.StopHook > 0 {
		k.phase = inStopHook
		k.wait(out, k.StopHook)
		return Pending
	}
	return k.end
}

// Recover implements [sim.Recoverer]: replies to the process before are not for this one.
func (k *K8sLease) Recover(before *K8sLease) { k.call, k.turn = before.call, before.turn }
