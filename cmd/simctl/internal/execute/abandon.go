package execute

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNoEnd is that work was abandoned, since a single run in it did not end.
var ErrNoEnd = errors.New("interrupted; the work under way did not stop within 5s, and nothing of it is reported")

// patience is how long after an interrupt a run may take to its end.
const patience = 5 * time.Second

// abandon does some work, but waits no longer than the patience for its end once
// ctx has ended. Runs are interrupted between two of them, and one in which a client
// asks again at the same instant, forever, reaches no such place: Ctrl-C has to
// end the program all the same, with its half-written files taken away. What is
// abandoned continues until the program ends.
func abandon[T any](ctx context.Context, name string, patience time.Duration, work func() (*T, error)) (*T, error) {
	type result struct {
		of  *T
		err error
	}
	done := make(chan result, 1)
	go func() {
		r, err := work()
		done <- result{r, err}
	}()
	select {
	case r := <-done:
		return r.of, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.of, r.err
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: %w", name, ErrNoEnd)
	}
}
