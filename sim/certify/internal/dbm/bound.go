// Package dbm keeps sets of instants as bounds on the differences of each two of them, in matrices: difference-bound
// matrices.
//
// Source: Dill, "Timing Assumptions and Verification of Finite-State Concurrent Systems", 1989; Bengtsson and Yi, "Timed
// Automata: Semantics, Algorithms and Tools", 2004, section 4.
package dbm

import "math"

// Bound is a bound on a difference: 2c+1 for at most c, 2c for less than c, in nanoseconds. Of two
// bounds the smaller number is the tighter one.
type Bound int64

// Bounds of no number of nanoseconds, and of none.
const (
	Unbounded Bound = math.MaxInt64
	Zero      Bound = 1 // at most 0
	Negative  Bound = 0 // less than 0
)

// AtMost is the bound of at most c nanoseconds.
func AtMost(c int64) Bound { return Bound(2*c + 1) }

// LessThan is the bound of less than c nanoseconds.
func LessThan(c int64) Bound { return Bound(2 * c) }

// Plus is the bound on a sum.
func Plus(a, b Bound) Bound {
	if a == Unbounded || b == Unbounded {
		return Unbounded
	}
	return (a &^ 1) + (b &^ 1) + (a & b & 1)
}

// Limit is the number of the bound, in nanoseconds, and whether it may be reached.
func (b Bound) Limit() (c int64, reached bool) { return int64(b >> 1), b&1 == 1 }

// Not is the bound on the reverse difference that holds where b does not: of x-y < c it is
// y-x <= -c.
func (b Bound) Not() Bound { return 1 - b }
