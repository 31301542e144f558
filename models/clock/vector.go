package clock

import "fmt"

// Vector is a vector clock of processes 0 to len-1: entry q is how many events of
// process q are known. make([]uint64, n) has seen nothing.
//
// It promises VC: a -> b if and only if V(a) < V(b), for a and b not the same event.
// The price is a counter per process in each message. A process that comes back
// without its counter must take a new number: see [Actor].
//
// A message carries a copy. Counters are at most 2^63-1: see [MaxCount].
//
// Source: Fidge 1988; Mattern, "Virtual Time and Global States of Distributed Systems",
// 1989.
type Vector []uint64

// Tick is a local event or a send of process p, one of the clock's own: as an index
// out of range any other panics.
func (v Vector) Tick(p int) { v[p]++ }

// Receive is the receipt, by process p, of a message that carries w.
func (v Vector) Receive(p int, w Vector) error {
	if err := v.Merge(w); err != nil {
		return err
	}
	v[p]++
	return nil
}

// Merge takes the larger of each counter.
func (v Vector) Merge(w Vector) error {
	if len(v) != len(w) {
		return dimension(len(v), len(w))
	}
	for i, n := range w {
		v[i] = max(v[i], n)
	}
	return nil
}

// Compare is how v stands to w.
//
// The loop has no branch: the top bit of a difference is the borrow as long as both
// counters are below 2^63. Unrolled by four or eight it took longer.
func (v Vector) Compare(w Vector) (Relation, error) {
	if len(v) != len(w) {
		return Equal, dimension(len(v), len(w))
	}
	var below, above uint64
	for i := range v {
		d := v[i] - w[i]
		below |= d
		above |= -d
	}
	return Relation(below>>63) | Relation(above>>63<<1), nil
}

// Precedes reports whether an event of process p with clock v happened before one with
// clock w, by one look: w knows of it. Both are clocks of events, and not of the same;
// an event of an unknown process precedes nothing.
//
// Source: Mattern 1989, section 6.
func (v Vector) Precedes(p int, w Vector) bool {
	return uint(p) < uint(len(v)) && p < len(w) && v[p] <= w[p]
}

// Check returns a counter that is out of range.
func (v Vector) Check() error {
	for i, n := range v {
		if n >= 1<<63 {
			return fmt.Errorf("vector clock: the counter of process %d is %d, above 2^63-1", i, n)
		}
	}
	return nil
}

// WireSize is how many bytes a message needs for the clock: a varint per process.
func (v Vector) WireSize() int {
	size := 0
	for _, n := range v {
		size += varint(n)
	}
	return size
}

// DimensionError is that two clocks are not of the same number of processes.
type DimensionError struct{ Left, Right int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("clock: vectors of %d and %d processes do not compare", e.Left, e.Right)
}

//go:noinline
func dimension(left, right int) error { return &DimensionError{left, right} }
