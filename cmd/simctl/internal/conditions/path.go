package conditions

import (
	"slices"

	"fencepost/sim/certify/bounds"
)

// Path is a path to a violation: its bounds on the differences of instants, each a form of the durations of the
// scenario. It exists at the values at which it was found.
type Path struct {
	variables int
	bounds    int // how many of them count
	between   []bounds.Bound
	forms     []Form
	found     []int64 // the values of the terms, and last the pause
}

// Parts is what a coefficient may be a whole number of: twelfths, so halves, thirds, fourths.
const Parts = 12

// NewPath is a path of which the bounds are known at some values, of the terms and last of the pause, and with each
// of these moved by a step. Those from late on count only where it is known that the path does not exist with the
// others, see [Laws.Refine]. It reports whether each bound is a form, with no part of a nanosecond, and the path exists.
func NewPath(variables, late int, at []bounds.Bound, moved [][]bounds.Bound, values, steps []int64) (*Path, bool) {
	p := &Path{variables: variables, bounds: late, between: slices.Clone(at), forms: make([]Form, len(at)), found: values}
	last := len(values) - 1
	for k := range at {
		of, constant := make([]int64, len(values)), Parts*at[k].At
		for i := range values {
			if !Linear(at, moved[i], steps[i]) {
				return nil, false
			}
			of[i] = Parts * (moved[i][k].At - at[k].At) / steps[i]
			constant -= of[i] * values[i]
		}
		if constant%Parts != 0 {
			return nil, false
		}
		p.forms[k] = Form{Of: of[:last], Pause: of[last], At: constant, Strict: at[k].Strict, Parts: Parts}
	}
	return p, p.lacks(values) == nil
}

// Linear reports whether what a step changes in bounds may be that of forms: a whole number of twelfths of the step.
func Linear(at, moved []bounds.Bound, step int64) bool {
	return slices.EqualFunc(at, moved, func(a, m bounds.Bound) bool { return Parts*(m.At-a.At)%step == 0 })
}

// Doubled reports whether twice the step changes each bound by twice as much: what is rounded to a grid does not.
func Doubled(at, once, twice []bounds.Bound) bool {
	for k := range at {
		if len(once) != len(at) || len(twice) != len(at) || twice[k].At-at[k].At != 2*(once[k].At-at[k].At) {
			return false
		}
	}
	return true
}

// lacks is a condition that is not met at some values, nil if the path exists there.
func (p *Path) lacks(at []int64) *Form {
	values, pause := at[:len(at)-1], at[len(at)-1]
	for k := range p.forms {
		f := &p.forms[k]
		p.between[k].At = f.rest(values) + f.Pause*pause
	}
	cycle := bounds.Cycle(p.variables, p.between[:p.bounds])
	if cycle == nil {
		return nil
	}
	sum := &Form{Of: make([]int64, len(values)), Parts: Parts}
	for _, k := range cycle {
		sum.add(&p.forms[k], 1)
	}
	return sum.reduced()
}

// refined are conditions under which the path exists, with those besides that a sample of the terms shows. Where a sample
// meets all that are known and the path does not exist, there is another between it and where the path was found: the last
// one that is not met on the way there, which is a side of all that meets them.
func (p *Path) refined(list Forms, sample []int64) Forms {
	for _, values := range p.towards(sample) {
		for {
			holds := list.Holds(values)
			if holds == Never {
				break
			}
			f := p.nearest(append(slices.Clone(values), holds+1))
			if f == nil {
				break
			}
			list = append(list, *f)
		}
	}
	slices.SortFunc(list, compare)
	return list
}

// towards are a sample and values that lie between it and where the path was found.
func (p *Path) towards(sample []int64) (list [][]int64) {
	for part := int64(1); part <= 8; part *= 2 {
		values := slices.Clone(sample)
		for i := range values {
			values[i] = p.found[i] + (sample[i]-p.found[i])/part
		}
		list = append(list, values)
	}
	return list
}

// nearest is a condition that is not met at some values, and of these the one that is met the least way from where the
// path was found; nil if the path exists there.
func (p *Path) nearest(at []int64) *Form {
	f := p.lacks(at)
	first := f
	const steps = 1 << 20
	for low, high := int64(0), int64(steps); f != nil && low+1 < high; {
		middle := (low + high) / 2
		between := slices.Clone(at)
		for i := range at {
			between[i] = p.found[i] + mul(at[i]-p.found[i], middle, steps)
		}
		if g := p.lacks(between); g != nil {
			f, high = g, middle
		} else {
			low = middle
		}
	}
	if f != nil && f.holds(at[:len(at)-1]) < at[len(at)-1] { // values are whole, so that it may be met after all
		return first
	}
	return f
}

// mul is a*b/c, of a quotient b/c below 1, where a*b may be too large.
func mul(a, b, c int64) int64 { return a/c*b + a%c*b/c }
