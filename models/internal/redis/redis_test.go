package redis

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

func wall(ms int64) sim.Wall { return sim.Wall(ms * 1e6) }

func TestExpiry(t *testing.T) {
	var k Key
	assert.True(t, k.SetNX(wall(5), 1, 10*time.Second))
	assert.False(t, k.SetNX(wall(10_005), 2, time.Second), "alive at 10 005")
	assert.True(t, k.SetNX(wall(10_006), 2, time.Second), "gone at 10 006")
	assert.Equal(t, wall(11_007), k.GoneAt())
	assert.True(t, k.SetNX(wall(20_000), 3, 0))
	assert.True(t, k.Live(wall(1<<40)), "without PX a key stays")
}

func TestExpiryBeforeTheEpoch(t *testing.T) {
	var k Key
	assert.True(t, k.SetNX(-1, 1, time.Millisecond), "-1 ns is in millisecond -1")
	assert.True(t, k.Live(wall(0)))
	assert.False(t, k.Live(wall(1)))
}

func TestScripts(t *testing.T) {
	var k Key
	k.SetNX(0, 7, time.Second)
	assert.False(t, k.DelIf(0, 8))
	assert.False(t, k.PExpireIf(0, 8, time.Minute))
	assert.True(t, k.PExpireIf(wall(1_000), 7, time.Second))
	assert.True(t, k.Live(wall(2_000)))
	assert.False(t, k.PExpireIf(wall(2_001), 7, time.Second), "too late")
	assert.False(t, k.DelIf(wall(2_001), 7))
	assert.False(t, k.Del(wall(2_001)))
	k.SetNX(wall(3_000), 9, 0)
	assert.True(t, k.DelIf(wall(3_000), 9))
	_, ok := k.Get(wall(3_000))
	assert.False(t, ok)
}

func TestIncr(t *testing.T) {
	var k Key
	assert.EqualValues(t, 1, k.Incr(0))
	assert.EqualValues(t, 2, k.Incr(0))
}

func TestDisk(t *testing.T) {
	one, two := Key{Value: 1, Exists: true}, Key{Value: 2, Exists: true}
	none := Disk{}
	assert.False(t, none.Wrote(one))
	assert.Equal(t, Key{}, none.Load())
	always := Disk{Mode: Always}
	assert.False(t, always.Wrote(one))
	assert.Equal(t, one, always.Load())
	second := Disk{Mode: EverySecond}
	assert.True(t, second.Wrote(one), "a sync is to be planned")
	assert.False(t, second.Wrote(two), "it is planned already")
	assert.Equal(t, Key{}, second.Load())
	assert.True(t, second.Wrote(one), "the plan died in the crash")
	second.Sync(one)
	assert.Equal(t, one, second.Load())
}
