package certify

import (
	"slices"

	"fencepost/sim/certify/bounds"
)

// solve gives every instant of a path a whole nanosecond, the least that satisfies all bounds, and
// readings that were rounded a whole number of their units. It reports whether there are such.
// Instants begin at 0. Whatever the bounds allow is closed under taking the earlier of two instants,
// and so are whole units: raising what is too early ends at the least of them.
//
// Source: Bellman, "On a Routing Problem", 1958, for bounds alone.
func (r *recorder) solve() ([]int64, bool) {
	at := make([]int64, r.variables)
	for i := range at {
		at[i] = bounds.Early
	}
	at[0] = 0
	unit, ahead := r.units()
	return at, bounds.NewRaiser(r.list(), unit, ahead).Raise(at)
}

// units is of what each instant is a whole number, with what it is ahead.
func (r *recorder) units() (unit, ahead []int64) {
	unit, ahead = make([]int64, r.variables), make([]int64, r.variables)
	for i := range unit {
		unit[i] = 1
	}
	for _, g := range r.grids {
		if g.known == r.stepsOf(&g) { // else nothing is known of it yet
			unit[g.variable], ahead[g.variable] = g.unit, g.ahead
		}
	}
	return unit, ahead
}

// orders are lists of pairs of instants, of which the first is not later than the second, that a run
// may have to have apart. In a run events of one instant happen in the order in which they were made, and
// variables have numbers in that order on the path: where the first has the larger number, the two have
// to be apart. But what is made at one instant at different nodes may be made in another order than on
// the path, so that others may have to be, too.
func (r *recorder) orders() [][][2]int {
	var reversed, others [][2]int
	for _, p := range r.pairs {
		if p[0] > p[1] {
			reversed = append(reversed, p)
		} else {
			others = append(others, p)
		}
	}
	backwards := slices.Clone(r.pairs)
	slices.Reverse(backwards)
	return [][][2]int{slices.Concat(reversed, others), reversed, r.pairs, backwards}
}

// apart is the instants of a path that has some, with as many of the pairs as it can at different
// instants, the first ones first.
func (r *recorder) apart(pairs [][2]int) []int64 {
	at, _ := r.solve()
	unit, ahead := r.units()
	raiser, better := bounds.NewRaiser(r.list(), unit, ahead), make([]int64, len(at))
	for _, p := range pairs {
		if at[p[0]] < at[p[1]] {
			continue
		}
		if copy(better, at); raiser.Add(bounds.Bound{X: p[0], Y: p[1], Strict: true}, better) {
			at, better = better, at
		}
	}
	return at
}
