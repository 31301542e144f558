package linear

import "fmt"

// A lease is a lock that expires: who acquires it has it for a TTL, counted from the instant at
// which the acquire took effect, or until it is released; a renew counts anew. An acquire is
// refused while it is held, by the same client as well; a release or renew is refused to who
// does not hold it, or no longer. It expires by the clock of the history's instants.
//
// When an operation took effect is not known, only between which instants. So a state is all
// that is possible: the holder acquired the lease at an instant of since, the last operation
// took effect at now or later, and the lease was age or older then. These are bounds of two
// instants and of their difference, which describe the possible pairs exactly.
//
// A lease that no client holds is one that expired long ago.
//
// Source: Gray and Cheriton, "Leases", SOSP 1989; Dill, "Timing assumptions and verification
// of finite-state concurrent systems", 1989, for the bounds.
type lease struct {
	holder   int
	ttl      int64
	since    span
	now, age int64
}

type span struct{ from, to int64 }

// Instants of a lease are within these, so that no sum is more than an int64.
const (
	maxInstant int64 = 1 << 61
	maxTTL     int64 = 1 << 50
	noEnd      int64 = 1 << 62
)

// noLease is the state at first.
var noLease = lease{holder: free, since: span{-maxInstant, -maxInstant}, now: -maxInstant}

// step is what a lease does.
func (l lease) step(o *Op) (bool, any) {
	held, isHeld := l.at(o, 0, l.ttl-1)
	over, isOver := l.at(o, l.ttl, noEnd)
	either, isEither := l.at(o, 0, noEnd)
	switch own := l.holder == o.Client; {
	case o.Kind == Acquire && o.Outcome == Refused:
		return isHeld, held
	case o.Kind == Acquire && isOver:
		return true, over.granted(o, o.until())
	case o.Kind != Acquire && o.Outcome == Refused && own:
		return isOver, over
	case o.Kind != Acquire && o.Outcome == Refused:
		return isEither, either
	case o.Kind == Renew && own && isHeld:
		return true, held.granted(o, min(o.until(), held.since.to+l.ttl-1))
	case o.Kind == Release && own && isHeld:
		released := noLease
		released.now = held.now
		return true, released
	}
	return o.Outcome == Open, either
}

// at is the lease when an operation takes effect while its age is from least to most, and
// whether that can be.
func (l lease) at(o *Op, least, most int64) (lease, bool) {
	now, age, since := span{max(l.now, o.Call), o.until()}, span{max(l.age, least), most}, l.since
	l.since = span{max(since.from, now.from-age.to), min(since.to, now.to-age.from)}
	l.now = max(now.from, since.from+age.from)
	l.age = max(age.from, now.from-since.to)
	return l, now.from <= now.to && age.from <= age.to && l.since.from <= l.since.to
}

// granted is the lease of the client of an operation, which took effect until an instant.
func (l lease) granted(o *Op, until int64) lease {
	return lease{holder: o.Client, ttl: o.amount(), since: span{l.now, until}, now: l.now}
}

// until is the last instant at which an operation may have taken effect.
func (o *Op) until() int64 { return min(o.end(), noEnd) }

// validateLease refuses what a lease cannot be checked with.
func (o *Op) validateLease() error {
	if o.Call < -maxInstant || o.Call > maxInstant || o.Outcome != Open && o.Return > maxInstant {
		return fmt.Errorf("want instants of a lease from %d to %d", -maxInstant, maxInstant)
	}
	if o.Kind == Release || o.Outcome == Refused || o.Outcome == Failed {
		return nil
	}
	return o.integer(1, maxTTL)
}
