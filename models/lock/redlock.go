package lock

import (
	"math/bits"
	"time"
)

// Rules are the parameters of a lease on the majority of independent instances.
// One instance with a quorum of one is the single-server lock.
//
// Source: Redis documentation, "Distributed Locks with Redis", the Redlock
// algorithm; spec, locks, clocks and the key-value store, section 4.2.
type Rules struct {
	Instances int           // N, 1 to 31
	Quorum    int           // N/2+1
	TTL       time.Duration // 0: the lease never ends
	Drift     time.Duration // D: what the clocks may err by within a TTL

	AnyValidity bool // accept a quorum even when no validity is left
	AtQuorum    bool // decide as soon as a quorum has granted, without waiting for all
}

// Quorum is the smallest majority of n instances.
func Quorum(n int) int { return n/2 + 1 }

// Tolerated is how many of n instances may be down: n - (n/2+1).
func Tolerated(n int) int { return n - Quorum(n) }

// DriftOf is the allowance of the reference implementation: one per cent of the
// TTL, rounded down to a whole millisecond, and 2 ms for the expiry's precision.
func DriftOf(ttl time.Duration) time.Duration {
	return (ttl / 100).Truncate(time.Millisecond) + 2*time.Millisecond
}

// An Acquisition is one attempt to take the lease, or to extend it. Readings are
// nanoseconds of one clock of the client, whichever it uses.
type Acquisition struct {
	t1                int64 // the reading before the first request
	answered, granted uint32
}

// Begin is step 2: read the clock before any request is sent.
func (a *Acquisition) Begin(reading int64) { *a = Acquisition{t1: reading} }

// Answer is step 4: instance i, from 0, has granted the lease, has not, or has
// failed to answer in time. It reports whether that is news.
func (a *Acquisition) Answer(i int, granted bool) bool {
	bit := uint32(1) << i
	if a.answered&bit != 0 {
		return false
	}
	a.answered |= bit
	if granted {
		a.granted |= bit
	}
	return true
}

// Answered reports whether instance i has answered.
func (a *Acquisition) Answered(i int) bool { return a.answered&(1<<i) != 0 }

// Granted is the number of instances that have granted the lease.
func (a *Acquisition) Granted() int { return bits.OnesCount32(a.granted) }

// GrantedBy reports whether instance i has granted the lease.
func (a *Acquisition) GrantedBy(i int) bool { return a.granted&(1<<i) != 0 }

// Settled reports whether there is nothing left to wait for.
func (a *Acquisition) Settled(r *Rules) bool {
	return bits.OnesCount32(a.answered) == r.Instances || r.AtQuorum && a.Granted() >= r.Quorum
}

// Validity is step 6: what is left of the TTL at a reading, less the drift.
func (a *Acquisition) Validity(r *Rules, reading int64) time.Duration {
	return r.TTL - time.Duration(reading-a.t1) - r.Drift
}

// Accept is step 7: a quorum has granted the lease and some of it is left.
func (a *Acquisition) Accept(r *Rules, reading int64) bool {
	if a.Granted() < r.Quorum {
		return false
	}
	return r.TTL == 0 || r.AnyValidity || a.Validity(r, reading) > 0
}

// ValidUntil is the reading up to which the holder may act: t2 + validity, which is
// t1 + TTL - D however long the acquisition took.
func (a *Acquisition) ValidUntil(r *Rules) int64 { return a.t1 + int64(r.TTL-r.Drift) }
