package reach

import (
	"slices"
	"sync"
	"sync/atomic"
)

// portion is the states of a block that one worker works on, those with numbers first to
// end, and what becomes of them. It is the same however many workers there are, but for
// how the moves are divided.
type portion struct {
	first, end uint64
	moves      [][]move // for the regions of each worker; those that lead to what is new, when they are entered
	bytes      []int64  // of the regions of each worker, when they are entered
	tables     int64    // bytes
	starts     []uint32 // number of the first move of each state
	count      uint32   // moves
	ends, held int64
	missing    []uint64 // states with a step that is not in the tables

	// The last state is where the visit ends, if it comes that far: the space is
	// wrong, or a node panics in a move.
	err      error
	panicked string
	panic    how

	at    uint64 // place of the first new state in the queue
	found uint64 // new states up to the one that is wrong
	wrong string // what the invariant said of it
	last  move   // that leads to it
}

const (
	portionStates = 256
	blockPortions = 64 // of more than one worker
)

// newPortions makes what a block is made of.
func newPortions(workers int) []portion {
	portions := make([]portion, 1)
	if workers > 1 {
		portions = make([]portion, blockPortions)
	}
	for i := range portions {
		portions[i].moves, portions[i].bytes = make([][]move, workers), make([]int64, workers)
	}
	return portions
}

// divide makes the block of the states from next on, all of one level.
func (v *visit) divide(next, levelEnd uint64) {
	n := 0
	for ; n < len(v.portions) && next < levelEnd; n++ {
		p := &v.portions[n]
		p.first, p.end, p.err, p.panicked = next, min(next+portionStates, levelEnd), nil, ""
		next = p.end
	}
	v.block = v.portions[:n]
}

// worker is what one goroutine works with.
type worker struct {
	expander
	scratch
	wrong func(key) string // the invariant, or nil
}

func newWorker(p *product, workers int) *worker {
	w := &worker{expander: expander{p: p, moves: make([][]move, workers)}}
	for i := range w.owner {
		w.owner[i] = uint8(i % workers)
	}
	return w
}

// each does n pieces of work, that may be done side by side, and waits for all.
func (v *visit) each(n int, do func(w *worker, i int)) {
	if len(v.workers) == 1 || n <= 1 {
		for i := range n {
			do(v.workers[0], i)
		}
		return
	}
	var next atomic.Int64
	work := func(w *worker) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(w, i)
		}
	}
	var all sync.WaitGroup
	for _, w := range v.workers[1:min(n, len(v.workers))] {
		all.Go(func() { work(w) })
	}
	work(v.workers[0])
	all.Wait()
}

// expand finds the moves out of the states of the block, with what the tables say. What
// they do not say is computed then, in the order of the states, so that what is numbered
// gets the same numbers however many workers there are; and the moves are found again. It
// reports whether the fields of a key are wide enough.
func (v *visit) expand() bool {
	v.each(len(v.block), func(w *worker, i int) { v.block[i].expand(w, &v.set) })
	var redo []*portion
	for i := range v.block {
		p := &v.block[i]
		if len(p.missing) > 0 {
			if wide := v.complete(p); !wide {
				return false
			}
			redo, v.tabled = append(redo, p), v.tables()
		}
		if p.tables = v.tabled; p.over() {
			v.block = v.block[:i+1]
			break
		}
	}
	v.each(len(redo), func(w *worker, i int) { redo[i].expand(w, &v.set) })
	for _, p := range redo {
		if len(p.missing) > 0 && !p.over() {
			panic("reach: what the tables did not say they still do not")
		}
	}
	return true
}

// complete computes what the tables do not say of a portion. It reports whether the
// fields of a key are wide enough.
func (v *visit) complete(p *portion) bool {
	w := v.workers[0]
	w.frozen = false
	for _, i := range p.missing {
		w.begin(p.moves)
		switch verdict, h := w.expand(v.set.key(i), 0); verdict {
		case narrow:
			return false
		case fails:
			p.err, p.end = w.err, i+1
			return true
		case panics:
			p.panicked, p.panic, p.end = w.panicked, h, i+1
			return true
		}
	}
	return true
}

// expand finds the moves out of the states of the portion.
func (p *portion) expand(w *worker, s *set) {
	w.frozen = true
	w.begin(p.moves)
	p.starts, p.missing = p.starts[:0], p.missing[:0]
	for i := p.first; i < p.end; i++ {
		p.starts = append(p.starts, w.count)
		switch verdict, h := w.expand(s.key(i), s.via(i)); {
		case verdict == panics:
			p.panicked, p.panic, p.end = w.panicked, h, i+1
		case verdict != happens && !p.over():
			p.missing = append(p.missing, i)
		}
	}
	p.count, p.ends, p.held = w.count, w.ends, w.held
}

// over reports whether the visit ends with the portion.
func (p *portion) over() bool { return p.err != nil || p.panicked != "" }

// fresh is how many new states there are.
func (p *portion) fresh() (n uint64) {
	for _, m := range p.moves {
		n += uint64(len(m))
	}
	return n
}

// inOrder yields the moves to new states in order.
func (p *portion) inOrder(yield func(*move) bool) {
	if len(p.moves) == 1 {
		for i := range p.moves[0] {
			if !yield(&p.moves[0][i]) {
				return
			}
		}
		return
	}
	var heads [regions]int
	for range p.fresh() {
		var next *move
		from := 0
		for i, m := range p.moves {
			if heads[i] < len(m) && (next == nil || m[heads[i]].order < next.order) {
				next, from = &m[heads[i]], i
			}
		}
		heads[from]++
		if !yield(next) {
			return
		}
	}
}

// collect checks the new states and puts them into the queue.
func (p *portion) collect(s *set, wrong func(key) string) {
	p.wrong, p.found = "", 0
	for m := range p.inOrder {
		s.write(p.at+p.found, m.to, m.via)
		p.found++
		if wrong == nil {
			continue
		}
		if p.wrong = wrong(m.to); p.wrong != "" {
			p.last = *m
			return
		}
	}
}

// nth is the move to a new state, of which it is number n.
func (p *portion) nth(n uint64) *move {
	for m := range p.inOrder {
		if n == 0 {
			return m
		}
		n--
	}
	panic("reach: a portion has fewer new states")
}

// from is the number of the state that a move leads out of.
func (p *portion) from(order uint32) uint64 {
	i, exact := slices.BinarySearch(p.starts, order)
	for ; exact && i+1 < len(p.starts) && p.starts[i+1] == order; i++ {
	}
	if !exact {
		i--
	}
	return p.first + uint64(i)
}
