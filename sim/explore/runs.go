// Package explore drives worlds from outside: many seeds at once, on all cores.
// It is the one place of the engine with goroutines; what it returns does not
// depend on how many there are.
package explore

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"fencepost/sim"
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
// complete: the results of the first so many seeds, with the error of ctx.
func Runs(ctx context.Context, o Options, progress func(*sim.Tally)) (*sim.Tally, uint64, error) {
	if o.Runs < 1 {
		return nil, 0, fmt.Errorf("runs: must be positive, got %d", o.Runs)
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	s := newSweep(ctx, o)
	var workers sync.WaitGroup
	for range min(o.Jobs, s.batches) {
		workers.Go(s.work)
	}
	go func() {
		workers.Wait()
		close(s.finished)
	}()
	t, err := s.collect(progress)
	if err == nil && t.Runs < o.Runs {
		err = ctx.Err()
	}
	return t, t.Digest(), err
}

// sweep is what the workers of one call share. A worker takes an empty tally
// first and the next batch then, so the oldest batch under way always has one.
type sweep struct {
	Options
	ctx      context.Context
	stop     context.CancelFunc // no further batch is begun
	size     int                // of a batch
	batches  int
	empty    chan *sim.Tally
	finished chan batch

	mu   sync.Mutex
	next int // batch to be begun
}

// batch is the results of consecutive seeds.
type batch struct {
	number int
	tally  *sim.Tally
	whole  bool // false if the worker was stopped in the middle
	err    error
}

func newSweep(ctx context.Context, o Options) *sweep {
	s := &sweep{Options: o}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.size = min(max(o.Runs/(8*o.Jobs), 1), maxBatch)
	s.batches = (o.Runs + s.size - 1) / s.size
	tallies := min(4*o.Jobs, s.batches)
	s.empty = make(chan *sim.Tally, tallies)
	s.finished = make(chan batch, tallies)
	for range tallies {
		s.empty <- s.newTally()
	}
	return s
}

func (s *sweep) newTally() *sim.Tally { return sim.NewTally(&s.Program, len(s.Config.Faults)) }

// work does batches with a world of its own until none is left.
func (s *sweep) work() {
	world, err := s.Program.NewWorld(s.Config)
	for s.ctx.Err() == nil {
		var t *sim.Tally
		select {
		case <-s.ctx.Done():
			return
		case t = <-s.empty:
		}
		s.mu.Lock()
		n := s.next
		s.next++
		s.mu.Unlock()
		if n >= s.batches {
			return
		}
		b := batch{number: n, tally: t, err: err}
		if err == nil {
			b.err = s.fill(&b, world)
		}
		s.finished <- b
	}
}

// fill does the runs of a batch. A panic that is no finding of the engine, such
// as one in a property, becomes an error that names the seed.
func (s *sweep) fill(b *batch, world sim.Runner) (err error) {
	first, end := b.number*s.size, min((b.number+1)*s.size, s.Runs)
	seed := s.Seed
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("seed %d: panic outside of a step: %v\n%s", seed, r, debug.Stack())
		}
	}()
	for i := first; i < end; i++ {
		if s.ctx.Err() != nil {
			return nil
		}
		seed = s.Seed + uint64(i)
		b.tally.Add(world.Run(seed))
	}
	b.whole = true
	return nil
}

// collect merges the batches in order, up to and with the first that is not
// whole: what the workers finished beyond that is dropped.
func (s *sweep) collect(progress func(*sim.Tally)) (*sim.Tally, error) {
	defer s.stop()
	all := s.newTally()
	early := map[int]batch{} // handed in before their turn
	turn, open := 0, true
	var err error
	for b := range s.finished {
		early[b.number] = b
		for next, ok := early[turn]; ok && open; next, ok = early[turn] {
			delete(early, turn)
			turn++
			all.Merge(next.tally)
			open = next.whole
			if err = next.err; err != nil {
				s.stop()
				break
			}
			next.tally.Clear()
			s.empty <- next.tally
		}
		if progress != nil && open {
			progress(all)
		}
	}
	return all, err
}
