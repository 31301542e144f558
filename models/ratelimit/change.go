package ratelimit

// Change says what becomes of a bucket's tokens when its rule changes.
//
// Source: bucket4j, TokensInheritanceStrategy; gubernator, algorithms.go.
type Change uint8

// The changes. Fresh lets a client that flips between two tiers refill at will.
const (
	AsIs         Change = iota // the tokens there are, at most the new capacity (x/time SetBurst)
	Proportional               // the same part of the capacity
	Additive                   // plus what the capacity has grown, or less what it has shrunk, at least 0
	Fresh                      // a full bucket
)

// Carry turns a key of another rule into one of this: it first earns what it has
// coming from the old rule. Fractions of a unit are lost.
//
// The windows, logs and counters of this package need no such step: they remember
// requests, and the new limit applies to the same requests as long as the window
// stays. Where it has shrunk below what has been admitted, everything is refused until
// that has passed, and only then does their invariant hold again.
func (b *TokenBucket) Carry(old *TokenBucket, k *TokenBucketState, now Reading, how Change) {
	old.refill(k, now)
	level := max(0, k.level)
	switch how {
	case AsIs:
		level = rescale(level, old.p, b.p)
	case Proportional:
		level = mulDiv(level, b.full, old.full)
	case Additive:
		level = rescale(level, old.p, b.p)
		if grown := b.capacity - old.capacity; grown >= 0 {
			level = min(level, b.full) + grown*b.p
		} else if lost := -grown; fits(lost, b.p) {
			level -= lost * b.p
		} else {
			level = 0
		}
	case Fresh:
		level = b.full
	}
	k.level = max(0, min(level, b.full))
}

// rescale turns units of 1/from into units of 1/to, at most maxUnits.
func rescale(level, from, to int64) int64 {
	whole, part := level/from, level%from
	if !fits(whole+1, to) {
		return maxUnits
	}
	return whole*to + mulDiv(part, to, from)
}
