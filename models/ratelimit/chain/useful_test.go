package chain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// Five percent less than could be done is goodput, six are not.
func TestGoodputAllowsFivePercent(t *testing.T) {
	for service, want := range map[time.Duration]sim.Verdict{10_400 * time.Microsecond: sim.Holds, 10_700 * time.Microsecond: sim.Violated} {
		p := overload(400)
		p.Database.Service, p.Database.Expected = ptr(sim.Constant(service)), ptr(10*ms)
		r := play(t, p, at(10_001))
		assert.Equal(t, want, r.Finding("goodput").Verdict, "%v\n%v", service, r)
	}
}

// A few operations a second, each done at once. One that is under way at the end of a
// window is not missing in it; one that is never done is.
func TestGoodputOfAnIdleDatabase(t *testing.T) {
	p := overload(400)
	p.Rate, p.Gap = nil, []sim.Dist{sim.Exponential(time.Second)}
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(60_001)})
	assert.NoError(t, err)
	for seed := range uint64(300) {
		assert.Equal(t, sim.Holds, w.Run(seed).Properties[0].Verdict, "seed %d", seed)
	}
	p.Database.Service, p.Database.Expected = ptr(sim.Constant(6*time.Second)), ptr(10*ms)
	assert.Equal(t, sim.Violated, play(t, p, at(60_001)).Finding("goodput").Verdict)
}

// "calls-bound: so many calls", and not one more or less. A layer that goes on when its
// client has given up spends on the same account.
func TestCallsBoundIsExact(t *testing.T) {
	for bound, want := range map[int]sim.Verdict{2: sim.Violated, 3: sim.Holds} {
		p := DefaultParams()
		p.Retry.Attempts, p.Database.Fails, p.Bounds.Calls = 3, 10, ptr(bound)
		assert.Equal(t, want, play(t, p, at(10_000)).Finding("calls-bound").Verdict)
	}
	p := DefaultParams()
	p.Layers, p.Timeout, p.Bounds.Calls = 1, ptr(105*ms), ptr(1) // of which the way to the layer takes 20 ms
	p.LayerRetry, p.Database.Fails = &RetryParams{Attempts: 6, Backoff: "none"}, 10
	r := play(t, p, at(10_000), simtest.Delay(20*ms))
	assert.Equal(t, at(110), r.Finding("calls-bound").First, r)
}

// What is still open when the run ends has not been checked.
func TestNoStarvationWithinItsBound(t *testing.T) {
	p := DefaultParams()
	p.Timeout, p.Database.Service = ptr(time.Duration(0)), ptr(sim.Constant(time.Hour))
	assert.Equal(t, sim.NotExercised, play(t, p, at(10_000)).Finding("no-starvation").Verdict)
	assert.Equal(t, sim.Violated, play(t, p, at(31_000)).Finding("no-starvation").Verdict)
}

// A deadline of the whole operation may be sooner than the timeout of a call.
func TestQueueWaitUntilTheDeadline(t *testing.T) {
	for _, timeout := range []time.Duration{0, 5 * time.Second} {
		p := overload(100)
		p.Timeout, p.Retry.Deadline = ptr(timeout), 500*ms
		r := play(t, p, at(10_001))
		assert.Equal(t, sim.Violated, r.Finding("queue-wait").Verdict, r)
	}
}
