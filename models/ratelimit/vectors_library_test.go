package ratelimit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RL-40 to RL-48: libraries; and clocks, headers and changes of the limit.

func TestNginxWithoutDelayDoesNotChargeRejectedRequests(t *testing.T) { // RL-40
	l, k := NginxLimit{Zone: NginxPerSecond(2), Burst: 1, NoDelay: true}, NginxState{}
	for i, at := range []Reading{0, 0, 0, 0, 500, 500, 1000} {
		delay, allowed := l.Take(&k, at*ms)
		assert.Equal(t, "AARRARA"[i] == 'A', allowed, "request %d", i)
		assert.Zero(t, delay)
	}
}

// delays of n requests at 0, -1 ms for a refusal.
func delays(l NginxLimit, n int) (all []time.Duration) {
	var k NginxState
	for range n {
		d, allowed := l.Take(&k, 0)
		if !allowed {
			d = -time.Millisecond
		}
		all = append(all, d/time.Millisecond)
	}
	return all
}

func TestNginxDelaysBeyondDelay(t *testing.T) { // RL-41
	assert.Equal(t, []time.Duration{0, 0, 2000, -1}, delays(NginxLimit{Zone: NginxPerMinute(30), Burst: 2, Delay: 1}, 4))
}

func TestNginxDelaysItsBurst(t *testing.T) { // RL-42
	assert.Equal(t, []time.Duration{0, 1000, 2000, 3000, 4000, 5000, -1, -1}, delays(NginxLimit{Zone: NginxPerSecond(1), Burst: 5}, 8))
}

func TestNginxLeaksNothingBetweenFrequentRequests(t *testing.T) { // RL-43
	l, k := NginxLimit{Zone: NginxPerMinute(1), Burst: 1 << 30, NoDelay: true}, NginxState{}
	for _, at := range every(0, 50, 60_000) {
		_, allowed := l.Take(&k, at*ms)
		require.True(t, allowed)
	}
	assert.EqualValues(t, 1_200_000, k.excess)
}

func TestNginxRoundsTheRatePerMinute(t *testing.T) { // RL-44
	for _, v := range []struct {
		perMinute, kept int64
		first           Reading
	}{{1, 16, 62_500}, {7, 116, 8_621}, {15, 250, 4_000}, {60, 1000, 1_000}, {100, 1666, 601}} {
		z := NginxPerMinute(v.perMinute)
		assert.Equal(t, v.kept, z.Rate)
		var k NginxState
		NginxLimit{Zone: z}.Take(&k, 0)
		_, before := NginxLimit{Zone: z}.Take(ptr(k), (v.first-1)*ms)
		_, then := NginxLimit{Zone: z}.Take(ptr(k), v.first*ms)
		assert.False(t, before, "%d r/m", v.perMinute)
		assert.True(t, then, "%d r/m", v.perMinute)
	}
}

func TestXTimeRefillsAgainAfterAnEarlierReading(t *testing.T) { // RL-45
	x := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 10, 0))
	require.True(t, x.Allow(100*second, 10))
	assert.True(t, x.Allow(105*second, 1))
	assert.EqualValues(t, 4, x.Tokens(105*second))
	assert.True(t, x.Allow(95*second, 1))
	granted := 0
	for x.Allow(105*second, 1) {
		granted++
	}
	assert.Equal(t, 10, granted)

	b := One(bucket(10, 1, time.Second), 0)
	b.Take(100*second, 10)
	assert.Equal(t, "AAAAARR", verdicts(b, second, 105, 95, 105, 105, 105, 105, 105), "monotone: 3 at the end")
}

func TestXTimeCancelReturnsOnlyTheLastReservation(t *testing.T) { // RL-46
	for _, v := range []struct {
		cancel int
		at     Reading
	}{{1, 3}, {2, 2}} {
		x := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 2, 0))
		var made []Reservation
		for i, n := range []int64{2, 1, 1} {
			r, ok := x.Reserve(0, n, farFuture)
			require.True(t, ok)
			assert.Equal(t, Reading(i)*second, r.At)
			made = append(made, r)
		}
		x.Cancel(0, made[v.cancel])
		r, _ := x.Reserve(0, 1, farFuture)
		assert.Equal(t, v.at*second, r.At, "reservation %d cancelled", v.cancel)
	}
}

func TestUberSlackAdmitsAtOnceAfterIdleTime(t *testing.T) { // RL-47
	for slack, want := range map[int64][]time.Duration{10: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200, 300}, 0: {0, 100, 200, 300}} {
		u, k := must(NewUber(10, time.Second, slack)), UberState{}
		now := second
		for i := range 3 {
			assert.Equal(t, time.Duration(btoi(i > 0))*100*time.Millisecond, u.Take(&k, now))
			now = max(now, k.next)
		}
		now += 5 * second
		for _, w := range want {
			assert.Equal(t, w*time.Millisecond, u.Take(&k, now), "slack %d", slack)
		}
		now = k.next - 3600*second
		assert.Equal(t, time.Hour+100*time.Millisecond, u.Take(&k, now), "an hour back")
	}
}

func TestBucketThatRestartsFullAdmitsCapacityAndRate(t *testing.T) { // RL-48
	b := bucket(10, 5, time.Second)
	var all []admit
	k := b.Start(0)
	for at := Reading(0); at < 20*second; at += ms {
		if at%second == 0 {
			k = b.Start(at) // a crash
		}
		for b.Take(&k, at, 1).Allowed {
			all = append(all, admit{at, 1})
		}
	}
	for s := range Reading(20) {
		n := 0
		for _, a := range all {
			n += btoi(a.at/second == s)
		}
		assert.LessOrEqual(t, n, 15)
		assert.Greater(t, n, 10)
	}
}

// alternating is 200 requests in 20 s, by turns from a node whose clock is 30 s ahead
// and one whose is not.
func TestTwoClocksOnOneBucketByElapsedTime(t *testing.T) { // CK-04
	for e, want := range map[Elapsed][2]int{Signed: {29, 0}, Clamped: {100, 100}, Monotone: {24, 5}} {
		l := One(must(NewTokenBucket(TokenBucketParams{Capacity: 10, Refill: Rate{1, time.Second}, Elapsed: e})), 30*second)
		var got [2]int
		for i := range 200 {
			now := Reading(i) * 100 * ms
			if i%2 == 0 {
				now += 30 * second
			}
			got[i%2] += btoi(l.Take(now, 1).Allowed)
		}
		assert.Equal(t, want, got, "elapsed %d", e)
	}
	x, got := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 10, 30*second)), 0
	for i := range 200 {
		got += btoi(x.Allow(Reading(i)*100*ms+Reading(1-i%2)*30*second, 1))
	}
	assert.Equal(t, 200, got, "x/time/rate itself")
}

func TestClampedElapsedTimeRefillsTwice(t *testing.T) { // CK-05
	at := slices.Concat(times(5, 100), times(1, 90), times(5, 100))
	flawed := must(NewTokenBucket(TokenBucketParams{Capacity: 4, Refill: Rate{2, time.Second}, Elapsed: Clamped}))
	assert.Equal(t, "AAAAR"+"R"+"AAAAR", verdicts(One(flawed, 100*second), second, at...))
	assert.Equal(t, "AAAAR"+"R"+"RRRRR", verdicts(One(bucket(4, 2, time.Second), 100*second), second, at...))
}

func TestFixedWindowReportsRemainingAndReset(t *testing.T) { // HD-03
	w := fixedWindow(100, time.Minute, false)
	k := w.Start(0)
	var d Decision
	for range 57 {
		d = w.Take(&k, 37*second, 1)
	}
	assert.Equal(t, Decision{Allowed: true, Remaining: 43, ResetAfter: 23 * time.Second}, d)
}

func TestChangedLimitCarriesTokens(t *testing.T) { // TI-01 to TI-04
	for _, v := range []struct {
		id            string
		how           Change
		tokens        int64
		old, new, got int64
	}{
		{"TI-01", Proportional, 40, 100, 200, 80}, {"TI-01", Proportional, 40, 100, 20, 8},
		{"TI-02", AsIs, 40, 100, 200, 40}, {"TI-02", AsIs, 40, 100, 20, 20},
		{"TI-04", Additive, 0, 100, 1000, 900}, {"TI-04", Additive, 500, 1000, 100, 0},
		{"C4, reset", Fresh, 0, 100, 1000, 1000},
	} {
		old, new := bucket(v.old, v.old, time.Minute), bucket(v.new, v.new, time.Minute)
		k := old.StartWith(0, v.tokens)
		new.Carry(old, &k, 0, v.how)
		assert.Equal(t, v.got, new.Take(&k, 0, 0).Remaining, v.id)
		require.NoError(t, new.Check(&k))
	}
	t.Run("TI-03", func(t *testing.T) {
		x := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 10, 0))
		x.Allow(0, 10)
		require.NoError(t, x.SetBurst(0, 100))
		assert.EqualValues(t, 0, x.Tokens(0))
		x = must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 100, 0))
		x.Allow(0, 20)
		require.NoError(t, x.SetBurst(0, 10))
		assert.EqualValues(t, 10, x.Tokens(0))
	})
}

// TestLimitChanges: what windows, logs and counters remember is held against the new
// limit.
func TestLimitChanges(t *testing.T) {
	for name, take := range map[string]func() func(limit int64, now Reading) Decision{
		"fixed window": func() func(int64, Reading) Decision {
			k := fixedWindow(5, time.Minute, false).Start(0)
			return func(limit int64, now Reading) Decision {
				return fixedWindow(limit, time.Minute, false).Take(&k, now, 1)
			}
		},
		"sliding log": func() func(int64, Reading) Decision {
			k := slidingLog(5, time.Minute, false).Start(0)
			return func(limit int64, now Reading) Decision { return slidingLog(limit, time.Minute, false).Take(&k, now, 1) }
		},
		"sliding counter": func() func(int64, Reading) Decision {
			k := slidingCounter(5, time.Minute, Inclusive).Start(0)
			return func(limit int64, now Reading) Decision {
				return slidingCounter(limit, time.Minute, Inclusive).Take(&k, now, 1)
			}
		},
		"sub-windows": func() func(int64, Reading) Decision {
			rule := func(limit int64) *SubWindows {
				return must(NewSubWindows(SubWindowsParams{limit, time.Minute, 60, false}))
			}
			k := rule(5).Start(0)
			return func(limit int64, now Reading) Decision { return rule(limit).Take(&k, now, 1) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			ask := take()
			for range 5 {
				require.True(t, ask(5, 0).Allowed)
			}
			assert.False(t, ask(5, 0).Allowed)
			up := ask(7, 0)
			assert.True(t, up.Allowed)
			assert.EqualValues(t, 1, up.Remaining)
			down := ask(3, 0)
			assert.False(t, down.Allowed)
			assert.EqualValues(t, 0, down.Remaining)
			assert.True(t, ask(3, Reading(down.RetryAfter())).Allowed)
		})
	}
}

// TestSethvargoBurst: what is above the capacity is gone at the next tick, and a clock
// that goes back before the start begins the ticks anew without a refill.
func TestSethvargoBurst(t *testing.T) {
	s := must(NewSethvargo(2, time.Second))
	k := s.Start(10 * second)
	s.Burst(&k, 5)
	assert.EqualValues(t, 6, s.Take(&k, 10*second).Remaining)
	assert.EqualValues(t, 1, s.Take(&k, 11*second).Remaining)
	assert.EqualValues(t, 0, s.Take(&k, 5*second).Remaining)
	assert.False(t, s.Take(&k, 5*second+999*ms).Allowed)
	assert.True(t, s.Take(&k, 6*second).Allowed)
}

// TestNginxClock: back by up to a minute, no time has passed and the old reading
// stays; back by more, the clock was set, and the new reading counts.
func TestNginxClock(t *testing.T) {
	l := NginxLimit{Zone: NginxPerSecond(1), Burst: 9, NoDelay: true}
	for back, want := range map[Reading][2]int64{0: {2000, 100_000}, 60_000: {2000, 100_000}, 60_001: {1999, 39_999}} {
		var k NginxState
		l.Take(&k, 100*second)
		l.Take(&k, 100*second)
		l.Take(&k, 100*second-back*ms)
		assert.Equal(t, want, [2]int64{k.excess, k.last}, "back by %d ms", back)
	}
}

// TestXTimeZeroRate: what is left of a burst can be reserved and given back.
func TestXTimeZeroRate(t *testing.T) {
	x := must(NewXTime(XTimeRate{}, 2, 0))
	r, ok := x.Reserve(0, 2, farFuture)
	require.True(t, ok)
	_, ok = x.Reserve(second, 1, farFuture)
	assert.False(t, ok, "there will never be more")
	x.Cancel(0, r)
	assert.EqualValues(t, 2, x.Tokens(0))
}
