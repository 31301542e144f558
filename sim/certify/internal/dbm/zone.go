package dbm

import (
	"slices"

	"fencepost/sim/certify/internal/arena"
)

// A Zone is a set of instants, one for each variable: those that satisfy a bound on the difference
// of each two. It is closed: no bound follows more tightly from others. No instant is known by
// itself, so that states which differ only in when they are reached are one.
type Zone struct {
	n int     // variables
	w int     // room for this many
	d []Bound // by w*i+j, of variable i less variable j
}

// Memory is where zones are made.
type Memory = arena.Arena[Bound]

// New has every variable at the same instant.
func New(n int) Zone { return Zone{n, n, slices.Repeat([]Bound{Zero}, n*n)} }

// Len is how many variables there are.
func (z *Zone) Len() int { return z.n }

// At is the bound on variable i less variable j.
func (z *Zone) At(i, j int) Bound { return z.d[i*z.w+j] }

// row is the bounds on variable i less each.
func (z *Zone) row(i int) []Bound { return z.d[i*z.w : i*z.w+z.n] }

// Copy is a copy with as much room for more variables, or for 4.
func (z *Zone) Copy(m *Memory) Zone { return z.room(m, max(z.w-z.n, 4)) }

// room is a copy with room for more variables.
func (z *Zone) room(m *Memory, more int) Zone {
	w := z.n + more
	c := Zone{z.n, w, m.Take(w*w, 0)}
	for i := range z.n {
		copy(c.d[i*w:], z.row(i))
	}
	return c
}

// Grow adds a variable, which nothing bounds yet.
func (z *Zone) Grow(m *Memory) (x int) {
	if z.n == z.w {
		*z = z.room(m, 4+z.n/4)
	}
	x = z.n
	z.n++
	for j := range x {
		z.d[x*z.w+j], z.d[j*z.w+x] = Unbounded, Unbounded
	}
	z.d[x*z.w+x] = Zero
	return x
}

// Bind places a variable that nothing bounds yet: x-y is at most most, and y-x at most least.
func (z *Zone) Bind(x, y int, least, most Bound) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j] = Plus(most, z.At(y, j))
			z.d[j*z.w+x] = Plus(z.At(j, y), least)
		}
	}
}

// Constrain adds a bound on x-y, and reports whether anything is left. A path that ends at y tightens others only where it is
// tighter than what was there itself.
func (z *Zone) Constrain(x, y int, b Bound) bool {
	if b >= z.At(x, y) {
		return true
	}
	if !z.Allows(x, y, b) {
		return false
	}
	from := z.row(y)
	for i := range z.n {
		if through := Plus(z.At(i, x), b); through < z.At(i, y) {
			tighten(z.row(i), through, from)
		}
	}
	return true
}

// tighten puts a bound plus others in the place of those that are less tight.
func tighten(row []Bound, b Bound, others []Bound) {
	row = row[:len(others)]
	mask := b | ^1 // a sum with a strict bound is strict
	b &^= 1
	for j, o := range others {
		if s := (b + o) & mask; o != Unbounded && s < row[j] {
			row[j] = s
		}
	}
}

// First makes variable x not later than any of some others, and reports whether anything is
// left. All of these bounds begin at x, so that a path of bounds takes one of them at most.
func (z *Zone) First(m *Memory, x int, others []int) bool {
	after := m.Take(z.n, 0) // the tightest bound on x less each variable, by way of another
	for j := range after {
		after[j] = Unbounded
	}
	for _, y := range others {
		for j, b := range z.row(y) {
			after[j] = min(after[j], b)
		}
	}
	if after[x] < Zero {
		return false
	}
	for i := range z.n {
		ix := z.At(i, x)
		if ix != Unbounded && slices.ContainsFunc(others, func(y int) bool { return ix < z.At(i, y) }) {
			tighten(z.row(i), ix, after)
		}
	}
	return true
}

// Allows reports whether a bound on x-y leaves anything.
func (z *Zone) Allows(x, y int, b Bound) bool { return Plus(b, z.At(y, x)) >= Zero }

// Raise lets a variable be any later than it is.
func (z *Zone) Raise(x int) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j] = Unbounded
		}
	}
}

// Free lets a variable be anything.
func (z *Zone) Free(x int) {
	for j := range z.n {
		if j != x {
			z.d[x*z.w+j], z.d[j*z.w+x] = Unbounded, Unbounded
		}
	}
}

// Kept is the zone of some variables, in the given order: what it says of these.
func (z *Zone) Kept(m *Memory, variables []int) Zone {
	n := len(variables)
	k := Zone{n, n, m.Take(n*n, 0)}
	for i, x := range variables {
		row, to := z.row(x), k.row(i)
		for j, y := range variables {
			to[j] = row[y]
		}
	}
	return k
}
