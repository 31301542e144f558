package shed

import (
	"errors"
	"fmt"
	"time"

	"fencepost/models/ratelimit"
)

// Worker sheds the least important class that is still let in when too few workers are
// free, and lets it in again when enough are. It takes one class at a time, and waits
// Every between two changes: the effect of one must show before the next, or it flaps.
//
// A critical request is refused only while all others are.
type Worker struct {
	Low   int64         // fewer free workers shed a class, 0 and up
	High  int64         // this many free workers restore one, Low and up: in between nothing changes
	Every time.Duration // from one change to the next. Stripe's is in the order of 10 s

	shed    Class // how many classes are not let in
	changed bool
	last    ratelimit.Reading // when that changed, if it has
}

// Validate returns all mistakes.
func (w *Worker) Validate() error {
	var found []error
	if w.Low < 0 {
		found = append(found, fmt.Errorf("low: must be 0 or more, got %d", w.Low))
	}
	if w.High < w.Low {
		found = append(found, fmt.Errorf("high: must be low (%d) or more, got %d", w.Low, w.High))
	}
	if w.Every < 0 {
		found = append(found, fmt.Errorf("every: must not be negative, got %v", w.Every))
	}
	return errors.Join(found...)
}

// Observe takes in how many workers are free, again and again. A clock that goes back
// makes the wait longer.
func (w *Worker) Observe(now ratelimit.Reading, free int64) {
	if w.changed && time.Duration(now-w.last) < w.Every {
		return
	}
	switch {
	case free < w.Low && w.shed < Classes:
		w.shed++
	case free >= w.High && w.shed > 0:
		w.shed--
	default:
		return
	}
	w.changed, w.last = true, now
}

// Admit reports whether a class is let in.
func (w *Worker) Admit(c Class) bool { return c < Classes-w.shed }

// Shed is how many classes are not let in, 0 to [Classes].
func (w *Worker) Shed() int { return int(w.shed) }
