package compare

import (
	"slices"
	"time"

	"fencepost/models/ratelimit"
)

// Rules are what the algorithms have to enforce: L per W for each key.
type Rules struct {
	Limit   int64
	Window  time.Duration
	Burst   int64 // capacity of the buckets, the meter and the queue
	Buckets int64 // of the sub-windows
}

func (r *Rules) rate() ratelimit.Rate { return ratelimit.Rate{Tokens: r.Limit, Per: r.Window} }

// algorithm is one way to enforce them.
type algorithm struct {
	name  string
	build func(r *Rules) (limiter, error)
	// promise is the most that it admits in any window W, with costs up to the largest.
	promise func(r *Rules, largest int64) int64
	// admitting and refusing are the commands to a Redis that a request takes in one
	// script if the state is kept there. A state that a refusal leaves as it was is not
	// written.
	admitting, refusing int64
}

// algorithms lists them in the order in which they are shown.
//
// Source: package ratelimit for the promises; package models/internal/redis for the
// commands.
var algorithms = []algorithm{
	{"token-bucket", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.TokenBucketState](ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: r.Burst, Refill: r.rate()}))
	}, continuous, 3, 1}, // HMGET; HSET, PEXPIRE
	{"gcra", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.GCRAState](ratelimit.NewGCRA(ratelimit.GCRAParams{Burst: r.Burst, Rate: r.rate()}))
	}, continuous, 2, 1}, // GET; SET PX
	{"leaky-meter", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.LeakyMeterState](ratelimit.NewLeakyMeter(ratelimit.LeakyMeterParams{Capacity: r.Burst, Leak: r.rate()}))
	}, continuous, 3, 1}, // HMGET; HSET, PEXPIRE
	{"leaky-queue", func(r *Rules) (limiter, error) {
		q, err := ratelimit.NewLeakyQueue(ratelimit.LeakyQueueParams{Places: r.Burst - 1, Service: r.service()})
		return newQueueColumn(q, r.Window), err
	}, func(r *Rules, largest int64) int64 { return r.Limit + largest - 1 }, 2, 1}, // GET; SET PX
	{"interval-bucket", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.IntervalBucketState](ratelimit.NewIntervalBucket(
			ratelimit.IntervalBucketParams{Capacity: r.Burst, Refill: r.Limit, Interval: r.Window}))
	}, func(r *Rules, _ int64) int64 { return r.Burst + r.Limit }, 3, 1}, // HMGET; HSET, PEXPIRE
	{"fixed-window", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.FixedWindowState](ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: r.Limit, Window: r.Window}))
	}, limits(2, 0), 2, 2}, // INCR, PTTL; a PEXPIRE for each window is not counted
	{"anchored-window", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.FixedWindowState](ratelimit.NewFixedWindow(
			ratelimit.FixedWindowParams{Limit: r.Limit, Window: r.Window, Anchored: true}))
	}, limits(2, -1), 2, 2},
	{"sliding-log", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SlidingLogState](ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: r.Limit, Window: r.Window}))
	}, limits(1, 0), 4, 2}, // ZREMRANGEBYSCORE, ZCARD; ZADD, PEXPIRE
	{"retained-log", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SlidingLogState](ratelimit.NewSlidingLog(
			ratelimit.SlidingLogParams{Limit: r.Limit, Window: r.Window, Retain: true}))
	}, limits(1, 0), 4, 4}, // all four, whatever the verdict
	{"sliding-counter", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SlidingCounterState](ratelimit.NewSlidingCounter(
			ratelimit.SlidingCounterParams{Limit: r.Limit, Window: r.Window}))
	}, limits(2, -1), 3, 1}, // MGET; INCR, PEXPIRE
	{"strict-counter", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SlidingCounterState](ratelimit.NewSlidingCounter(
			ratelimit.SlidingCounterParams{Limit: r.Limit, Window: r.Window, Rounding: ratelimit.Strict}))
	}, limits(2, 0), 3, 1},
	{"sub-windows", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SubWindowsState](ratelimit.NewSubWindows(r.subWindows(false)))
	}, limits(1, 0), 3, 1}, // HGETALL; HINCRBY, PEXPIRE
	{"dropped-windows", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.SubWindowsState](ratelimit.NewSubWindows(r.subWindows(true)))
	}, limits(2, 0), 3, 1},
	{"nginx", func(r *Rules) (limiter, error) {
		return newColumn[ratelimit.NginxState](ratelimit.NewNginxRule(ratelimit.NginxLimit{Zone: r.zone(), Burst: r.Burst, NoDelay: true}))
	}, func(r *Rules, _ int64) int64 { return r.Burst + 1 + r.zone().Rate*r.milliseconds()/1_000_000 }, 3, 1}, // as a leaky meter
}

// Algorithms names them all.
func Algorithms() []string {
	var list []string
	for i := range algorithms {
		list = append(list, algorithms[i].name)
	}
	return list
}

// usual are the algorithms of a scenario that names none. nginx is left out: it has no rate but per second and per minute.
func usual() []string {
	return slices.DeleteFunc(Algorithms(), func(name string) bool { return name == "nginx" })
}

func find(name string) *algorithm {
	for i := range algorithms {
		if algorithms[i].name == name {
			return &algorithms[i]
		}
	}
	return nil
}

// zone is nginx's rate.
func (r *Rules) zone() ratelimit.NginxZone {
	if r.Window == time.Minute {
		return ratelimit.NginxPerMinute(r.Limit)
	}
	return ratelimit.NginxPerSecond(r.Limit)
}

// milliseconds is how many steps of nginx's clock lie in a window at most.
func (r *Rules) milliseconds() int64 {
	return int64((r.Window + time.Millisecond - 1) / time.Millisecond)
}

// service is the distance of starts in a queue, W/L rounded up.
func (r *Rules) service() time.Duration {
	return (r.Window + time.Duration(r.Limit) - 1) / time.Duration(r.Limit)
}

// subWindows are sub-windows of whole nanoseconds for any window: where they do not divide
// it, each is rounded up, and together they are longer by less than a nanosecond each.
func (r *Rules) subWindows(dropPartial bool) ratelimit.SubWindowsParams {
	p := ratelimit.SubWindowsParams{Limit: r.Limit, Window: r.Window, Buckets: min(r.Buckets, int64(r.Window)), DropPartial: dropPartial}
	if n := time.Duration(p.Buckets); n > 0 {
		p.Window = (r.Window + n - 1) / n * n
	}
	return p
}

// continuous is floor((b*p + n*(w-1))/p) with n = L and p = w = W.
func continuous(r *Rules, _ int64) int64 {
	return r.Burst + r.Limit - (r.Limit+int64(r.Window)-1)/int64(r.Window)
}

// limits is a promise of that many limits, and one.
func limits(n, plus int64) func(*Rules, int64) int64 {
	return func(r *Rules, _ int64) int64 { return n*r.Limit + plus }
}
