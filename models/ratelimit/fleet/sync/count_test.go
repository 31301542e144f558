package sync

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit"
)

// A window begins at a multiple of its length, also of a clock before 1970, and one that
// goes back does not open an old one again.
func TestSyncWindows(t *testing.T) {
	r := syncRule{limit: 5, window: 10}
	var k syncKey
	assert.EqualValues(t, 7, r.roll(&k, -3))
	assert.EqualValues(t, -10, k.cur.start)
	assert.EqualValues(t, 5, r.roll(&k, 25))
	assert.EqualValues(t, 0, r.roll(&k, 12), "it stands still at the begin")
	assert.EqualValues(t, []int64{-10, 20}, []int64{k.old.start, k.cur.start})
	assert.Equal(t, ratelimit.Never, r.take(&k, 25, 6).Wait, "more than is ever admitted")
	r.late, k.cur.unsynced, k.cur.sent = lateMoved, 5, 2
	r.roll(&k, 30)
	assert.EqualValues(t, 3, k.cur.unsynced, "what is under way counts where it was admitted")
}

// The store keeps two windows, and counts a number once.
func TestSyncTotals(t *testing.T) {
	s := newSyncTotals(2)
	const w = 10 * time.Nanosecond
	first := s.window(0, w)
	require.True(t, first.add(0, 1, 5, true))
	require.False(t, first.add(0, 1, 5, true))
	require.True(t, first.add(1, 1, 2, true))
	require.True(t, first.add(0, 1, 5, false))
	assert.EqualValues(t, 12, first.total)
	require.True(t, s.window(10, w).add(0, 1, 1, true), "numbers count by window")
	assert.EqualValues(t, 12, s.window(0, w).total)
	assert.Zero(t, s.window(20, w).total)
	assert.Nil(t, s.window(0, w), "expired")
}
