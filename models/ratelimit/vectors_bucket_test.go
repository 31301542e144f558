package ratelimit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// These are about one limiter; the tests of stores and nodes are with the distributed forms.

var figure46 = []Reading{0, 5, 5, 5, 20, 60, 60, 60, 60, 60} // seconds

func TestTokenBucketRefillsContinuously(t *testing.T) { // RL-01
	b := bucket(4, 4, time.Minute)
	k := b.Start(0)
	var levels []int64
	for i, at := range figure46 {
		d := b.Take(&k, at*second, 1)
		assert.Equal(t, i < 8, d.Allowed, "request %d", i+1)
		if i >= 8 {
			assert.Equal(t, 15*time.Second, d.RetryAfter()) // also HD-01
			assert.EqualValues(t, 0, d.Remaining)
		}
		levels = append(levels, k.level/250_000_000)
	}
	assert.Equal(t, []int64{180, 140, 80, 20, 20, 120, 60, 0, 0, 0}, levels, "in 1/60 token")
}

func TestIntervalBucketRefillsAtOnce(t *testing.T) { // RL-02
	b := must(NewIntervalBucket(IntervalBucketParams{4, 4, time.Minute}))
	assert.Equal(t, "AAAARAAAAR", verdicts(One(b, 0), second, figure46...))
}

func TestIntervalBucketAdmitsTwoFillingsInAMillisecond(t *testing.T) { // RL-03
	at := append(times(4, 59_999), times(4, 60_000)...)
	assert.Equal(t, "AAAAAAAA", verdicts(One(must(NewIntervalBucket(IntervalBucketParams{4, 4, time.Minute})), 0), ms, at...))
	assert.Equal(t, "AAAARRRR", verdicts(One(bucket(4, 4, time.Minute), 0), ms, at...))
}

// tenASecond is ten requests at every whole second from 0 to 120.
func tenASecond() (at []Reading) {
	for s := range Reading(121) {
		at = append(at, times(10, s)...)
	}
	return at
}

func TestTokenBucketLosesNoFraction(t *testing.T) { // RL-04
	got := ats(admitted(One(bucket(4, 4, time.Minute), 0), second, tenASecond()...), second)
	assert.Equal(t, []Reading{0, 0, 0, 0, 15, 30, 45, 60, 75, 90, 105, 120}, got)

	t.Run("doubles", func(t *testing.T) { // what a core must not do
		tokens, last := 4.0, 0.0
		var got []Reading
		for _, at := range tenASecond() {
			tokens, last = min(4, tokens+(float64(at)-last)*(4.0/60)), float64(at)
			if tokens >= 1 {
				tokens--
				got = append(got, at)
			}
		}
		assert.Equal(t, []Reading{0, 0, 0, 0, 16, 31, 46, 61, 76, 91, 106}, got)
	})
}

func TestTokenBucketThatNeverStoresItsTimeAdmitsTooMuch(t *testing.T) { // RL-05
	b := must(NewTokenBucket(TokenBucketParams{Capacity: 4, Refill: Rate{4, time.Minute}, Elapsed: Unchanged}))
	perSecond := make([]int, 121)
	for _, at := range ats(admitted(One(b, 0), second, tenASecond()...), second) {
		perSecond[at]++
	}
	total := 0
	for _, n := range perSecond {
		total += n
	}
	assert.Equal(t, 1134, total, "of 1210")
	// The row was first run with doubles, where 2.0 tokens are a little less: 4,0,1,3,...
	assert.Equal(t, []int{4, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6}, perSecond[:11])
	assert.Equal(t, slices.Repeat([]int{10}, 121-14), perSecond[14:])
}

func TestTokenBucketWorstWindow(t *testing.T) { // RL-06
	for _, v := range []struct{ b, n, p, w, most int64 }{{4, 4, 60_000, 60_000, 7}, {10, 5, 1000, 1000, 14}, {1, 1, 1000, 10_000, 10}, {100, 100, 60_000, 60_000, 199}} {
		// In ticks of 1 ns: greedy from a full bucket, which is the worst.
		b := bucket(v.b, v.n, time.Duration(v.p))
		got := worst(admitted(One(b, 0), 1, append(times(int(v.b), 0), every(0, 1, Reading(3*v.w))...)...), Reading(v.w), false)
		assert.Equal(t, v.most, got, "%+v", v)
		assert.Equal(t, v.most, (v.b*v.p+v.n*(v.w-1))/v.p, "the formula")
	}
}

func TestRefusedCostLeavesTheLevel(t *testing.T) { // RL-07
	b := bucket(5, 1, time.Second)
	k := TokenBucketState{level: 2_500_000_000}
	d := b.Take(&k, 0, 3)
	assert.False(t, d.Allowed)
	assert.Equal(t, 500*time.Millisecond, d.RetryAfter())
	assert.Equal(t, int64(2_500_000_000), k.level)
	assert.EqualValues(t, 2, d.Remaining)
}

func TestCostAboveCapacityIsNeverAdmitted(t *testing.T) { // RL-08
	b := bucket(5, 1, time.Second)
	k := b.Start(0)
	d := b.Take(&k, 0, 6)
	assert.Equal(t, Decision{Remaining: 5, Wait: Never}, d)
	assert.True(t, d.Impossible())
	x := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 5, 0))
	assert.False(t, x.Allow(0, 6))
	_, ok := x.Reserve(0, 6, farFuture)
	assert.False(t, ok)
	assert.False(t, must(NewXTime(XTimeRate{}, 0, 0)).Allow(0, 1), "the zero Limiter")
}

func TestLongIdleTimeDoesNotOverflow(t *testing.T) { // RL-09
	b := bucket(1e6, 1000, 1) // a thousand per nanosecond
	k := b.StartWith(0, 0)
	assert.EqualValues(t, 1e6, b.Take(&k, 10*24*3600*second, 0).Remaining)
}

func TestGCRAReportsRemainingResetAndRetry(t *testing.T) { // RL-10
	g := must(NewGCRA(GCRAParams{5, Rate{1, time.Second}}))
	k := g.Start(0)
	for i, v := range []struct {
		at           Reading
		cost         int64
		limited      bool
		remaining    int64
		reset, retry time.Duration
	}{
		{0, 6, true, 5, 0, -1},
		{0, 1, false, 4, 1000, 0}, {0, 1, false, 3, 2000, 0}, {0, 1, false, 2, 3000, 0}, {0, 1, false, 1, 4000, 0}, {0, 1, false, 0, 5000, 0},
		{0, 1, true, 0, 5000, 1000},
		{3000, 1, false, 2, 3000, 0}, {3100, 1, false, 1, 3900, 0}, {4000, 1, false, 1, 4000, 0}, {8000, 1, false, 4, 1000, 0},
		{9500, 1, false, 4, 1000, 0}, {9500, 0, false, 4, 1000, 0}, {9500, 2, false, 2, 3000, 0}, {9500, 5, true, 2, 3000, 3000},
	} {
		d := g.Take(&k, v.at*ms, v.cost)
		retry := v.retry * time.Millisecond
		if v.retry == -1 {
			retry = Never
		}
		assert.Equal(t, Decision{!v.limited, v.remaining, retry, v.reset * time.Millisecond}, d, "step %d", i)
	}
}

// queueStarts is when each arrival starts, -1 if it is refused.
func queueStarts(q *LeakyQueue, arrivals ...Reading) (starts []Reading) {
	k := q.Start(0)
	for _, at := range arrivals {
		d := q.Take(&k, at*ms, 1)
		if starts = append(starts, -1); d.Allowed {
			starts[len(starts)-1] = at + Reading(d.Delay()/time.Millisecond)
		}
	}
	return starts
}

func TestLeakyQueueServesAsSoonAsIdle(t *testing.T) { // RL-11
	q := must(NewLeakyQueue(LeakyQueueParams{Places: 3, Service: time.Second}))
	assert.Equal(t, []Reading{0, 1000, 2000, 3000, -1, 4000, -1, 9000}, queueStarts(q, 0, 0, 0, 0, 0, 1000, 1500, 9000))
}

func TestLeakyQueueServesOnTicks(t *testing.T) { // RL-12
	q := must(NewLeakyQueue(LeakyQueueParams{Places: 3, Service: time.Second, Ticks: true}))
	assert.Equal(t, []Reading{1000, 2000, 3000, -1, -1, 4000, 9000}, queueStarts(q, 10, 10, 10, 10, 10, 1500, 9000))
}
