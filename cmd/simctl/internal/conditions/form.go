// Package conditions finds under which durations of a scenario paths to a violation exist: laws, each a list of
// inequalities between sums of durations, each with a coefficient that is whole or a fraction such as a third.
package conditions

import (
	"cmp"
	"math"
	"slices"
)

// Form is a sum of durations, each with a coefficient, and a constant, in nanoseconds, all of them in Parts. As a condition
// it is more than 0, or, of one that is not Strict, not less, which it is in any parts.
type Form struct {
	Of     []int64 // by term
	Pause  int64   // of the longest pause
	At     int64
	Strict bool
	Parts  int64 // what each number is divided by, 1 or more
}

// add adds a form of the same parts this many times.
func (f *Form) add(g *Form, times int64) {
	for i := range g.Of {
		f.Of[i] += times * g.Of[i]
	}
	f.Pause, f.At, f.Strict = f.Pause+times*g.Pause, f.At+times*g.At, f.Strict || g.Strict
}

// reduced is the form in the fewest parts.
func (f *Form) reduced() *Form {
	by := gcd(divisor(f.numbers()), f.Parts)
	if by < 2 {
		return f
	}
	of := slices.Clone(f.Of)
	for i := range of {
		of[i] /= by
	}
	return &Form{Of: of, Pause: f.Pause / by, At: f.At / by, Strict: f.Strict, Parts: f.Parts / by}
}

// rest is the form at some values of the terms, without the pause.
func (f *Form) rest(values []int64) int64 {
	sum := f.At
	for i, v := range values {
		sum += f.Of[i] * v
	}
	return sum
}

// Never is the longest pause where no pause violates anything.
const Never = math.MaxInt64

// holds is the longest pause, in whole nanoseconds, with which the condition is not met: -1 if it is met without one.
func (f *Form) holds(values []int64) int64 {
	rest := f.rest(values)
	switch {
	case rest > 0 || rest == 0 && !f.Strict:
		return -1
	case f.Pause == 0:
		return Never
	case f.Strict:
		return -rest / f.Pause
	}
	return (-rest+f.Pause-1)/f.Pause - 1
}

// numbers are all numbers of a form.
func (f *Form) numbers() []int64 { return append(slices.Clone(f.Of), f.Pause, f.At) }

// compare puts conditions of a pause first, and then those with fewer terms.
func compare(f, g Form) int {
	return cmp.Or(cmp.Compare(min(g.Pause, 1), min(f.Pause, 1)), cmp.Compare(f.terms(), g.terms()), slices.CompareFunc(f.Of, g.Of, func(a, b int64) int { return cmp.Compare(sign(a), sign(b)) }),
		slices.Compare(f.numbers(), g.numbers()))
}

// terms is how many terms a form has.
func (f *Form) terms() (n int) {
	for _, c := range f.Of {
		n += int(sign(c) * sign(c))
	}
	return n
}

func sign(c int64) int64 { return int64(cmp.Compare(c, 0)) }

// like reports whether two forms have the same terms, on the same sides.
func (f *Form) like(g *Form) bool {
	return f.Strict == g.Strict && f.Parts == g.Parts && slices.EqualFunc(f.numbers(), g.numbers(), func(a, b int64) bool { return sign(a) == sign(b) })
}

// Forms are conditions that are met together.
type Forms []Form

// Holds is the longest pause with which one of the conditions is not met, -1 if all are met without any, and
// [Never] if they are with none.
func (l Forms) Holds(values []int64) int64 {
	most := int64(-1)
	for i := range l {
		most = max(most, l[i].holds(values))
	}
	return most
}

// like reports whether two lists have conditions that are like each other, in their order.
func (l Forms) like(m Forms) bool {
	return slices.EqualFunc(l, m, func(f, g Form) bool { return f.like(&g) })
}

// implies reports whether g is met wherever f is: it is as much, and some durations more, none of which is below 0.
func (f *Form) implies(g *Form) bool {
	x, y := f.numbers(), g.numbers()
	for i := range x {
		if y[i]*f.Parts < x[i]*g.Parts {
			return false
		}
	}
	return f.Strict || !g.Strict
}

// needed are the conditions without those that another implies. Paths that differ in one of these may be of one law.
func (l Forms) needed() Forms {
	list := slices.Clone(l)
	for i := len(list) - 1; i >= 0; i-- {
		for k := range list {
			if k != i && list[k].implies(&list[i]) {
				list = slices.Delete(list, i, i+1)
				break
			}
		}
	}
	return list
}
