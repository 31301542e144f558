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

// A Raiser raises instants, in whole nanoseconds, that are too early until they satisfy bounds. With what it is ahead an instant
// is a multiple of its unit.
type Raiser struct {
	unit, ahead []int64
	of          [][]Bound // by their X
	todo, spare []int     // instants that were raised since their bounds were looked at
	waits       []bool    // it is one
	rounds      bool      // some units are not 1
}

// NewRaiser has some bounds, of instants that have units and what they are ahead.
func NewRaiser(list []Bound, unit, ahead []int64) *Raiser {
	r := &Raiser{unit: unit, ahead: ahead, of: make([][]Bound, len(unit)), waits: make([]bool, len(unit))}
	for _, b := range list {
		r.of[b.X] = append(r.of[b.X], b)
	}
	r.rounds = slices.ContainsFunc(unit, func(u int64) bool { return u != 1 })
	return r
}

// Raise reports whether there are instants that satisfy all bounds, at or after the given ones and with the first at 0, and makes
// them the least.
func (r *Raiser) Raise(at []int64) bool {
	for x := range at {
		r.later(x)
	}
	return r.raise(at, -1)
}

// Add adds a bound if there are such instants then, for which it raises the given ones, that satisfy all others. If there are
// none it leaves them somewhere between. What raises the X of the bound follows from that bound then, and would without end, but
// where rounding took it there.
func (r *Raiser) Add(b Bound, at []int64) bool {
	r.of[b.X] = append(r.of[b.X], b)
	r.later(b.X)
	stays := b.X
	if r.rounds {
		stays = -1
	}
	raised := r.raise(at, stays)
	if !raised {
		r.of[b.X] = r.of[b.X][:len(r.of[b.X])-1]
	}
	return raised
}

// later has the bounds of an instant looked at.
func (r *Raiser) later(x int) {
	if !r.waits[x] {
		r.todo, r.waits[x] = append(r.todo, x), true
	}
}

// raise goes on until nothing is too early, or the first instant is late, or one that is to stay is raised, -1 for none, or some
// are raised without end.
func (r *Raiser) raise(at []int64, stays int) bool {
	left, first := len(at)*(64+16*len(at)), int64(0)
	if stays > 0 {
		first = at[stays]
	}
	moved := func() bool { return at[0] > 0 || stays > 0 && at[stays] > first }
	for len(r.todo) > 0 && left > 0 && !moved() {
		now := r.todo
		r.todo, r.spare = r.spare[:0], now
		for _, x := range now {
			r.waits[x] = false
			r.look(x, at)
		}
		left -= len(now)
	}
	raised := len(r.todo) == 0 && !moved()
	for _, x := range r.todo {
		r.waits[x] = false
	}
	r.todo = r.todo[:0]
	return raised
}

// look raises what is too early by the bounds of an instant.
func (r *Raiser) look(x int, at []int64) {
	if at[x] == Early {
		return
	}
	for i := range r.of[x] {
		b := &r.of[x][i] // X-Y <= At: Y is at least X-At
		least := at[x] - b.At
		if b.Strict {
			least++
		}
		if least = Ceiling(least+r.ahead[b.Y], r.unit[b.Y]) - r.ahead[b.Y]; least > at[b.Y] {
			at[b.Y] = least
			r.later(b.Y)
		}
	}
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
