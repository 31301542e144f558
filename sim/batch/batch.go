package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// InOrder does batches of work on several goroutines and hands in their results in
// order, so that the result does not depend on how many there are. A worker is
// made for each; do fills a result with the work of a batch; merge, called by one
// goroutine, reports whether to continue. batches is how many there are, 0 for no end.
func InOrder[W, R any](ctx context.Context, jobs, batches int, worker func() (W, error),
	do func(ctx context.Context, w W, batch int, r *R), merge func(batch int, r *R) bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	q := &queue[W, R]{do: do, batches: batches, done: make(chan handed[R], 4*jobs), empty: make(chan *R, 4*jobs)}
	for range 4 * jobs {
		q.empty <- new(R)
	}
	var all sync.WaitGroup
	for range jobs {
		w, err := worker()
		if err != nil {
			return err
		}
		all.Go(func() { q.work(ctx, w) })
	}
	go func() {
		all.Wait()
		close(q.done)
	}()
	return q.collect(stop, merge)
}

type queue[W, R any] struct {
	do      func(ctx context.Context, w W, batch int, r *R)
	batches int
	done    chan handed[R]
	empty   chan *R

	mu   sync.Mutex
	next int
}

type handed[R any] struct {
	batch  int
	result *R
	err    error
}

func (q *queue[W, R]) work(ctx context.Context, w W) {
	for ctx.Err() == nil {
		var r *R
		select {
		case <-ctx.Done():
			return
		case r = <-q.empty:
		}
		q.mu.Lock()
		n := q.next
		q.next++
		q.mu.Unlock()
		if q.batches > 0 && n >= q.batches {
			return
		}
		q.done <- handed[R]{n, r, Guarded(func() error { q.do(ctx, w, n, r); return nil })}
	}
}

// Guarded turns a panic that is no finding of the engine, such as one in a property,
// into an error.
func Guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic outside of a step: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// collect merges in order until there is enough.
func (q *queue[W, R]) collect(stop func(), merge func(batch int, r *R) bool) error {
	early := map[int]handed[R]{}
	turn, open := 0, true
	var err error
	for h := range q.done {
		early[h.batch] = h
		for next, ok := early[turn]; ok && open; next, ok = early[turn] {
			delete(early, turn)
			turn++
			if err = next.err; err != nil || !merge(next.batch, next.result) {
				open = false
				stop()
				break
			}
			q.empty <- next.result
		}
	}
	return err
}
