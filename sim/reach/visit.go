package reach

import (
	"context"
	"fmt"
	"math"
)

// Visit visits the states of a space, those that take fewer moves first. It stops when
// it has seen all, at the first violation, or at a limit; the result says which. The
// result is the same every time. An error means that the space is not valid: a node
// sends what no link carries, or its step is not a function; or it is that of ctx, and
// the result is what was visited until then.
func Visit[M Message](ctx context.Context, space Space[M], limits Limits) (Result, error) {
	if err := space.validate(); err != nil {
		return Result{}, fmt.Errorf("reach: %w", err)
	}
	if limits.Memory < 0 || limits.States < 0 {
		return Result{}, fmt.Errorf("reach: limits: must not be negative, got %+v", limits)
	}
	if limits.Memory == 0 {
		limits.Memory = defaultMemory
	}
	if limits.States == 0 {
		limits.States = math.MaxInt64
	}
	t := newTable(&space)
	v := &visit{p: t.p, limits: limits, words: t.words, tables: t.bytes}
	if space.Invariant != nil {
		view := View[M]{t: t}
		v.wrong = func(k key) string {
			view.k = k
			return space.Invariant(&view)
		}
	}
	if err := v.run(ctx); err != nil {
		return v.result, fmt.Errorf("reach: %w", err)
	}
	return v.result, nil
}

// visit is the search: breadth first, a batch of states at a time.
type visit struct {
	p      *product
	set    set
	levels []uint64 // number of the first state of each depth
	limits Limits
	result Result

	wrong  func(key) string // the invariant, or nil
	words  func(key, *move) Move
	tables func() int64 // bytes of everything but the set
}

// batch is how many states are looked at before what they lead to is looked up.
const batch = 64

func (v *visit) run(ctx context.Context) error {
	defer v.sum()
	if !v.p.widen() {
		return v.stop("%d bits per state", 64*maxWords)
	}
	if done, err := v.start(); done || err != nil {
		return err
	}
	v.levels = []uint64{0}
	levelEnd := uint64(1)
	for next := uint64(0); next < v.set.n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if next == levelEnd {
			v.levels, levelEnd = append(v.levels, next), v.set.n
		}
		end := min(next+batch, levelEnd)
		verdict, err := v.expand(next, end)
		switch {
		case err != nil:
			return err
		case verdict == narrow:
			if !v.repack() {
				return v.stop("%d bits per state", 64*maxWords)
			}
			continue
		}
		if done, err := v.enter(next); done || err != nil {
			return err
		}
		next = end
	}
	v.result.Exhausted = true
	return nil
}

// start enters the first state.
func (v *visit) start() (done bool, err error) {
	k, verdict, err := v.p.start()
	for verdict == narrow {
		if !v.p.widen() {
			return true, v.stop("%d bits per state", 64*maxWords)
		}
		k, verdict, err = v.p.start()
	}
	switch verdict {
	case fails:
		return true, err
	case panics:
		v.result.Violation = &Path{Why: v.p.panicked}
		return true, nil
	case happens:
	default:
		return true, fmt.Errorf("the nodes cannot start: a link is full, or a message has to wait")
	}
	v.set.wide = v.p.layout.wide()
	if !v.room(1) {
		return true, v.stop("%d bytes", v.limits.Memory)
	}
	place, _ := v.set.touch(k)
	v.set.insert(k, place)
	v.set.add(k)
	if v.wrong != nil {
		if why := v.wrong(k); why != "" {
			v.result.Violation = &Path{Why: why}
			return true, nil
		}
	}
	return false, nil
}

// expand finds the moves out of the states with numbers first to end.
func (v *visit) expand(first, end uint64) (verdict, error) {
	p := v.p
	p.moves, p.ends, p.held = p.moves[:0], 0, 0
	for i := first; i < end; i++ {
		k := v.set.key(i)
		switch verdict, err := p.expand(k, uint32(i-first)); verdict {
		case panics:
			return happens, nil // the violation is found when its turn comes
		case narrow, fails:
			return verdict, err
		}
	}
	return happens, nil
}

// enter enters the states that the moves of a batch lead to, and checks the new ones.
func (v *visit) enter(first uint64) (done bool, err error) {
	if !v.room(uint64(len(v.p.moves))) {
		return true, v.stop("%d bytes", v.limits.Memory)
	}
	moves, touched := v.p.moves, uint64(0)
	for i := range moves {
		var found uint64
		moves[i].place, found = v.set.touch(moves[i].to)
		touched ^= found
	}
	v.set.touched = touched
	for i := range moves {
		m := &moves[i]
		v.result.Transitions++
		if m.bad {
			v.result.Violation = v.path(v.p.panicked, first+uint64(m.from), m)
			return true, nil
		}
		if !v.set.insert(m.to, m.place) {
			continue
		}
		if v.set.n == uint64(v.limits.States) {
			return true, v.stop("%d states", v.limits.States)
		}
		v.set.add(m.to)
		if v.wrong == nil {
			continue
		}
		if why := v.wrong(m.to); why != "" {
			v.result.Violation = v.path(why, first+uint64(m.from), m)
			return true, nil
		}
	}
	v.result.Ends += v.p.ends
	v.result.Held += v.p.held
	return false, nil
}

// room makes room for more states.
func (v *visit) room(more uint64) bool {
	return v.set.room(more, v.limits.Memory-v.tables())
}

// repack gives every number the bits it needs by now. It reports whether a state still
// fits into a key.
func (v *visit) repack() bool {
	p := v.p
	before := p.layout.copy()
	if !p.widen() {
		return false
	}
	v.set.repack(p.layout.wide(), func(old key) key {
		k := first
		for i, f := range before {
			k, _ = p.layout[i].put(k, f.of(old))
		}
		return k
	})
	return true
}

// stop ends the visit at a limit.
func (v *visit) stop(bound string, limit ...any) error {
	v.result.Bound = fmt.Sprintf(bound, limit...)
	return nil
}

// sum completes the result.
func (v *visit) sum() {
	v.p.fit()
	r := &v.result
	r.States, r.Bytes, r.Bits = int64(v.set.n), v.set.bytes()+v.tables(), v.p.layout.bits()
	switch {
	case r.Violation != nil:
		r.Depth = len(r.Violation.Moves)
	case v.set.n > 0:
		r.Depth = len(v.levels) - 1
	}
}
