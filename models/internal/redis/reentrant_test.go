package redis

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAnOwnerEntersAsOftenAsItLeaves(t *testing.T) {
	var k Key
	enter := func(ms int64, owner uint64) (bool, time.Duration) { return k.Enter(wall(ms), owner, 30*time.Second) }
	entered, _ := enter(0, 1)
	assert.True(t, entered)
	entered, _ = enter(10, 1)
	assert.True(t, entered, "the owner enters again")
	assert.Equal(t, uint32(2), k.Count)
	entered, ttl := enter(1_010, 2)
	assert.False(t, entered)
	assert.Equal(t, 29*time.Second, ttl, "PTTL: the second entry began the lease anew")

	held, freed := k.Leave(wall(2_000), 2, 30*time.Second)
	assert.False(t, held || freed, "it is not the owner")
	held, freed = k.Leave(wall(2_000), 1, 30*time.Second)
	assert.True(t, held && !freed)
	assert.Equal(t, wall(32_001), k.GoneAt(), "an unlock that leaves an entry begins the lease anew")
	held, freed = k.Leave(wall(2_500), 1, 30*time.Second)
	assert.True(t, held && freed)
	held, _ = k.Leave(wall(2_500), 1, 30*time.Second)
	assert.False(t, held, "IllegalMonitorStateException")
}

// Source: Redisson issue #7367: the lock script runs twice for one tryLock.
func TestALockScriptThatRunsTwiceNeedsTwoUnlocks(t *testing.T) {
	var k Key
	k.Enter(0, 1, 30*time.Second)
	k.Enter(wall(3_000), 1, 30*time.Second) // the same request, sent again after a timeout
	held, freed := k.Leave(wall(4_000), 1, 30*time.Second)
	assert.True(t, held && !freed)
	entered, _ := k.Enter(wall(5_000), 2, 30*time.Second)
	assert.False(t, entered)
}

func TestALockWithoutLeaseHasNoTTL(t *testing.T) {
	var k Key
	k.SetNX(0, 1, 0)
	entered, ttl := k.Enter(0, 2, time.Second)
	assert.False(t, entered)
	assert.Equal(t, -time.Millisecond, ttl, "PTTL -1")
}

// L-23: key of client 1 set at 0 for 10 s, gone at 10,001; client 2 takes it at 10,005 and
// releases it at 11,000.
func TestExtendOrSetTakesWhatWasLost(t *testing.T) {
	var k Key
	k.SetNX(0, 1, 10*time.Second)
	assert.True(t, k.SetNX(wall(10_005), 2, 10*time.Second))
	assert.False(t, k.ExtendOrSet(wall(10_500), 1, 10*time.Second), "it is another's")
	assert.True(t, k.DelIf(wall(11_000), 2))
	assert.False(t, k.PExpireIf(wall(12_000), 1, 10*time.Second), "the plain script sees that it was lost")
	assert.True(t, k.ExtendOrSet(wall(12_001), 1, 10*time.Second), "this one does not")
	assert.Equal(t, Key{Value: 1, Exists: true, Expires: true, ExpireAt: wall(22_001)}, k)
}
