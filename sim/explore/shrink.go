package explore

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/batch"
)

// Subject is what a schedule is played on.
type Subject struct {
	Program sim.Program
	Config  sim.Config
	Label   string // what makes it smaller than the subject before, such as "params.clients=2"
	// Smaller lists the subjects with fewer nodes or operations, the smallest first; nil
	// if there are none.
	Smaller func() []Subject
	Tries   int // the most runs that [Shrink] takes; 0 is any number
}

// Shrunk is a failure made small.
type Shrunk struct {
	Failure
	Subject Subject
	Tries   int  // runs that it took
	Whole   bool // it is locally minimal: it was not broken off
}

// Shrink makes a failure as small as it can be while it stays the same: the same
// property is violated, between the same nodes. It takes away faults, nodes and
// operations, makes draws minimal, and faults shorter, earlier and rounder. In the end it
// is locally minimal: without any one of its overrides, or any of its faults (any one, if they are more than 8) it does not fail
// in that way, nor with one length, or one clock's step or rate, less by one unit of those in which
// it is given: 1 ms, or where that is too coarse 1 µs or 1 ns (1 ms and 1 ppm for clocks).
// When ctx is done, or the most runs have been taken, Shrink returns the smallest so far. Progress, if not nil, is called
// when something smaller is found.
func Shrink(ctx context.Context, s Subject, f *Failure, progress func(*Shrunk)) (*Shrunk, error) {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	k := &shrinker{ctx: ctx, most: s.Tries, world: w, progress: progress, best: &Shrunk{Failure: *f, Subject: s}}
	k.best.Faults, k.best.Overrides = slices.Clone(f.Faults), slices.Clone(f.Overrides)
	if err := batch.Guarded(func() error { k.shrink(); return nil }); err != nil {
		return nil, err
	}
	k.best.Tries, k.best.Whole = k.tries, !k.over
	return k.best, nil
}

// shrink does the passes until none finds anything smaller.
func (k *shrinker) shrink() {
	k.pin()
	for k.smaller = true; k.smaller && !k.stopped(); {
		k.smaller = false
		k.fewerFaults()
		k.smallerSubject()
		k.minimizeDraws()
		k.fewerFaults()
		k.plainerFaults()
		if !k.smaller {
			k.fewestFaults()
		}
	}
}

// pin gives a fault that comes after another the instant at which it was injected, so that each can be changed alone.
func (k *shrinker) pin() {
	if !slices.ContainsFunc(k.best.Faults, func(f sim.Fault) bool { return f.When.After != "" }) {
		return
	}
	r, err := k.best.Play(k.world)
	if err != nil {
		return
	}
	for i, in := range slices.Clone(r.Faults) {
		if k.best.Faults[i].When.After != "" && in.Count > 0 {
			k.try(i, func(f *sim.Fault) { f.When = sim.When{At: in.First} })
		}
	}
}

type shrinker struct {
	ctx      context.Context
	world    sim.Runner // of best.Subject
	best     *Shrunk
	progress func(*Shrunk)
	tries    int
	most     int  // tries; 0 is any number
	over     bool // it was broken off
	smaller  bool // since the last round began
}

// stopped reports whether shrinking is broken off.
func (k *shrinker) stopped() bool {
	k.over = k.over || k.ctx.Err() != nil || k.most > 0 && k.tries >= k.most
	return k.over
}

// fails reports whether a schedule fails in the same way, and if so takes it as the best.
func (k *shrinker) fails(s Schedule) bool {
	if k.stopped() {
		return false
	}
	k.tries++
	r, err := s.Play(k.world)
	if err != nil || !k.best.Same(r) {
		return false
	}
	k.take(s, r)
	return true
}

func (k *shrinker) take(s Schedule, r *sim.Result) {
	s.Faults, s.Overrides = slices.Clone(s.Faults), slices.Clone(s.Overrides)
	k.best.Schedule = s
	k.best.saw(r)
	k.smaller = true
	if k.progress != nil {
		k.best.Tries = k.tries
		k.progress(k.best)
	}
}

// fewerFaults takes faults away: halves, quarters, and in the end each alone, until
// none can be missed.
//
// Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
// IEEE TSE 2002, section 3.
func (k *shrinker) fewerFaults() {
	fewer(len(k.best.Faults), func(from, to int) bool {
		s := k.best.Schedule
		s.Faults = slices.Concat(s.Faults[:from], s.Faults[to:])
		return k.fails(s)
	})
}

// fewestFaults tries the smaller sets of faults that taking away one after another has not come to: two faults may need each other.
func (k *shrinker) fewestFaults() {
	const most = 8 // that have few sets
	faults := k.best.Faults
	if len(faults) > most {
		return
	}
	for size := 1; size < len(faults)-1; size++ {
		for set := range uint(1) << len(faults) {
			if bits.OnesCount(set) != size {
				continue
			}
			s := k.best.Schedule
			s.Faults = nil
			for i := range faults {
				if set>>i&1 == 1 {
					s.Faults = append(s.Faults, faults[i])
				}
			}
			if k.fails(s) {
				return
			}
		}
	}
}

// fewer calls drop with ranges of a list of n, from the whole down to single elements,
// again and again until no single one can be dropped. Drop reports whether it did, and
// the list is then shorter.
func fewer(n int, drop func(from, to int) bool) {
	for size := n; size > 0; {
		dropped := false
		for from := 0; from < n; {
			to := min(from+size, n)
			if drop(from, to) {
				n -= to - from
				dropped = true
			} else {
				from = to
			}
		}
		if size > 1 || !dropped {
			size /= 2
		}
	}
}

// smallerSubject takes nodes and operations away.
func (k *shrinker) smallerSubject() {
	for k.best.Subject.Smaller != nil && !k.stopped() && k.trySmaller(k.best.Subject.Smaller()) {
	}
}

// trySmaller takes the first subject on which the schedule fails in the same way,
// with the faults of nodes that are gone left out.
func (k *shrinker) trySmaller(subjects []Subject) bool {
	for _, s := range subjects {
		f, ok := k.best.moved(&k.best.Subject.Program, &s.Program)
		if !ok || k.stopped() {
			continue
		}
		w, err := s.Program.NewWorld(s.Config)
		if err != nil {
			continue
		}
		k.tries++
		r, err := f.Play(w)
		if err != nil || !f.Same(r) || r.Steps > k.best.Steps {
			continue // fewer nodes that do more are nothing smaller
		}
		k.world, k.best.Subject = w, s
		k.best.Failure = *f
		k.take(f.Schedule, r)
		return true
	}
	return false
}

// minimizeDraws makes the draws minimal: all of them, or else all but those that matter.
func (k *shrinker) minimizeDraws() {
	s := k.best.Schedule
	if !s.Minimal {
		s.Minimal, s.Overrides = true, nil
		if k.fails(s) {
			return
		}
		s.Overrides = k.drawn()
		k.fails(s) // if what was drawn does not say it all, the seed stays
	}
	fewer(len(k.best.Overrides), func(from, to int) bool {
		s := k.best.Schedule
		s.Overrides = slices.Concat(s.Overrides[:from], s.Overrides[to:])
		return k.fails(s)
	})
	for i := range k.best.Overrides {
		k.lower(i)
	}
}

// lower makes one draw less, and rounder: a draw is a fraction of 2^64, of which the
// high bits matter.
func (k *shrinker) lower(i int) {
	with := func(v uint64) bool {
		s := k.best.Schedule
		s.Overrides = slices.Clone(s.Overrides)
		s.Overrides[i].Value = v
		return v < k.best.Overrides[i].Value && k.fails(s)
	}
	const coarse = 1 << 48 // 65,536 steps are fine enough
	least := bisect(0, k.best.Overrides[i].Value/coarse+1, func(n uint64) bool {
		return n*coarse < k.best.Overrides[i].Value && with(n*coarse)
	})
	with(least * coarse)
}

// drawn is every draw of the best schedule that is not minimal.
func (k *shrinker) drawn() []sim.Override {
	var list []sim.Override
	k.world.Watch(sim.Watch{Draws: func(d sim.Draw, v uint64) {
		if v != 0 {
			list = append(list, sim.Override{Draw: d, Value: v})
		}
	}})
	defer k.world.Watch(sim.Watch{})
	if _, err := k.best.Play(k.world); err != nil {
		return nil
	}
	return list
}

// plainerFaults makes each fault shorter, earlier and rounder.
func (k *shrinker) plainerFaults() {
	for i := range k.best.Faults {
		k.shorter(i)
		k.rounder(i)
		k.closer(i)
	}
}

// try changes one fault.
func (k *shrinker) try(i int, change func(*sim.Fault)) bool {
	s := k.best.Schedule
	s.Faults = slices.Clone(s.Faults)
	change(&s.Faults[i])
	return k.fails(s)
}

// grains are the lengths of which a shrunk length or instant is a multiple, if it can be.
var grains = []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond, time.Microsecond, time.Nanosecond}

// shorter finds the least length with which a fault still does it: in milliseconds, or
// where that is too coarse in microseconds or nanoseconds.
func (k *shrinker) shorter(i int) {
	f := &k.best.Faults[i]
	if f.Forever || f.For.IsZero() {
		return
	}
	long := f.For.Sample(1<<64 - 1)
	if f.For.Least() != long && !k.try(i, func(f *sim.Fault) { f.For = sim.Constant(long) }) {
		return // its length is drawn, and must be
	}
	for _, g := range grains[3:] {
		with := func(n uint64) bool {
			d := time.Duration(n) * g
			return d < k.best.Faults[i].For.Least() && k.try(i, func(f *sim.Fault) { f.For = sim.Constant(d) })
		}
		now := k.best.Faults[i].For.Least()
		n := uint64(now / g)
		down := time.Duration(n) * g // a longer one may be more than the budget allows
		if n == 0 || down < now && !k.try(i, func(f *sim.Fault) { f.For = sim.Constant(down) }) {
			continue
		}
		bisect(1, n, with)
		return
	}
}

// bisect returns the least number from low to high for which f holds, if f holds from
// some number on and for high. It tries low itself first.
func bisect(low, high uint64, f func(uint64) bool) uint64 {
	if low >= high || f(low) {
		return low
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; f(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// rounder moves the instant at which a fault is injected to a rounder one. That at which a
// log begins stays: it is written in the scenario, beside the name of the log.
func (k *shrinker) rounder(i int) {
	if w := &k.best.Faults[i].When; k.best.Faults[i].Do == sim.FollowLog || w.At == 0 || w.Note|w.Before != 0 || !w.Every.IsZero() || len(w.Replay) > 0 || w.After != "" {
		return
	}
	at := time.Duration(k.best.Faults[i].When.At)
	for _, g := range grains {
		if at%g == 0 {
			return
		}
		for _, d := range []time.Duration{at.Truncate(g), at.Truncate(g) + g} {
			if k.try(i, func(f *sim.Fault) { f.When.At = sim.Time(d) }) {
				return
			}
		}
	}
}

// closer brings the step of a clock, or its rate, closer to none.
func (k *shrinker) closer(i int) {
	f := k.best.Faults[i]
	toward := func(value int64, grain int64, set func(*sim.Fault, int64)) {
		sign := int64(1)
		if value < 0 {
			sign, value = -1, -value
		}
		if value <= grain {
			return
		}
		n := value / grain
		if n*grain < value && !k.try(i, func(f *sim.Fault) { set(f, sign*n*grain) }) {
			return
		}
		bisect(1, uint64(n), func(n uint64) bool {
			return k.try(i, func(f *sim.Fault) { set(f, sign*int64(n)*grain) })
		})
	}
	if a := &f.Do.Row().Amount; a.Grain > 0 {
		toward(a.Of(&f), a.Grain, a.Set)
	}
}
