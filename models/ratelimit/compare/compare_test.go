package compare

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/measure"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model"
)

// random is traffic in which clients often come to their limit, many at one instant.
func random(seed uint64, n int, costs int64) []traffic.Request {
	r := rand.New(rand.NewPCG(seed, 1))
	var list []traffic.Request
	at := sim.Time(5 * r.Int64N(200))
	for range n {
		at += sim.Time(5 * r.Int64N(3) * r.Int64N(8))
		list = append(list, traffic.Request{At: at, Key: r.Uint64N(5) * r.Uint64N(3), Cost: 1 + r.Int64N(costs)})
	}
	return list
}

func compared(t *testing.T, r Rules, list []traffic.Request, names ...string) *Comparison {
	t.Helper()
	if names == nil {
		names = Algorithms()
	}
	c, problems := New(r, names)
	require.Empty(t, problems)
	for _, q := range list {
		c.Add(q)
	}
	c.Finish()
	return c
}

var small = Rules{Limit: 4, Window: 120, Burst: 4, Buckets: 6}

// plain is what the columns count, written down as the definitions read.
type plain struct {
	admitted, refused, falseAdmits, falseRejects, worst, hit, fairness int64
}

func plainly(r Rules, list []traffic.Request, l map[uint64]ratelimit.Limiter, start func(now ratelimit.Reading) ratelimit.Limiter) plain {
	type admit struct {
		at   sim.Time
		cost int64
	}
	exact, mine := map[uint64][]admit{}, map[uint64][]admit{}
	sum := func(log []admit, at sim.Time) (s int64) {
		for _, a := range log {
			if a.at > at-sim.Time(r.Window) && a.at <= at {
				s += a.cost
			}
		}
		return s
	}
	var p plain
	hit, over, got := map[uint64]bool{}, map[uint64]bool{}, map[uint64]int64{}
	for _, q := range list {
		if l[q.Key] == nil {
			l[q.Key] = start(ratelimit.Reading(q.At))
		}
		fits := sum(exact[q.Key], q.At)+q.Cost <= r.Limit
		if fits {
			exact[q.Key] = append(exact[q.Key], admit{q.At, q.Cost})
		} else {
			over[q.Key] = true
		}
		d := l[q.Key].Take(ratelimit.Reading(q.At), q.Cost)
		switch {
		case d.Allowed:
			p.admitted++
			got[q.Key] += q.Cost
			begin := q.At.Add(d.Delay())
			mine[q.Key] = append(mine[q.Key], admit{begin, q.Cost})
			p.worst = max(p.worst, sum(mine[q.Key], begin))
			if !fits {
				p.falseAdmits++
			}
		default:
			p.refused++
			hit[q.Key] = true
			if fits {
				p.falseRejects++
			}
		}
	}
	p.hit = int64(len(hit))
	var shares []int64
	for key := range over {
		shares = append(shares, got[key])
	}
	p.fairness = int64(float64(measure.Jain(shares)*1000) + 0.5)
	return p
}

// one is an algorithm with one key.
func one(t *testing.T, name string, r Rules) func(ratelimit.Reading) ratelimit.Limiter {
	t.Helper()
	l, err := find(name).build(&r)
	require.NoError(t, err)
	switch c := l.(type) {
	case *column[ratelimit.TokenBucketState, *ratelimit.TokenBucket]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.GCRAState, *ratelimit.GCRA]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.LeakyMeterState, *ratelimit.LeakyMeter]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.IntervalBucketState, *ratelimit.IntervalBucket]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.FixedWindowState, *ratelimit.FixedWindow]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.SlidingLogState, *ratelimit.SlidingLog]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.SlidingCounterState, *ratelimit.SlidingCounter]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.NginxState, *ratelimit.NginxRule]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *column[ratelimit.SubWindowsState, *ratelimit.SubWindows]:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	case *queueColumn:
		return func(now ratelimit.Reading) ratelimit.Limiter { return ratelimit.One(c.rule, now) }
	}
	t.Fatal(name)
	return nil
}

// TestEqualsPlainCounting compares each number with the definition, over more requests
// than fit into a batch.
func TestEqualsPlainCounting(t *testing.T) {
	for _, name := range Algorithms() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				list := random(seed, 900, 1+int64(seed%3))
				c := compared(t, small, list)
				for _, col := range c.Columns {
					if col.Name != name {
						continue
					}
					want := plainly(small, list, map[uint64]ratelimit.Limiter{}, one(t, name, small))
					got := plain{col.Admitted, col.Refused, col.FalseAdmits, col.FalseRejects, col.Worst, col.Hit, col.Fairness}
					require.Equal(t, want, got, "seed %d", seed)
				}
			}
		})
	}
}

// TestPromises: no algorithm admits more than it promises, and the adversary of
// section A6 makes fixed windows admit all of it.
func TestPromises(t *testing.T) {
	for seed := range uint64(50) {
		c := compared(t, small, random(seed, 600, 1+int64(seed%4)))
		for i, name := range []string{promisedWindow, equalsExactLog, boundedWait} {
			require.Equal(t, sim.Holds, c.finding(i).Verdict, "%s: %s", name, c.why(i))
			require.Empty(t, c.why(i))
		}
	}
	c := compared(t, small, []traffic.Request{{At: 119, Cost: 4}, {At: 120, Cost: 4}})
	assert.EqualValues(t, 8, c.Columns[5].Worst)
	assert.Equal(t, "fixed-window", c.Columns[5].Name)
}

// open admits everything.
type open struct{ limiter }

func (open) take(b *batch, bit uint32) {
	for i := range b.n {
		b.admitted[i] |= bit
	}
}

// mutant is a comparison of one algorithm that is not what it says.
func mutant(t *testing.T, name string, wrong func(limiter) limiter) *Comparison {
	t.Helper()
	c, problems := New(small, []string{name})
	require.Empty(t, problems)
	c.Columns[0].limiter = wrong(c.Columns[0].limiter)
	for _, q := range random(1, 600, 1) {
		c.Add(q)
	}
	c.Finish()
	return c
}

// TestMutants: each property finds what violates it.
func TestMutants(t *testing.T) {
	log := func(p ratelimit.SlidingLogParams) func(limiter) limiter {
		return func(limiter) limiter {
			l, err := newColumn[ratelimit.SlidingLogState](ratelimit.NewSlidingLog(p))
			require.NoError(t, err)
			return l
		}
	}
	for _, v := range []struct {
		name, algorithm string
		property        int
		wrong           func(limiter) limiter
		why             string
	}{
		{"admits everything", "token-bucket", 0, func(l limiter) limiter { return open{l} }, "promises at most 7"},
		{"one too many", "sliding-log", 0, log(ratelimit.SlidingLogParams{Limit: 5, Window: small.Window}), "admits 5 in a window of 120ns, and promises at most 4"},
		{"closed window", "sliding-log", 1, log(ratelimit.SlidingLogParams{Limit: 4, Window: small.Window, Closed: true}), "times otherwise than the exact log"},
		{"retained", "sliding-log", 1, log(ratelimit.SlidingLogParams{Limit: 4, Window: small.Window, Retain: true}), "times otherwise"},
		{"more places", "leaky-queue", 2, func(limiter) limiter {
			q, err := ratelimit.NewLeakyQueue(ratelimit.LeakyQueueParams{Places: 9, Service: small.service()})
			require.NoError(t, err)
			return newQueueColumn(q, small.Window)
		}, "and there are places for 90ns"},
	} {
		t.Run(v.name, func(t *testing.T) {
			c := mutant(t, v.algorithm, v.wrong)
			f := c.finding(v.property)
			assert.Equal(t, sim.Violated, f.Verdict)
			assert.Positive(t, f.Violations)
			assert.Less(t, f.First, sim.Never)
			assert.Contains(t, c.why(v.property), v.why)
			same := mutant(t, v.algorithm, func(l limiter) limiter { return l })
			assert.Equal(t, sim.Holds, same.finding(v.property).Verdict)
		})
	}
}

// Each algorithm has a bit of its own, and a name of its own.
func TestAlgorithms(t *testing.T) {
	names := Algorithms()
	assert.Less(t, len(names), exact)
	for i, name := range names {
		assert.Same(t, &algorithms[i], find(name))
	}
}

// Nothing is checked where there is nothing.
func TestUnknown(t *testing.T) {
	c := compared(t, small, nil)
	assert.Equal(t, sim.NotExercised, c.finding(0).Verdict)
	c = compared(t, small, random(1, 10, 1), "gcra")
	assert.Equal(t, []sim.Verdict{sim.Holds, sim.NotExercised, sim.NotExercised},
		[]sim.Verdict{c.finding(0).Verdict, c.finding(1).Verdict, c.finding(2).Verdict})
}

func TestWaits(t *testing.T) {
	var list []traffic.Request
	for range 4 {
		list = append(list, traffic.Request{At: 1000, Cost: 1})
	}
	c := compared(t, small, list, "leaky-queue")
	col := c.Columns[0]
	assert.Equal(t, []time.Duration{30, 90, 90}, []time.Duration{col.WaitP50, col.WaitP99, col.WaitMax})
}

// TestBytes: a state with what it points to, of every key.
func TestBytes(t *testing.T) {
	var list []traffic.Request
	for i := range int64(5) {
		list = append(list, traffic.Request{At: sim.Time(10 * i), Key: 1, Cost: 1}, traffic.Request{At: sim.Time(10 * i), Key: 2, Cost: 1})
	}
	r := Rules{Limit: 100, Window: time.Second, Burst: 100, Buckets: 10}
	c := compared(t, r, list, "token-bucket", "leaky-queue", "sliding-log", "sub-windows")
	var got []int64
	for _, col := range c.Columns {
		got = append(got, col.Bytes)
	}
	log := int64(3*8 + 2*8 + 16)    // ring, head and n, sum and last
	sub := int64(3*8 + 12 + 4 + 16) // counts; head, first and last; room; start and sum
	assert.Equal(t, []int64{2 * 16, 2 * 8, 2 * (log + 8*16), 2 * (sub + 4*11)}, got, "on every architecture")
}

func TestRefused(t *testing.T) {
	var list []traffic.Request
	for i := range 20 {
		for key := range uint64(5) {
			if i < 4*int(key) {
				list = append(list, traffic.Request{At: sim.Time(i), Key: 100 + key, Cost: 1})
			}
		}
	}
	c := compared(t, small, list, "gcra")
	assert.Equal(t, []Client{{104, 16, 12}, {103, 12, 8}, {102, 8, 4}}, c.Refused())
	assert.EqualValues(t, 4, c.Clients())
	assert.Equal(t, 15*time.Nanosecond, c.Span())
}

// A request costs no memory once its key is known.
func TestNoAllocations(t *testing.T) {
	c, problems := New(Rules{Limit: 60, Window: time.Minute, Burst: 60, Buckets: 60}, Algorithms())
	require.Empty(t, problems)
	r, at := rand.New(rand.NewPCG(1, 2)), sim.Time(0)
	add := func() {
		for range batchSize {
			at += sim.Time(r.Int64N(int64(100 * time.Millisecond)))
			c.Add(traffic.Request{At: at, Key: r.Uint64N(50), Cost: 1})
		}
	}
	for range 2000 {
		add()
	}
	assert.Zero(t, testing.AllocsPerRun(100, add))
}

// BenchmarkCompare is ns per request for five algorithms, with few keys and with many.
func BenchmarkCompare(b *testing.B) {
	for name, keys := range map[string]uint64{"1000-keys": 1000, "1000000-keys": 1_000_000} {
		b.Run(name, func(b *testing.B) {
			c, _ := New(Rules{Limit: 60, Window: time.Minute, Burst: 60, Buckets: 60},
				[]string{"token-bucket", "leaky-queue", "fixed-window", "sliding-log", "sliding-counter"})
			r, at := rand.New(rand.NewPCG(1, 2)), sim.Time(0)
			add := func() {
				at += sim.Time(time.Millisecond)
				c.Add(traffic.Request{At: at, Key: r.Uint64N(keys), Cost: 1})
			}
			for range keys {
				add()
			}
			b.ReportAllocs()
			for b.Loop() {
				add()
			}
		})
	}
}

// burst=3 of nginx is the leaky meter of 4. nginx has whole milliseconds, so its requests come at such.
func TestNginxIsAMeterOfOneMore(t *testing.T) {
	p := DefaultParams()
	p.Algorithms, p.Window = []string{"nginx"}, 10*time.Second
	require.Equal(t, []model.ValidationError{{Path: "window", Message: "nginx has rates per second and per minute: want 1s or 1m, got 10s"}}, p.Problems())

	list := random(1, 900, 1)
	for i := range list {
		list[i].At *= sim.Time(time.Millisecond)
	}
	meter := compared(t, Rules{Limit: 4, Window: time.Second, Burst: 4, Buckets: 6}, list, "leaky-meter").Columns[0]
	same := compared(t, Rules{Limit: 4, Window: time.Second, Burst: 3, Buckets: 6}, list, "nginx").Columns[0]
	more := compared(t, Rules{Limit: 4, Window: time.Second, Burst: 4, Buckets: 6}, list, "nginx").Columns[0]
	assert.Equal(t, meter.Admitted, same.Admitted)
	assert.Greater(t, more.Admitted, meter.Admitted)
}
