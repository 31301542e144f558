package certify

import "math"

// solve gives every instant of a path a whole nanosecond, the least that satisfies all bounds, and
// readings that were rounded a whole number of their units. It reports whether there are such.
// Instants begin at 0. Whatever the bounds allow is closed under taking the earlier of two instants,
// and so are whole units: raising what is too early ends at the least of them.
//
// Source: Bellman, "On a Routing Problem", 1958, for bounds alone.
func (r *recorder) solve() ([]int64, bool) {
	const early = math.MinInt64 / 4
	at := make([]int64, r.variables)
	unit := make([]int64, r.variables)
	for i := range at {
		at[i], unit[i] = early, 1
	}
	for _, g := range r.grids {
		unit[g.variable] = g.unit
	}
	at[0] = 0
	for rounds := 0; rounds < 64+16*r.variables; rounds++ {
		changed := false
		for i := range r.bounds {
			c := &r.bounds[i] // x-y <= c: y is at least x-c
			if at[c.x] == early {
				continue
			}
			most, reached := c.b.limit()
			if !reached {
				most--
			}
			if least := ceiling(at[c.x]-most, unit[c.y]); least > at[c.y] {
				at[c.y], changed = least, true
			}
		}
		if at[0] > 0 {
			return nil, false
		}
		if !changed {
			return at, true
		}
	}
	return nil, false
}

// ceiling is the least multiple of a unit that is x or more.
func ceiling(x, unit int64) int64 {
	if unit == 1 {
		return x
	}
	down := x - (x%unit+unit)%unit
	if down < x {
		down += unit
	}
	return down
}

// apart makes what happens one after the other happen at different instants, as far as it can:
// events of one instant have an order in a run that a path need not have.
func (r *recorder) apart() ([]int64, bool) {
	at, ok := r.solve()
	for _, p := range r.pairs {
		if !ok || at[p[0]] < at[p[1]] {
			continue
		}
		r.add(p[0], p[1], negative, label{})
		if better, can := r.solve(); can {
			at = better
			continue
		}
		r.bounds = r.bounds[:len(r.bounds)-1]
	}
	return at, ok
}
