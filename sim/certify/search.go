package certify

import (
	"context"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
	"fencepost/sim/explore"
)

// Search says what to prove, of which system.
type Search struct {
	Program sim.Program
	Config  sim.Config // its faults are left out: Faults, Losses and Copies are in their place
	Faults  []Fault
	// Losses and Copies are how many messages may be lost, and how often one may come again.
	Losses, Copies int
	// CopyWithin is how long after its message was sent a copy arrives at most; 0: at any moment after that.
	CopyWithin time.Duration
	Senders    []sim.NodeID // whose messages these are, nil: those of all nodes
	// Rate is how much faster or slower than true time the clocks of any node may run, at any moment:
	// what is certified holds then, and of what is not a search with a Rate of
	// 0 may show a violation.
	Rate     sim.PPB
	Property int    // index of [sim.Program].Properties
	Seed     uint64 // of the run that shows a violation
	Limits   Limits
	// KeepIgnored keeps what the model says has no effect, to see that it has none.
	KeepIgnored bool
	// KeepSerials keeps serial numbers as they are, to see that giving them others changes nothing.
	KeepSerials bool
	// CheckNames compares what follows from each state with what follows from it under other names, see
	// [sim.Renamer]: where that is not the same, the search ends with an error.
	CheckNames bool
	// InOrder makes events of different nodes happen one after the other, which takes more states, to
	// see that this changes nothing.
	InOrder bool
	// Apart keeps zones apart from the first state on, and does not try one zone for each state of
	// the nodes before that.
	Apart bool
	// PauseAll lets a pause begin before every step, also one that only remembers, to see that this changes
	// nothing.
	PauseAll bool
	// Unlike takes no nodes for alike, to see that this changes nothing.
	Unlike bool
	// Jobs is how many states are expanded at the same time, 0 for as many as there are processors. What
	// is found does not depend on it.
	Jobs     int
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

// Found reports whether a path to a violation was found, be it shown by a run or not.
func (r *Result) Found() bool { return r.rec != nil }

// Run looks for a violation in all runs there are. It ends early with [Unknown] when ctx is done.
//
// First it keeps one zone for each state of the nodes, which has what lies between those that were found
// as well: where nothing violates the property even so, it is certified. Events of all nodes are in order then:
// else what lies between would let a node run ahead without end. Where something violates the property that no
// run shows, the zones are kept apart.
func (s *Search) Run(ctx context.Context) (Result, error) {
	first, space, err := s.start()
	if err != nil {
		return Result{}, err
	}
	defer space.close()
	if !s.Apart {
		r, err := s.explore(ctx, space, first, true)
		if err != nil || r.Verdict != Unknown || r.Bound != None && r.rec == nil {
			return r, err
		}
	}
	return s.explore(ctx, space, first, false)
}

// explore visits all states, whose zones are joined or kept apart.
func (s *Search) explore(ctx context.Context, space *space, first *state, joined bool) (Result, error) {
	if first.zone.Len() > mostVariables {
		return Result{Bound: TooWide}, nil
	}
	space.inOrder = s.InOrder || joined
	x := &explorer{space: space, passed: map[string]*item{}, bounds: dbm.NewDictionary(), limits: s.Limits, joined: joined}
	x.shows = func(path []move) (bool, error) { return s.show(&x.result, space, first, path) }
	x.keepFirst(first)
	err := x.visit(ctx, s.Jobs, s.Progress)
	return x.result, err
}

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
