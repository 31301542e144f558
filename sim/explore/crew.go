package explore

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// crew is the goroutines of an exhaustive search. They do the runs of a grain, while
// the tree stands still.
type crew struct {
	tree   *tree
	visits []*visit
	runs   []explored
}

func (k *crew) hire(jobs int) error {
	for range jobs {
		v, err := k.tree.visitor()
		if err != nil {
			return err
		}
		k.visits = append(k.visits, v)
	}
	return nil
}

// do runs the branches from first on. What ctx keeps it from has taken no step.
func (k *crew) do(ctx context.Context, first, n int) error {
	var next atomic.Int64
	var all sync.WaitGroup
	errs := make([]error, len(k.visits))
	for j, v := range k.visits {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && errs[j] == nil; i = int(next.Add(1)) - 1 {
				errs[j] = k.one(ctx, v, first, i)
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

// one does one run. A panic that is no finding of the engine becomes an error.
func (k *crew) one(ctx context.Context, v *visit, first, i int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic outside of a step: %v\n%s", p, debug.Stack())
		}
	}()
	x := &k.runs[i]
	if x.outcome = (outcome{}); ctx.Err() != nil {
		return nil
	}
	s := k.tree.search
	v.begin(int32(first + i))
	x.outcome = outcomeOf(v.world.Run(s.Seed), len(s.Config.Faults))
	x.outcome.faulty = len(v.faults) > 0
	x.made = append(x.made[:0], v.made...)
	x.prints = append(x.prints[:0], v.prints...)
	return nil
}
