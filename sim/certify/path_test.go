package certify

import (
	"testing"

	"fencepost/sim/certify/internal/dbm"

	"github.com/stretchr/testify/assert"
)

// Strict bounds that say together that something is before itself leave no instants, though their
// numbers add up to 0; nor does a rounded reading that would lie between two whole units.
func TestAPathExists(t *testing.T) {
	path := func(b ...dbm.Bound) *recorder {
		r := newRecorder(1)
		v := r.variable()
		r.add(0, v, b[0], label{})
		r.add(v, 0, b[1], label{})
		return r
	}
	assert.True(t, path(dbm.AtMost(-5), dbm.AtMost(5)).exists(), "exactly 5")
	assert.False(t, path(dbm.LessThan(-5), dbm.AtMost(5)).exists(), "more than 5 and at most 5")
	assert.False(t, path(dbm.AtMost(-6), dbm.AtMost(5)).exists())
	between := path(dbm.LessThan(-5), dbm.LessThan(6))
	assert.True(t, between.exists(), "between two nanoseconds")
	_, ok := between.solve()
	assert.False(t, ok, "where no whole one is")
	at, ok := path(dbm.LessThan(-5), dbm.LessThan(7)).solve()
	assert.True(t, ok)
	assert.Equal(t, []int64{0, 6}, at)

	rounded := path(dbm.AtMost(-1_500_000), dbm.AtMost(2_500_000))
	rounded.grid(1, 1_000_000, 0)
	at, ok = rounded.solve()
	assert.True(t, ok)
	assert.Equal(t, []int64{0, 2_000_000}, at)
	rounded = path(dbm.AtMost(-1_500_000), dbm.AtMost(1_900_000))
	rounded.grid(1, 1_000_000, 0)
	_, ok = rounded.solve()
	assert.False(t, ok, "no whole millisecond is between 1.5 and 1.9")
}
