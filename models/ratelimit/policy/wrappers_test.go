package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
)

const second = ratelimit.Reading(time.Second)

func sliding(t require.TestingT, limit int64, window time.Duration, retain bool) *ratelimit.SlidingLog {
	l, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: limit, Window: window, Retain: retain})
	require.NoError(t, err)
	return l
}

// C3: "c<L: ok; c<L*(1+s) and now-overSince<=D: ok + warn; else reject", s = 0.2, D = 10 s.
func TestSoft(t *testing.T) {
	s, err := NewSoft(SoftParams{Limit: 10, Hard: 12, Window: time.Minute, Grace: 10 * time.Second})
	require.NoError(t, err)
	k := s.Start(0)
	at := func(at ratelimit.Reading, allowed, warned bool, retry time.Duration) {
		t.Helper()
		d, warn := s.Take(&k, at*second, 1)
		assert.Equal(t, allowed, d.Allowed, "at %d s", at)
		assert.Equal(t, warned, warn, "at %d s", at)
		assert.Equal(t, retry, d.RetryAfter(), "at %d s", at)
	}
	for range 10 {
		at(0, true, false, 0)
	}
	at(1, true, true, 0)
	at(11, true, true, 0)                // exactly D later
	at(11, false, false, 49*time.Second) // 12 is hard
	at(12, false, false, 48*time.Second) // and the grace is over
	at(60, true, false, 0)               // 2 are left in the window
	for range 7 {
		at(61, true, false, 0) // 11 has gone at 71, 1 at 61: 1 + 1 + 7 + this
	}
	at(61, true, false, 0)
	at(61, false, false, 10*time.Second) // above again, and no whole window has passed: 12 s was the last
	for range 10 {
		at(200, true, false, 0)
	}
	at(200, true, true, 0) // a new grace
	d, _ := s.Take(&k, 300*second, 11)
	assert.True(t, d.Allowed, "above at once, within a new grace")
	d, _ = s.Take(&k, 320*second, 11)
	assert.Equal(t, ratelimit.Never, d.RetryAfter(), "a cost above the nominal limit, out of grace")
}

// In any window at most L*(1+s), and above L only within D of the first such request.
func TestSoftProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nominal := rapid.Int64Range(1, 10).Draw(t, "nominal")
		hard := nominal + rapid.Int64Range(0, 5).Draw(t, "more")
		grace := time.Duration(rapid.Int64Range(0, 40).Draw(t, "grace"))
		s, err := NewSoft(SoftParams{Limit: nominal, Hard: hard, Window: 50, Grace: grace})
		require.NoError(t, err)
		w := measure.NewWindow(50)
		now, k := ratelimit.Reading(0), s.Start(0)
		since, last := sim.Time(0), sim.Time(-1000)
		for range 200 {
			now += ratelimit.Reading(rapid.Int64Range(0, 20).Draw(t, "gap"))
			d, warn := s.Take(&k, now, 1)
			if !d.Allowed {
				require.Positive(t, d.RetryAfter())
				continue
			}
			sum := w.Admit(sim.Time(now), 1)
			require.LessOrEqual(t, sum, hard)
			require.Equal(t, sum > nominal, warn)
			if warn {
				if sim.Time(now).Sub(last) >= 50 {
					since = sim.Time(now)
				}
				last = sim.Time(now)
				require.LessOrEqual(t, last.Sub(since), grace)
			}
		}
	})
}

func TestNewSoftRefuses(t *testing.T) {
	_, err := NewSoft(SoftParams{Limit: 6, Hard: 5, Grace: -1})
	require.EqualError(t, err, "window: must be 1ns to 640000h0m0s, got 0s\nlimit: must be 1 to the hard limit of 5, got 6\ngrace: must be 0s to 640000h0m0s, got -1ns")
}

// C4: "RESET lets a user who flips tiers refill at will". So does ADDITIVE.
func TestFlippingTiers(t *testing.T) {
	bucket := func(n int64) *ratelimit.TokenBucket {
		b, err := ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: n, Refill: ratelimit.Rate{Tokens: n, Per: time.Minute}})
		require.NoError(t, err)
		return b
	}
	for _, v := range []struct {
		how  ratelimit.Change
		want int64 // admitted in 10 s of flipping every second, with 2000 requests each
	}{
		{ratelimit.Fresh, 5*100 + 5*1000},
		{ratelimit.Additive, 100 + 5*(900+1)}, // 5/3 are earned on the way up, and what is earned at 1000 is lost on the way down
		{ratelimit.AsIs, 100 + 75},            // 5 s at 100/min and 4 s at 1000/min: 8 1/3 and 66 2/3
		{ratelimit.Proportional, 100 + 114},   // 16 1 24 1 23 1 23 1 24: what is earned at 100/min grows tenfold
	} {
		tiers := Tiers{Plans: []*ratelimit.TokenBucket{bucket(100), bucket(1000)}, How: v.how}
		k, n := tiers.Start(0, 0), int64(0)
		for s := range ratelimit.Reading(10) {
			for range 2000 {
				if tiers.Take(&k, s*second, int(s)%2, 1).Allowed {
					n++
				}
			}
		}
		assert.Equal(t, v.want, n, "%d", v.how)
	}
}

// C8: "State must evolve as if enforced". RL-23: two per minute, asked every 20 s for ten
// minutes. A rule that charges what it refuses finds 29 of 31 too many, one that does not 10.
func TestShadow(t *testing.T) {
	for _, v := range []struct {
		retain bool
		want   int
	}{{false, 10}, {true, 29}} {
		rule := sliding(t, 2, time.Minute, v.retain)
		shadow, enforced := rule.Start(0), rule.Start(0)
		refused, really := 0, 0
		for s := ratelimit.Reading(0); s <= 600; s += 20 {
			d, over := Shadow(rule, &shadow, s*second, 1)
			require.True(t, d.Allowed)
			require.Zero(t, d.Delay())
			if over {
				refused++
			}
			if !rule.Take(&enforced, s*second, 1).Allowed {
				really++
			}
		}
		assert.Equal(t, v.want, refused)
		assert.Equal(t, really, refused)
	}
}
