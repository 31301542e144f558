package explore

import (
	"context"
	"sync"
	"sync/atomic"

	"fencepost/sim/batch"
)

// workerPool is the goroutines of an exhaustive search. They do the pieces of a grain, while
// the tree stands still.
type workerPool struct {
	tree   *tree
	visits []*visit
	runs   []explored
}

func (k *workerPool) start(ctx context.Context, jobs int) error {
	for range jobs {
		v, err := k.tree.visitor(ctx)
		if err != nil {
			return err
		}
		k.visits = append(k.visits, v)
	}
	return nil
}

// do runs n branches from first on, but for what ctx keeps it from. Each may keep as many
// bytes as its share.
func (k *workerPool) do(ctx context.Context, first, n int, share int64) error {
	for len(k.runs) < n {
		k.runs = append(k.runs, explored{})
	}
	var next atomic.Int64
	var all sync.WaitGroup
	errs := make([]error, len(k.visits))
	for j, v := range k.visits {
		v.share = share
		all.Go(func() {
			for from := int(next.Add(piece)) - piece; from < n && errs[j] == nil; from = int(next.Add(piece)) - piece {
				errs[j] = batch.Guarded(func() error { k.some(ctx, v, first, from, min(from+piece, n)); return nil })
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// some does the runs of a piece.
func (k *workerPool) some(ctx context.Context, v *visit, first, from, to int) {
	v.piece.clear()
	for i := from; i < to; i++ {
		k.one(ctx, v, first, i)
	}
}

// one does one run.
func (k *workerPool) one(ctx context.Context, v *visit, first, i int) {
	x := &k.runs[i]
	if x.done = ctx.Err() == nil; !x.done {
		return
	}
	s := k.tree.search
	v.begin(int32(first + i))
	r := v.world.Run(s.Seed)
	if x.done = !v.over; !x.done {
		return
	}
	x.outcome = outcomeOf(r, len(s.Config.Faults))
	x.outcome.faulty = len(v.faults) > 0
	x.made = append(x.made[:0], v.made...)
	x.prints = append(x.prints[:0], v.prints...)
	x.crowded = v.crowded()
}
