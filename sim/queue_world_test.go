package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// limits are how many pending events need no ring: under the first two nearly every queue has
// one, under the last none has.
var limits = []int{2, 8, 64, 1 << 20}

// The thresholds of the queue are no part of a run.
func TestDigestUnderAllThresholds(t *testing.T) {
	for _, n := range []int{1, 10, 100, 3000} {
		var want Digest
		for i, limit := range limits {
			w := phold(t, n)
			w.q.Limit = limit
			w.reset(7)
			w.forSteps(uint64(20_000 + 5*n))
			if i == 0 {
				want = w.digest
			}
			assert.Equal(t, want, w.digest, "%d nodes, limit %d", n, limit)
		}
	}
}

// A run leaves nothing behind that the next one could see.
func TestResetLeavesNothing(t *testing.T) {
	for _, n := range []int{10, 1000} {
		fresh := phold(t, n)
		fresh.reset(1)
		fresh.forSteps(10_000)

		used := phold(t, n)
		for seed := range uint64(3) {
			used.reset(seed + 2)
			used.forSteps(5_000 + 777*seed)
		}
		used.reset(1)
		used.forSteps(10_000)
		assert.Equal(t, fresh.digest, used.digest)
	}
}

// "Zero allocations per step and per reset."
func TestAllocations(t *testing.T) {
	for _, n := range []int{10, 1000} {
		w := phold(t, n)
		for range 3 {
			w.reset(1)
			w.forSteps(100_000)
		}
		assert.Zero(t, testing.AllocsPerRun(100, func() { w.forSteps(1000) }), "steps of %d nodes", n)
		assert.Zero(t, testing.AllocsPerRun(100, func() { w.reset(1) }), "reset of %d nodes", n)
	}
	w := leases(t, 100)
	w.reset(1)
	w.forSteps(100_000)
	assert.Zero(t, testing.AllocsPerRun(100, func() { w.forSteps(1000) }), "steps with timers")
}
