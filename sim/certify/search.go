package certify

import (
	"context"
	"errors"
	"slices"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Search says what to prove, of which system.
type Search struct {
	Program sim.Program
	Config  sim.Config // its faults are left out: Faults, Losses and Copies are in their place
	Faults  []Fault
	// Losses and Copies are how many messages may be lost, and how many may come a second time: as
	// long after the first as a message of the link may take.
	Losses, Copies int
	// Rate is how much faster or slower than true time the clocks of any node may run, at any moment:
	// what is certified holds then, and of what is not a search with a Rate of
	// 0 may show a violation.
	Rate     sim.PPB
	Property int    // index of [sim.Program].Properties
	Seed     uint64 // of the run that shows a violation
	Limits   Limits
	// KeepIgnored keeps what the model says has no effect, to see that it has none.
	KeepIgnored bool
	// InOrder makes events of different nodes happen one after the other, which takes more states, to
	// see that this changes nothing.
	InOrder  bool
	Progress func(states, waiting int) // called now and then, if not nil
}

// Limits bound a search. It ends with [Unknown] at one of them.
type Limits struct {
	States int   // that are kept; 0: any number
	Memory int64 // bytes, about; 0: any number
}

// Verdict is what a search found.
type Verdict uint8

// The verdicts.
const (
	Unknown   Verdict = iota // a limit was reached, or what the explorer found no run of the engine shows
	Certified                // no run violates the property
	Violated                 // a run of the engine does
)

// String is the word that reports use.
func (v Verdict) String() string { return [...]string{"UNKNOWN", "CERTIFIED", "VIOLATED"}[v] }

// Result is what a search found, and what it took.
type Result struct {
	Verdict Verdict
	Bound   Limit // of Unknown: why
	States  int   // that were kept: each a set of instants, of one state of the nodes
	Fired   int   // events, in all states
	Deepest int   // instants that mattered at once, at most
	Memory  int64 // bytes that the states take, about

	Failure *explore.Failure // of Violated: the run that shows it

	shown int       // paths to a violation that were turned into runs
	rec   *recorder // of the path to a violation
}

// move is one event of a path: which of the pending ones, and which way its branches went.
type move struct {
	event  int // -1: the run ends
	chosen string
}

// link is how a state was reached.
type link struct {
	from *link
	move move
}

func (l *link) path() (moves []move) {
	for ; l.from != nil; l = l.from {
		moves = append(moves, l.move)
	}
	slices.Reverse(moves)
	return moves
}

// item is a state that is kept.
type item struct {
	zone  zone
	state *state // nil once it has been expanded, or is within another
	link  *link
}

// explorer visits state classes: states of the nodes, and of each the instants at which what is
// pending may happen.
//
// Source: Berthomieu and Menasche, "An Enumerative Approach for Analyzing Time Petri Nets", 1983.
type explorer struct {
	*space
	passed  map[string][]*item
	queue   []*item
	result  Result
	limits  Limits
	scratch []byte
	shows   func(path []move) (stop bool, err error) // a path violates the property
}

// Run looks for a violation in all runs there are. It ends early with [Unknown] when ctx is done.
func (s *Search) Run(ctx context.Context) (Result, error) {
	first, space, err := s.start()
	if err != nil {
		return Result{}, err
	}
	defer space.close()
	x := &explorer{space: space, passed: map[string][]*item{}, limits: s.Limits}
	x.keep(first, &link{})
	x.shows = func(path []move) (bool, error) { return s.show(&x.result, space, first, path) }
	err = x.visit(ctx, s.Progress)
	x.result.Deepest = x.deepest
	return x.result, err
}

// visit expands states until none is left, one violates the property, or a limit is reached.
func (x *explorer) visit(ctx context.Context, progress func(states, waiting int)) error {
	for n := 0; len(x.queue) > 0; n++ {
		if n&255 == 0 {
			if progress != nil {
				progress(x.result.States, len(x.queue))
			}
			if why := x.bound(ctx); why != None {
				x.stop(why)
				return nil
			}
		}
		i := x.queue[0]
		x.queue = x.queue[1:]
		if i.state == nil {
			continue
		}
		found, err := x.expand(i)
		if errors.Is(err, errTooWide) {
			x.stop(TooWide)
			return nil
		}
		if err != nil || found {
			return err
		}
	}
	if x.result.shown == 0 {
		x.result.Verdict = Certified
	}
	return nil
}

// stop ends the search before all is seen.
func (x *explorer) stop(why Limit) { x.result.Bound, x.result.shown = why, max(x.result.shown, 1) }

// maxShown is how many paths to a violation are turned into runs until one shows it.
const maxShown = 50

// show turns a path into a run of the engine, and reports whether to end the search: where the run
// does not show the violation, that of another path may.
func (s *Search) show(r *Result, sp *space, first *state, path []move) (stop bool, err error) {
	rec, err := sp.retrace(first, path)
	if err != nil {
		return false, err
	}
	failure, why, err := s.confirm(rec)
	if err != nil {
		return false, err
	}
	if r.shown++; r.shown == 1 || failure != nil {
		r.Bound, r.rec = why, rec
	}
	switch {
	case failure != nil:
		r.Verdict, r.Failure = Violated, failure
	case s.Rate > 0:
		r.Bound = Clocks
	}
	return failure != nil || r.shown == maxShown, nil
}

// bound is the limit that is reached.
func (x *explorer) bound(ctx context.Context) Limit {
	switch {
	case ctx.Err() != nil:
		return Time
	case x.limits.States > 0 && x.result.States >= x.limits.States:
		return States
	case x.limits.Memory > 0 && x.result.Memory >= x.limits.Memory:
		return Memory
	}
	return None
}

// expand makes all that can come of a state, and reports whether a violation can.
func (x *explorer) expand(i *item) (found bool, err error) {
	s := i.state
	i.state = nil
	var list []outcome
	if len(s.pending) == 0 {
		if list, err = x.end(s, draft{}); err != nil {
			return false, err
		}
		return x.take(list, i.link, -1)
	}
	for e := range s.pending {
		list, err = x.fire(s, e, draft{})
		if err != nil {
			return false, err
		}
		if found, err := x.take(list, i.link, e); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// take keeps what came of an event, and reports whether the search is over.
func (x *explorer) take(list []outcome, from *link, event int) (found bool, err error) {
	x.result.Fired++
	for _, o := range list {
		l := &link{from, move{event, string(o.chosen)}}
		if !o.violated {
			x.keep(&o.state, l)
		} else if found, err = x.shows(l.path()); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// keep adds a state, unless its instants are all among those of one that is kept.
func (x *explorer) keep(s *state, l *link) {
	x.scratch = s.key(x.scratch[:0])
	kept := x.passed[string(x.scratch)]
	for _, k := range kept {
		if s.zone.within(&k.zone) {
			return
		}
	}
	if len(kept) == 0 {
		x.result.Memory += int64(len(x.scratch)) + 64
	}
	rest := kept[:0]
	for _, k := range kept {
		if k.zone.within(&s.zone) {
			k.state = nil
			x.result.States--
			continue
		}
		rest = append(rest, k)
	}
	i := &item{s.zone, s, l}
	x.passed[string(x.scratch)] = append(rest, i)
	x.queue = append(x.queue, i)
	x.result.States++
	x.result.Memory += int64(8*len(s.zone.d)) + 160
}
