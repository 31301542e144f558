package redislock

import (
	"math/bits"
	"time"

	"fencepost/sim"
)

// Rules are the parameters of a lease on the majority of independent instances.
// One instance with a quorum of one is the single-server lock.
//
// Source: Redis documentation, "Distributed Locks with Redis", the Redlock algorithm.
type Rules struct {
	Instances int           // N, 1 to 31
	Quorum    int           // N/2+1
	TTL       time.Duration // 0: the lease never ends
	Drift     time.Duration // D: what the clocks may err by within a TTL

	AnyValidity bool // accept a quorum even when no validity is left
	AtQuorum    bool // decide when a quorum has granted, or has not: with an even number that split evenly, never
}

// Quorum is the smallest majority of n instances.
func Quorum(n int) int { return n/2 + 1 }

// Tolerated is how many of n instances may be down: n - (n/2+1).
func Tolerated(n int) int { return n - Quorum(n) }

// DriftOf is the allowance of the reference implementation: one per cent of the
// TTL, rounded down to a whole millisecond, and 2 ms: one for the precision of an expiry, and
// one for short TTLs.
//
// Source: redlock-rb (antirez, 2014), redlock.rb, lock.
func DriftOf(ttl time.Duration) time.Duration {
	return (ttl / 100).Truncate(time.Millisecond) + 2*time.Millisecond
}

// An Acquisition is one attempt to take the lease, or to extend it. Readings are
// nanoseconds of one clock of the client, whichever it uses. The steps are those of the
// page, as [Redlock] quotes them.
type Acquisition struct {
	t1               int64 // the reading before the first request
	granted, refused uint32
	silent           uint32 // has not answered in time
}

// Begin is step 1: read the clock before any request is sent.
func (a *Acquisition) Begin(reading int64) { *a = Acquisition{t1: reading} }

// Answer is step 2: instance i, from 0, has granted the lease or has not. It reports
// whether that is news.
func (a *Acquisition) Answer(i int, granted bool) bool {
	if granted {
		return a.put(i, &a.granted)
	}
	return a.put(i, &a.refused)
}

// Miss is the timeout of step 2: instance i has not answered in time. It may have granted
// the lease all the same.
func (a *Acquisition) Miss(i int) bool { return a.put(i, &a.silent) }

func (a *Acquisition) put(i int, set *uint32) bool {
	bit := uint32(1) << i
	if (a.granted|a.refused|a.silent)&bit != 0 {
		return false
	}
	*set |= bit
	return true
}

// RefusedBy reports whether instance i has said that the lease is not free.
func (a *Acquisition) RefusedBy(i int) bool { return a.refused&(1<<i) != 0 }

// Answers is how many instances have answered, or failed to in time.
func (a *Acquisition) Answers() int { return bits.OnesCount32(a.granted | a.refused | a.silent) }

// Granted is the number of instances that have granted the lease.
func (a *Acquisition) Granted() int { return bits.OnesCount32(a.granted) }

// GrantedBy reports whether instance i has granted the lease.
func (a *Acquisition) GrantedBy(i int) bool { return a.granted&(1<<i) != 0 }

// Settled reports whether there is nothing left to wait for. At quorum it is one side's
// majority that decides: of two of four for it and two against, nothing comes.
//
// Source: node-redlock 5, src/index.ts, _attemptOperation, whose promise resolves when
// votesFor or votesAgainst are quorumSize, and in no other case.
func (a *Acquisition) Settled(r *Rules) bool {
	against := bits.OnesCount32(a.refused | a.silent)
	if r.AtQuorum {
		return a.Granted() >= r.Quorum || against >= r.Quorum
	}
	return a.Granted()+against == r.Instances
}

// Split reports whether all have answered, and the acquisition will never be settled.
func (a *Acquisition) Split(r *Rules) bool { return a.Answers() == r.Instances && !a.Settled(r) }

// Validity is step 4: what is left of the TTL at a reading, less the drift.
func (a *Acquisition) Validity(r *Rules, reading int64) time.Duration {
	return r.TTL - time.Duration(reading-a.t1) - r.Drift
}

// Accept is step 3: a quorum has granted the lease and some of it is left.
func (a *Acquisition) Accept(r *Rules, reading int64) bool {
	if a.Granted() < r.Quorum {
		return false
	}
	return r.TTL == 0 || r.AnyValidity || sim.Mono(reading).Before(sim.Mono(a.ValidUntil(r))) // whichever clock it is
}

// ValidUntil is the reading up to which the holder may act: t2 + validity, which is
// t1 + TTL - D however long the acquisition took.
func (a *Acquisition) ValidUntil(r *Rules) int64 { return a.t1 + int64(r.TTL-r.Drift) }
