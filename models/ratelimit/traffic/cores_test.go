package traffic_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/measure"
	"fencepost/models/ratelimit/traffic"
)

// worst is the most that a rule admits of a stream in any window, over all keys.
func worst[S any](t *testing.T, p traffic.Params, rule ratelimit.Rule[S], err error) (most int64) {
	t.Helper()
	require.NoError(t, err)
	require.Empty(t, p.Problems())
	type key struct {
		state  S
		window measure.Window
	}
	keys := map[uint64]*key{}
	for s := traffic.New(p, 1); ; {
		r, ok := s.Next()
		if !ok {
			return most
		}
		k := keys[r.Key]
		if k == nil {
			k = &key{rule.Start(0), measure.NewWindow(p.Window)}
			keys[r.Key] = k
		}
		if rule.Take(&k.state, ratelimit.Reading(r.At), r.Cost).Allowed {
			most = max(most, k.window.Admit(r.At, r.Cost))
		}
	}
}

// "L at the last ms of a window, then greedy" (RL-33) and "100 at 59.999
// and 100 at 60" (A6, RL-15 to RL-19): each adversary reaches the bound of what it is made
// for, and the exact log admits L.
func TestAdversariesReachTheBounds(t *testing.T) {
	for _, l := range []int64{1, 2, 5, 7, 100} {
		for _, w := range []time.Duration{time.Minute, time.Second, 200 * time.Microsecond, 60*time.Second + 7} {
			p := traffic.Params{For: 20 * w, Class: traffic.Class{Arrivals: "boundary", Limit: l, Window: w, Clients: 3}}
			window := func(anchored bool) int64 {
				r, err := ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: l, Window: w, Anchored: anchored})
				return worst(t, p, r, err)
			}
			counter := func(rounding ratelimit.Rounding) int64 {
				r, err := ratelimit.NewSlidingCounter(ratelimit.SlidingCounterParams{Limit: l, Window: w, Rounding: rounding})
				return worst(t, p, r, err)
			}
			log := func() int64 {
				r, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: l, Window: w})
				return worst(t, p, r, err)
			}
			assert.Equal(t, 2*l, window(false), "boundary, fixed window, L=%d W=%v", l, w)
			assert.Equal(t, l, window(true), "boundary, anchored: its windows begin elsewhere, L=%d W=%v", l, w)
			assert.Equal(t, l, log(), "boundary, log, L=%d W=%v", l, w)

			p.Arrivals = "sliding-boundary"
			assert.Equal(t, 2*l-1, counter(ratelimit.Inclusive), "sliding boundary, inclusive, L=%d W=%v", l, w)
			assert.Equal(t, 2*l, counter(ratelimit.Strict), "sliding boundary, strict, L=%d W=%v", l, w)
			assert.Equal(t, 2*l, counter(ratelimit.HalfUp), "sliding boundary, round, L=%d W=%v", l, w)
			assert.Equal(t, l, log(), "sliding boundary, log, L=%d W=%v", l, w)
		}
	}
}
