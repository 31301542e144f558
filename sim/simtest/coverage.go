package simtest

import (
	"slices"
	"strings"
	"sync/atomic"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// coverage is what occurred in the runs of all worlds.
type coverage struct {
	handled, noted [256]atomic.Bool // by kind
}

// mark notes that a kind occurred; what is known already is only read.
func mark(seen *[256]atomic.Bool, k sim.Kind) {
	if !seen[k].Load() {
		seen[k].Store(true)
	}
}

// watch is a program of which seen learns what occurs.
func watch[M sim.Message](build func() sim.System[M], seen *coverage) sim.Program {
	p := sim.NewProgram(func() sim.System[M] {
		s := build()
		s.Meters = append(slices.Clip(s.Meters), noted[M]{seen})
		return s
	})
	unwatched := p.NewWorld
	p.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := unwatched(c)
		if err != nil {
			return nil, err
		}
		return watched{w, seen}, nil
	}
	return p
}

// noted is an observer of notes.
type noted[M sim.Message] struct{ seen *coverage }

func (n noted[M]) Reset(*sim.View[M]) {}
func (n noted[M]) End(*sim.View[M])   {}
func (n noted[M]) Observe(_ *sim.View[M], o *sim.Observation[M]) {
	if o.Event == sim.Noted {
		mark(&n.seen.noted, o.Msg.Label())
	}
}

// watched is a world of which each step is seen.
type watched struct {
	sim.Runner
	seen *coverage
}

// Vary implements [sim.Runner]: searches call it before their runs.
func (w watched) Vary(v sim.Variation) error {
	if v.Skip == nil {
		v.Skip = func(h sim.Handling) bool {
			mark(&w.seen.handled, h.Kind)
			return false
		}
	}
	return w.Runner.Vary(v)
}

// cover reports what never occurred.
func (x *tester) cover(r *explore.Report) {
	x.t.Helper()
	tell := x.t.Logf
	if x.covered {
		tell = x.t.Errorf
	}
	messages, notes := x.seen.missing(&x.search.Program)
	if len(messages) > 0 {
		tell("no node handled, in %d runs: %s", r.Runs, strings.Join(messages, ", "))
	}
	if len(notes) > 0 {
		tell("no node noted, in %d runs: %s", r.Runs, strings.Join(notes, ", "))
	}
}

// missing is the kinds that are notes and were not noted, and the others that no node
// handled.
func (c *coverage) missing(p *sim.Program) (messages, notes []string) {
	for k, name := range p.Kinds {
		switch {
		case k == 0: // what starts a node
		case slices.Contains(p.Notes, name):
			if !c.noted[k].Load() {
				notes = append(notes, name)
			}
		case !c.handled[k].Load():
			messages = append(messages, name)
		}
	}
	return
}
