package clock

import (
	"fmt"
	"iter"
	"slices"
	"time"
)

// What clocks claim, against the oracle. Each function returns the first violation, or
// nil. A comparison of stamps must be a strict order of its own (transitive), as that
// of every clock here is; then neighbours are enough and no function looks at all
// pairs.

// ClaimError is a claim of a clock that the oracle contradicts.
type ClaimError struct {
	Claim     string
	A, B      Event
	Is, Stamp string // what holds between A and B, and what the clock says
}

func (e *ClaimError) Error() string {
	return fmt.Sprintf("%s: event %d %s event %d, but the clock says %s", e.Claim, e.A, e.Is, e.B, e.Stamp)
}

// OrdersCausally checks: a -> b implies that the stamp of a is less. It asks about each
// event and the one or two right before it.
func (h *History) OrdersCausally(less func(a, b Event) bool) (err error) {
	h.each(func(e, last Event) bool {
		for _, before := range []Event{last, h.events[e].from} {
			if before != none && !less(before, e) {
				err = &ClaimError{"orders-causally", before, e, "<", "otherwise"}
				return false
			}
		}
		return true
	})
	return err
}

// DetectsConcurrency checks that a clock tells the relation of any two events, in both
// directions. Of each process it asks about the last event in the history of e, and
// about the first one that is not.
func (h *History) DetectsConcurrency(compare func(a, b Event) Relation) error {
	const claim = "detects-concurrency"
	ask := func(a, b Event) error {
		if is, says := h.Relation(a, b), compare(a, b); is != says {
			return &ClaimError{claim, a, b, is.String(), says.String()}
		}
		return nil
	}
	if err := h.OrdersCausally(func(a, b Event) bool { return compare(a, b) == Before }); err != nil {
		return err
	}
	for e := range Event(len(h.events)) {
		for q, chain := range h.chains {
			known := int(h.past(e, q))
			if known > 0 && chain[known-1] != e {
				if err := ask(chain[known-1], e); err != nil {
					return err
				}
			}
			if known < len(chain) {
				if err := ask(chain[known], e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// TotalOrder checks that the order agrees with what happened before what, and that no
// two events compare as the same. It sorts the events.
func (h *History) TotalOrder(compare func(a, b Event) int) error {
	if err := h.OrdersCausally(func(a, b Event) bool { return compare(a, b) < 0 }); err != nil {
		return err
	}
	all := h.Sorted(compare)
	for i := range all {
		if i > 0 && compare(all[i-1], all[i]) >= 0 {
			return &ClaimError{"total-order", all[i-1], all[i], "is not", "they are the same"}
		}
	}
	return nil
}

// Sorted are the events in the order of their stamps.
func (h *History) Sorted(compare func(a, b Event) int) []Event {
	all := make([]Event, len(h.events))
	for i := range all {
		all[i] = Event(i)
	}
	slices.SortStableFunc(all, compare)
	return all
}

// ConcurrentOrdered is how many concurrent pairs have different stamps: an order that
// a clock like [Lamport]'s makes up. The stamps must order causally; then no ordered
// pair shares a stamp.
func (h *History) ConcurrentOrdered(stamp func(Event) uint64) uint64 {
	all := make([]uint64, len(h.events))
	for i := range all {
		all[i] = stamp(Event(i))
	}
	slices.Sort(all)
	_, pairs := h.Pairs()
	same := uint64(0) // as the one before and those before that
	for i := range all {
		if i > 0 && all[i] == all[i-1] {
			same++
		} else {
			same = 0
		}
		pairs -= same
	}
	return pairs
}

// ConcurrentPairs are all of them, which is work for the square of the events.
func (h *History) ConcurrentPairs() iter.Seq2[Event, Event] {
	return func(yield func(a, b Event) bool) {
		for b := range Event(len(h.events)) {
			for a := range b {
				if !h.Before(a, b) && !yield(a, b) { // a later one cannot have happened before
					return
				}
			}
		}
	}
}

// CloseToPhysical checks that a hybrid clock is never behind the wall clock of its
// node, and never further ahead than the wall clocks are apart: HL2 and HL4.
func (h *History) CloseToPhysical(ahead func(Event) time.Duration, apart time.Duration) error {
	for e := range Event(len(h.events)) {
		if a := ahead(e); a < 0 || a > apart {
			return fmt.Errorf("close-to-physical: event %d is stamped %v ahead of its wall clock, 0 to %v is close", e, a, apart)
		}
	}
	return nil
}
