package ratelimit

import (
	"fmt"
	"time"
)

// LeakyQueueParams are the parameters of a [LeakyQueue].
type LeakyQueueParams struct {
	Places  int64         // N: requests that may wait, 0 to MaxLimit
	Service time.Duration // from one start to the next, 1 ns to MaxWindow; rounded up if it stands for a rate that does not divide
	Ticks   bool          // starts only at multiples of Service, like a drain driven by a timer
}

// Validate returns all mistakes.
func (p LeakyQueueParams) Validate() error {
	var m mistakes
	if p.Places < 0 || p.Places > MaxLimit {
		m.add("places: must be 0 to %d, got %d", int64(MaxLimit), p.Places)
	}
	m.length("service", p.Service)
	if len(m) == 0 && !fits(p.Places+1, int64(p.Service)) {
		m.add("places: the last of %d at %v each waits longer than 146 years", p.Places, p.Service)
	}
	return m.join()
}

// LeakyQueue is the leaky bucket as a queue: requests start one Service apart, in the
// order in which they came; up to N wait, and one more is refused. The output has no
// bursts. The input has: N+1 are taken at once.
//
// An admitted request waits up to N*Service ([Decision.Delay]), so a client with a
// shorter timeout is served after it has left: keep N < timeout/Service, or drop what
// has expired ([LeakyLine]). A request of cost c takes c turns in a row, and starts
// with the first.
//
// A clock that goes back finds the turns given away further in the future: what was
// promised stands, and more is refused.
//
// Source: Turner, "New directions in communications", 1986; Xu, "System Design
// Interview", chapter 4.
type LeakyQueue struct {
	places  int64
	service Reading
	most    Reading // (N+1)*Service: how far ahead turns are given away
	ticks   bool
}

// LeakyQueueState is what a [LeakyQueue] remembers of a key: the queue itself is not
// needed to know who starts when.
//
//  1. with Ticks, free is a multiple of Service
type LeakyQueueState struct {
	free Reading // the next start that is not taken, if it is in the future
}

// NewLeakyQueue returns the rule, or all mistakes in its parameters.
func NewLeakyQueue(p LeakyQueueParams) (*LeakyQueue, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	service := Reading(p.Service)
	return &LeakyQueue{p.Places, service, Reading(p.Places+1) * service, p.Ticks}, nil
}

// Limit implements [Rule]: one request in service and N that wait.
func (q *LeakyQueue) Limit() int64 { return q.places + 1 }

// Start implements [Rule]: an empty queue.
func (q *LeakyQueue) Start(now Reading) LeakyQueueState {
	if q.ticks {
		now = floorTo(now, time.Duration(q.service))
	}
	return LeakyQueueState{now}
}

// Take implements [Rule].
func (q *LeakyQueue) Take(k *LeakyQueueState, now Reading, cost int64) Decision {
	start := q.start(k, now)
	if uint64(cost) > uint64(q.Limit()) {
		return q.decision(k, now, Decision{Wait: Never})
	}
	// Starts at or before now do not wait, so |{start > now}| <= N after this
	// request exactly if its last turn ends within N+1 services.
	end := start + Reading(cost)*q.service
	if early := end - now - q.most; early > 0 {
		return q.decision(k, now, Decision{Wait: time.Duration(early)})
	}
	if cost == 0 {
		return q.decision(k, now, Decision{Allowed: true})
	}
	k.free = end
	return q.decision(k, now, Decision{Allowed: true, Wait: time.Duration(start - now)})
}

// start is the first start that can be had: max(now, free), with Ticks on a tick.
func (q *LeakyQueue) start(k *LeakyQueueState, now Reading) Reading {
	if now <= k.free {
		return k.free
	}
	if q.ticks {
		return floorTo(now+q.service-1, time.Duration(q.service))
	}
	return now
}

func (q *LeakyQueue) decision(k *LeakyQueueState, now Reading, d Decision) Decision {
	ahead := q.start(k, now) - now
	d.ResetAfter = time.Duration(ahead)
	if ahead < q.most {
		d.Remaining = int64((q.most - ahead) / q.service)
	}
	return d
}

// AsNew reports whether all turns are over. With Ticks that is before ResetAfter, which
// counts to the next tick.
func (q *LeakyQueue) AsNew(k *LeakyQueueState, now Reading) bool { return k.free <= now }

// Check implements [Rule].
func (q *LeakyQueue) Check(k *LeakyQueueState) error {
	if q.ticks && k.free%q.service != 0 {
		return fmt.Errorf("leaky queue, 1: %d is no multiple of %d", k.free, q.service)
	}
	return nil
}
