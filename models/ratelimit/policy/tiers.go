package policy

import "fencepost/models/ratelimit"

// Tiers are the buckets of several plans. A key belongs to one of them at a time, and
// may change at any request: its state keeps the plan that it was built with.
//
// Fresh and Additive pay out at every change: who flips between 100 and 1000 gets 1000, or
// 900, each time it goes up. As-is and proportional do not.
//
// Source: bucket4j, TokensInheritanceStrategy; gubernator, algorithms.go.
type Tiers struct {
	Plans []*ratelimit.TokenBucket
	How   ratelimit.Change
}

// TierState is what [Tiers] remember of a key.
type TierState struct {
	Bucket ratelimit.TokenBucketState
	Plan   int // that the bucket was built with
}

// Start is a key that is new, with a full bucket of its plan.
func (t *Tiers) Start(now ratelimit.Reading, plan int) TierState {
	return TierState{t.Plans[plan].Start(now), plan}
}

// Take decides a request of a key that now has this plan.
func (t *Tiers) Take(k *TierState, now ratelimit.Reading, plan int, cost int64) ratelimit.Decision {
	if plan != k.Plan {
		t.Plans[plan].Carry(t.Plans[k.Plan], &k.Bucket, now, t.How)
		k.Plan = plan
	}
	return t.Plans[plan].Take(&k.Bucket, now, cost)
}
