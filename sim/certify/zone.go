package certify

import "math"

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
	n int
	d []bound // by n*i+j, of variable i less variable j
}

func newZone(n int) zone {
	z := zone{n, make([]bound, n*n)} // every variable at the same instant
	for i := range z.d {
		z.d[i] = zero
	}
	return z
}

func (z *zone) at(i, j int) bound { return z.d[i*z.n+j] }

// grown is a copy with room for more variables, which nothing bounds yet.
func (z *zone) grown(more int) zone {
	g := zone{z.n + more, make([]bound, (z.n+more)*(z.n+more))}
	for i := range g.n {
		row := g.d[i*g.n : (i+1)*g.n]
		k := 0
		if i < z.n {
			k = copy(row, z.d[i*z.n:(i+1)*z.n])
		}
		for j := k; j < g.n; j++ {
			row[j] = unbounded
		}
		row[i] = zero
	}
	return g
}

func (z *zone) copied() zone { return zone{z.n, append([]bound(nil), z.d...)} }

// bind places a variable that nothing bounds yet: x-y is at most most, and y-x at most least.
func (z *zone) bind(x, y int, least, most bound) {
	n := z.n
	for j := range n {
		if j != x {
			z.d[x*n+j] = plus(most, z.d[y*n+j])
			z.d[j*n+x] = plus(z.d[j*n+y], least)
		}
	}
}

// constrain adds a bound on x-y, and reports whether anything is left.
func (z *zone) constrain(x, y int, b bound) bool {
	n := z.n
	if b >= z.d[x*n+y] {
		return true
	}
	if plus(b, z.d[y*n+x]) < zero {
		return false
	}
	z.d[x*n+y] = b
	for i := range n {
		ix := z.d[i*n+x]
		if ix == unbounded {
			continue
		}
		through := plus(ix, b)
		row, from := z.d[i*n:(i+1)*n], z.d[y*n:(y+1)*n]
		for j, yj := range from {
			if s := plus(through, yj); s < row[j] {
				row[j] = s
			}
		}
	}
	return true
}

// first makes variable x not later than any of the pending events, and reports whether anything is
// left. All of these bounds begin at x, so that a path of bounds takes one of them at most.
func (z *zone) first(x int, pending []event) bool {
	n := z.n
	after := make([]bound, n) // the tightest bound on x less each variable, by way of a pending event
	for j := range after {
		after[j] = unbounded
	}
	for i := range pending {
		y := pending[i].at
		for j, b := range z.d[y*n : (y+1)*n] {
			after[j] = min(after[j], b)
		}
	}
	if after[x] < zero {
		return false
	}
	for i := range n {
		ix, row := z.d[i*n+x], z.d[i*n:(i+1)*n]
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
func (z *zone) allows(x, y int, b bound) bool { return plus(b, z.d[y*z.n+x]) >= zero }

// kept is the zone of some variables, in the given order: what it says of these.
func (z *zone) kept(variables []int) zone {
	k := zone{len(variables), make([]bound, len(variables)*len(variables))}
	for i, x := range variables {
		row := z.d[x*z.n : (x+1)*z.n]
		for j, y := range variables {
			k.d[i*k.n+j] = row[y]
		}
	}
	return k
}

// within reports whether each instant of z is one of w.
func (z *zone) within(w *zone) bool {
	for i, b := range z.d {
		if b > w.d[i] {
			return false
		}
	}
	return true
}
