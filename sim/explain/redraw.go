package explain

import (
	"context"
	"fmt"
	"slices"

	"fencepost/sim"
	"fencepost/sim/batch"
	"fencepost/sim/explore"
)

// rest is where faults may be injected after a point of a run.
type rest struct {
	steps    uint64 // taken so far in the run under way
	fork     uint64 // from this step on it is the rest
	budget   *explore.Budget
	seen     map[sim.Choice]bool
	effects  []sim.Choice
	messages []sim.Choice
	end      sim.Time // the last instant at which a node does anything
}

// step counts the steps, and skips none.
func (p *rest) step(sim.Handling) bool {
	p.steps++
	return false
}

// Choose implements [sim.Adversary]: it takes down the places, and does nothing.
func (p *rest) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	c.Timer = 0
	if p.end = max(p.end, c.At); c.Point == sim.Stepping || !p.budget.MayAny(c.Node) {
		return sim.FaultChoice{}, false
	}
	key := c
	key.At, key.To = 0, sim.None
	list := &p.effects
	if c.Point == sim.Sending {
		list = &p.messages
	}
	if !p.seen[key] && len(*list) < maxPlaces {
		p.seen[key] = true
		if p.steps >= p.fork {
			*list = append(*list, key)
		}
	}
	return sim.FaultChoice{}, false
}

// maxPlaces bounds the effects and the messages that are kept, each.
const maxPlaces = 1 << 16

// redraws is how many runs show where faults may be injected.
const redraws = 8

// places finds where faults may be injected after a unit of the run, with none that is injected
// there yet.
func (r *rewinder) places(w sim.Runner, u int) (*rest, error) {
	p := &rest{fork: max(r.units[u].fork, 1), budget: &r.search.Budget, seen: map[sim.Choice]bool{}}
	w.SetAdversary(p)
	defer w.SetAdversary(nil)
	for i := range uint64(redraws) {
		p.steps = 0
		v, seed := r.variation(u, r.options.Seed+i, nil)
		v.Skip = p.step
		if err := w.Vary(v); err != nil {
			return nil, err
		}
		w.Run(seed)
	}
	return p, nil
}

// variation is a run that is redrawn from the end of a unit on, and its seed.
func (r *rewinder) variation(u int, seed uint64, anew []sim.Fault) (sim.Variation, uint64) {
	x, f := &r.units[u], r.failure
	var faults []sim.Fault
	for i := range f.Faults {
		if x.stand[i] {
			faults = append(faults, f.Faults[i])
		}
	}
	v := sim.Variation{Faults: append(faults, anew...), Overrides: f.Overrides, Minimal: f.Minimal,
		Fork: x.fork, ForkSeed: seed, ForkMinimal: r.search.Config.Minimal}
	if x.fork == 0 { // the start: nothing stays
		v.Overrides, v.Minimal = r.search.Config.Overrides, r.search.Config.Minimal
		return v, seed
	}
	return v, f.Seed
}

// anew chooses where the faults are injected that had not been by the end of a unit.
func (r *rewinder) anew(u int, p *rest, c explore.Chooser) []sim.Fault {
	var list []sim.Fault
	for i := range r.failure.Faults {
		if r.units[u].stand[i] {
			continue
		}
		f := r.failure.Faults[i]
		if at, ok := r.place(&f, u, p, c); ok {
			placed := at.Fault(sim.FaultChoice{Do: f.Do})
			f.Node, f.When, f.Msg = placed.Node, placed.When, placed.Msg
			list = append(list, r.lasting(f, c))
		}
	}
	return list
}

// place chooses where a fault is injected after the end of a unit; false if there is
// no place left.
func (r *rewinder) place(f *sim.Fault, u int, p *rest, c explore.Chooser) (sim.Choice, bool) {
	from := p.effects
	switch {
	case f.Do.Of() == sim.OneMessage:
		from = p.messages
	case f.When.Note == 0 && f.When.Before == 0:
		at := sim.Choice{Point: sim.Stepping, Node: sim.NodeID(c.Below(uint64(len(r.search.Program.Nodes))) + 1)}
		if n := r.search.Budget.Of(f.Do); len(n) > 0 {
			at.Node = n[c.Below(uint64(len(n)))]
		}
		begin := sim.Time(0)
		if i := r.units[u].entry; i >= 0 {
			begin = r.slice.entries[i].At + 1
		}
		at.At = begin + sim.Time(c.Below(uint64(max(p.end-begin, 0))+1))
		return at, true
	}
	if n := r.search.Budget.Of(f.Do); len(n) > 0 {
		from = slices.DeleteFunc(slices.Clone(from), func(c sim.Choice) bool { return !slices.Contains(n, c.Node) })
	}
	if len(from) == 0 {
		return sim.Choice{}, false
	}
	return from[c.Below(uint64(len(from)))], true
}

// lasting chooses how long a fault lasts, or how far it goes, if the budget says so.
func (r *rewinder) lasting(f sim.Fault, c explore.Chooser) sim.Fault {
	b := &r.search.Budget
	if n := b.Amounts(f.Do); n > 0 {
		f.Do.Row().Amount.Set(&f, b.Amount(f.Do, int(c.Below(uint64(n)))))
	}
	l := b.Lengths(f.Do)
	if l == nil {
		return f
	}
	if n := len(l.List); n > 0 {
		f.For = sim.Constant(l.List[c.Below(uint64(n))])
	} else if l.Dist != nil {
		f.For = sim.Constant(max(l.Dist.Sample(c.Below(1<<32)<<32), 1))
	}
	return f
}

// again runs the rest after a unit as often as is asked for, and counts violations.
func (r *rewinder) again(u int) (int, error) {
	w, err := r.search.Program.NewWorld(r.search.Config)
	if err != nil {
		return 0, err
	}
	p, err := r.places(w, u)
	if err != nil {
		return 0, err
	}
	const size = 32
	worker := func() (sim.Runner, error) { return r.search.Program.NewWorld(r.search.Config) }
	do := func(ctx context.Context, w sim.Runner, b int, n *int) {
		*n = 0
		for i := b * size; i < min((b+1)*size, r.options.Runs) && ctx.Err() == nil; i++ {
			seed := r.options.Seed + uint64(i)
			c := explore.NewSeeded(seed)
			v, first := r.variation(u, seed, r.anew(u, p, &c))
			if err := w.Vary(v); err != nil {
				panic(err) // only faults that the system has
			}
			if r.fails(w.Run(first)) {
				*n++
			}
		}
	}
	total := 0
	merge := func(_ int, n *int) bool {
		total += *n
		return true
	}
	err = batch.InOrder(r.ctx, r.options.Jobs, (r.options.Runs+size-1)/size, worker, do, merge)
	return total, err
}

// fails reports whether a run violates the property, between whatever nodes.
func (r *rewinder) fails(x *sim.Result) bool {
	if r.failure.Property == explore.NoProperty {
		return x.Panic != nil
	}
	return x.Properties[r.failure.Property].Verdict == sim.Violated
}

func errGone(f *explore.Failure) error {
	return fmt.Errorf("seed %d: the failure is not reproduced", f.Seed)
}
