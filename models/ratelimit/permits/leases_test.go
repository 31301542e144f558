package permits

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

// purge is who loses a permit at an instant, in milliseconds of the store's clock.
func purge(l *Leases, now int) (gone []uint32) {
	for {
		rid, ok := l.Purge(sim.Wall(now) * sim.Wall(ms))
		if !ok {
			return gone
		}
		gone = append(gone, rid)
	}
}

func TestLeasesExpire(t *testing.T) {
	at := func(now int) sim.Wall { return sim.Wall(now) * sim.Wall(ms) }
	l := Leases{Permits: 2, TTL: 50 * ms}
	assert.True(t, l.Acquire(at(0), 1))
	assert.True(t, l.Acquire(at(10), 2))
	assert.False(t, l.Acquire(at(20), 3), "ZCARD is 2")
	assert.True(t, l.Acquire(at(20), 2), "a second copy: an equal member is an update")
	assert.Equal(t, 2, l.InUse())

	assert.Empty(t, purge(&l, 49))
	assert.Equal(t, []uint32{1}, purge(&l, 50), "the bounds of ZREMRANGEBYSCORE are inclusive")
	assert.False(t, l.Renew(at(50), 1), "ZADD XX makes no member")
	assert.True(t, l.Acquire(at(50), 3))
	assert.Equal(t, []uint32{2}, purge(&l, 70), "the copy at 20 was the last to renew it")

	assert.True(t, l.Release(3))
	assert.False(t, l.Release(3))
	assert.Zero(t, l.InUse())
}

// With a clock that goes back the permit that comes last may be the first to expire.
func TestLeasesOfAClockThatGoesBack(t *testing.T) {
	at := func(now int) sim.Wall { return sim.Wall(now) * sim.Wall(ms) }
	l := Leases{Permits: 3, TTL: 50 * ms}
	l.Acquire(at(100), 1)
	l.Acquire(at(40), 2)
	l.Acquire(at(60), 3)
	assert.Equal(t, []uint32{2, 3}, purge(&l, 110))
	assert.Equal(t, 1, l.InUse())
}
