package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// subject is a limiter with drawn parameters, its reference, and what it promises.
type subject struct {
	about string
	build func() Limiter
	ref   reference
	unit  Reading // about the time in which something happens
	bound func(w Reading) int64
}

// family draws subjects of one algorithm.
type family struct {
	name string
	draw func(r *rand.Rand) subject
}

// in is a whole number from low to high.
func in(r *rand.Rand, low, high int64) int64 { return low + r.Int64N(high-low+1) }

// start is when all subjects begin: before the epoch, where division rounds the other way.
const start Reading = -50

func drawRate(r *rand.Rand) Rate { return Rate{in(r, 1, 7), time.Duration(in(r, 1, 40))} }

// window is a bound that holds for windows of one length.
func window(length time.Duration, most int64) func(Reading) int64 {
	return func(w Reading) int64 {
		if w != Reading(length) {
			return 1 << 62
		}
		return most
	}
}

var families = []family{
	{"token-bucket", func(r *rand.Rand) subject {
		p := TokenBucketParams{Capacity: in(r, 1, 6), Refill: drawRate(r)}
		n, per := p.Refill.reduced()
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewTokenBucket(p)), start) }, bucketReference(p.Capacity, p.Refill, start),
			Reading(p.Refill.Per), func(w Reading) int64 { return (p.Capacity*per + n*int64(w-1)) / per }}
	}},
	{"leaky-meter", func(r *rand.Rand) subject {
		p := LeakyMeterParams{in(r, 1, 6), drawRate(r)}
		n, per := p.Leak.reduced()
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewLeakyMeter(p)), start) }, bucketReference(p.Capacity, p.Leak, start),
			Reading(p.Leak.Per), func(w Reading) int64 { return (p.Capacity*per + n*int64(w-1)) / per }}
	}},
	{"gcra", func(r *rand.Rand) subject {
		p := GCRAParams{in(r, 1, 6), drawRate(r)}
		n, per := p.Rate.reduced()
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewGCRA(p)), start) }, gcraReference(p.Burst, p.Rate, start),
			Reading(p.Rate.Per), func(w Reading) int64 { return (p.Burst*per + n*int64(w-1)) / per }}
	}},
	{"interval-bucket", func(r *rand.Rand) subject {
		p := IntervalBucketParams{in(r, 1, 6), in(r, 1, 7), time.Duration(in(r, 1, 20))}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewIntervalBucket(p)), start) }, intervalReference(p, start),
			Reading(p.Interval), func(w Reading) int64 { return p.Capacity + p.Refill*ceilDiv(int64(w), int64(p.Interval)) }}
	}},
	{"leaky-queue", func(r *rand.Rand) subject {
		p := LeakyQueueParams{Places: in(r, 0, 5), Service: time.Duration(in(r, 1, 20)), Ticks: r.IntN(2) == 0}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewLeakyQueue(p)), start) }, queueReference(p, start),
			Reading(p.Service), func(w Reading) int64 { return p.Places + 1 + int64(w-1)/int64(p.Service) }}
	}},
	{"fixed-window", func(r *rand.Rand) subject {
		p := FixedWindowParams{in(r, 1, 6), time.Duration(in(r, 1, 30)), r.IntN(2) == 0, r.IntN(2) == 0}
		most := 2 * p.Limit
		if p.Anchored {
			most--
		}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewFixedWindow(p)), start) }, fixedReference(p, start), Reading(p.Window), window(p.Window, most)}
	}},
	{"sliding-log", func(r *rand.Rand) subject {
		p := SlidingLogParams{in(r, 1, 6), time.Duration(in(r, 1, 30)), r.IntN(2) == 0, r.IntN(2) == 0}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewSlidingLog(p)), start) }, logReference(p, start), Reading(p.Window), window(p.Window, p.Limit)}
	}},
	{"sliding-counter", func(r *rand.Rand) subject {
		p := SlidingCounterParams{in(r, 1, 6), time.Duration(in(r, 1, 30)), Rounding(r.IntN(4)), r.IntN(2) == 0}
		most := 2*p.Limit + map[Rounding]int64{Inclusive: -1, Strict: 0, HalfUp: 0, OffByOne: 1}[p.Rounding]
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewSlidingCounter(p)), start) }, counterReference(p, start), Reading(p.Window), window(p.Window, most)}
	}},
	{"sub-windows", func(r *rand.Rand) subject {
		p := SubWindowsParams{in(r, 1, 6), 0, in(r, 1, 6), r.IntN(2) == 0}
		p.Window = time.Duration(p.Buckets * in(r, 1, 6))
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewSubWindows(p)), start) }, subReference(p, start), Reading(p.Window),
			window(p.Window, p.Limit*int64(1+btoi(p.DropPartial)))}
	}},
}

// large are parameters whose products need 128 bits.
var large = []family{
	{"nginx", func(r *rand.Rand) subject {
		l := NginxLimit{Zone: NginxZone{in(r, 1, 5000)}, Burst: in(r, 0, 5), Delay: in(r, 0, 5), NoDelay: r.IntN(2) == 0}
		return subject{fmt.Sprintf("%+v", l), func() Limiter { return One(must(NewNginxRule(l)), start) }, nginxReference(l),
			Reading(time.Second) * 1000 / Reading(l.Zone.Rate), nil}
	}},
	{"token-bucket", func(r *rand.Rand) subject {
		p := TokenBucketParams{Capacity: in(r, 1, 20_000), Refill: Rate{in(r, 1, 1e6), time.Duration(in(r, 1, 1e14))}}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewTokenBucket(p)), start) }, bucketReference(p.Capacity, p.Refill, start), Reading(p.Refill.Per), nil}
	}},
	{"leaky-meter", func(r *rand.Rand) subject {
		p := LeakyMeterParams{in(r, 1, 20_000), Rate{in(r, 1, 1e6), time.Duration(in(r, 1, 1e14))}}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewLeakyMeter(p)), start) }, bucketReference(p.Capacity, p.Leak, start), Reading(p.Leak.Per), nil}
	}},
	{"gcra", func(r *rand.Rand) subject {
		p := GCRAParams{in(r, 1, 20_000), Rate{in(r, 1, 1e6), time.Duration(in(r, 1, 1e14))}}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewGCRA(p)), start) }, gcraReference(p.Burst, p.Rate, start), Reading(p.Rate.Per) * 1000, nil}
	}},
	{"sliding-counter", func(r *rand.Rand) subject {
		p := SlidingCounterParams{in(r, 1, MaxLimit), time.Duration(in(r, 1, 1e17)), Rounding(r.IntN(4)), r.IntN(2) == 0}
		return subject{fmt.Sprintf("%+v", p), func() Limiter { return One(must(NewSlidingCounter(p)), start) }, counterReference(p, start), Reading(p.Window), nil}
	}},
}
