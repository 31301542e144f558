package certify

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"fencepost/sim/certify/internal/dbm"
)

// roundSize is how many states are expanded before what came of them is kept: the same for any
// number of workers, so that what is found is.
const roundSize = 256

// round is states that are expanded at the same time. Workers only read what is known of the model:
// where more is needed, they say what, and it is learned before they try again.
type round struct {
	*space
	list    []expansion
	workers []*worker
}

// expansion is what came of a state.
type expansion struct {
	item  *item
	grown int // of the item, then
	found []found
	fired int // events so far
	err   error
}

// found is a state, or a violation, and how it is reached.
type found struct {
	event    int
	chosen   []byte
	violated bool
	to       places
	key      []byte
	zone     dbm.Zone
}

// worker expands states.
type worker struct {
	*space
	bounds *dbm.Dictionary
	drafts memory // of the event that is tried
	kept   memory // of what came of all that were, in this round
	writer keyWriter
	list   []found
}

func newRound(s *space, bounds *dbm.Dictionary, jobs int) *round {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	r := &round{space: s}
	for range jobs {
		r.workers = append(r.workers, &worker{space: s, bounds: bounds})
	}
	return r
}

// begin forgets what came of the round before.
func (r *round) begin() {
	r.list = r.list[:0]
	for _, w := range r.workers {
		w.kept.reset()
		w.list = w.list[:0]
	}
}

// expand expands all, and learns what it takes.
func (r *round) expand() {
	todo := make([]*expansion, 0, len(r.list))
	for i := range r.list {
		todo = append(todo, &r.list[i])
	}
	for len(todo) > 0 {
		r.try(todo)
		again := todo[:0]
		for _, e := range todo {
			var l lesson
			if !errors.As(e.err, &l) {
				continue
			}
			if e.err = l(); e.err == nil {
				again = append(again, e)
			}
		}
		todo = again
	}
}

// try lets the workers expand states, whichever is free the next.
func (r *round) try(list []*expansion) {
	if len(r.workers) == 1 || len(list) == 1 {
		for _, e := range list {
			r.workers[0].expand(e)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range r.workers[:min(len(r.workers), len(list))] {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(list); i = next.Add(1) - 1 {
				w.expand(list[i])
			}
		})
	}
	all.Wait()
}

// expand finds all that can come of a state.
func (w *worker) expand(e *expansion) {
	first := len(w.list)
	e.err = w.fireAll(e)
	if found := w.list[first:len(w.list):len(w.list)]; len(e.found) == 0 {
		e.found = found
	} else {
		e.found = append(e.found, found...)
	}
}

func (w *worker) fireAll(e *expansion) error {
	w.drafts.reset()
	r := keyReader{memory: &w.drafts}
	s := r.read([]byte(e.item.key), w.nodes, w.budgets, e.item.zone.Len())
	s.zone = w.bounds.Unpack(&w.drafts.bounds, &e.item.zone)
	if w.checksNames {
		if err := w.checkNames(&s); err != nil {
			return err
		}
	}
	first := 0
	if len(s.pending) == 0 {
		first = -1 // the run ends
	}
	for i := first + e.fired; i < len(s.pending)+len(w.strikes); i++ {
		if err := w.fireOne(&s, i); err != nil {
			return err
		}
		e.fired++
	}
	return nil
}

// fireOne adds all that can come of one event to the list, or nothing if there is something to learn first.
func (w *worker) fireOne(s *state, i int) (err error) {
	var list []outcome
	if i < 0 {
		list, err = w.end(s, draft{memory: &w.drafts})
	} else {
		list, err = w.fire(s, i, draft{memory: &w.drafts})
	}
	before := len(w.list)
	if err == nil {
		err = w.keep(list, i)
	}
	if err != nil {
		w.list = w.list[:before]
	}
	return err
}

// keep writes what came of an event where it stays until the round is over.
func (w *worker) keep(list []outcome, event int) error {
	for _, o := range list {
		f := found{event: event, chosen: w.kept.bytes.Clone(o.chosen, 0), violated: o.violated}
		if !o.violated {
			to, err := w.arrange(o.draft)
			if err != nil {
				return err
			}
			f.to = w.kept.bytes.Clone(to, 0)
			key, variables := w.writer.write(&o.state)
			if len(variables) > mostVariables {
				return errTooWide
			}
			f.key, f.zone = w.kept.bytes.Clone(key, 0), o.zone.Kept(&w.kept.bounds, variables)
			o.forgetPast(&f.zone, w.exposed(&o.state))
		}
		w.list = append(w.list, f)
	}
	return nil
}
