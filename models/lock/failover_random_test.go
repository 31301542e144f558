package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// failing are locks on a Redis with replicas, for schedules in which much goes wrong.
func failing() map[string]Params {
	sentinel := &SentinelParams{Replicas: ptr(2), DownAfter: ptr(time.Second), Timeout: ptr(3 * time.Second), Lag: sim.Exponential(20 * ms), Wait: 1}
	p := contended(func(p *Params) {
		p.Service, p.Sentinel, p.Extend, p.Work = "sentinel", sentinel, 300*ms, []time.Duration{2 * time.Second}
	})
	w := contended(func(p *Params) {
		p.Service, p.Watchdog, p.Work = "watchdog", &WatchdogParams{Entries: 2, OnError: "retry", Callback: ptr(5 * ms)}, []time.Duration{2 * time.Second}
		p.TTL, p.PerNode = ptr(3*time.Second), ptr(200*ms)
	})
	both := w
	both.Sentinel = &SentinelParams{DownAfter: ptr(time.Second), Timeout: ptr(3 * time.Second), MinReplicas: 1}
	return map[string]Params{"sentinel": p, "watchdog": w, "watchdog on sentinel": both}
}

// restarts are crashes of everything, again and again.
func restarts(c *sim.Config, p *sim.Program) {
	storm(c, p)
	simtest.InjectAll(sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(8 * time.Second)}, For: sim.Exponential(time.Second)})(c, p)
}

func TestFailoverForgetsEverythingBetweenRuns(t *testing.T) {
	for name, p := range failing() {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, p.Problems())
			simtest.Forgets(t, p.System, sim.Config{}, restarts)
		})
	}
}

// TestFailoverIsPure plays each step twice, while everything crashes and the wall clocks are
// stepped by more than a Sentinel takes.
func TestFailoverIsPure(t *testing.T) {
	for name, p := range failing() {
		t.Run(name, func(t *testing.T) {
			simtest.Play(t, p.System, sim.Config{}, restarts, func(c *sim.Config, _ *sim.Program) { c.Twice = true },
				simtest.InjectAll(sim.Fault{Do: sim.StepClock, When: sim.When{Every: sim.Exponential(10 * time.Second)}, By: 3 * time.Second}))
		})
	}
}

func TestFailoverAllocatesNothing(t *testing.T) {
	for name, p := range failing() {
		assert.Zero(t, simtest.Allocs(t, p.System, sim.Config{Until: at(5_000)}, simtest.Delay(ms)), name)
	}
}

// Without a fault no lock is held twice, and no key is left.
func TestAHealthyFailoverGroupKeepsItsPromises(t *testing.T) {
	for name, p := range failing() {
		t.Run(name, func(t *testing.T) {
			c := simtest.Count(t, p.System, sim.Config{Until: at(20_000)}, 20, simtest.Delay(2*ms))
			c.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder", "no-lost-update", "owner-release", "deadlock-free", "no-orphan")
		})
	}
}

// In storms and crashes a lock is lost, one way or the other.
func TestFailoversLoseLocks(t *testing.T) {
	p := failing()["sentinel"]
	c := simtest.Count(t, p.System, sim.Config{}, 100, restarts)
	c.Violates("entitled-exclusion", "quorum-behind-holder", "mutual-exclusion")
}

// BenchmarkSentinel is a minute of a lock on a master with a replica, watched by three
// Sentinels, which two clients take over and over.
func BenchmarkSentinel(b *testing.B) {
	p := busy()
	p.Service = "sentinel"
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(ms))
}

// BenchmarkWatchdog is the same with Redisson.
func BenchmarkWatchdog(b *testing.B) {
	p := busy()
	p.Service = "watchdog"
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(ms))
}
