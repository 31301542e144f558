package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/sim"
	"fencepost/sim/batch"
)

// ChooserFunc is a function as a [Chooser]. It is given an n above 1.
type ChooserFunc func(n uint64) uint64

// Below implements [Chooser].
func (f ChooserFunc) Below(n uint64) uint64 { return f(n) }

// Decoder plays runs of which a [Chooser] makes every choice: first what goes wrong,
// within the budget of a search, and then what each draw of the run gives, in the
// order in which the run asks. So every string of bytes is a run, the empty one is
// the run in which all draws are minimal, and smaller bytes are simpler: what a fuzzer, or a
// library of property tests, needs to find a schedule and to make it small.
//
// A Decoder is not safe for concurrent use.
type Decoder struct {
	search Search
	world  sim.Runner
	make   generator

	chooser Chooser
	given   map[sim.Draw]uint64 // in the run under way: the second run of a step asks again
	draws   []sim.Override
}

// NewDecoder prepares to play runs of a search: of its program and configuration, with
// faults within its budget.
func NewDecoder(s *Search) (*Decoder, error) {
	d := &Decoder{search: *s, given: map[sim.Draw]uint64{}}
	d.search.Mode = Random // what that can do, but for loss by chance
	if err := d.search.Check(); err != nil {
		return nil, err
	}
	if s.Budget.Loss > 0 {
		return nil, errors.New("budget: loss is a chance, for random search: give lost, the most messages that are lost")
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	var p *profile
	if err := batch.Guarded(func() (err error) { p, err = survey(context.Background(), &d.search, w); return err }); err != nil {
		return nil, err
	}
	d.world = w
	d.make = generator{budget: &d.search.Budget, profile: p, until: s.Config.Until, nodes: len(s.Program.Nodes)}
	return d, d.passes()
}

// passes refuses a model that makes no progress where every draw is the least there is.
func (d *Decoder) passes() error {
	r, _, err := d.Run(&Bytes{})
	if err == nil && r.Panic != nil && strings.HasPrefix(r.Panic.Value, "time does not pass") {
		err = fmt.Errorf("in the fault-free run, in which every draw is the least, %s: give delays a least length above 0", r.Panic.Value)
	}
	return err
}

// Run plays the run that c chooses. The schedule plays the same run, to the same
// digest, without the chooser. The result holds until the next run.
func (d *Decoder) Run(c Chooser) (*sim.Result, Schedule, error) {
	d.chooser = within{c}
	d.draws = d.draws[:0]
	clear(d.given)
	config := &d.search.Config
	s := Schedule{Seed: d.search.Seed, Minimal: true, Faults: slices.Concat(config.Faults, d.make.sparing(d.chooser))}
	v := s.Variation()
	v.Overrides, v.Choose = config.Overrides, d.choose
	if err := d.world.Vary(v); err != nil {
		return nil, s, err
	}
	r := d.world.Run(s.Seed)
	s.Overrides = slices.Concat(config.Overrides, d.draws)
	return r, s, nil
}

// Failure plays a schedule and says how it fails: the step that panicked, or the first
// of the search's targets to be violated. It is nil if it does not fail.
func (d *Decoder) Failure(s Schedule) (*Failure, error) { return d.search.Evaluate(d.world, s) }

// choose gives a draw: one byte, repeated, so that the least is the minimal choice and
// the greatest comes about however small its chance.
func (d *Decoder) choose(draw sim.Draw) uint64 {
	if v, ok := d.given[draw]; ok {
		return v
	}
	v := d.chooser.Below(256) * 0x0101010101010101
	d.given[draw] = v
	if v != 0 {
		d.draws = append(d.draws, sim.Override{Draw: draw, Value: v})
	}
	return v
}

// within is a chooser that is asked only where there is a choice, and does not go
// beyond it.
type within struct{ Chooser }

// Below implements [Chooser].
func (w within) Below(n uint64) uint64 {
	if n <= 1 {
		return 0
	}
	return min(w.Chooser.Below(n), n-1)
}

// sparing chooses the faults of one run as faults does, but choice 0 is that there is
// none, or no further one; and what a choice means does not depend on the faults
// before, so that any of them can be taken away from the choices.
func (g *generator) sparing(c Chooser) []sim.Fault {
	for range g.begin() {
		k := c.Below(uint64(len(g.left)) + 1)
		if k == 0 {
			break
		}
		if a := &g.left[k-1]; a.count > 0 {
			a.count--
			g.focus = [2]uint64{}
			if a.do.Of() != sim.OneMessage {
				g.focus[0] = c.Below(uint64(len(g.profile.effects.groups)) + 1)
			} else {
				g.focus[1] = c.Below(uint64(len(g.profile.messages.groups)) + 1)
			}
			g.made = append(g.made, g.fault(a.do, c))
		}
	}
	return g.made
}

// Evaluate plays a schedule and says how it fails: the step that panicked, or the first
// of the targets to be violated. It is nil if it does not fail.
func (s *Search) Evaluate(w sim.Runner, sch Schedule) (*Failure, error) {
	w.SetAdversary(nil)
	r, err := sch.Play(w)
	if err != nil {
		return nil, err
	}
	f := &Failure{Schedule: sch, Run: 1, Property: s.first(r)}
	if r.Panic != nil {
		f.Property = NoProperty
	} else if f.Property == NoProperty {
		return nil, nil
	}
	f.saw(r)
	return f, nil
}
