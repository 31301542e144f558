package sim

import (
	"errors"
	"fmt"
)

// forking is where a run leaves the draws of its seed.
type forking struct {
	fork        uint64 // the step from which the draws are those of forkSeed; 0: none
	forkSeed    uint64
	forkMinimal bool
}

// Variation is what a search changes from one run of a world to the next, in place
// of what the configuration says.
type Variation struct {
	Faults    []Fault
	Overrides []Override
	Minimal   bool // every draw that is not overridden is 0, the minimal choice
	Until     Time // if not 0, the run ends there
	// Fork, if not 0, is the number of a step, from 1: from its beginning on, draws
	// are those of the seed ForkSeed, not overridden, and minimal only if ForkCalm.
	Fork        uint64
	ForkSeed    uint64
	ForkMinimal bool
	// Skip, if not nil, is asked before each step. Where it returns true the step is
	// left out: the node continues as if the message had not come.
	Skip func(Handling) bool
	// Choose, if not nil, gives each draw that is not overridden.
	Choose func(Draw) uint64
}

// Handling is a step that is about to be taken.
type Handling struct {
	At         Time
	Node, From NodeID
	Kind       Kind   // of the message
	Msg        Digest // of the message alone: like messages have the same
}

// Vary makes the following runs differ as v says. It refuses faults that name what
// the system does not have, and then changes nothing. It keeps the slices of v until
// it is called again, and allocates nothing once it has been called with as much.
func (w *World[M]) Vary(v Variation) error {
	for i := range v.Faults {
		if err := v.Faults[i].check(len(w.names), len(w.system.Kinds)); err != nil {
			return w.checkAll(v.Faults)
		}
	}
	if err := checkStreams(v.Faults); err != nil {
		return w.checkAll(v.Faults)
	}
	if v.Until < 0 {
		return fmt.Errorf("until: must not be negative, got %v", v.Until)
	}
	w.config.Faults, w.config.Overrides, w.config.Minimal = v.Faults, v.Overrides, v.Minimal
	w.fork, w.forkSeed, w.forkMinimal, w.src.choose = v.Fork, v.ForkSeed, v.ForkMinimal, v.Choose
	w.skip, w.horizon = v.Skip, w.config.Until
	if v.Until != 0 {
		w.horizon = v.Until
	}
	w.draws()
	w.plan()
	return nil
}

// checkAll is every mistake in the faults.
func (w *World[M]) checkAll(faults []Fault) error {
	var errs []error
	for i := range faults {
		errs = append(errs, faults[i].check(len(w.names), len(w.system.Kinds)))
	}
	return errors.Join(append(errs, checkStreams(faults))...)
}

// draws gives the source what the configuration says of draws.
func (w *World[M]) draws() {
	s := &w.src
	s.overrides, s.minimal = w.config.Overrides, w.config.Minimal
	s.special = s.overrides != nil || s.minimal || s.watch != nil || s.choose != nil || w.fork != 0
}
