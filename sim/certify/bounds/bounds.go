// Package bounds decides whether instants satisfy bounds on their differences, and which of the bounds say that none do.
package bounds

import (
	"math"
	"slices"
)

// Bound is a bound on the difference of two instants: X - Y is at most At nanoseconds, or less if it is Strict.
type Bound struct {
	X, Y   int
	At     int64
	Strict bool
}

// Cycle is bounds of a list that say together that an instant is before itself, as indexes; none if there are real
// instants that satisfy all. A strict bound counts as a little less, so little that all of a cycle together are less
// than a nanosecond.
//
// Source: Bellman, "On a Routing Problem", 1958; the cycle is found from what each instant was last bounded by.
func Cycle(variables int, list []Bound) []int {
	parts := int64(variables + 1) // of a nanosecond
	least, by := make([]int64, variables), slices.Repeat([]int{-1}, variables)
	last := -1
	for range variables + 1 {
		last = -1
		for i := range list {
			b := &list[i]
			at := least[b.Y] + b.At*parts
			if b.Strict {
				at--
			}
			if at < least[b.X] {
				least[b.X], by[b.X], last = at, i, b.X
			}
		}
		if last < 0 {
			return nil
		}
	}
	for range variables { // back until it is on the cycle
		last = list[by[last]].Y
	}
	var cycle []int
	for x := last; ; {
		cycle = append(cycle, by[x])
		if x = list[by[x]].Y; x == last {
			return cycle
		}
	}
}

// Between is the bound on the difference of two instants that follows from those of a list, which have no cycle; it is not
// ok if there is none.
func Between(variables int, list []Bound, x, y int) (most int64, strict, ok bool) {
	type sum struct {
		most       int64
		strict, ok bool
	}
	least := make([]sum, variables)
	least[y].ok = true
	for range variables {
		changed := false
		for i := range list {
			b := &list[i]
			from, to := least[b.Y], &least[b.X]
			s := sum{from.most + b.At, from.strict || b.Strict, true}
			if from.ok && (!to.ok || s.most < to.most || s.most == to.most && s.strict && !to.strict) {
				*to, changed = s, true
			}
		}
		if !changed {
			break
		}
	}
	return least[x].most, least[x].strict, least[x].ok
}

// Early is before all instants: nothing bounds from below what is there.
const Early = math.MinInt64 / 4

// Raise raises instants, in whole nanoseconds, that are too early until they satisfy all bounds, and reports whether there
// are such, at or after the given ones and with the first at 0. With what it is ahead an instant is a multiple of its unit.
func Raise(at []int64, list []Bound, unit, ahead []int64) bool {
	for range 64 + 16*len(at) {
		changed := false
		for i := range list {
			b := &list[i] // X-Y <= At: Y is at least X-At
			if at[b.X] == Early {
				continue
			}
			most := b.At
			if b.Strict {
				most--
			}
			if least := Ceiling(at[b.X]-most+ahead[b.Y], unit[b.Y]) - ahead[b.Y]; least > at[b.Y] {
				at[b.Y], changed = least, true
			}
		}
		if at[0] > 0 {
			return false
		}
		if !changed {
			return true
		}
	}
	return false
}

// Ceiling is the least multiple of a unit that is x or more.
func Ceiling(x, unit int64) int64 {
	if unit == 1 {
		return x
	}
	down := x - (x%unit+unit)%unit
	if down < x {
		down += unit
	}
	return down
}
