package retry

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

const ms = time.Millisecond

func at(d time.Duration) sim.Mono { return sim.Mono(d) }

// half draws the middle of every range.
type half struct{}

func (half) Upto(most uint64) uint64 { return most / 2 }

func TestSplitMix64(t *testing.T) {
	for _, v := range []struct {
		id     string
		source SplitMix64
		want   []uint64
	}{
		{"CL-00/0", 0, []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}},
		{"CL-00/1", 1, []uint64{0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e}},
		{"CL-00/42", 42, []uint64{0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52}},
	} {
		t.Run(v.id, func(t *testing.T) {
			var got []uint64
			for range v.want {
				got = append(got, v.source.Next())
			}
			assert.Equal(t, v.want, got)
		})
	}
	s, same := SplitMix64(7), SplitMix64(7)
	assert.Equal(t, same.Next(), s.Upto(1<<64-1))
}

func TestBackoff(t *testing.T) {
	of := func(values ...float64) (list []time.Duration) {
		for _, v := range values {
			list = append(list, time.Duration(v*1e6))
		}
		return list
	}
	for _, v := range []struct {
		id   string
		kind Kind
		want []time.Duration
	}{
		{"CL-10/v", Exponential, of(100, 200, 400, 800, 1600, 3200, 6400, 10000)},
		{"CL-10/equal", Equal, of(75, 150, 300, 600, 1200, 2400, 4800, 7500)},
		{"CL-10/full", Full, of(50, 100, 200, 400, 800, 1600, 3200, 5000)},
		{"CL-10/decorrelated", Decorrelated, of(200, 350, 575, 912.5, 1418.75, 2178.125, 3317.1875, 5025.78125)},
		{"fixed", Fixed, of(100, 100, 100)},
		{"none", None, of(0, 0, 0)},
	} {
		t.Run(v.id, func(t *testing.T) {
			b := Backoff{Kind: v.kind, Base: 100 * ms, Cap: 10 * time.Second}
			var got []time.Duration
			last := time.Duration(0)
			for a := range v.want {
				last = b.Wait(a+1, last, half{})
				got = append(got, last)
			}
			assert.Equal(t, v.want, got)
		})
	}
}

// Whatever the parameters, no wait is negative or above the cap, and none overflows.
func TestBackoffStaysInBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := SplitMix64(1)
	for range 20_000 {
		b := Backoff{Kind: Kind(r.IntN(int(Decorrelated) + 1)), Base: time.Duration(r.Int64N(1 << r.IntN(58))),
			Cap: time.Duration(r.Int64N(1 << r.IntN(58))), Grain: time.Duration(r.Int64N(1 << r.IntN(30)))}
		b.Base = min(b.Base, b.most())
		last := time.Duration(0)
		for a := 1; a < 100; a++ {
			last = b.Wait(a, last, &src)
			require.True(t, last >= 0 && last <= b.most(), "%+v: %v", b, last)
		}
	}
}

func TestFullJitterReachesBothEnds(t *testing.T) {
	b := Backoff{Kind: Full, Base: 3 * ms, Grain: ms}
	seen := map[time.Duration]int{}
	src := SplitMix64(1)
	for range 1000 {
		seen[b.Wait(1, 0, &src)]++
	}
	assert.Len(t, seen, 4)
	for d := range seen {
		assert.True(t, d <= 3*ms && d%ms == 0)
	}
}

func TestAfter(t *testing.T) {
	s := SplitMix64(1)
	assert.Equal(t, 2*time.Second, (&After{}).Wait(time.Second, 2*time.Second, &s), "max(Retry-After, backoff)")
	assert.Equal(t, time.Second, (&After{}).Wait(time.Second, 0, &s))
	assert.Equal(t, 5*ms, (&After{Ignored: true}).Wait(time.Second, 5*ms, &s))
	assert.Equal(t, 5*ms, (&After{Jitter: time.Hour}).Wait(0, 5*ms, &s), "no wish, nothing to spread")
	a := After{Jitter: 4 * ms, Grain: ms}
	seen := map[time.Duration]bool{}
	for range 1000 {
		seen[a.Wait(time.Second, 0, &s)] = true
	}
	assert.Len(t, seen, 4, "[0, 4 ms) in whole milliseconds")
	assert.False(t, seen[time.Second+4*ms])
}

// HD-02: "Retry-After 1; 2 (ceil)".
func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{0: 0, 1: time.Second, 100 * ms: time.Second, time.Second: time.Second, 1001 * ms: 2 * time.Second} {
		assert.Equal(t, want, Seconds(d), d)
	}
}

func TestClassify(t *testing.T) {
	want := map[Action][]int{
		Done: {200, 201, 204}, Stop: {400, 401, 403, 404, 422, 301, 100}, Resend: {409},
		Later: {429, 503}, Unsure: {NoAnswer, 500, 502, 504},
	}
	for action, list := range want {
		for _, status := range list {
			assert.Equal(t, action, Classify(status), status)
		}
	}
}

// "timeout/connection error: outcome unknown -> retry only if idempotent or same
// idemKey", and a 409 speaks of a key.
func TestMayRepeat(t *testing.T) {
	for _, v := range []struct {
		op                    Operation
		later, resend, unsure bool
	}{{Idempotent, true, false, true}, {Keyed, true, true, true}, {Plain, true, false, false}} {
		assert.Equal(t, []bool{v.later, v.resend, v.unsure, false, false},
			[]bool{v.op.MayRepeat(Later), v.op.MayRepeat(Resend), v.op.MayRepeat(Unsure), v.op.MayRepeat(Stop), v.op.MayRepeat(Done)})
	}
}

func TestAllowance(t *testing.T) {
	a := Allowance{Attempts: 3, Deadline: time.Second}
	assert.True(t, a.Allows(at(0), at(0), 2, 0))
	assert.False(t, a.Allows(at(0), at(0), 3, 0))
	assert.True(t, a.Allows(at(5), at(500), 1, time.Second-496))
	assert.False(t, a.Allows(at(5), at(500), 1, time.Second-495), "the call would begin at the deadline")
	assert.False(t, a.Allows(at(0), at(2*time.Second), 1, 0))
	assert.True(t, (&Allowance{}).Allows(at(0), at(time.Hour), 1_000_000, time.Hour))
}

// "100 retries, then none (50 failed calls use them)".
func TestQuota(t *testing.T) {
	t.Run("CL-11", func(t *testing.T) {
		q := AWS()
		retries, calls := 0, 0
		for ; calls < 60; calls++ {
			for range 2 { // three attempts
				if _, ok := q.Take(false); ok {
					retries++
				}
			}
			if calls == 49 {
				assert.Equal(t, 100, retries, "after 50 calls")
				assert.Zero(t, q.Left())
			}
		}
		assert.Equal(t, 100, retries)
	})
	q := AWS()
	for range 50 {
		_, ok := q.Take(true)
		require.True(t, ok, "a timeout costs 10")
	}
	_, ok := q.Take(true)
	assert.False(t, ok)
	for range 5 {
		q.Succeeded(0)
	}
	price, ok := q.Take(false)
	assert.Equal(t, 5, price)
	assert.True(t, ok)
	q.Succeeded(price)
	assert.Equal(t, 5, q.Left(), "a retry that succeeds returns what it cost")
	for range 600 {
		q.Succeeded(0)
	}
	assert.Equal(t, 500, q.Left(), "never more than it began with")
}

// "maxTokens 10, -1 per failure, +ratio, retry only if > half".
func TestThrottling(t *testing.T) {
	g := GRPC()
	for range 4 {
		g.Failed()
		assert.True(t, g.Allows())
	}
	g.Failed()
	assert.False(t, g.Allows(), "5 of 10 is not more than half")
	g.Succeeded()
	assert.True(t, g.Allows(), "5.1 is")
	for range 100 {
		g.Failed()
	}
	assert.Zero(t, g.Left())
	for range 1000 {
		g.Succeeded()
	}
	assert.Equal(t, 10_000, g.Left())
}

// "ratio <= 10 % of requests": while everything fails and is tried again as often as
// allowed, the calls are 1.11 times the operations.
func TestRatio(t *testing.T) {
	r := SRE()
	calls, retries := 0, 0
	for op := range 9000 {
		now := at(time.Duration(op) * ms)
		r.Called(now, false)
		calls++
		for r.Allows(now) {
			r.Called(now, true)
			calls++
			retries++
		}
		require.LessOrEqual(t, retries*10, calls+9)
	}
	assert.Equal(t, 10_000, calls)
	assert.False(t, r.Allows(at(9*time.Second)))
	assert.Equal(t, 1000, retries)
}

func TestRecentForgets(t *testing.T) {
	var r Recent
	r.Add(at(5*time.Second), 3, 1)
	first, second := r.Sums(at(119 * time.Second))
	assert.EqualValues(t, []int64{3, 1}, []int64{first, second})
	first, _ = r.Sums(at(120 * time.Second))
	assert.Zero(t, first)
	r.Add(at(500*time.Second), 1, 0)
	r.Add(at(100*time.Second), 1, 0) // a clock that goes back
	first, _ = r.Sums(at(500 * time.Second))
	assert.EqualValues(t, 2, first)
	first, _ = r.Sums(at(time.Hour))
	assert.Zero(t, first)
}

func TestAdaptive(t *testing.T) {
	for _, v := range []struct {
		id                string
		requests, accepts int64
		k                 int64
		num, den          int64
		rounded           string
	}{
		{"CL-09/1", 100, 100, 20, 0, 101, "0.0000"},
		{"CL-09/2", 100, 50, 20, 0, 101, "0.0000"},
		{"CL-09/3", 100, 20, 20, 60, 101, "0.5941"},
		{"CL-09/4", 100, 0, 20, 100, 101, "0.9901"},
		{"CL-09/5", 100, 90, 11, 1, 101, "0.0099"},
	} {
		t.Run(v.id, func(t *testing.T) {
			a := Adaptive{K: v.k}
			a.Recent.Add(0, v.requests, v.accepts)
			num, den := a.Probability(0)
			got := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
			assert.Zero(t, got.Cmp(big.NewRat(v.num, v.den)), got)
			assert.Equal(t, v.rounded, got.FloatString(4))
		})
	}
}

// Of all draws, the share that refuses is the probability: 60 of 101.
func TestAdaptiveDraws(t *testing.T) {
	refused := 0
	for i := range uint64(101) {
		a := Adaptive{K: 20}
		a.Recent.Add(0, 100, 20)
		if a.Refuses(0, i*((1<<64-1)/101)+1000) {
			refused++
		}
	}
	assert.Equal(t, 60, refused)
	a := Adaptive{K: 20}
	assert.False(t, a.Refuses(0, 0), "nothing is known yet")
	for range 1000 {
		a.Refuses(0, 1<<63)
	}
	assert.True(t, a.Refuses(0, 1<<63), "nothing was ever accepted: p is 1000/1001")
	assert.False(t, a.Refuses(0, 1<<64-1), "now and then it asks")
	for range 2000 {
		a.Accepted(0)
	}
	assert.False(t, a.Refuses(0, 0))
}

func TestLayers(t *testing.T) {
	for _, v := range []struct {
		id                     string
		layers, attempts, want uint64
	}{{"CL-08/3", 3, 3, 27}, {"CL-08/4", 3, 4, 64}, {"none", 0, 5, 1}, {"one attempt", 1 << 62, 1, 1}} {
		t.Run(v.id, func(t *testing.T) {
			got, ok := Calls(v.layers, v.attempts)
			assert.True(t, ok)
			assert.Equal(t, v.want, got)
		})
	}
	_, ok := Calls(64, 2)
	assert.False(t, ok)
	_, ok = Calls(63, 2)
	assert.True(t, ok)
}

// "S1's loop: sleeps 20, 40, 80 ms, no jitter, sleeps also after the last failure;
// "maxRetries 3" = 3 attempts."
func TestLoop001(t *testing.T) {
	var l Loop001
	var sleeps []time.Duration
	attempts := 0
	for again := true; again; {
		attempts++
		var sleep time.Duration
		sleep, again = l.Failed()
		sleeps = append(sleeps, sleep)
	}
	assert.Equal(t, []time.Duration{20 * ms, 40 * ms, 80 * ms}, sleeps)
	assert.Equal(t, 3, attempts)
}

func TestBudget(t *testing.T) {
	free := NewBudget(Unlimited)
	for range 1000 {
		free.Called(0)
		free.Failed()
		_, ok := free.Take(0, true)
		require.True(t, ok)
	}
	for kind, want := range map[BudgetKind]int{QuotaBudget: 100, GRPCBudget: 3, RatioBudget: 112} {
		b := NewBudget(kind)
		retries := 0
		for range 1000 { // operations that fail, of three attempts
			b.Called(0)
			b.Failed()
			for range 2 {
				if _, ok := b.Take(0, false); !ok {
					break
				}
				b.Failed()
				retries++
			}
		}
		assert.Equal(t, want, retries, kind)
	}
}

// All twelve parts are forgotten when a whole window has gone by at once, the oldest too.
func TestRecentForgetsTheOldestPart(t *testing.T) {
	second := func(n int) sim.Mono { return sim.Mono(n) * sim.Mono(time.Second) }
	r := Recent{Window: 12 * time.Second}
	r.Add(second(2), 5, 0)
	r.Add(second(13), 7, 0)
	sum, _ := r.Sums(second(13))
	assert.EqualValues(t, 12, sum)
	sum, _ = r.Sums(second(25))
	assert.Zero(t, sum)
}
