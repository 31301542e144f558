package chain

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// herd is "200 clients at t=0, bucket 10/s burst 10, ids 1..200 = sources". Client i comes
// i nanoseconds late, so that what happens in one millisecond happens in the order of ids.
func herd(r RetryParams) Params {
	p := DefaultParams()
	p.Clients, p.Stagger, p.Retry = 200, 1, r
	p.Limiter.Kind, p.Database.None = "bucket", true
	return p
}

// The same herd without an engine is in models/ratelimit/retry.
func TestHerd(t *testing.T) {
	for _, v := range []struct {
		id          string
		retry       RetryParams
		wish        string
		calls       int64
		last        sim.Time // to the millisecond
		peak        int64
		starved     bool
		tooMany     bool // calls for an operation
		goodputFell bool
	}{
		{"CL-01", RetryParams{Backoff: "fixed"}, "none", 18_345, at(19_000), 190, false, true, false},
		{"CL-02", RetryParams{Backoff: "exponential"}, "none", 2_569, at(162_700), 190, true, true, true},
		{"CL-03", RetryParams{Backoff: "full"}, "none", 1_605, at(22_390), 126, false, true, false},
		{"CL-04", RetryParams{Backoff: "equal"}, "none", 1_515, at(28_422), 151, false, false, false},
		{"CL-05", RetryParams{Backoff: "none"}, "exact", 18_345, at(19_000), 190, false, true, false},
		{"CL-06", RetryParams{Backoff: "none"}, "seconds", 2_100, at(19_000), 190, false, true, false},
		{"CL-07", RetryParams{Backoff: "none", Jitter: 10 * time.Second}, "seconds", 514, at(24_456), 6, false, false, false},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := herd(v.retry)
			p.Source, p.Limiter.RetryAfter = ptr(0), v.wish
			r := play(t, p, at(200_000), twice)
			assert.Equal(t, v.calls, r.Measure("calls"), r)
			assert.Equal(t, v.last/1e6, sim.Time(r.Measure("last-success"))/1e6)
			assert.Equal(t, v.peak, r.Measure("peak-calls"))
			assert.EqualValues(t, 200, r.Measure("useful"))
			assert.Equal(t, v.calls-200, r.Measure("retries"))
			assert.Equal(t, v.starved, r.Finding("no-starvation").Verdict == sim.Violated, r)
			assert.Equal(t, v.tooMany, r.Finding("calls-bound").Verdict == sim.Violated, r)
			assert.Equal(t, v.goodputFell, r.Finding("goodput").Verdict == sim.Violated, r)
		})
	}
}

// overload is mu = 100/s, lambda = 150/s, and a timeout of 5 s.
func overload(queue int) Params {
	p := DefaultParams()
	p.Rate, p.Operations = []traffic.Rate{perSecond(150)}, []int{0}
	p.Queue.Size = queue
	return p
}

// "mu=100/s, lambda=150/s, timeout 5 s, 60 s: Q=50, 400, 1000, 100000 (FIFO)".
func TestQueueBound(t *testing.T) {
	for _, v := range []struct {
		queue  int
		drop   string
		useful int64
	}{
		{1_000, "expired", 1_497}, // begun in time, and done too late
		{50, "none", 6_000}, {400, "none", 6_000}, {1_000, "none", 1_497}, {100_000, "none", 1_497},
		{50, "hopeless", 6_000}, {400, "hopeless", 6_000}, {1_000, "hopeless", 6_000}, {100_000, "hopeless", 6_000},
	} {
		t.Run(fmt.Sprintf("BP-01/%d/%s", v.queue, v.drop), func(t *testing.T) {
			p := overload(v.queue)
			p.Queue.Drop = v.drop
			r := play(t, p, at(60_001))
			assert.EqualValues(t, 6_000, r.Measure("served"), r)
			assert.Equal(t, v.useful, r.Measure("useful"), r)
			assert.Equal(t, 6_000-v.useful, r.Measure("wasted"))
			assert.Equal(t, v.useful < 6_000, r.Finding("goodput").Verdict == sim.Violated, r)
			assert.Equal(t, v.useful < 6_000, r.Finding("queue-wait").Verdict == sim.Violated, r)
		})
	}
}

// The rule of C9, "Q <= mu*timeout - 1 (here 499)", with arrivals that fall on no
// completion. At 150/s every other one does: then a request that finds 498 others is
// done at the very instant at which its caller gives up, which is too late.
func TestLongestQueue(t *testing.T) {
	for _, v := range []struct {
		rate    int64
		queue   int
		goodput sim.Verdict
	}{{151, 499, sim.Holds}, {151, 500, sim.Violated}, {150, 498, sim.Holds}, {150, 499, sim.Violated}} {
		p := overload(v.queue)
		p.Rate[0] = perSecond(v.rate)
		assert.Equal(t, v.goodput, play(t, p, at(60_001)).Finding("goodput").Verdict, v)
	}
}

// "goodput >= 0.95*mu at lambda in [mu, 10mu]", for each of the fixes, with arrivals that
// are even and with such that are not.
func TestGoodputUpToTenfold(t *testing.T) {
	for _, fix := range []struct {
		name string
		set  func(*Params)
	}{
		{"short queue", func(p *Params) { p.Queue.Size = 400 }},
		{"hopeless are dropped", func(p *Params) { p.Queue.Drop = "hopeless" }},
		{"newest first", func(p *Params) { p.Queue.Order = "lifo" }},
		{"credits", func(p *Params) { p.Limiter.Kind, p.Limiter.Credits = "credits", 20 }},
		{"bucket", func(p *Params) { p.Limiter.Kind, p.Limiter.Refill = "bucket", perSecond(100) }},
	} {
		t.Run(fix.name, func(t *testing.T) {
			for _, lambda := range []int64{100, 150, 300, 1000} {
				p := overload(100_000)
				p.Rate[0] = perSecond(lambda)
				fix.set(&p)
				r := play(t, p, at(30_000))
				assert.Equal(t, sim.Holds, r.Finding("goodput").Verdict, "%d/s\n%v", lambda, r)
				if lambda == 100 {
					continue // at mu itself what arrives by chance is too little now and then
				}
				p.Rate, p.Gap = nil, []sim.Dist{sim.Exponential(time.Second / time.Duration(lambda))}
				r = play(t, p, at(30_000))
				assert.Equal(t, sim.Holds, r.Finding("goodput").Verdict, "%d/s drawn\n%v", lambda, r)
			}
		})
	}
}

// As many credits as workers are too few: a worker that is done waits for an arrival.
func TestOneCreditMore(t *testing.T) {
	for credits, useful := range map[int64]int64{1: 4_500, 2: 6_000} {
		p := overload(1000)
		p.Limiter.Kind, p.Limiter.Credits = "credits", credits
		assert.Equal(t, useful, play(t, p, at(60_001)).Measure("useful"))
	}
}
