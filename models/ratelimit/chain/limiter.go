package chain

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/retry"
	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
)

// Entry is how the limiter decides.
type Entry uint8

// The ways to decide.
const (
	Open       Entry = iota // it admits everything
	Bucket                  // a token bucket of all clients together
	Credits                 // as many requests behind it at once as the queue grants
	ShedFleet               // a number that are not critical, and every critical one
	ShedWorker              // class after class, as workers are free
)

// Wish is how exactly a refusal says when to come back.
type Wish uint8

// In a header there are whole seconds.
const (
	NoWish Wish = iota
	Exact
	WholeSeconds
)

// Refusal is how a node refuses a request.
type Refusal struct {
	Wish   Wish
	Silent bool // it says nothing: the caller waits until it has no more patience
}

// refuse notes a refusal and tells the caller.
func (r Refusal) refuse(out *sim.Out[Msg], request Msg, status uint16, wait time.Duration) {
	m := request.about(Rejected)
	m.Status = status
	switch {
	case r.Silent:
		m.value = -1
	case r.Wish == Exact:
		m.value = int64(wait)
	case r.Wish == WholeSeconds:
		m.value = int64(retry.Seconds(wait))
	}
	out.Note(m)
	if !r.Silent {
		out.Send(caller(m.ID), m.as(Reply))
	}
}

// Limiter stands before everything else. Without anything behind it, it carries requests
// out itself.
//
// With credits nothing is pushed: what is behind it pulls, and it never holds more than it can
// do in time. With as many credits as workers a worker that is done waits for the next
// arrival: at 150/s for one that does 100/s it does 75. Another credit keeps it busy.
//
// Source: Stripe, "Scaling your API with rate limiters", 2017; S2 10 of
// docs/sources.md.
type Limiter struct {
	Next    sim.NodeID // the queue; None: nothing is behind it
	Entry   Entry
	Rule    *ratelimit.TokenBucket // of a bucket
	Credits int64                  // at the start; to shed by class, how many workers there are
	Fleet   shed.Fleet
	Worker  shed.Worker
	Retry   time.Duration // after which a credit should be free
	Refusal Refusal

	bucket ratelimit.TokenBucketState
	given  int64 // of the credits
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		if l.Entry == Bucket {
			l.bucket = l.Rule.Start(ratelimit.Reading(in.Mono))
		}
	case Request:
		l.decide(in, out)
	case Grant:
		requests, others := m.Granted()
		l.given = max(0, l.given-requests)
		for range others {
			l.Fleet.End(shed.Test) // or another that is not critical: it counts them together
		}
		l.look(in, out)
	default:
		panic("chain: the limiter got " + m.String())
	}
}

// look sees how many workers are free, and notes when that changes what is shed.
func (l *Limiter) look(in sim.In[Msg], out *sim.Out[Msg]) {
	if l.Entry != ShedWorker {
		return
	}
	before := l.Worker.Shed()
	l.Worker.Observe(ratelimit.Reading(in.Mono), max(0, l.Credits-l.given))
	if now := l.Worker.Shed(); now != before {
		out.Note(newShedding(int64(now)))
	}
}

func (l *Limiter) decide(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch l.Entry {
	case Bucket:
		if d := l.Rule.Take(&l.bucket, ratelimit.Reading(in.Mono), 1); !d.Allowed {
			l.Refusal.refuse(out, m, 429, d.RetryAfter())
			return
		}
	case Credits:
		if l.given >= l.Credits {
			l.Refusal.refuse(out, m, 503, l.Retry)
			return
		}
		l.given++
	case ShedFleet:
		if !l.Fleet.Begin(m.Class) {
			l.Refusal.refuse(out, m, 503, l.Retry)
			return
		}
	case ShedWorker:
		l.look(in, out)
		if !l.Worker.Admit(m.Class) {
			l.Refusal.refuse(out, m, 503, l.Worker.Every)
			return
		}
		l.given++
	}
	out.Note(m.about(Admitted))
	if l.Next != sim.None {
		out.Send(l.Next, m)
		return
	}
	out.Note(m.about(Served))
	out.Send(caller(m.ID), m.answer(200))
}
