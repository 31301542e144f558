package clients

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	locks "fencepost/models/lock"
	"fencepost/sim"
)

const (
	redsyncRuns = 200
	edges       = 20                    // runs whose boundary is approached from both sides
	skew        = 20 * time.Microsecond // at most, by what the delays of the five servers differ
)

// TestRedsyncAcquires: without a rival in one round trip; with two servers of five that do
// not answer, when a twentieth of the expiry is over.
func TestRedsyncAcquires(t *testing.T) {
	for mute, want := range map[int]time.Duration{0: 2 * oneWay, 2: expiry / 20} {
		real := twice(t, 1, func(j *journal) outcome { return twoWorkers(j, time.Second, mute) })
		var faults []sim.Fault
		for i := range mute {
			faults = append(faults, sim.Fault{Do: sim.Cut, Sides: [][]sim.NodeID{{1, 2}, {sim.NodeID(3 + i)}}, For: sim.Constant(muteFor)})
		}
		assert.Equal(t, want, redlockModel(t, 1, time.Second, asItIs, faults...).first, "model, %d mute", mute)
		t.Logf("%d mute: library %v", mute, real.first)
		assert.InDelta(t, want, real.first, float64(skew), "library, %d mute", mute)
	}
}

// TestRedsyncLosesUpdates: a pause that is drawn from around the length of the lease, 8 s.
// How long after the end of the lock the second client has it, and in how many runs an
// update is lost, agree.
func TestRedsyncLosesUpdates(t *testing.T) {
	draw := rand.New(rand.NewSource(2))
	var real, model []time.Duration
	realLost, modelLost := 0, 0
	for seed := int64(1); seed <= redsyncRuns; seed++ {
		paused := 6*time.Second + time.Duration(draw.Int63n(int64(4*time.Second)))
		r := twice(t, seed, func(j *journal) outcome { return twoWorkers(j, paused, 0) })
		m := redlockModel(t, seed, paused, asItIs)
		real, model = append(real, r.takeover(paused)), append(model, m.takeover(paused))
		realLost, modelLost = realLost+number(r.lost), modelLost+number(m.lost)
	}
	agree(t, "takeover", real, model)
	lowReal, highReal := shareInterval(realLost, redsyncRuns)
	lowModel, highModel := shareInterval(modelLost, redsyncRuns)
	t.Logf("lost updates: library %d of %d (%.3f to %.3f), model %d (%.3f to %.3f)", realLost, redsyncRuns, lowReal, highReal, modelLost, lowModel, highModel)
	assert.True(t, lowReal <= highModel && lowModel <= highReal)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestBoundaryOfTheLostUpdate: an update is lost if the first client's write arrives after
// the second has read, and not if it arrives before, to the microsecond, in both. Where that
// is depends on when the second client tries; the distributions agree.
func TestBoundaryOfTheLostUpdate(t *testing.T) {
	const long = 9 * time.Second
	var real, model []time.Duration
	for seed := int64(1); seed <= redsyncRuns; seed++ {
		library := func(paused time.Duration) outcome {
			return twice(t, seed, func(j *journal) outcome { return twoWorkers(j, paused, 0) })
		}
		ours := func(paused time.Duration) outcome { return redlockModel(t, seed, paused, asItIs) }
		r, m := library(long), ours(long)
		real, model = append(real, r.boundary()), append(model, m.boundary())
		if seed <= edges {
			isBoundary(t, library, r.boundary())
			isBoundary(t, ours, m.boundary())
		}
	}
	agree(t, "boundary", real, model)
}

func isBoundary(t *testing.T, run func(paused time.Duration) outcome, at time.Duration) {
	t.Helper()
	assert.False(t, run(at-time.Microsecond).lost, "a pause of less than %v", at)
	assert.True(t, run(at+time.Microsecond).lost, "a pause of more than %v", at)
}

// TestOtherRetriesAreToldApart: a model that waits 100 ms longer between two attempts
// differs from the library by more than its interval.
func TestOtherRetriesAreToldApart(t *testing.T) {
	var right, wrong []time.Duration
	later := sim.Uniform(150*time.Millisecond, 350*time.Millisecond)
	for seed := int64(1); seed <= redsyncRuns; seed++ {
		r, w := redlockModel(t, seed, time.Second, asItIs), redlockModel(t, seed, time.Second, func(p *locks.Params) { p.Retry = &later })
		right, wrong = append(right, r.takeover(time.Second)), append(wrong, w.takeover(time.Second))
	}
	assert.Greater(t, mean(wrong)-mean(right), halfWidth(right)+halfWidth(wrong))
}
