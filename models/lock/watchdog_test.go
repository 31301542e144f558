package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// watchedLock is client-1 with a lock of Redisson for the whole run, and client-2 that wants it.
func watchedLock(b WatchdogParams) Params {
	return Params{Service: "watchdog", Clients: 2, Start: []time.Duration{0, 100 * ms}, Work: []time.Duration{time.Hour, time.Second}, Watchdog: &b}
}

// L-20: P(lost) = clamp((P - (lease - I)) / I, 0, 1), with a lease of 30 s renewed every 10 s,
// for a pause that begins at each of 40 phases between two renewals.
func TestAPauseLosesTheLockAsOftenAsTheLawSays(t *testing.T) {
	const phases = 40
	for pause, share := range map[time.Duration]int{10_000: 0, 20_000: 0, 22_500: 10, 25_000: 20, 29_000: 36, 30_000: 40} {
		lost := 0
		for k := range int64(phases) {
			begins := at(20_000 + (2*k+1)*10_000/(2*phases))
			r := play(t, watchedLock(WatchdogParams{}), simtest.Delay(0), simtest.Until(at(120_000)),
				simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: begins}, For: sim.Constant(pause * ms)}))
			if r.Finding("mutual-exclusion").Verdict == sim.Violated {
				lost++
			}
		}
		assert.Equal(t, share, lost, "of 40, at a pause of %v", pause*ms)
	}
}

func TestAStuckWorkerIsRenewedForever(t *testing.T) {
	p := watchedLock(WatchdogParams{})
	p.DeadlockBound = ptr(90 * time.Second) // its work takes longer than the run
	r := play(t, p, simtest.Until(at(600_000)))
	r.Violated("deadlock-free", at(90_100))
	assert.EqualValues(t, 0, r.Measure("client-2-acquisitions"))

	r = play(t, watchedLock(WatchdogParams{Most: 3}), simtest.Until(at(600_000)))
	r.Holds("deadlock-free")
	assert.EqualValues(t, 1, r.Measure("client-2-acquisitions"), "the renewals end, and the lease does 30 s after the last")
}

// Redisson issue #775: a renewal without an answer was the last.
func TestARenewalWithoutAnAnswerIsTheLast(t *testing.T) {
	cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(9_000)}, For: sim.Constant(5 * time.Second)}, []string{"client-1"}, []string{"redis-1"})
	r := play(t, watchedLock(WatchdogParams{}), cut)
	r.Violated("mutual-exclusion", at(30_020))
	r = play(t, watchedLock(WatchdogParams{OnError: "retry"}), cut)
	r.Holds("mutual-exclusion")
}

func TestTheHolderIsToldOnlyWhereItAsksFor(t *testing.T) {
	pause := simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(9_000)}, For: sim.Constant(40 * time.Second)})
	p := watchedLock(WatchdogParams{})
	p.Work = []time.Duration{time.Hour}
	overlaps := func() sim.Time {
		r := play(t, p, pause)
		return r.Finding("mutual-exclusion").First + sim.Time(r.Measure("overlap"))
	}
	assert.Equal(t, at(60_000), overlaps(), "to the end of the run")
	p.Watchdog.Tells = true
	assert.Equal(t, at(49_010), overlaps(), "a round trip after it resumes at 49 s")
}

// Redisson issues #3636, #2665 and #5697: the thread of the timer has something else to do.
func TestARenewalThatComesTooLateLosesTheLock(t *testing.T) {
	for late, want := range map[time.Duration]sim.Verdict{19 * time.Second: sim.Holds, 21 * time.Second: sim.Violated} {
		r := play(t, watchedLock(WatchdogParams{Late: sim.Constant(late)}))
		assert.Equal(t, want, r.Finding("mutual-exclusion").Verdict, "late by %v", late)
	}
}

// Redisson issue #1602: the unlock is lost, and up to 3.10 the renewal did not end then.
func TestARenewalOutlivesAnUnlockThatIsLost(t *testing.T) {
	p := watchedLock(WatchdogParams{Cancel: "freed"})
	p.Work = []time.Duration{time.Second}
	lose := simtest.Disturb("client-1", "redis-1", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.Leave}})
	r := play(t, p, lose, simtest.Until(at(300_000)))
	assert.EqualValues(t, 0, r.Measure("client-2-acquisitions"))
	r.Violated("deadlock-free", at(90_100))
	p.Watchdog.Cancel = "answer"
	r = play(t, p, lose, simtest.Until(at(300_000)))
	r.Holds("deadlock-free")
	assert.Equal(t, at(30_020), r.Moment("client-2 acquired the lock"), "when the lease is over")
}

// Redisson issue #7272: an interrupted lock that is granted after all is renewed, and no thread
// knows of it.
func TestARenewalOutlivesAnInterruptedLock(t *testing.T) {
	p := watchedLock(WatchdogParams{Interrupt: ptr(8 * ms)})
	p.Tries = ptr(1)
	p.Clients, p.Start = 2, []time.Duration{0, 8 * ms}
	r := play(t, p, simtest.Until(at(300_000)), simtest.Link("client-2", "redis-1", sim.Link{Delay: sim.Constant(ms)}), simtest.Link("redis-1", "client-2", sim.Link{Delay: sim.Constant(ms)}))
	assert.EqualValues(t, 0, r.Measure("acquisitions"), "client-1 was interrupted at 8 ms, and its key is there from 5 ms on")
}

// The callback that starts the renewal runs after the unlock: the renewal finds nothing, and
// ends.
func TestACallbackAfterTheUnlockRenewsWhatTheThreadTakesNext(t *testing.T) {
	p := watchedLock(WatchdogParams{Callback: ptr(50 * ms)})
	p.Work, p.Start, p.Clients = []time.Duration{0}, nil, 1
	r := play(t, p)
	r.Logs("a renewal of client-1 outlives its lock")
}

// Redisson issue #7367: a lock script that is sent again enters twice, and is left once.
func TestALockScriptThatIsSentAgainIsLeftOnce(t *testing.T) {
	for resend, first := range map[bool]sim.Time{false: at(4_138), true: at(34_000)} {
		p := watchedLock(WatchdogParams{Resend: resend})
		p.Work, p.Start = []time.Duration{time.Second}, []time.Duration{0, 2 * time.Second}
		r := play(t, p, simtest.Disturb("redis-1", "client-1", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.EnterReply, Nth: 1}}))
		assert.Greater(t, r.Moment("client-2 acquired the lock"), first-1, "sent again: %v", resend)
	}
}

func TestAnEntryForEachLeave(t *testing.T) {
	p := watchedLock(WatchdogParams{Entries: 3})
	p.Work = []time.Duration{40 * time.Second}
	r := play(t, p)
	r.Holds("mutual-exclusion", "owner-release", "no-orphan")
	assert.Equal(t, at(40_100), r.Moment("client-2 acquired the lock"), "after three unlocks")
}

// A waiter hears of the unlock and does not poll.
func TestAWaiterHearsOfTheUnlock(t *testing.T) {
	p := watchedLock(WatchdogParams{})
	p.Work = []time.Duration{5 * time.Second, 0}
	r := play(t, p)
	assert.Equal(t, at(5_040), r.Moment("client-2 acquired the lock"))
	assert.EqualValues(t, 3, r.Measure("client-2-attempts"), "the first, after it has subscribed, and after the message")
}

// The 70th client hears of it too: it alone waits, and the others come later.
func TestEveryWaiterHearsOfTheUnlock(t *testing.T) {
	p := watchedLock(WatchdogParams{})
	p.Clients, p.Work, p.Start = 70, []time.Duration{5 * time.Second, 0}, nil
	for range p.Clients {
		p.Start = append(p.Start, 50*time.Second)
	}
	p.Start[0], p.Start[69] = 0, 50*ms
	assert.Equal(t, at(5_040), play(t, p).Moment("client-70 acquired the lock"))
}

// Redisson issue #775: the renewals of a lock that is lost in a failover.
func TestRenewalsGoOnAtANewMaster(t *testing.T) {
	p := watchedLock(WatchdogParams{OnError: "retry"})
	p.Sentinel = prompt(SentinelParams{})
	r := play(t, p, append(near(2), kill("redis-1", 15_000))...)
	r.Holds("mutual-exclusion", "quorum-behind-holder")
	p.Sentinel = prompt(SentinelParams{Lag: sim.Constant(50 * ms)})
	r = play(t, p, append(near(2), kill("redis-1", 20))...)
	assert.Equal(t, sim.Violated, r.Finding("mutual-exclusion").Verdict, "the new master has never heard of the lock")
}
