package batch

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"fencepost/sim"
	"fencepost/sim/stats"
)

// Options say what to run.
type Options struct {
	Program sim.Program
	Config  sim.Config
	Seed    uint64 // of the first run; the others have the seeds that follow
	Runs    int    // 1 and up
	Jobs    int    // worlds at the same time; 0 is one per processor
}

// maxBatch bounds how many runs a worker does before it hands them in.
const maxBatch = 256

// Runs runs a program with many seeds and adds up the results in the order of the
// seeds. Progress, if not nil, is called now and then with what has been added so
// far; it must not keep it. When ctx is done, Runs stops and returns what is
// complete: the results of the first seeds, with the error of ctx.
func Runs(ctx context.Context, o Options, progress func(*stats.Tally)) (*stats.Tally, uint64, error) {
	if o.Runs < 1 {
		return nil, 0, fmt.Errorf("runs: must be positive, got %d", o.Runs)
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	size := min(max(o.Runs/(8*o.Jobs), 1), maxBatch)
	batches := (o.Runs + size - 1) / size
	all := o.newTally()
	worker := func() (sim.Runner, error) { return o.Program.NewWorld(o.Config) }
	do := func(ctx context.Context, w sim.Runner, batch int, p *part) {
		p.err = o.fill(ctx, w, batch*size, min((batch+1)*size, o.Runs), p)
	}
	var failed error
	merge := func(_ int, p *part) bool {
		all.Merge(p.tally)
		if failed = p.err; failed == nil && p.whole && progress != nil {
			progress(all)
		}
		return p.whole && failed == nil
	}
	err := InOrder(ctx, min(o.Jobs, batches), batches, worker, do, merge)
	switch {
	case err != nil:
	case failed != nil:
		err = failed
	case all.Runs < o.Runs:
		err = ctx.Err()
	}
	return all, all.Digest(), err
}

// part is the results of consecutive seeds.
type part struct {
	tally *stats.Tally
	whole bool // false if it was broken off: what comes after it does not count
	err   error
}

func (o *Options) newTally() *stats.Tally { return stats.NewTally(&o.Program, len(o.Config.Faults)) }

// fill does the runs from first to before end. A panic that is no finding of the
// engine, such as one in a property, becomes an error that names the seed.
func (o *Options) fill(ctx context.Context, w sim.Runner, first, end int, p *part) (err error) {
	seed := o.Seed
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("seed %d: panic outside of a step: %v\n%s", seed, r, debug.Stack())
		}
	}()
	if p.whole = false; p.tally == nil {
		p.tally = o.newTally()
	}
	p.tally.Clear()
	for i := first; i < end; i++ {
		if ctx.Err() != nil {
			return nil
		}
		seed = o.Seed + uint64(i)
		p.tally.Add(w.Run(seed))
	}
	p.whole = true
	return nil
}
