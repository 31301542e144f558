package bench

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	sethvargo "github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	ulule "github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"golang.org/x/time/rate"

	"fencepost/models/ratelimit"
)

// Every limiter admits 100 requests at once and 100 an hour, so that no key is forgotten
// while it is measured.
const (
	limit  = 100
	period = time.Hour
)

// request names a client in both ways that limiters know: by number and by name.
type request struct {
	id   uint64
	name string
}

// decide says whether a request is admitted. Limiters that are told the time get it in
// nanoseconds.
type decide func(r *request, now int64) bool

// subject is a limiter.
type subject struct {
	name, note string
	many       func() decide // for any number of keys
	one        func() decide // for one, if that is simpler
}

const (
	told    = "number, told the time"
	library = "name, clock, lock"
)

var subjects = []subject{
	{"token bucket", told, func() decide { return table(tokenBucket()) }, func() decide { return single(tokenBucket()) }},
	{"GCRA", told, func() decide { return table(gcra()) }, func() decide { return single(gcra()) }},
	{"fixed window", told, func() decide { return table(fixedWindow()) }, func() decide { return single(fixedWindow()) }},
	{"x/time/rate, in a map", told, xtime, xtimeOne},
	{"token bucket, as a service", library, func() decide { return service(tokenBucket()) }, nil},
	{"x/time/rate, as a service", library, xtimeService, nil},
	{"throttled, memstore", library, throttledMemory, nil},
	{"ulule/limiter, memory", library, ululeMemory, nil},
	{"sethvargo, memorystore", library, sethvargoMemory, nil},
}

var perPeriod = ratelimit.Rate{Tokens: limit, Per: period}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func tokenBucket() *ratelimit.TokenBucket {
	return must(ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: limit, Refill: perPeriod}))
}

func gcra() *ratelimit.GCRA {
	return must(ratelimit.NewGCRA(ratelimit.GCRAParams{Burst: limit, Rate: perPeriod}))
}

func fixedWindow() *ratelimit.FixedWindow {
	return must(ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: limit, Window: period, Anchored: true}))
}

// single is a rule with one key.
func single[S any](rule ratelimit.Rule[S]) decide {
	key := rule.Start(0)
	return func(_ *request, now int64) bool { return rule.Take(&key, ratelimit.Reading(now), 1).Allowed }
}

// table is a rule as models/ratelimit offers it.
func table[S any](rule ratelimit.Rule[S]) decide {
	keys := ratelimit.NewKeyed(rule)
	return func(r *request, now int64) bool { return keys.Take(r.id, ratelimit.Reading(now), 1).Allowed }
}

// service adds what the libraries have: it hashes a name with a secret, reads the clock,
// and may be called by several goroutines.
func service[S any](rule ratelimit.Rule[S]) decide {
	var lock sync.Mutex
	keys, secret, began := ratelimit.NewKeyed(rule), maphash.MakeSeed(), time.Now()
	return func(r *request, _ int64) bool {
		key := maphash.String(secret, r.name)
		lock.Lock()
		d := keys.Take(key, ratelimit.Reading(time.Since(began)), 1)
		lock.Unlock()
		return d.Allowed
	}
}

func newXTime() *rate.Limiter { return rate.NewLimiter(rate.Every(period/limit), limit) }

// xtime is the map that its users build around it.
func xtime() decide {
	keys, epoch := map[uint64]*rate.Limiter{}, time.Now()
	return func(r *request, now int64) bool {
		l := keys[r.id]
		if l == nil {
			l = newXTime()
			keys[r.id] = l
		}
		return l.AllowN(epoch.Add(time.Duration(now)), 1)
	}
}

func xtimeOne() decide {
	l, epoch := newXTime(), time.Now()
	return func(_ *request, now int64) bool { return l.AllowN(epoch.Add(time.Duration(now)), 1) }
}

func xtimeService() decide {
	var lock sync.Mutex
	keys := map[string]*rate.Limiter{}
	return func(r *request, _ int64) bool {
		lock.Lock()
		l := keys[r.name]
		if l == nil {
			l = newXTime()
			keys[r.name] = l
		}
		lock.Unlock()
		return l.Allow()
	}
}

func throttledMemory() decide {
	quota := throttled.RateQuota{MaxRate: throttled.PerHour(limit), MaxBurst: limit - 1}
	l := must(throttled.NewGCRARateLimiterCtx(must(memstore.NewCtx(0)), quota))
	ctx := context.Background()
	return func(r *request, _ int64) bool {
		refused, _, err := l.RateLimitCtx(ctx, r.name, 1)
		return err == nil && !refused
	}
}

func ululeMemory() decide {
	l := ulule.New(memory.NewStore(), ulule.Rate{Period: period, Limit: limit})
	ctx := context.Background()
	return func(r *request, _ int64) bool {
		c, err := l.Get(ctx, r.name)
		return err == nil && !c.Reached
	}
}

func sethvargoMemory() decide {
	s := must(sethvargo.New(&sethvargo.Config{Tokens: limit, Interval: period}))
	ctx := context.Background()
	return func(r *request, _ int64) bool {
		_, _, _, ok, err := s.Take(ctx, r.name)
		return err == nil && ok
	}
}
