package permits

import (
	"fmt"
	"slices"
)

// Waiter is a request that waits for a permit.
type Waiter struct {
	Rid      uint32
	Deadline int64 // the reading from which it waits no longer
}

// Entry is what becomes of a request that arrives.
type Entry uint8

// The entries.
const (
	Start  Entry = iota // it has a permit: run it, and call Release when it is done
	Wait                // it waits: arm a timer for its deadline, and call Leave then
	Full                // too many wait: 429
	Closed              // the limiter is draining: 503
)

// Fate is what Release did with the permit.
type Fate uint8

// The fates.
const (
	Handed  Fate = iota // to the waiter, which starts now
	Expired             // to none yet: the waiter's deadline is over. Tell it 503, and call Release again
	Kept                // none waits: the permit is free
)

// Fixed is a concurrency limiter with a queue that keeps what it promises. It has one
// owner and no dispatcher: the handler that releases a permit hands it to the next waiter
// itself, so that no permit is ever on its way to a request that may be cancelled.
//
//  1. 0 <= in use <= Permits
//  2. at most Queue wait
//  3. if a request waits, no permit is free
//  4. no request waits while it is draining
//
// Source: the middleware of aswritten.go, mended; LIFO as in Netflix's
// LifoBlockingLimiter.
type Fixed struct {
	Permits int  // c, 1 and up
	Queue   int  // q, 0 and up
	LIFO    bool // the newest waiter first: under overload the successes stay fast

	inUse    int
	draining bool
	waiting  []Waiter // by arrival
}

// Reset makes the limiter one that has seen nothing, with the parameters of another.
func (f *Fixed) Reset(params *Fixed) {
	waiting := f.waiting
	*f = *params
	f.waiting = refill(waiting, params.waiting)
}

// refill makes mine, whose memory is kept, equal to theirs. It is not nil afterwards, so
// that equal states are equal however they came about.
func refill[T any](mine, theirs []T) []T {
	if mine == nil {
		mine = make([]T, 0, 4)
	}
	return append(mine[:0], theirs...)
}

// Arrive is ARRIVE.
func (f *Fixed) Arrive(w Waiter) Entry {
	switch {
	case f.draining:
		return Closed
	case f.inUse < f.Permits && len(f.waiting) == 0:
		f.inUse++
		return Start
	case len(f.waiting) >= f.Queue:
		return Full
	}
	f.waiting = append(f.waiting, w)
	return Wait
}

// Release is RELEASE. A permit that is handed over stays in use all the while.
func (f *Fixed) Release(now int64) (Waiter, Fate) {
	if len(f.waiting) == 0 {
		f.inUse--
		return Waiter{}, Kept
	}
	next := 0
	if f.LIFO {
		next = len(f.waiting) - 1
	}
	w := f.waiting[next]
	f.waiting = slices.Delete(f.waiting, next, next+1)
	if now >= w.Deadline {
		return w, Expired
	}
	return w, Handed
}

// Leave is TIMEOUT and CANCEL. It reports whether the request was waiting: it is not any
// more, and has to be told. Otherwise it owns a permit, and must release it even if it
// then only answers that it is gone; or it has been answered.
func (f *Fixed) Leave(rid uint32) bool {
	for i := range f.waiting {
		if f.waiting[i].Rid == rid {
			f.waiting = slices.Delete(f.waiting, i, i+1)
			return true
		}
	}
	return false
}

// Shutdown is SHUTDOWN. It may be called again and again. It returns those who were
// waiting, which have to be told 503 now; the slice is good until the next Arrive.
func (f *Fixed) Shutdown() []Waiter {
	f.draining = true
	told := f.waiting
	f.waiting = f.waiting[:0]
	return told
}

// Drained reports whether a limiter that drains has no request left.
func (f *Fixed) Drained() bool { return f.draining && f.inUse == 0 }

// InUse is how many permits are in use.
func (f *Fixed) InUse() int { return f.inUse }

// Waiting is how many requests wait.
func (f *Fixed) Waiting() int { return len(f.waiting) }

// Check returns which of the numbered invariants does not hold, nil if all do.
func (f *Fixed) Check() error {
	switch {
	case f.inUse < 0 || f.inUse > f.Permits:
		return fmt.Errorf("fixed limiter, 1: %d permits of %d are in use", f.inUse, f.Permits)
	case len(f.waiting) > f.Queue:
		return fmt.Errorf("fixed limiter, 2: %d wait, and %d may", len(f.waiting), f.Queue)
	case len(f.waiting) > 0 && f.inUse < f.Permits:
		return fmt.Errorf("fixed limiter, 3: %d wait, and %d permits are free", len(f.waiting), f.Permits-f.inUse)
	case len(f.waiting) > 0 && f.draining:
		return fmt.Errorf("fixed limiter, 4: %d wait, and it is draining", len(f.waiting))
	}
	return nil
}
