package explore

import (
	"context"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/batch"
)

// samples is a batch of a random search.
type samples struct {
	outcomes []outcome
}

// batchRuns is how many runs a batch has.
const batchRuns = 128

// sampler is one goroutine of a random search.
type sampler struct {
	search *Search
	world  sim.Runner
	make   generator
	pct    pct
	loss   lossy
	faults []sim.Fault
	draw   Seeded
	meets  *meetings // nil for a budget of one fault
}

func newSampler(s *Search, p *profile) (*sampler, error) {
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	k := &sampler{search: s, world: w}
	k.make = generator{budget: &s.Budget, profile: p, until: s.Config.Until, nodes: len(s.Program.Nodes), swarm: true}
	k.pct = newPCT(s, p.choices)
	if s.Budget.Faults() > 1 {
		k.meets = &meetings{window: p.timer}
	}
	k.loss = lossy{chance: s.Budget.Loss, budget: &s.Budget}
	switch {
	case s.Mode == PCT:
		w.SetAdversary(&k.pct)
	case s.Budget.Loss > 0:
		w.SetAdversary(&k.loss)
	}
	return k, nil
}

// run does the i-th run, from 0, which is the one without a fault of the budget.
func (k *sampler) run(i int) (*sim.Result, error) {
	s := k.search
	seed := s.Seed + uint64(i)
	k.draw = NewSeeded(seed)
	c := &k.draw
	k.faults = append(k.faults[:0], s.Config.Faults...)
	k.loss.begin(c, i > 0)
	switch {
	case s.Mode == PCT:
		k.pct.begin(c, i > 0)
	case i > 0:
		k.faults = append(k.faults, k.make.faults(c)...)
	}
	if err := k.world.Vary(sim.Variation{Faults: k.faults, Overrides: s.Config.Overrides, Minimal: s.Config.Minimal}); err != nil {
		return nil, err
	}
	return k.world.Run(seed), nil
}

// schedule is that of the run just done, with all that an adversary did as faults.
func (k *sampler) schedule(i int) Schedule {
	s := k.search
	return Schedule{Seed: s.Seed + uint64(i), Minimal: s.Config.Minimal, Overrides: s.Config.Overrides,
		Faults: slices.Concat(k.faults, k.pct.done, k.loss.done)}
}

// injected is whether an adversary did anything in the run just done.
func (k *sampler) injected() bool { return len(k.pct.done)+len(k.loss.done) > 0 }

// outcome sums up the run just done.
func (k *sampler) outcome(r *sim.Result) outcome {
	o := outcomeOf(r, len(k.search.Config.Faults))
	o.faulty = o.faulty || k.injected()
	if k.meets != nil {
		o.together, o.met = k.meets.of(k.faults, r, len(k.search.Config.Faults), k.pct.done, k.pct.when)
	}
	return o
}

// sample runs one seed after another.
func sample(ctx context.Context, s *Search, p *profile, r *Report) error {
	r.Depth = s.Depth
	found, err := scan(ctx, s, p, r, 0, s.Runs)
	if err != nil {
		return err
	}
	switch {
	case found:
		r.Bound = "found"
		_, err = s.again(p, r)
		return err
	case s.Runs > 0 && r.Runs == s.Runs:
		r.Bound = "runs"
	default:
		r.Bound = "time"
	}
	return nil
}

// scan does the runs from the index first to before end, 0 for no end, up to the first
// that is what is looked for, and reports whether there is one.
func scan(ctx context.Context, s *Search, p *profile, r *Report, first, end int) (found bool, err error) {
	targets := s.targets()
	batches := (end - first + batchRuns - 1) / batchRuns
	if end == 0 {
		batches = 0
	}
	worker := func() (*sampler, error) { return newSampler(s, p) }
	do := func(ctx context.Context, k *sampler, batch int, out *samples) {
		out.outcomes = out.outcomes[:0]
		from := first + batch*batchRuns
		for i := from; i < from+batchRuns && (end == 0 || i < end) && ctx.Err() == nil; i++ {
			res, err := k.run(i)
			if err != nil {
				panic(err) // the generator makes only faults that the system has
			}
			out.outcomes = append(out.outcomes, k.outcome(res))
		}
	}
	told := time.Time{}
	merge := func(_ int, in *samples) bool {
		for i := range in.outcomes {
			if found = r.add(&in.outcomes[i], targets); found {
				return false
			}
		}
		if now := time.Now(); s.Progress != nil && now.Sub(told) > tellEvery {
			told = now
			s.Progress(r)
		}
		return len(in.outcomes) == batchRuns
	}
	return found, batch.InOrder(ctx, s.Jobs, batches, worker, do, merge)
}

// tellEvery is how often progress is told.
const tellEvery = 50 * time.Millisecond

// again does the last run of a report once more, by itself, to know its schedule.
func (s *Search) again(p *profile, r *Report) (last outcome, err error) {
	i := r.Runs - 1
	k, err := newSampler(s, p)
	if err != nil {
		return last, err
	}
	res, err := k.run(i)
	if err != nil {
		return last, err
	}
	last = k.outcome(res)
	r.Found, err = s.failure(k.world, k.schedule(i), i+1)
	return last, err
}
