package reach

import (
	"context"
	"fmt"
	"math"
)

// Visit visits the states of a space, those that take fewer moves first. It stops when
// it has seen all, at the first violation, or at a limit; the result says which. The
// result is the same every time, however many workers there are. An error means that the
// space is not valid: a node sends what no link carries, or its step is not a function;
// or it is that of ctx, and the result is what was visited until then.
func Visit[M Message](ctx context.Context, space Space[M], limits Limits) (Result, error) {
	if err := space.validate(); err != nil {
		return Result{}, fmt.Errorf("reach: %w", err)
	}
	if limits.Memory < 0 || limits.States < 0 || limits.Workers < 0 {
		return Result{}, fmt.Errorf("reach: limits: must not be negative, got %d bytes, %d states, %d workers", limits.Memory, limits.States, limits.Workers)
	}
	if limits.Memory == 0 {
		limits.Memory = defaultMemory
	}
	if limits.States == 0 {
		limits.States = math.MaxInt64
	}
	limits.Workers = min(max(limits.Workers, 1), regions)
	t := newTable(&space)
	v := &visit{p: t.p, limits: limits, portions: newPortions(limits.Workers), words: t.words, tables: t.bytes}
	for range limits.Workers {
		w := newWorker(t.p, limits.Workers)
		if space.Invariant != nil {
			view := &View[M]{t: t}
			w.wrong = func(k key) string {
				view.k = k
				return space.Invariant(view)
			}
		}
		v.workers = append(v.workers, w)
	}
	if err := v.run(ctx); err != nil {
		return v.result, fmt.Errorf("reach: %w", err)
	}
	return v.result, nil
}

// visit is the search: breadth first, a block of states at a time. The moves out of its
// states are found, then the states that they lead to are entered, then those that are
// new are checked and put into the queue, in the order of the moves. Each of the three is
// divided among the workers, and done when the one before is done by all.
type visit struct {
	p       *product
	set     set
	levels  []uint64 // number of the first state of each depth
	limits  Limits
	result  Result
	workers []*worker

	portions []portion
	block    []portion // those in use

	words  func(key, how) Move
	tables func() int64 // bytes of everything but the set
	tabled int64        // the same when a portion was completed last
}

// progressStates is how many states there are from one report of progress to the next.
const progressStates = 1 << 16

func (v *visit) run(ctx context.Context) error {
	defer v.sum()
	if !v.p.widen() {
		return v.tooWide()
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
		v.divide(next, levelEnd)
		if wide := v.expand(); !wide {
			if !v.repack() {
				return v.tooWide()
			}
			continue
		}
		v.insert()
		if done, err := v.collect(); done || err != nil {
			return err
		}
		next = v.block[len(v.block)-1].end
		v.set.forget(next)
		if limits := &v.limits; limits.Progress != nil && v.block[0].first/progressStates != next/progressStates {
			limits.Progress(int64(v.set.n), len(v.levels)-1)
		}
	}
	v.result.Exhausted = true
	return nil
}

// start enters the first state.
func (v *visit) start() (done bool, err error) {
	w := v.workers[0]
	k, verdict := w.start()
	for verdict == narrow {
		if !v.p.widen() {
			return true, v.tooWide()
		}
		k, verdict = w.start()
	}
	switch verdict {
	case fails:
		return true, w.err
	case panics:
		v.result.Violation = &Path{Why: w.panicked}
		return true, nil
	case happens:
	default:
		return true, fmt.Errorf("the nodes cannot start: a link is full, or a message has to wait")
	}
	v.set = newSet(v.p.layout.wide())
	v.set.insert([]move{{to: k, hash: k.hash()}}, &w.scratch)
	v.set.extend(1)
	v.set.write(0, k, 0)
	v.tabled = v.tables()
	if v.result.Bytes = v.set.bytes() + v.tabled; v.result.Bytes > v.limits.Memory {
		return true, v.stop("%d bytes", v.limits.Memory)
	}
	v.set.n = 1
	if w.wrong != nil {
		if why := w.wrong(k); why != "" {
			v.result.Violation = &Path{Why: why}
			return true, nil
		}
	}
	return false, nil
}

// insert enters the states that the moves of the block lead to.
func (v *visit) insert() {
	v.each(len(v.workers), func(w *worker, i int) {
		for j := range v.block {
			p := &v.block[j]
			p.moves[i] = v.set.insert(p.moves[i], &w.scratch)
			p.bytes[i] = 0
			for r := i; r < regions; r += len(v.workers) {
				p.bytes[i] += v.set.regions[r].bytes
			}
		}
	})
}

// collect checks the new states of the block and puts them into the queue, up to the
// first at which the visit ends.
func (v *visit) collect() (done bool, err error) {
	n := v.set.n
	for i := range v.block {
		p := &v.block[i]
		p.at, n = n, n+p.fresh()
	}
	v.set.extend(n)
	v.each(len(v.block), func(w *worker, i int) { v.block[i].collect(&v.set, w.wrong) })
	for i := range v.block {
		if done, err = v.close(&v.block[i]); done || err != nil {
			break
		}
	}
	return done, err
}

// close adds a portion to the result.
func (v *visit) close(p *portion) (done bool, err error) {
	r, fresh := &v.result, p.fresh()
	switch room := uint64(v.limits.States) - v.set.n; {
	case p.wrong != "" && p.found <= room:
		r.Transitions += int64(p.last.order) + 1
		v.set.n += p.found
		r.Violation = v.path(p.wrong, p.from(p.last.order), p.last.how)
		return true, nil
	case fresh > room:
		r.Transitions += int64(p.nth(room).order) + 1
		v.set.n += room
		return true, v.stop("%d states", v.limits.States)
	}
	bytes := p.tables + v.set.queueBytes(p.first, v.set.n+fresh)
	for _, b := range p.bytes {
		bytes += b
	}
	if bytes > v.limits.Memory {
		return true, v.stop("%d bytes", v.limits.Memory)
	}
	r.Bytes = bytes
	v.set.n += fresh
	r.Transitions += int64(p.count)
	if p.err != nil {
		return true, p.err
	}
	if p.panicked != "" {
		r.Transitions++
		r.Violation = v.path(p.panicked, p.end-1, p.panic)
		return true, nil
	}
	r.Ends += p.ends
	r.Held += p.held
	return false, nil
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

func (v *visit) tooWide() error { return v.stop(TooWide) }

// sum completes the result.
func (v *visit) sum() {
	v.p.fit()
	r := &v.result
	r.States, r.Bits = int64(v.set.n), v.p.layout.bits()
	switch {
	case r.Violation != nil:
		r.Depth = len(r.Violation.Moves)
	case v.set.n > 0:
		r.Depth = len(v.levels) - 1
	}
}
