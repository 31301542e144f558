package certify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim"
)

// Fault is a fault that may begin at any moment: at one of some nodes, of any size in a range.
type Fault struct {
	Name  string
	Path  string     // of a scenario: where its size stands
	Do    sim.Action // a pause, a crash or a step of the wall clock
	Nodes []sim.NodeID
	// Least and Most are how long it lasts, or by how much a clock is stepped, which may be negative;
	// both ends are within the range.
	Least, Most time.Duration
	Back        bool // of a step: the range is how far the clock goes back
	Forever     bool // of a crash: the node does not restart
	Count       int  // how often it may begin, in all
}

// Stepped makes the fault a step of a clock by an amount between two.
func (f *Fault) Stepped(least, most time.Duration) {
	if f.Back = least < 0 && most <= 0; f.Back {
		least, most = -most, -least
	}
	f.Do, f.Least, f.Most = sim.StepClock, least, most
}

// steps is by how much a clock is stepped, least and most, and which of the two bounds is that of Most.
func (f *Fault) steps() (least, most int64, low, high labelKind) {
	if f.Back {
		return -int64(f.Most), -int64(f.Least), faultMost, faultLeast
	}
	return int64(f.Least), int64(f.Most), faultLeast, faultMost
}

// strike is a fault that begins at a node by itself: a pause begins where something is about to happen.
type strike struct {
	fault int
	node  sim.NodeID
}

// strikes are all that may begin by themselves, and by node the clocks that need not read true time:
// the wall clock of a node whose clock is stepped, and the monotonic one of a node that crashes.
func strikes(faults []Fault, nodes int) (list []strike, mono, wall []clock) {
	mono, wall = make([]clock, nodes+1), make([]clock, nodes+1)
	for k := range faults {
		for _, id := range faults[k].Nodes {
			switch faults[k].Do {
			case sim.Crash:
				mono[id] = clock(2 * id)
			case sim.StepClock:
				wall[id] = clock(2*id - 1)
			default:
				continue
			}
			list = append(list, strike{k, id})
		}
	}
	return list, mono, wall
}

// mostClocks is how many nodes may have a clock of their own.
const mostClocks = 127

// unlikeFaults says which faults are not covered.
func (s *Search) unlikeFaults() (errs []error) {
	for k := range s.Faults {
		f := &s.Faults[k]
		switch {
		case f.Do != sim.Pause && f.Do != sim.Crash && f.Do != sim.StepClock:
			errs = append(errs, fmt.Errorf("%s: %s are not covered, only pauses, crashes and steps of a clock are: want it left out", f.Name, f.Do.Row().Several()))
		case f.Least > f.Most:
			errs = append(errs, fmt.Errorf("%s: want a range whose end is not before its start, got %v to %v", f.Name, f.Least, f.Most))
		case f.Most > Longest:
			errs = append(errs, fmt.Errorf("%s: want at most %v, got %v", f.Name, Longest, f.Most))
		case f.Do != sim.StepClock && f.Least < 0 || f.Back && f.Least < 0:
			errs = append(errs, fmt.Errorf("%s: want 0 or more, got %v", f.Name, f.Least))
		case f.Do == sim.StepClock && s.Rate > 0:
			errs = append(errs, fmt.Errorf("%s: clocks are not covered that have a rate and are stepped: want one of the two", f.Name))
		case f.Do != sim.Pause && len(s.Program.Nodes) > mostClocks:
			errs = append(errs, fmt.Errorf("%s: want at most %d nodes, got %d", f.Name, mostClocks, len(s.Program.Nodes)))
		case f.Count < 0 || f.Count > 255:
			errs = append(errs, fmt.Errorf("%s: want 0 to 255 of them, got %d", f.Name, f.Count))
		}
	}
	return errs
}

// exposed are the nodes at which a fault may still begin by itself. The property hears of it, so that [sim.None] is
// among them.
func (s *space) exposed(of *state) []bool {
	if len(s.strikes) == 0 {
		return nil
	}
	list := make([]bool, s.nodes+1)
	for _, k := range s.strikes {
		if of.left[k.fault] > 0 {
			list[k.node], list[sim.None] = true, true
		}
	}
	return list
}

// strike is everything that can come of a fault that begins now: after all that has happened to its
// node, and before all that is pending for it.
func (s *space) strike(from *state, k strike, base draft) ([]outcome, error) {
	f := &s.faults[k.fault]
	stopped := from.stops[k.node-1]
	switch {
	case from.left[k.fault] == 0, f.Do == sim.Crash && stopped != nil && stopped.down:
		return nil, nil
	case f.Do == sim.StepClock && !from.remembers(s.wall[k.node]):
		return nil, nil // no comparison differs
	}
	base.state = *from
	d := base.copied()
	if !d.strikes(k.node, s.inOrder) {
		return nil, nil
	}
	r := &reaction{s, d.outcomes.Take(0, 4)}
	var err error
	if f.Do == sim.StepClock {
		d.left[k.fault]--
		err = r.step(d, k.fault)
	} else {
		var held []heldEffect
		if stopped != nil {
			held = stopped.held
		}
		err = r.crash(d, k.fault, false, held)
	}
	if err != nil {
		return nil, err
	}
	return s.settle(r.list)
}

// remembers reports whether anything holds a reading of a clock.
func (s *state) remembers(c clock) bool {
	found := false
	copied := state{nodes: slices.Clone(s.nodes), property: s.property, pending: s.pending, stops: slices.Clone(s.stops)}
	copied.rename(func(v *variable) { found = found || v.clock() == c })
	return found
}

// errTwoClocks is of a comparison of which nothing is known.
var errTwoClocks = errors.New("compares readings of two clocks, of which one is stepped, has a rate or starts anew with its node: that is not covered")
