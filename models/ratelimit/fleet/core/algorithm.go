package core

import (
	"strings"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Algorithm is how one limiter decides, as a scenario writes it: Limit requests per
// Window. What is left out has the value that the comment gives.
type Algorithm struct {
	Algorithm string        `yaml:"algorithm,oneof=token-bucket|interval-bucket|leaky-meter|leaky-queue|gcra|nginx|fixed-window|anchored-window|sliding-log|sliding-counter|sub-windows"` // fixed-window; nginx is limit_req with rate=LIMITr/s or LIMITr/m
	Limit     int64         `yaml:"limit"`                                                                                                                                                // 100
	Window    time.Duration `yaml:"window"`                                                                                                                                               // 1m
	Clock     string        `yaml:"clock,oneof=monotonic|boottime|wall"`                                                                                                                  // monotonic; wall where windows are aligned

	Burst   *int64         `yaml:"burst"`                                           // of the buckets: the limit; of nginx, its burst=, one less than a bucket's burst: 0
	Delay   *int64         `yaml:"delay" of:"algorithm=nginx"`                      // of nginx, its delay=: requests beyond the rate that do not wait: 0, all wait
	NoDelay bool           `yaml:"nodelay" of:"algorithm=nginx"`                    // of nginx: no request waits: false
	Tokens  *int64         `yaml:"tokens"`                                          // that a token bucket starts with: full
	Elapsed string         `yaml:"elapsed,oneof=monotone|clamped|signed|unchanged"` // of a token bucket: monotone
	Every   *time.Duration `yaml:"every"`                                           // of an interval bucket, when it is filled: the window
	Places  *int64         `yaml:"places"`                                          // of a leaky queue, requests that may wait: the limit
	Ticks   bool           `yaml:"ticks"`                                           // of a leaky queue: it serves at whole multiples only
	Retain  bool           `yaml:"retain"`                                          // of a sliding log: rejected requests stay in it
	Closed  bool           `yaml:"closed"`                                          // of a sliding log: the window is [t-W, t]
	Round   string         `yaml:"round,oneof=inclusive|strict|half-up|off-by-one"` // of a sliding counter: inclusive
	Buckets int64          `yaml:"buckets"`                                         // of sub-windows: 60
	Partial string         `yaml:"partial,oneof=keep|drop"`                         // of sub-windows, the bucket that is partly outside: keep
}

// aligned reports whether its windows begin at multiples of their length, by the wall
// clock.
func (a *Algorithm) aligned() bool {
	return a.Algorithm == "fixed-window" || a.Algorithm == "sliding-counter" || a.Algorithm == "sub-windows"
}

// Windowed reports whether the algorithm remembers requests and not what is left, so that
// another limit can be put to the same state.
func (a *Algorithm) Windowed() bool {
	return a.aligned() || a.Algorithm == "anchored-window" || a.Algorithm == "sliding-log"
}

// ClockID is the clock that the algorithm is asked with.
func (a *Algorithm) ClockID() sim.ClockID {
	switch a.Clock {
	case "wall":
		return sim.WallClock
	case "boottime":
		return sim.BootClock
	case "monotonic":
		return sim.MonoClock
	}
	if a.aligned() {
		return sim.WallClock
	}
	return sim.MonoClock
}

// Bucket reports whether it is a bucket that refills without pause, and its size.
func (a *Algorithm) Bucket() (burst int64, ok bool) {
	return values.Or(a.Burst, a.Limit), a.Algorithm == "token-bucket" || a.Algorithm == "gcra" || a.Algorithm == "leaky-meter"
}

// Service is the time from one start of a leaky queue to the next.
func (a *Algorithm) Service() time.Duration {
	limit := max(1, a.Limit)
	return time.Duration((int64(a.Window) + limit - 1) / limit)
}

// nginx is the limit_req directive with a limit. The window is a second or a minute.
func (a *Algorithm) nginx(limit int64) ratelimit.NginxLimit {
	zone := ratelimit.NginxPerSecond(limit)
	if a.Window == time.Minute {
		zone = ratelimit.NginxPerMinute(limit)
	}
	return ratelimit.NginxLimit{Zone: zone, Burst: values.Or(a.Burst, 0), Delay: values.Or(a.Delay, 0), NoDelay: a.NoDelay}
}

// LongestWait is how long an admitted request may wait for its turn; 0 if the algorithm lets none wait.
func (a *Algorithm) LongestWait() time.Duration {
	switch {
	case a.Algorithm == "leaky-queue":
		return time.Duration(values.Or(a.Places, a.Limit)) * a.Service()
	case a.Algorithm == "nginx" && !a.NoDelay:
		return time.Duration(values.Or(a.Burst, 0)) * a.Service()
	}
	return 0
}

// Keys are the states of a number of keys under a limit, or all mistakes in the
// parameters.
func (a *Algorithm) Keys(limit int64, count int) (Keys, error) {
	rate := ratelimit.Rate{Tokens: limit, Per: a.Window}
	burst := values.Or(a.Burst, limit)
	switch a.Algorithm {
	case "token-bucket":
		elapsed := map[string]ratelimit.Elapsed{"clamped": ratelimit.Clamped, "signed": ratelimit.Signed, "unchanged": ratelimit.Unchanged}
		rule, err := ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: burst, Refill: rate, Elapsed: elapsed[a.Elapsed]})
		if err == nil && a.Tokens != nil {
			return newKeys(startingWith{rule, *a.Tokens}, count), nil
		}
		return keysFor(rule, err, count)
	case "interval-bucket":
		rule, err := ratelimit.NewIntervalBucket(ratelimit.IntervalBucketParams{Capacity: burst, Refill: limit, Interval: values.Or(a.Every, a.Window)})
		return keysFor(rule, err, count)
	case "leaky-meter":
		rule, err := ratelimit.NewLeakyMeter(ratelimit.LeakyMeterParams{Capacity: burst, Leak: rate})
		return keysFor(rule, err, count)
	case "leaky-queue":
		rule, err := ratelimit.NewLeakyQueue(ratelimit.LeakyQueueParams{Places: values.Or(a.Places, limit), Service: a.Service(), Ticks: a.Ticks})
		return keysFor(rule, err, count)
	case "gcra":
		rule, err := ratelimit.NewGCRA(ratelimit.GCRAParams{Burst: burst, Rate: rate})
		return keysFor(rule, err, count)
	case "nginx":
		rule, err := ratelimit.NewNginxRule(a.nginx(limit))
		return keysFor(rule, err, count)
	case "sliding-log":
		rule, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: limit, Window: a.Window, Retain: a.Retain, Closed: a.Closed})
		return keysFor(rule, err, count)
	case "sliding-counter":
		round := map[string]ratelimit.Rounding{"strict": ratelimit.Strict, "half-up": ratelimit.HalfUp, "off-by-one": ratelimit.OffByOne}
		rule, err := ratelimit.NewSlidingCounter(ratelimit.SlidingCounterParams{Limit: limit, Window: a.Window, Rounding: round[a.Round]})
		return keysFor(rule, err, count)
	case "sub-windows":
		rule, err := ratelimit.NewSubWindows(ratelimit.SubWindowsParams{Limit: limit, Window: a.Window, Buckets: a.Buckets, DropPartial: a.Partial == "drop"})
		return keysFor(rule, err, count)
	}
	rule, err := ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: limit, Window: a.Window, Anchored: a.Algorithm == "anchored-window"})
	return keysFor(rule, err, count)
}

func keysFor[S any](rule ratelimit.Rule[S], err error, count int) (Keys, error) {
	if err != nil {
		return nil, err
	}
	return newKeys(rule, count), nil
}

// startingWith is a token bucket whose keys do not start full.
type startingWith struct {
	*ratelimit.TokenBucket
	tokens int64
}

// Start implements [ratelimit.Rule].
func (s startingWith) Start(now ratelimit.Reading) ratelimit.TokenBucketState {
	return s.StartWith(now, s.tokens)
}

// PathOf is the parameter that stands for one of an algorithm.
func PathOf(key string) string {
	switch key {
	case "capacity":
		return "burst"
	case "interval":
		return "every"
	case "service":
		return "window"
	case "limit", "window", "burst", "places", "buckets":
		return key
	case "burst, delay":
		return "burst"
	}
	if strings.HasSuffix(key, ".per") {
		return "window"
	}
	return "limit"
}
