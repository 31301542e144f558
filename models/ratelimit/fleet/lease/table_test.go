package lease

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

// The table of the coordinator, without an engine.
func TestLeaseTable(t *testing.T) {
	r := leaseRule{limit: 100, window: time.Second, length: 300 * time.Millisecond}
	k := leaseTable{nodes: make([]leaseHolder, 2)}
	wall := func(ms int64) sim.Wall { return sim.Wall(ms * 1e6) }
	g, again := r.ask(&k, 0, 1, 60, wall(0))
	assert.Equal(t, leaseGrant{60, 300 * time.Millisecond, 0}, g)
	assert.False(t, again)
	g, again = r.ask(&k, 0, 1, 60, wall(10))
	assert.Equal(t, leaseGrant{60, 300 * time.Millisecond, 0}, g, "the same number, the same answer")
	assert.True(t, again)
	g, _ = r.ask(&k, 1, 1, 60, wall(800))
	assert.Equal(t, leaseGrant{40, 200 * time.Millisecond, 0}, g, "what is left, and not beyond the window")
	g, _ = r.ask(&k, 0, 2, 10, wall(900))
	assert.Equal(t, leaseGrant{0, 100 * time.Millisecond, 0}, g, "a lease that is over counts as used; ask in the next window")
	assert.EqualValues(t, 5, r.giveBack(&k, 0, 3, 5, 0, wall(901)))
	assert.Zero(t, r.giveBack(&k, 0, 3, 5, 0, wall(902)), "the same return")
	g, _ = r.ask(&k, 1, 2, 60, wall(950))
	assert.EqualValues(t, 5, g.tokens)
	g, _ = r.ask(&k, 1, 3, 60, wall(1000))
	assert.Equal(t, leaseGrant{60, 300 * time.Millisecond, 1}, g, "a new window")
	assert.Zero(t, r.giveBack(&k, 0, 4, 5, 0, wall(1001)), "of the old window")
	g, _ = r.ask(&k, 0, 5, 60, wall(990))
	assert.EqualValues(t, 40, g.tokens, "a clock that goes back stands still")
	k = leaseTable{nodes: make([]leaseHolder, 2)}
	assert.Zero(t, r.giveBack(&k, 0, 9, 10, 0, wall(0)), "of before a restart")
	g, _ = r.ask(&k, 0, 10, 200, wall(1))
	assert.EqualValues(t, 100, g.tokens)
}

// "leaseDur*(1-2*ppm)"
func TestLeaseShortened(t *testing.T) {
	assert.Equal(t, time.Second, shortened(time.Second, 0))
	assert.Equal(t, time.Second-400*time.Microsecond, shortened(time.Second, 200))
	assert.Less(t, shortened(10, 1), time.Duration(10))
}
