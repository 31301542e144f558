package shed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/models/ratelimit"
)

// "reserve 20 % for critical methods: noncritical inflight > 80 % of fleet -> 503".
func TestFleetReserves(t *testing.T) {
	f := Fleet{Capacity: 10, Reserved: 200}
	require.NoError(t, f.Validate())
	for i := range 8 {
		require.True(t, f.Begin(Get), i)
	}
	assert.False(t, f.Begin(Post))
	assert.True(t, f.Begin(Critical))
	assert.False(t, f.Begin(Test), "a critical request makes no room")
	f.End(Critical)
	f.End(Get)
	assert.True(t, f.Begin(Test))
}

// However requests come and go, the others never have more than their share in use, and
// no critical one is shed.
func TestFleetProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Fleet{Capacity: rapid.Int64Range(1, 50).Draw(t, "capacity"), Reserved: rapid.Int64Range(0, 1000).Draw(t, "reserved")}
		require.NoError(t, f.Validate())
		var under []Class
		for range 200 {
			if len(under) > 0 && rapid.Bool().Draw(t, "end") {
				f.End(under[0])
				under = under[1:]
				continue
			}
			c := Class(rapid.IntRange(0, Classes-1).Draw(t, "class"))
			ok := f.Begin(c)
			require.True(t, ok || c != Critical)
			if ok {
				under = append(under, c)
			}
			others := int64(0)
			for _, u := range under {
				if u != Critical {
					others++
				}
			}
			require.Equal(t, others, f.others)
			require.LessOrEqual(t, others*1000, f.Capacity*(1000-f.Reserved))
		}
	})
}

// The end of one that has ended makes no room.
func TestFleetEndsOnce(t *testing.T) {
	f := Fleet{Capacity: 1}
	require.True(t, f.Begin(Get))
	f.End(Get)
	f.End(Get)
	assert.True(t, f.Begin(Get))
	assert.False(t, f.Begin(Get))
}

func TestFleetValidate(t *testing.T) {
	require.EqualError(t, (&Fleet{Capacity: 0, Reserved: 1001}).Validate(), "fleet: want a capacity of 1 to 2^40 and 0 to 1000 per mille reserved, got 0 and 1001")
}

// Shed from the bottom, one class per 10 s, restored the same way, nothing in between.
func TestWorkerSheds(t *testing.T) {
	w := Worker{Low: 5, High: 10, Every: 10 * time.Second}
	require.NoError(t, w.Validate())
	for _, v := range []struct{ second, free, shed int64 }{
		{0, 5, 0}, {1, 4, 1}, {2, 0, 1}, {10, 0, 1}, {11, 0, 2}, {21, 7, 2}, {22, 0, 3}, {32, 0, 4}, {42, 0, 4},
		{52, 9, 4}, {53, 10, 3}, {54, 50, 3}, {63, 50, 2}, {73, 50, 1}, {83, 50, 0}, {93, 50, 0},
	} {
		w.Observe(ratelimit.Reading(v.second)*ratelimit.Reading(time.Second), v.free)
		require.EqualValues(t, v.shed, w.shed, "at %d s", v.second)
		for c := Critical; c <= Test; c++ {
			assert.Equal(t, int64(c) < Classes-v.shed, w.Admit(c), "at %d s: %v", v.second, c)
		}
	}
}

// "critical rejected => all lower classes shed", and changes are far enough apart.
func TestWorkerProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int64Range(0, 20).Draw(t, "low")
		w := Worker{Low: low, High: low + rapid.Int64Range(0, 20).Draw(t, "more"), Every: 10 * time.Second}
		now, last, before := ratelimit.Reading(0), ratelimit.Reading(-1<<60), w.shed
		for range 300 {
			now += ratelimit.Reading(rapid.Int64Range(0, int64(5*time.Second)).Draw(t, "gap"))
			w.Observe(now, rapid.Int64Range(0, 50).Draw(t, "free"))
			for c := Critical; c < Test; c++ {
				require.True(t, w.Admit(c) || !w.Admit(c+1), "%v is shed and %v is not", c, c+1)
			}
			if w.shed != before {
				require.GreaterOrEqual(t, time.Duration(now-last), w.Every)
				last, before = now, w.shed
			}
		}
	})
}

func TestWorkerValidate(t *testing.T) {
	require.EqualError(t, (&Worker{Low: -1, High: -2, Every: -1}).Validate(),
		"low: must be 0 or more, got -1\nhigh: must be low (-1) or more, got -2\nevery: must not be negative, got -1ns")
}
