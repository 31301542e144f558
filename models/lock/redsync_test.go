package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/redislock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// redsync issue #37: until 2019 the 2 ms of the expiry's precision were added to the lease, not
// taken from it. With a TTL of 50 ms the client may act until 51.5, and the key, set at 0, is
// gone at 51.
func TestTwoMillisecondsOfTheWrongSignOutliveTheKey(t *testing.T) {
	for ttl, outlives := range map[time.Duration]bool{50 * ms: true, 10 * time.Second: false} {
		wrong, right := redislock.Rules{TTL: ttl, Drift: ttl/100 - 2*ms}, redislock.Rules{TTL: ttl, Drift: ttl / 100}
		gone := int64(ttl + ms)
		var a redislock.Acquisition
		a.Begin(0)
		assert.Equal(t, outlives, a.ValidUntil(&wrong) > gone, "TTL %v", ttl)
		assert.LessOrEqual(t, a.ValidUntil(&right), gone, "TTL %v", ttl)
	}
}

// redsync pull request #71: an extension was accepted however long it took. Here its answer
// comes after the lease that it asks for.
func TestAnExtensionThatTookTooLongIsNone(t *testing.T) {
	r := redislock.Rules{Instances: 1, Quorum: 1, TTL: time.Second, Drift: 10 * ms}
	var a redislock.Acquisition
	a.Begin(0)
	a.Answer(0, true)
	assert.True(t, a.Accept(&r, int64(989*ms)))
	assert.False(t, a.Accept(&r, int64(990*ms)))
	r.AnyValidity = true
	assert.True(t, a.Accept(&r, int64(5*time.Second)), "as it was")
}

// redsync issue #72: Valid asks all instances, and is true once a majority has the value, but
// answers when the last has; until says what is left.
func TestAMajorityThatAnsweredLongAgoSaysNothingOfNow(t *testing.T) {
	r := redislock.Rules{Instances: 5, Quorum: 3, TTL: 3 * time.Second, Drift: 30 * ms}
	var lock, valid redislock.Acquisition
	lock.Begin(0)
	valid.Begin(0)
	for i := range 4 {
		valid.Answer(i, true) // within 100 ms
	}
	assert.False(t, valid.Settled(&r), "Valid waits for the fifth")
	valid.Miss(4) // after 10 s
	assert.GreaterOrEqual(t, valid.Granted(), r.Quorum, "and says that the lock is valid")
	assert.Less(t, lock.ValidUntil(&r), int64(10*time.Second), "which has ended")
}

// L-23: key of client-1 is gone at 10,006, client-2 has had the lock and released it, and
// client-1 extends at 12,000: the plain script is refused, the one with SET NX is not.
func TestSetNXOnExtendTakesALockThatWasLost(t *testing.T) {
	for by, lost := range map[string]int64{"script": 0, "set-nx": 1} {
		p := Params{Service: "redis", Clients: 2, Extend: 9 * time.Second, ExtendBy: by,
			Start: []time.Duration{0, 9_950 * ms}, Work: []time.Duration{13 * time.Second, 500 * ms}}
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(8_000)}, For: sim.Constant(4 * time.Second)}))
		r.Holds("entitled-exclusion", "quorum-behind-holder")
		r.Violated("continuous-hold", at(10_065))
		assert.Equal(t, lost, r.Measure("lost-updates"), by)
	}
}
