package ratelimit

import (
	"fmt"
	"math/bits"
	"time"
)

// LeakyMeterParams are the parameters of a [LeakyMeter].
type LeakyMeterParams struct {
	Capacity int64 // b: requests, 1 to MaxLimit
	Leak     Rate  // n requests per p
}

// Validate returns all mistakes.
func (p LeakyMeterParams) Validate() error {
	var m mistakes
	m.bucket("capacity", p.Capacity, "leak", p.Leak)
	return m.join()
}

// LeakyMeter is the leaky bucket as a meter: a request is water, and is refused if the
// bucket would run over. Nothing waits. It is the [TokenBucket] upside down, with the
// same verdicts.
//
// A clock that goes back stands still: nothing leaks until it has caught up.
//
// Source: Shopify, "API rate limits", 40 requests at 2 per second.
type LeakyMeter struct {
	capacity, n, p, full int64
	byN, byP             divisor
}

// LeakyMeterState is what a [LeakyMeter] remembers of a key.
//
//  1. 0 <= level <= b*p
type LeakyMeterState struct {
	level int64 // units of 1/p request
	last  Reading
}

// NewLeakyMeter returns the rule, or all mistakes in its parameters.
func NewLeakyMeter(p LeakyMeterParams) (*LeakyMeter, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	m := &LeakyMeter{capacity: p.Capacity}
	m.n, m.p = p.Leak.reduced()
	m.full = m.capacity * m.p
	m.byN, m.byP = divideBy(m.n), divideBy(m.p)
	return m, nil
}

// Limit implements [Rule]: the capacity.
func (m *LeakyMeter) Limit() int64 { return m.capacity }

// Start implements [Rule]: an empty bucket.
func (m *LeakyMeter) Start(now Reading) LeakyMeterState { return LeakyMeterState{0, now} }

// Take implements [Rule].
func (m *LeakyMeter) Take(k *LeakyMeterState, now Reading, cost int64) Decision {
	if now < k.last {
		return m.Take(k, k.last, cost).later(k.last - now)
	}
	m.leak(k, now)
	if uint64(cost) > uint64(m.capacity) {
		return m.decision(k, false, Never)
	}
	need := cost * m.p
	if over := k.level - (m.full - need); over > 0 {
		return m.decision(k, false, time.Duration(m.byN.ceil(over)))
	}
	k.level += need
	return m.decision(k, true, 0)
}

func (m *LeakyMeter) leak(k *LeakyMeterState, now Reading) {
	hi, leaked := bits.Mul64(uint64(now-k.last), uint64(m.n))
	if hi != 0 || leaked >= uint64(k.level) {
		k.level = 0
	} else {
		k.level -= int64(leaked)
	}
	k.last = now
}

func (m *LeakyMeter) decision(k *LeakyMeterState, allowed bool, retry time.Duration) Decision {
	return Decision{
		Allowed:    allowed,
		Remaining:  m.byP.floor(m.full - k.level),
		Wait:       retry,
		ResetAfter: time.Duration(m.byN.ceil(k.level)),
	}
}

// Check implements [Rule].
func (m *LeakyMeter) Check(k *LeakyMeterState) error {
	if k.level < 0 || k.level > m.full {
		return fmt.Errorf("leaky meter, 1: level %d of %d", k.level, m.full)
	}
	return nil
}
