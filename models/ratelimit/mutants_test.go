package ratelimit

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// What cannot fail proves nothing: each property of property_test.go catches the
// mutants named here.

// answered is a limiter whose decisions are changed on their way out.
type answered struct {
	Limiter
	change func(*Decision)
}

func (a answered) Take(now Reading, cost int64) Decision {
	d := a.Limiter.Take(now, cost)
	a.change(&d)
	return d
}

// asked is a limiter that is asked something else.
type asked struct {
	Limiter
	take func(l Limiter, now Reading, cost int64) Decision
}

func (a asked) Take(now Reading, cost int64) Decision { return a.take(a.Limiter, now, cost) }

// mutate wraps the limiter of every subject.
func (f family) mutate(wrap func(Limiter) Limiter) family {
	draw := f.draw
	return family{f.name, func(r *rand.Rand) subject {
		s := draw(r)
		build := s.build
		s.build = func() Limiter { return wrap(build()) }
		return s
	}}
}

// TestDishonest: an answer that is off by one nanosecond or one request is noticed,
// for each algorithm.
func TestDishonest(t *testing.T) {
	for name, change := range map[string]func(*Decision){
		"retries too early": func(d *Decision) {
			if d.RetryAfter() > 1 {
				d.Wait--
			}
		},
		"retries too late": func(d *Decision) {
			if d.RetryAfter() > 0 {
				d.Wait++
			}
		},
		"never is a second": func(d *Decision) {
			if d.Impossible() {
				d.Wait = time.Second
			}
		},
		"remaining too high": func(d *Decision) { d.Remaining++ },
		"remaining too low":  func(d *Decision) { d.Remaining = max(0, d.Remaining-1) },
		"reset too early":    func(d *Decision) { d.ResetAfter = max(0, d.ResetAfter-1) },
		"reset too late":     func(d *Decision) { d.ResetAfter++ },
	} {
		for _, f := range families {
			m := f.mutate(func(l Limiter) Limiter { return answered{l, change} })
			assert.Error(t, m.search(1, 500, 25, false, subject.honest), "%s: %s", f.name, name)
		}
	}
}

// TestDisagreeing: a limiter that is asked for something else is noticed by the
// reference, for each algorithm.
func TestDisagreeing(t *testing.T) {
	for name, take := range map[string]func(l Limiter, now Reading, cost int64) Decision{
		"charges twice": func(l Limiter, now Reading, cost int64) Decision {
			d := l.Take(now, cost)
			l.Take(now, cost)
			return d
		},
		"free of charge":                      func(l Limiter, now Reading, cost int64) Decision { return l.Take(now, min(cost, 0)) },
		"a clock that shows even nanoseconds": func(l Limiter, now Reading, cost int64) Decision { return l.Take(now&^1, cost) },
		"one whatever it costs":               func(l Limiter, now Reading, cost int64) Decision { return l.Take(now, min(cost, 1)) },
	} {
		for _, f := range families {
			m := f.mutate(func(l Limiter) Limiter { return asked{l, take} })
			assert.Error(t, m.search(1, 1500, 60, false, subject.agrees), "%s: %s", f.name, name)
		}
	}
}

// resetting is an aligned window that begins anew whenever its number changes, also
// downwards: A6 as it is written.
type resetting struct {
	*FixedWindow
}

func (w resetting) Take(k *FixedWindowState, now Reading, cost int64) Decision {
	if now < k.start {
		*k = w.Start(now)
	}
	return w.FixedWindow.Take(k, now, cost)
}

// TestPlanted: the mistakes that are options, or nearly, break the property that they
// are known for.
func TestPlanted(t *testing.T) {
	elapsed := func(e Elapsed) func(*rand.Rand) subject {
		return func(r *rand.Rand) subject {
			p := TokenBucketParams{in(r, 1, 6), drawRate(r), e}
			n, per := p.Refill.reduced()
			return subject{"", func() Limiter { return One(must(NewTokenBucket(p)), start) }, bucketReference(p.Capacity, p.Refill, start),
				Reading(p.Refill.Per), func(w Reading) int64 { return (p.Capacity*per + n*int64(w-1)) / per }}
		}
	}
	swapped := func(build func(limit int64, w time.Duration) Limiter, ref func(limit int64, w time.Duration) reference, most func(limit int64) int64) func(*rand.Rand) subject {
		return func(r *rand.Rand) subject {
			limit, w := in(r, 1, 6), time.Duration(2*in(r, 8, 15))
			return subject{"", func() Limiter { return build(limit, w) }, ref(limit, w), Reading(w), window(w, most(limit))}
		}
	}
	exact := func(limit int64, w time.Duration) reference {
		return logReference(SlidingLogParams{Limit: limit, Window: w}, start)
	}
	one := func(limit int64) int64 { return limit }
	twice := func(limit int64) int64 { return 2 * limit }
	nearlyTwice := func(limit int64) int64 { return 2*limit - 1 }
	for _, v := range []struct {
		name     string
		draw     func(*rand.Rand) subject
		back     bool
		property func(subject, []request) error
	}{
		{"last is never stored", elapsed(Unchanged), false, subject.bounded},
		{"last goes back", elapsed(Clamped), true, subject.agrees},
		{"elapsed is negative", elapsed(Signed), true, subject.agrees},
		{"aligned windows admit 2L", swapped(func(l int64, w time.Duration) Limiter { return One(fixedWindow(l, w, false), start) }, exact, nearlyTwice), false, subject.bounded},
		{"anchored windows admit 2L-1", swapped(func(l int64, w time.Duration) Limiter { return One(fixedWindow(l, w, true), start) }, exact, one), false, subject.bounded},
		{"a fixed window is no log", swapped(func(l int64, w time.Duration) Limiter { return One(fixedWindow(l, w, false), start) }, exact, twice), false, subject.agrees},
		{"a window that is reset downwards", swapped(func(l int64, w time.Duration) Limiter {
			return One[FixedWindowState](resetting{fixedWindow(l, w, false)}, start)
		},
			func(l int64, w time.Duration) reference {
				return fixedReference(FixedWindowParams{Limit: l, Window: w}, start)
			}, twice), true, subject.agrees},
		{"a retained log refuses too much", swapped(func(l int64, w time.Duration) Limiter { return One(slidingLog(l, w, true), start) }, exact, one), false, subject.agrees},
		{"a closed log is no half-open one", swapped(func(l int64, w time.Duration) Limiter {
			return One(must(NewSlidingLog(SlidingLogParams{Limit: l, Window: w, Closed: true})), start)
		}, exact, one), false, subject.agrees},
		{"a counter is no log", swapped(func(l int64, w time.Duration) Limiter { return One(slidingCounter(l, w, Inclusive), start) }, exact, one), false, subject.agrees},
		{"an inclusive counter admits more than L", swapped(func(l int64, w time.Duration) Limiter { return One(slidingCounter(l, w, Inclusive), start) }, exact, one), false, subject.bounded},
		{"a strict counter admits 2L", swapped(func(l int64, w time.Duration) Limiter { return One(slidingCounter(l, w, Strict), start) }, exact, nearlyTwice), false, subject.bounded},
		{"an off-by-one counter admits more than 2L", swapped(func(l int64, w time.Duration) Limiter { return One(slidingCounter(l, w, OffByOne), start) }, exact, twice), false, subject.bounded},
		{"sub-windows without the partial one admit more than L", swapped(func(l int64, w time.Duration) Limiter {
			return One(must(NewSubWindows(SubWindowsParams{l, w, 2, true})), start)
		}, exact, one), false, subject.bounded},
		{"sub-windows with the partial one refuse too much", swapped(func(l int64, w time.Duration) Limiter {
			return One(must(NewSubWindows(SubWindowsParams{l, w, 2, false})), start)
		}, exact, one), false, subject.agrees},
	} {
		assert.Error(t, family{v.name, v.draw}.search(1, 20_000, 60, v.back, v.property), v.name)
	}
}
