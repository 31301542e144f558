package ratelimit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RL-14 to RL-37: windows, logs and counters.
// RL-13 is TestSameVerdicts, RL-37 TestBounds, in property_test.go.

func TestFixedWindowAdmitsTheLimitInEachSecond(t *testing.T) { // RL-14
	l, at := One(fixedWindow(3, time.Second, false), 0), []Reading{}
	var in, out [5]int
	for s, n := range []int{3, 6, 4, 2, 5} {
		for i := range n {
			at = append(at, Reading(s)*1000+Reading(i))
		}
	}
	for i, v := range verdicts(l, ms, at...) {
		if v == 'A' {
			in[at[i]/1000]++
		} else {
			out[at[i]/1000]++
		}
	}
	assert.Equal(t, [5]int{3, 3, 3, 2, 3}, in)
	assert.Equal(t, [5]int{0, 3, 1, 0, 2}, out)
}

func TestFixedWindowAdmitsTwiceTheLimitInAMinute(t *testing.T) { // RL-15
	at := slices.Concat(times(3, 37), times(2, 51), times(1, 67), times(4, 79)) // seconds after 2:00:00
	got := admitted(One(fixedWindow(5, time.Minute, false), 0), second, at...)
	assert.Len(t, got, 10)
	assert.EqualValues(t, 10, worst(got, minute, false), "in (2:00:30, 2:01:30]")
}

func TestFixedWindowWorstMinuteByTheEndsOfTheWindow(t *testing.T) { // RL-16 to RL-18
	for _, v := range []struct {
		id           string
		first, then  Reading // seconds after 1:59:00
		open, closed int64
	}{
		{"RL-16", 30, 90, 100, 200}, // the source's own example: exactly 60 s apart
		{"RL-17", 31, 90, 200, 200},
		{"RL-18", 59, 60, 200, 200},
	} {
		got := admitted(One(fixedWindow(100, time.Minute, false), 0), second, append(times(100, v.first), times(100, v.then)...)...)
		assert.Len(t, got, 200, v.id)
		assert.Equal(t, v.open, worst(got, minute, false), v.id)
		assert.Equal(t, v.closed, worst(got, minute, true), v.id)
	}
}

func TestAnchoredWindowAdmitsOneLessThanTwiceTheLimit(t *testing.T) { // RL-19
	got := admitted(One(fixedWindow(100, time.Minute, true), 0), ms, slices.Concat(times(1, 0), times(99, 59_999), times(100, 60_000))...)
	assert.Len(t, got, 200)
	assert.EqualValues(t, 199, worst(got, minute, false))
}

func TestSlidingLogKeepsRejectedRequestsOnlyIfAsked(t *testing.T) { // RL-20 to RL-22
	for _, v := range []struct {
		id       string
		retain   bool
		verdicts string
		sizes    []int64
	}{
		{"RL-20, RL-22", true, "AARAR", []int64{1, 2, 3, 2, 3}},
		{"RL-21, RL-22", false, "AARAA", []int64{1, 2, 2, 1, 2}},
	} {
		l := slidingLog(2, time.Minute, v.retain)
		k := l.Start(0)
		for i, at := range []Reading{1, 30, 50, 100, 105} {
			assert.Equal(t, v.verdicts[i] == 'A', l.Take(&k, at*second, 1).Allowed, "%s at %d", v.id, at)
			assert.Equal(t, v.sizes[i], k.Len(), "%s at %d", v.id, at)
		}
	}
}

func TestSlidingLogThatKeepsRejectedRequestsAdmitsNoMore(t *testing.T) { // RL-23
	at := every(0, 20, 600)
	require.Len(t, at, 31)
	assert.Equal(t, []Reading{0, 20}, ats(admitted(One(slidingLog(2, time.Minute, true), 0), second, at...), second))
	got := ats(admitted(One(slidingLog(2, time.Minute, false), 0), second, at...), second)
	assert.Len(t, got, 21)
	assert.Equal(t, []Reading{0, 20, 60, 80, 120, 140}, got[:6])
}

func TestSlidingLogAdmitsAtTheEndOfAHalfOpenWindow(t *testing.T) { // RL-24
	assert.Equal(t, "AA", verdicts(One(slidingLog(1, time.Minute, false), 0), second, 0, 60))
	closed := must(NewSlidingLog(SlidingLogParams{Limit: 1, Window: time.Minute, Closed: true}))
	assert.Equal(t, "AR", verdicts(One(closed, 0), second, 0, 60))
}

func TestSlidingLogRetryAfterCountsRejectedRequests(t *testing.T) { // RL-25
	l := One(slidingLog(2, time.Minute, true), 0)
	assert.Equal(t, "AA", verdicts(l, second, 1, 30))
	assert.Equal(t, 40*time.Second, l.Take(50*second, 1).RetryAfter())
}

func TestThirdRequestInASecondIsRejected(t *testing.T) { // RL-26
	assert.Equal(t, "AAR", verdicts(One(slidingLog(2, time.Second, false), 0), ms, 0, 300, 900))
	assert.Equal(t, "AAR", verdicts(One(fixedWindow(2, time.Second, false), 0), ms, 0, 300, 900))
}

// counterAt is a counter with prev and cur.
func counterAt(prev, cur int64) SlidingCounterState { return SlidingCounterState{0, cur, prev} }

func TestSlidingCounterRoundingDecides(t *testing.T) { // RL-30
	for r, want := range map[Rounding]string{Strict: "AR", Inclusive: "R", HalfUp: "R", OffByOne: "AR"} {
		c, k, got := slidingCounter(7, time.Minute, r), counterAt(5, 3), ""
		for range want {
			got += string("RA"[btoi(c.Take(&k, 18*second, 1).Allowed)])
		}
		assert.Equal(t, want, got, "rounding %d: est 6.5, then 7.5", r)
	}
}

func TestSlidingCounterOfCloudflare(t *testing.T) { // RL-31
	for r, want := range map[Rounding]bool{Strict: true, Inclusive: false} {
		k := counterAt(42, 18)
		assert.Equal(t, want, slidingCounter(50, time.Minute, r).Take(&k, 15*second, 1).Allowed, "est 49.5")
	}
}

func TestSlidingCounterReachesItsLimitByRounding(t *testing.T) { // RL-32
	for _, v := range []struct {
		limit int64
		r     Rounding
		cur   int64
	}{{5, Strict, 2}, {5, Inclusive, 1}, {7, Strict, 4}, {7, Inclusive, 3}} {
		c, k := slidingCounter(v.limit, time.Minute, v.r), counterAt(5, 0)
		for e := Reading(0); e <= 18*second; e += ms {
			c.Take(&k, e, 1)
		}
		assert.Equal(t, v.cur, k.cur, "%+v", v)
	}
}

func TestSlidingCounterWorstWindowByRounding(t *testing.T) { // RL-33
	// One more is asked for at 59.999 than the vector says: only OffByOne admits it, and
	// reaches its 2L+1 so; with L there it stays at 2L.
	for _, v := range []struct {
		r    Rounding
		most [3]int64 // of limits 5, 7, 100
	}{{Strict, [3]int64{10, 14, 200}}, {Inclusive, [3]int64{9, 13, 199}}, {HalfUp, [3]int64{10, 14, 200}}, {OffByOne, [3]int64{11, 15, 201}}} {
		for i, limit := range []int64{5, 7, 100} {
			at := append(times(int(limit)+1, 59_999), every(60_000, 1, 180_000)...)
			got := admitted(One(slidingCounter(limit, time.Minute, v.r), 0), ms, at...)
			assert.Equal(t, v.most[i], worst(got, minute, false), "limit %d, rounding %d", limit, v.r)
			if limit == 5 && v.r == Strict {
				assert.Equal(t, []Reading{59_999, 60_001, 72_001, 84_001, 96_001, 108_001}, ats(got, ms)[4:10])
			}
		}
	}
}

func TestSlidingCounterRejectsWhatAnExactLogAdmits(t *testing.T) { // RL-34
	at := append(times(10, 0), every(60, 6, 114)...)
	assert.Equal(t, "AAAAAAAAAA"+"RAAAAAAAAA", verdicts(One(slidingCounter(10, time.Minute, Inclusive), 0), second, at...))
	assert.Equal(t, "AAAAAAAAAA"+"AAAAAAAAAA", verdicts(One(slidingLog(10, time.Minute, false), 0), second, at...))
}

func TestSlidingCounterRetryAfter(t *testing.T) { // RL-35
	for _, v := range []struct {
		cur   int64
		r     Rounding
		retry time.Duration
	}{{4, Inclusive, 18}, {4, Strict, 7}, {7, Inclusive, 51}, {7, Strict, 43}} {
		// The vector counts in whole seconds, W = 60: a strict estimate falls
		// below L one tick after it has come to L.
		c, k := must(NewSlidingCounter(SlidingCounterParams{Limit: 7, Window: 60, Rounding: v.r})), counterAt(5, v.cur)
		assert.Equal(t, v.retry, c.Take(&k, 18, 1).RetryAfter(), "%+v", v)
	}
}

func TestSubWindowsKeepOrDropThePartialBucket(t *testing.T) { // RL-36
	for _, v := range []struct {
		name string
		l    Limiter
		next Reading
	}{
		{"drop partial bucket", One(must(NewSubWindows(SubWindowsParams{5, time.Minute, 60, true})), 0), 60_000},
		{"keep", One(must(NewSubWindows(SubWindowsParams{5, time.Minute, 60, false})), 0), 61_000},
		{"exact log", One(slidingLog(5, time.Minute, false), 0), 60_900},
	} {
		got := admitted(v.l, ms, append(times(5, 900), every(901, 1, 61_000)...)...)
		assert.Equal(t, v.next, got[5].at/ms, v.name)
	}
}
