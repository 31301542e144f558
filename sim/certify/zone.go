package certify

import (
	"math"
	"slices"
)

// bound is a bound on a difference: 2c+1 for at most c, 2c for less than c, in nanoseconds. Of two
// bounds the smaller number is the tighter one.
type bound int64

const (
	unbounded bound = math.MaxInt64
	zero      bound = 1 // at most 0
	negative  bound = 0 // less than 0
)

func atMost(c int64) bound   { return bound(2*c + 1) }
func lessThan(c int64) bound { return bound(2 * c) }

// plus is the bound on a sum.
func plus(a, b bound) bound {
	if a == unbounded || b == unbounded {
		return unbounded
	}
	return (a &^ 1) + (b &^ 1) + (a & b & 1)
}

// limit is the number of the bound, and whether it may be reached.
func (b bound) limit() (c int64, reached bool) { return int64(b >> 1), b&1 == 1 }

// not is the bound on the reverse difference that holds where b does not: of x-y < c it is
// y-x <= -c.
func (b bound) not() bound { return 1 - b }

// A zone is a set of instants, one for each variable: those that satisfy a bound on the difference
// of each two. It is closed: no bound follows more tightly from others. No instant is known by
// itself, so that states which differ only in when they are reached are one.
//
// Source: Dill, "Timing Assumptions and Verification of Finite-State Concurrent Systems", 1989;
// Bengtsson and Yi, "Timed Automata: Semantics, Algorithms and Tools", 2004, section 4.
type zone struct {
	n int     // variables
	w int     // room for this many
	d []bound // by w*i+j, of variable i less variable j
}

// newZone has every variable at the same instant.
func newZone(n int) zone { return zone{n, n, slices.Repeat([]bound{zero}, n*n)} }

func (z *zone) at(i, j int) bound { return z.d[i*z.w+j] }

// row is the bounds on variable i less each.
func (z *zone) row(i int) []bound { return z.d[i*z.w : i*z.w+z.n] }

// room is a copy with room for more variables.
func (z *zone) room(m *memory, more int) zone {
	w := z.n + more
	c := zone{z.n, w, m.bounds.Take(w*w, 0)}
	for i := range z.n {
		copy(c.d[i*w:], z.row(i))
	}
	return c
}

// grow adds a variable, which nothing bounds yet.
func (z *zone) grow(m *memory) (x int) {
	if z.n == z.w {
		*z = z.room(m, 4+z.n/4)
	}
	x = z.n
	z.n++
	for j := range x {
		z.d[x*z.w+j], z.d[j*z.w+x] = unbounded, unbounded
	}
	z.d[x*z.w+x] = zero
	return x
}

// bind places a variable that nothing bounds yet: x-y is at most most, and y-x at most least.
func (z *zone) bind(x, y int, least, most bound) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j] = plus(most, z.at(y, j))
			z.d[j*z.w+x] = plus(z.at(j, y), least)
		}
	}
}

// constrain adds a bound on x-y, and reports whether anything is left.
func (z *zone) constrain(x, y int, b bound) bool {
	if b >= z.at(x, y) {
		return true
	}
	if !z.allows(x, y, b) {
		return false
	}
	z.d[x*z.w+y] = b
	from := z.row(y)
	for i := range z.n {
		ix := z.at(i, x)
		if ix == unbounded {
			continue
		}
		through, row := plus(ix, b), z.row(i)
		for j, yj := range from {
			if s := plus(through, yj); s < row[j] {
				row[j] = s
			}
		}
	}
	return true
}

// first makes variable x not later than any of some events, and reports whether anything is
// left. All of these bounds begin at x, so that a path of bounds takes one of them at most.
func (z *zone) first(m *memory, x int, events []event) bool {
	after := m.bounds.Take(z.n, 0) // the tightest bound on x less each variable, by way of an event
	for j := range after {
		after[j] = unbounded
	}
	for i := range events {
		y := events[i].at
		for j, b := range z.row(y) {
			after[j] = min(after[j], b)
		}
	}
	if after[x] < zero {
		return false
	}
	for i := range z.n {
		ix, row := z.at(i, x), z.row(i)
		if ix == unbounded {
			continue
		}
		for j, b := range after {
			if s := plus(ix, b); s < row[j] {
				row[j] = s
			}
		}
	}
	return true
}

// allows reports whether a bound on x-y leaves anything.
func (z *zone) allows(x, y int, b bound) bool { return plus(b, z.at(y, x)) >= zero }

// raise lets a variable be any later than it is.
func (z *zone) raise(x int) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j] = unbounded
		}
	}
}

// free lets a variable be anything.
func (z *zone) free(x int) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j], z.d[j*z.w+x] = unbounded, unbounded
		}
	}
}

// kept is the zone of some variables, in the given order: what it says of these.
func (z *zone) kept(m *memory, variables []int) zone {
	n := len(variables)
	k := zone{n, n, m.bounds.Take(n*n, 0)}
	for i, x := range variables {
		row, to := z.row(x), k.row(i)
		for j, y := range variables {
			to[j] = row[y]
		}
	}
	return k
}
