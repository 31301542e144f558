package chain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/retry"
	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

func TestProblems(t *testing.T) {
	p := DefaultParams()
	assert.Empty(t, p.Problems(), "an empty params block is well-formed")
	for _, v := range []struct {
		path, message string
		set           func(*Params)
	}{
		{"clients", "want 1 to 10000, got 0", func(p *Params) { p.Clients = 0 }},
		{"layers", "want 0 to 16, got 17", func(p *Params) { p.Layers = 17 }},
		{"source", "got -1", func(p *Params) { p.Source = ptr(-1) }},
		{"start", "2 values for 1 clients", func(p *Params) { p.Start = make([]time.Duration, 2) }},
		{"stagger", "want 0s to 1000h, got -1ns", func(p *Params) { p.Stagger = -1 }},
		{"timeout", "got -1s", func(p *Params) { p.Timeout = ptr(-time.Second) }},
		{"operation", "there is none", func(p *Params) { p.Operation, p.Database.None = "keyed", true }},
		{"operations.0", "want 0 to 2147483647, got -1", func(p *Params) { p.Operations = []int{-1} }},
		{"gap", "a rate is given", func(p *Params) {
			p.Gap, p.Rate = []sim.Dist{sim.Constant(1)}, []traffic.Rate{perSecond(1)}
		}},
		{"gap", "client-1 has operations without end", func(p *Params) { p.Gap, p.Operations = []sim.Dist{{}}, []int{0} }},
		{"gap", "client-2 has operations without end", func(p *Params) { p.Clients, p.Gap, p.Operations = 2, []sim.Dist{{}}, []int{1, 0} }},
		{"gap", "client-2 has operations without end", func(p *Params) {
			p.Clients, p.Gap, p.Operations = 2, []sim.Dist{sim.Constant(1), {}}, []int{maxAtOnce + 1}
		}},
		{"retry.jitter", "a Retry-After, which is ignored", func(p *Params) { p.Retry.Jitter, p.Retry.RetryAfter = 1, "ignored" }},
		{"limiter.capacity", "limiter.kind is none, which does not use it", func(p *Params) { p.Limiter.Capacity = 11 }},
		{"limiter.refill", "limiter.kind is none, which does not use it", func(p *Params) { p.Limiter.Refill = perSecond(11) }},
		{"queue.drop", "nothing is ever expired", func(p *Params) { p.Queue.Drop, p.Timeout = "expired", ptr(time.Duration(0)) }},
		{"queue", "there is no database", func(p *Params) { p.Database.None, p.Queue.Drop = true, "expired" }},
		{"database", "none: true is all", func(p *Params) { p.Database.None, p.Database.Fails = true, 1 }},
		{"retry.attempts", "got -1", func(p *Params) { p.Retry.Attempts = -1 }},
		{"retry.attempts", "without end, and nothing between two calls", func(p *Params) {
			p.Retry = RetryParams{Backoff: "none", RetryAfter: "ignored"}
		}},
		{"retry.attempts", "without end, and nothing between two calls", func(p *Params) {
			p.Retry, p.Limiter.RetryAfter = RetryParams{Backoff: "fixed", Base: ptr(time.Duration(0))}, "none"
		}},
		{"retry.adaptive", "want K in tenths", func(p *Params) { p.Retry.Adaptive = 2 }},
		{"retry.cap", "want at least the base, 100ms, got 1ms", func(p *Params) { p.Retry.Cap = ptr(ms) }},
		{"retry.base", "want at least the grain, 1ms, got 1µs", func(p *Params) { p.Retry.Base = ptr(time.Microsecond) }},
		{"retry.jitter", "got -1ns", func(p *Params) { p.Retry.Jitter = -1 }},
		{"layer-retry", "there are no layers", func(p *Params) { p.LayerRetry = &RetryParams{Attempts: 1} }},
		{"limiter", "capacity: must be 1 to", func(p *Params) { p.Limiter.Kind, p.Limiter.Capacity = "bucket", 0 }},
		{"limiter.credits", "limiter.kind is none, which does not use it", func(p *Params) { p.Limiter.Credits = 1 }},
		{"limiter.kind", "nothing is behind the limiter", func(p *Params) { p.Limiter.Kind, p.Database.None = "credits", true }},
		{"limiter.kind", "nothing is behind the limiter", func(p *Params) { p.Limiter.Kind, p.Database.None = "shed-fleet", true }},
		{"limiter.credits", "limiter.kind is shed-worker, which does not use it: want credits or shed-fleet", func(p *Params) { p.Limiter.Kind, p.Limiter.Credits = "shed-worker", 1 }},
		{"class", "2 values for 1 clients", func(p *Params) { p.Class = make([]shed.Class, 2) }},
		{"limiter.shed.reserved", "limiter.kind is credits, which does not use it: want shed-fleet", func(p *Params) {
			p.Limiter.Kind, p.Limiter.Shed.Reserved = "credits", ptr(int64(200))
		}},
		{"limiter.shed.high", "limiter.kind is shed-fleet, which does not use it: want shed-worker", func(p *Params) {
			p.Limiter.Kind, p.Limiter.Shed.High = "shed-fleet", ptr(int64(1))
		}},
		{"limiter.shed.reserved", "want 0 to 1000, got 1001", func(p *Params) { p.Limiter.Kind, p.Limiter.Shed.Reserved = "shed-fleet", ptr(int64(1001)) }},
		{"limiter.shed.low", "want 0 to 1, got -1", func(p *Params) { p.Limiter.Kind, p.Limiter.Shed.Low = "shed-worker", ptr(int64(-1)) }},
		{"limiter.shed.high", "want 1 to 1, got 2", func(p *Params) { p.Limiter.Kind, p.Limiter.Shed.High = "shed-worker", ptr(int64(2)) }},
		{"limiter.shed.every", "got -1s", func(p *Params) { p.Limiter.Kind, p.Limiter.Shed.Every = "shed-worker", ptr(-time.Second) }},
		{"limiter.silent", "waits forever", func(p *Params) { p.Limiter.Silent, p.Timeout = true, ptr(time.Duration(0)) }},
		{"queue.size", "got -1", func(p *Params) { p.Queue.Size = -1 }},
		{"database.workers", "got 0", func(p *Params) { p.Database.Workers = 0 }},
		{"database.fails", "got -1", func(p *Params) { p.Database.Fails = -1 }},
		{"database.expected", "got 0s", func(p *Params) { p.Database.Expected = ptr(time.Duration(0)) }},
		{"database.service", "whose median is above 0s", func(p *Params) { p.Database.Service = &sim.Dist{} }},
		{"bounds.calls", "got 0", func(p *Params) { p.Bounds.Calls = ptr(0) }},
		{"bounds.open", "got 0s", func(p *Params) { p.Bounds.Open = ptr(time.Duration(0)) }},
		{"bounds.window", "got 2h", func(p *Params) { p.Bounds.Window = ptr(2 * time.Hour) }},
		{"bounds.goodput-from", "got -1s", func(p *Params) { p.Bounds.GoodputFrom = -time.Second }},
	} {
		t.Run(v.path, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			found := p.Problems()
			if assert.Len(t, found, 1) {
				assert.Equal(t, v.path, found[0].Path)
				assert.Contains(t, found[0].Message, v.message)
			}
		})
	}
}

// All mistakes come at once.
func TestProblemsAtOnce(t *testing.T) {
	p := DefaultParams()
	p.Clients, p.Layers, p.Queue.Size = 0, -1, -1
	assert.Len(t, p.Problems(), 3)
}

// The loop of S1 is what retry.Loop001 says.
func TestLoop001(t *testing.T) {
	r := RetryParams{Backoff: "oversleep", Attempts: 3}
	c := r.client()
	var l retry.Loop001
	for attempt := 1; attempt <= 3; attempt++ {
		sleep, again := l.Failed()
		assert.Equal(t, sleep, c.Backoff.Wait(attempt, 0, &c.Source))
		assert.Equal(t, again, c.Allowance.Allows(0, 0, attempt, sleep))
	}
	assert.True(t, c.Oversleep)
}

func TestDefaults(t *testing.T) {
	p := DefaultParams()
	c := p.client(0, 2)
	assert.Equal(t, 5*time.Second, c.Timeout)
	assert.Equal(t, retry.Backoff{Kind: retry.Full, Base: 100 * ms, Cap: 10 * time.Second, Grain: ms}, c.Backoff)
	assert.Equal(t, 10*ms, p.expected())
	assert.EqualValues(t, 500, p.capacity(5*time.Second), "mu is 100/s")
	long := RetryParams{Base: ptr(time.Minute)}
	assert.Equal(t, time.Minute, long.backoff().Cap, "a cap is at least the base")
}
