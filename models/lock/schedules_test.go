package lock

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// Schedules that once showed an error of the model or of a property.

func losing(kind sim.Kind, from string) simtest.Change {
	return simtest.Disturb(from, "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func delayed(kind sim.Kind, by time.Duration) simtest.Change {
	return simtest.Disturb("", "", sim.Fault{Do: sim.Delay, For: sim.Constant(by), Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func doubled(kind sim.Kind, after time.Duration) simtest.Change {
	return simtest.Disturb("", "", sim.Fault{Do: sim.Duplicate, For: sim.Constant(after), Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func crash(who string, when, length int64) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{At: at(when)}, For: sim.Constant(time.Duration(length) * ms)})
}

// After a crash aof-everysec goes on syncing: what is set at 705 survives at 15 000.
func TestSyncAfterCrash(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, TTL: ptr(60 * time.Second), Persistence: "aof-everysec", Start: []time.Duration{0}, Work: []time.Duration{50 * time.Second}, Tries: ptr(0)}
	p.Start = []time.Duration{700 * ms}
	r := play(t, p, crash("redis-1", 500, 100), crash("redis-1", 15_000, 100), simtest.Until(at(20_000)))
	assert.Equal(t, 1, r.count())
	r = play(t, p, crash("redis-1", 900, 100), crash("redis-1", 15_000, 100), simtest.Until(at(800)))
	assert.Equal(t, 1, r.count())
}

// A single Redis whose answer is lost may have granted the lock: the key is deleted.
func TestLostReplyIsCleanedUp(t *testing.T) {
	r := play(t, Params{Service: "redis", Clients: 1}, losing(core.SetReply, "redis-1"))
	assert.Equal(t, at(1_110), r.Moment("client-1 acquired"))
}

// Releasing by GET and DEL ends when GET is answered; the next acquisition waits.
func TestReleaseBeforeNextRound(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, Release: "get-del", Rounds: []int{3}, Work: []time.Duration{100 * ms}}
	r := play(t, p)
	assert.EqualValues(t, 3, r.Measure("acquisitions"))
	assert.Less(t, r.Measure("attempts"), int64(10))
}

// A GET from before a crash is answered to a client that knows nothing of it.
func TestGetFromAnEarlierLife(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, TTL: ptr(time.Second), Release: "get-del", Check: ptr(false),
		Start: []time.Duration{500 * ms, 1_860 * ms}, Work: []time.Duration{1_300 * ms, 900 * ms}}
	r := play(t, p, delayed(core.GetReply, 200*ms), crash("client-1", 1_830, 50))
	assert.NotEqual(t, sim.Violated, r.Finding("owner-release").Verdict, r)
}

// A key expires on a server that is down or paused, though no node says so.
func TestExpiryOnAStoppedServer(t *testing.T) {
	for name, f := range map[string]simtest.Change{
		"down forever":   simtest.Inject("redis-3", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(1_000)}}),
		"down for 30 s":  crash("redis-3", 1_000, 30_000),
		"paused for 20s": simtest.Inject("redis-3", sim.Fault{Do: sim.Pause, When: sim.When{At: at(1_000)}, For: sim.Constant(20 * time.Second)}),
	} {
		for _, persistence := range []string{"none", "aof-always"} {
			r := play(t, Params{Service: "redlock", Clients: 1, Persistence: persistence}, f)
			assert.NotEqual(t, sim.Violated, r.Finding("no-orphan").Verdict, "%s %s\n%v", name, persistence, r)
		}
	}
}

// No client takes over if none wants the lock any more.
func TestTakeoverByNoClient(t *testing.T) {
	gone := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(2_000)}})
	p := Params{Service: "redis", Clients: 2, Tries: ptr(1), Start: []time.Duration{0, 3 * time.Second}, Work: []time.Duration{5 * time.Second}}
	assert.NotEqual(t, sim.Violated, play(t, p, gone).Finding("takeover-bound").Verdict)
	p.Tries = nil
	also := simtest.Inject("client-2", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(4_000)}})
	assert.NotEqual(t, sim.Violated, play(t, p, gone, also).Finding("takeover-bound").Verdict)
}

// The bound counts from the first attempt after the crash, of a client that did not want the lock before.
func TestTakeoverCountsFromTheFirstAttempt(t *testing.T) {
	gone := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(2_000)}})
	p := Params{Service: "naive", Clients: 2, Start: []time.Duration{0, 5 * time.Second}, Work: []time.Duration{3 * time.Second}}
	play(t, p, gone).Violated("takeover-bound", at(5_000+11_100))
}

// A second copy of a request with a token makes no client stale.
func TestDuplicatesAreNotStale(t *testing.T) {
	p := Params{Service: "redlock", Clients: 1, Tokens: "counter", Fencing: "lex"}
	for _, kind := range []sim.Kind{core.Register, core.Incr} {
		r := play(t, p, doubled(kind, 7*ms))
		assert.NotContains(t, r.String(), "stale")
		r.Holds("no-lost-update", "fenced-order")
	}
}

// A write that arrives twice, the second time over another's, loses one increment.
func TestDuplicateWrite(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Start: []time.Duration{0, 500 * ms}, Work: []time.Duration{100 * ms}}
	r := play(t, p, doubled(core.Write, 5*time.Second))
	assert.EqualValues(t, 1, r.Measure("lost-updates"), r)
	assert.Contains(t, r.String(), "1 increment lost")
}

// [a, b) and [b, c) do not overlap, in whatever order the two are observed.
func TestHoldsThatTouch(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, Tokens: "counter", Check: ptr(false), Start: []time.Duration{0, 50 * ms}, Work: []time.Duration{0, 3 * time.Second}}
	r := play(t, p, delayed(core.IncrReply, 9_985*ms), simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(9_999)}, For: sim.Constant(61*ms - rtt)}))
	assert.EqualValues(t, 0, r.Measure("overlap"), r)
	assert.Equal(t, sim.Holds, r.Finding("mutual-exclusion").Verdict, r)
}

// A holder that is stuck and renews forever is a deadlock.
func TestRenewedForever(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, Extend: 3_333 * ms, Start: []time.Duration{0, 50 * ms}}
	r := play(t, p, losing(core.ReadReply, "store"), simtest.Until(at(600_000)))
	assert.Equal(t, sim.Violated, r.Finding("deadlock-free").Verdict)
}

// Clients that give up and begin anew without end get nowhere: all answers of three servers are lost.
func TestGivingUpWithoutEnd(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Tries: ptr(1), Rounds: []int{0}, Think: []time.Duration{ms}}
	mute := func(who string) simtest.Change {
		return simtest.Disturb(who, "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.SetReply}})
	}
	r := play(t, p, mute("redis-1"), mute("redis-2"), mute("redis-3"))
	assert.Equal(t, sim.Violated, r.Finding("deadlock-free").Verdict, "measures: %d attempts", r.Measure("attempts"))
}

// While three of five servers are down, no client is owed a lock.
func TestServersDown(t *testing.T) {
	p := Params{Service: "redlock", Clients: 1, Start: []time.Duration{time.Second}}
	r := play(t, p, crash("redis-1", 0, 40_000), crash("redis-2", 0, 40_000), crash("redis-3", 0, 40_000))
	r.Holds("deadlock-free")
}

// The token is taken after the lock: a pause between the two gives the late client
// the larger one, and the store turns the rightful holder away.
func TestTokenAfterThePause(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Fencing: "lex", Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 8 * time.Second}}
	r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Acquired}, For: sim.Constant(15 * time.Second)}))
	r.Violated("increasing-tokens", at(15_015))
	assert.Contains(t, r.String(), "18.025s the store rejects client-2 with token 1: it has seen token 2")
	assert.EqualValues(t, 1, r.Measure("rejected-writes"))
}

// The value of the lock is random: a client that restarts does not use it again.
func TestFreshValueAfterRestart(t *testing.T) {
	r := play(t, Params{Service: "redis", Clients: 1}, crash("client-1", 100, 50))
	assert.Regexp(t, `redis-1 .*from client-1: set 1\.2 px 10s`, r.Trace())
	assert.Equal(t, 1, strings.Count(r.Trace(), "from client-1: set 1.1 px"))
}
