package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
)

// request is one of a schedule.
type request struct {
	now  Reading
	cost int64
}

// schedule draws requests; some at the same instant, some after a silence, and with
// back some before the last one.
func schedule(r *rand.Rand, n int, limit int64, unit Reading, back bool) (all []request) {
	now := start + Reading(in(r, 0, 3))
	for range n {
		switch r.IntN(8) {
		case 0, 1:
		case 2, 3, 4:
			now += Reading(in(r, 1, max(1, int64(unit)/4)))
		case 5:
			now += unit
		case 6:
			now += Reading(in(r, 0, 3*int64(unit)))
		case 7:
			if back {
				now -= Reading(in(r, 0, 2*int64(unit)))
			}
		}
		cost := int64(1)
		if r.IntN(3) == 0 {
			cost = in(r, -1, limit+2)
		} else if limit > 1000 && r.IntN(2) == 0 {
			cost = in(r, limit/8, limit/2)
		}
		all = append(all, request{now, cost})
	}
	return all
}

// replay is the limiter after a history.
func replay(build func() Limiter, history []request) Limiter {
	l := build()
	for _, q := range history {
		l.Take(q.now, q.cost)
	}
	return l
}

// agrees reports the first request that the reference decides otherwise, and every
// broken invariant.
func (s subject) agrees(history []request) error {
	l := s.build()
	for i, q := range history {
		d := l.Take(q.now, q.cost)
		if want := s.ref(q.now, q.cost); d.Allowed != want {
			return fmt.Errorf("request %d of %v: allowed %t", i, history[:i+1], d.Allowed)
		}
		if err := d.check(); err != nil {
			return err
		}
		if err := l.Check(); err != nil {
			return err
		}
	}
	return nil
}

// honest reports the first decision whose answers do not come true if nobody else
// asks: exactly at the instants they name, and not one nanosecond or request before.
func (s subject) honest(history []request) error {
	limit := s.build().Limit()
	for i, q := range history {
		past := history[:i+1]
		d := replay(s.build, history[:i]).Take(q.now, q.cost)
		after := func(wait time.Duration, cost int64) bool {
			return replay(s.build, past).Take(q.now+Reading(wait), cost).Allowed
		}
		var wrong string
		switch possible := q.cost >= 0 && q.cost <= limit; {
		case !d.Allowed && !possible && d.Wait != Never, possible && d.Wait == Never:
			wrong = "never, or not"
		case !d.Allowed && possible && !after(d.Wait, q.cost):
			wrong = "refused at retry-after"
		case !d.Allowed && possible && after(d.Wait-1, q.cost):
			wrong = "admitted before retry-after"
		case d.Remaining > 0 && !after(0, d.Remaining):
			wrong = "less remains"
		case after(0, d.Remaining+1):
			wrong = "more remains"
		case !after(d.ResetAfter, limit):
			wrong = "not all free at reset-after"
		case d.ResetAfter > 0 && after(d.ResetAfter-1, limit):
			wrong = "all free before reset-after"
		}
		if wrong != "" {
			return fmt.Errorf("%s: %+v after %v", wrong, d, past)
		}
	}
	return nil
}

// bounded reports a window in which more was admitted than promised.
func (s subject) bounded(history []request) error {
	l := s.build()
	var admits []admit
	for _, q := range history {
		if l.Take(q.now, q.cost).Allowed && q.cost > 0 {
			admits = append(admits, admit{q.now, q.cost})
		}
	}
	for w := Reading(1); w < 3*s.unit; w++ {
		if most, bound := worst(admits, w, false), s.bound(w); most > bound {
			return fmt.Errorf("%d in a window of %d, bound %d: %v", most, w, bound, history)
		}
	}
	return nil
}

// search draws subjects and schedules until a property is broken.
func (f family) search(seed uint64, runs, n int, back bool, property func(subject, []request) error) error {
	r := rand.New(rand.NewPCG(seed, 0))
	for run := range runs {
		s := f.draw(r)
		history := schedule(r, n, s.build().Limit(), s.unit, back)
		if err := property(s, history); err != nil {
			return fmt.Errorf("%s, run %d of seed %d, %s: %w", f.name, run, seed, s.about, err)
		}
	}
	return nil
}

// TestReferences compares every verdict with the reference's, forward and backward.
func TestReferences(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			assert.NoError(t, f.search(1, whole.Of(500, 1500), 60, false, subject.agrees))
			assert.NoError(t, f.search(2, whole.Of(500, 1500), 60, true, subject.agrees))
		})
	}
}

// TestHonest holds retry-after, remaining and reset-after to their word.
func TestHonest(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			assert.NoError(t, f.search(3, 500, 25, false, subject.honest))
			assert.NoError(t, f.search(4, 500, 25, true, subject.honest))
		})
	}
}

// TestLarge does both where the numbers are large.
func TestLarge(t *testing.T) {
	for _, f := range large {
		t.Run(f.name, func(t *testing.T) {
			for seed, back := range []bool{false, true} {
				assert.NoError(t, f.search(uint64(seed), whole.Of(150, 500), 60, back, subject.agrees))
				assert.NoError(t, f.search(uint64(seed), whole.Of(100, 300), 25, back, subject.honest))
			}
		})
	}
}

// TestBounds is RL-37: what is admitted in any window stays within the promise.
func TestBounds(t *testing.T) {
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) { assert.NoError(t, f.search(5, 3000, 60, false, subject.bounded)) })
	}
}

// TestBoundsReached: no promise could be stricter by one.
func TestBoundsReached(t *testing.T) {
	for _, f := range families {
		draw := f.draw
		stricter := family{f.name, func(r *rand.Rand) subject {
			s := draw(r)
			bound := s.bound
			s.bound = func(w Reading) int64 { return bound(w) - 1 }
			return s
		}}
		assert.Error(t, stricter.search(5, 3000, 60, false, subject.bounded), f.name)
	}
}

// TestSameVerdicts is RL-13: bucket, meter and GCRA are one algorithm. Bucket and GCRA
// agree in every number they answer with.
func TestSameVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for range 20_000 {
		rate, capacity := drawRate(r), in(r, 1, 6)
		b := One(must(NewTokenBucket(TokenBucketParams{Capacity: capacity, Refill: rate})), start)
		m := One(must(NewLeakyMeter(LeakyMeterParams{capacity, rate})), start)
		g := One(must(NewGCRA(GCRAParams{capacity, rate})), start)
		for _, q := range schedule(r, 60, capacity, Reading(rate.Per), false) {
			d := b.Take(q.now, q.cost)
			if dm, dg := m.Take(q.now, q.cost), g.Take(q.now, q.cost); d != dm || d != dg {
				t.Fatalf("%+v, %+v, %+v: %d at %v, cost %d of %d", d, dm, dg, q.now, rate, q.cost, capacity)
			}
		}
	}
}

// TestRoundings shows the identities: for whole numbers, floor is strict and
// ceil is inclusive; for every small state.
func TestRoundings(t *testing.T) {
	for limit := range int64(6) {
		for w := range int64(8) {
			for e := range w + 1 {
				for n := range (limit + 2) * (limit + 2) {
					cur, prev := n%(limit+2), n/(limit+2)
					p := SlidingCounterParams{Limit: limit + 1, Window: time.Duration(w + 1), Rounding: Strict}
					weighed := prev * (w + 1 - e)
					require.Equal(t, cur+weighed/(w+1)+1 <= limit+1, counterAdmits(p, cur, prev, e, 1))
					p.Rounding = Inclusive
					require.Equal(t, cur+ceilDiv(weighed, w+1)+1 <= limit+1, counterAdmits(p, cur, prev, e, 1))
				}
			}
		}
	}
}

// TestLogNoFalseRejection is P-NOUNDER, and that retained rejections break it.
func TestLogNoFalseRejection(t *testing.T) {
	for _, retain := range []bool{false, true} {
		l := One(slidingLog(2, time.Minute, retain), 0)
		var admits []admit
		starved := false
		for _, at := range every(0, 20, 600) {
			if l.Take(at*second, 1).Allowed {
				admits = append(admits, admit{at * second, 1})
				continue
			}
			inWindow := slices.IndexFunc(admits, func(a admit) bool { return a.at > at*second-minute })
			starved = starved || inWindow < 0 || len(admits)-inWindow < 2
		}
		assert.Equal(t, retain, starved)
	}
}

// TestOnlyQueuesDelay: also when the clock has gone back, an admitted request waits
// for nothing but its turn in a queue.
func TestOnlyQueuesDelay(t *testing.T) {
	for _, f := range families {
		if f.name == "leaky-queue" {
			continue
		}
		assert.NoError(t, f.search(9, 500, 60, true, func(s subject, history []request) error {
			l := s.build()
			for _, q := range history {
				if d := l.Take(q.now, q.cost); d.Delay() != 0 {
					return fmt.Errorf("%+v", d)
				}
			}
			return nil
		}), f.name)
	}
}
