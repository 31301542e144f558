package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"fencepost/sim"
	"fencepost/sim/stats"
)

// Comparison says which programs to run with the same seeds.
type Comparison struct {
	Programs []sim.Program
	Configs  []sim.Config // of each program
	Baseline int          // index of the program from which the others' differences are taken
	Seed     uint64       // of the first run of each; the others have the seeds that follow
	Runs     int          // of each, 1 and up
	Jobs     int          // workers with a world of each program; 0 is one per processor
}

// Compared is the result of programs that were run with the same seeds.
type Compared struct {
	Tallies []*stats.Tally
	Pairs   []*stats.Paired // by program; nil for the baseline
	Unsafe  []int           // runs in which any of the properties that all have is violated
	shared  [][]int         // those, by program
}

// maxTallies bounds the results that wait to be added up: each has its histograms.
const maxTallies = 512

// Compare runs programs with the same seeds and adds up the results in the order of the
// seeds, so that they do not depend on how many jobs there are. Progress and the end of
// ctx are as in [Runs]; every program has then run with the same seeds.
func Compare(ctx context.Context, o Comparison, progress func(*Compared)) (*Compared, error) {
	switch n := len(o.Programs); {
	case o.Runs < 1:
		return nil, fmt.Errorf("runs: must be positive, got %d", o.Runs)
	case n == 0 || n != len(o.Configs):
		return nil, errors.New("compare: want one config for each program, and one program at least")
	case o.Baseline < 0 || o.Baseline >= n:
		return nil, fmt.Errorf("baseline: want 0 to %d, got %d", n-1, o.Baseline)
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	o.Jobs = max(min(o.Jobs, maxTallies/(4*len(o.Programs))), 1)
	size := min(max(o.Runs/(8*o.Jobs), 1), maxBatch/4)
	batches := (o.Runs + size - 1) / size
	all := o.Empty()
	do := func(ctx context.Context, w []sim.Runner, batch int, p *comparedPart) {
		p.err = o.fill(ctx, w, batch*size, min((batch+1)*size, o.Runs), p)
	}
	var failed error
	merge := func(_ int, p *comparedPart) bool {
		all.Merge(p.of)
		if failed = p.err; failed == nil && p.whole && progress != nil {
			progress(all)
		}
		return p.whole && failed == nil
	}
	err := InOrder(ctx, min(o.Jobs, batches), batches, o.worlds, do, merge)
	switch {
	case err != nil:
	case failed != nil:
		err = failed
	case all.Tallies[0].Runs < o.Runs:
		err = ctx.Err()
	}
	return all, err
}

// comparedPart is the results of consecutive seeds.
type comparedPart struct {
	of    *Compared
	whole bool // false if it was broken off
	err   error
}

// worlds are one of each program.
func (o *Comparison) worlds() ([]sim.Runner, error) {
	var list []sim.Runner
	for i := range o.Programs {
		w, err := o.Programs[i].NewWorld(o.Configs[i])
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, nil
}

// fill does the runs from first to before end, each seed with every program.
func (o *Comparison) fill(ctx context.Context, worlds []sim.Runner, first, end int, p *comparedPart) (err error) {
	seed := o.Seed
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("seed %d: panic outside of a step: %v\n%s", seed, r, debug.Stack())
		}
	}()
	if p.whole = false; p.of == nil {
		p.of = o.Empty()
	}
	p.of.clear()
	results := make([]*sim.Result, len(worlds))
	for i := first; i < end; i++ {
		seed = o.Seed + uint64(i)
		for k, w := range worlds {
			if ctx.Err() != nil {
				return nil
			}
			results[k] = w.Run(seed)
		}
		p.of.add(results, o.Baseline)
	}
	p.whole = true
	return nil
}

// Empty is a comparison of no runs: what those of consecutive seeds are merged into.
func (o *Comparison) Empty() *Compared {
	c := &Compared{Unsafe: make([]int, len(o.Programs)), shared: make([][]int, len(o.Programs))}
	for i := range o.Programs {
		c.Tallies = append(c.Tallies, stats.NewTally(&o.Programs[i], len(o.Configs[i].Faults)))
		var p *stats.Paired
		if i != o.Baseline {
			p = stats.NewPaired(&o.Programs[o.Baseline], &o.Programs[i])
		}
		c.Pairs = append(c.Pairs, p)
	}
	for _, name := range o.Programs[0].Properties {
		var at []int
		for i := range o.Programs {
			for j, other := range o.Programs[i].Properties {
				if other == name {
					at = append(at, j)
				}
			}
		}
		if len(at) == len(o.Programs) {
			for i, j := range at {
				c.shared[i] = append(c.shared[i], j)
			}
		}
	}
	return c
}

func (c *Compared) clear() {
	clear(c.Unsafe)
	for i, t := range c.Tallies {
		t.Clear()
		if c.Pairs[i] != nil {
			c.Pairs[i].Clear()
		}
	}
}

func (c *Compared) add(results []*sim.Result, baseline int) {
	for i, r := range results {
		c.Tallies[i].Add(r)
		if c.Pairs[i] != nil {
			c.Pairs[i].Add(results[baseline], r)
		}
		for _, p := range c.shared[i] {
			if r.Properties[p].Verdict == sim.Violated {
				c.Unsafe[i]++
				break
			}
		}
	}
}

// Merge counts the runs of another comparison of the same programs, which follow those
// counted so far.
func (c *Compared) Merge(other *Compared) {
	for i, t := range c.Tallies {
		t.Merge(other.Tallies[i])
		if c.Pairs[i] != nil {
			c.Pairs[i].Merge(other.Pairs[i])
		}
		c.Unsafe[i] += other.Unsafe[i]
	}
}

// Check says which number of a comparison that was read from elsewhere does not fit the others.
func (c *Compared) Check(baseline int) error {
	for i, t := range c.Tallies {
		if i != baseline {
			if err := c.Pairs[i].Check(c.Tallies[baseline], t); err != nil {
				return fmt.Errorf("pairs[%d].%w", i, err)
			}
		}
		least, most := 0, 0
		for _, p := range c.shared[i] {
			least, most = max(least, t.Properties[p].Violated), most+t.Properties[p].Violated
		}
		if n := c.Unsafe[i]; n < least || n > min(most, t.Runs) {
			return fmt.Errorf("unsafe[%d] is %d: want %d to %d, by the violations that its tally has", i, n, least, min(most, t.Runs))
		}
	}
	return nil
}
