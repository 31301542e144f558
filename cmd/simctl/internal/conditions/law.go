package conditions

import (
	"slices"
)

// Law is conditions under which a property is violated: of one path, or of each of many that differ in how often
// something happens on them, so that the coefficients of path n are those of At and n times those of Step.
type Law struct {
	At, Step    Forms // Step is none of one path
	Least, Most int64 // of n
}

// Of is the conditions of path n.
func (l *Law) Of(n int64) Forms {
	list := make(Forms, len(l.At))
	for i, f := range l.At {
		f.Of = slices.Clone(f.Of)
		if l.Step != nil {
			f.add(&l.Step[i], n)
		}
		list[i] = f
	}
	return list
}

// Laws are laws any of which says that a property is violated.
type Laws struct {
	List    []Law
	samples []sample
	paths   []known
}

// sample is values of the terms, which tell what matters, and the longest pause up to which the property holds there as
// far as that is known, 0 if nothing is.
type sample struct {
	values []int64
	holds  int64
}

// known is a path with those of its conditions that samples have shown.
type known struct {
	path  *Path
	forms Forms
}

// NewLaws are none yet; samples of values tell what matters.
func NewLaws(samples [][]int64) *Laws {
	l := &Laws{}
	for _, values := range samples {
		l.samples = append(l.samples, sample{values: values})
	}
	return l
}

// holds is the longest pause with which the law does not say that the property is violated.
func (l *Law) holds(values []int64) int64 {
	least := int64(Never)
	for n := l.Least; n <= l.Most; n++ {
		least = min(least, l.Of(n).Holds(values))
	}
	return least
}

// Holds is the longest pause with which no law says that the property is violated.
func (l *Laws) Holds(values []int64) int64 {
	least := int64(Never)
	for i := range l.List {
		least = min(least, l.List[i].holds(values))
	}
	return least
}

// Conditions is how many conditions all laws have.
func (l *Laws) Conditions() (n int) {
	for i := range l.List {
		n += len(l.List[i].At)
	}
	return n
}

// Decides reports whether the k-th of these decides at some values how long a pause may be.
func (l *Laws) Decides(k int, values []int64) bool {
	i := 0
	for ; k >= len(l.List[i].At); i++ {
		k -= len(l.List[i].At)
	}
	others := Laws{List: slices.Clone(l.List)}
	others.List[i] = l.List[i].without(k)
	return others.Holds(values) != l.Holds(values)
}

// Nothing reports whether a law says of a term that it is 0.
func (l *Laws) Nothing(term int) bool {
	return slices.ContainsFunc(l.List, func(w Law) bool {
		return slices.ContainsFunc(w.At, func(f Form) bool { return f.Pause == 0 && f.At == 0 && f.Of[term] < 0 && f.terms() == 1 })
	})
}

// Know is that at some values, which are a sample from then on, the property holds up to a pause.
func (l *Laws) Know(values []int64, holds int64) {
	l.samples = append(l.samples, sample{values, holds})
}

// Refine makes the laws anew, with the conditions of their paths that some values show, at which the property is known to
// hold up to a pause. All bounds of a path count from then on if it would violate the property sooner by the others.
func (l *Laws) Refine(values []int64, holds int64) {
	for i := range l.paths {
		k := &l.paths[i]
		if k.forms = k.path.refined(k.forms, values); k.forms.Holds(values) < holds {
			k.path.bounds = len(k.path.forms)
			k.forms = k.path.refined(k.forms, values)
		}
	}
	l.rebuild()
}

// Paths is how many paths the laws are of.
func (l *Laws) Paths() int { return len(l.paths) }

// Add adds the conditions of a path.
func (l *Laws) Add(p *Path) {
	k := known{path: p}
	for i := range l.samples {
		k.forms = p.refined(k.forms, l.samples[i].values)
	}
	l.paths = append(l.paths, k)
	l.rebuild()
}

// rebuild makes the laws of all paths: as few, with as few conditions, as say the same at all samples.
func (l *Laws) rebuild() {
	var paths []Forms
	for i := range l.paths {
		paths = append(paths, l.paths[i].forms.needed())
	}
	l.List = families(paths)
	for i := range l.List {
		if l.List[i].Step != nil {
			l.extend(&l.List[i])
		}
	}
	slices.SortStableFunc(l.List, func(a, b Law) int { return len(b.Step) - len(a.Step) }) // those of many paths first
	l.delete()
	for i := range l.List {
		for k := len(l.List[i].At) - 1; k >= 0; k-- {
			l.without(func() { l.List = slices.Clone(l.List); l.List[i] = l.List[i].without(k) })
		}
	}
	l.delete()
}

// delete leaves out laws that say nothing which others do not.
func (l *Laws) delete() {
	for i := len(l.List) - 1; i >= 0; i-- {
		l.without(func() { l.List = slices.Delete(slices.Clone(l.List), i, i+1) })
	}
}

// without makes a change if it changes nothing at the samples.
func (l *Laws) without(change func()) {
	before, list := l.atSamples(), l.List
	if change(); !slices.Equal(before, l.atSamples()) {
		l.List = list
	}
}

func (l *Laws) atSamples() []int64 {
	list := make([]int64, len(l.samples))
	for i := range l.samples {
		list[i] = l.Holds(l.samples[i].values)
	}
	return list
}

// without is the law without a condition.
func (l Law) without(k int) Law {
	l.At = slices.Delete(slices.Clone(l.At), k, k+1)
	if l.Step != nil {
		l.Step = slices.Delete(slices.Clone(l.Step), k, k+1)
	}
	return l
}

// farthest is up to how many more an n is looked for, and gap how many in a row may matter at no sample.
const farthest, gap = 1000, 4

// extend lets n be less and more than on the paths that were found, as long as that says of any sample that shorter
// pauses violate the property than this law does, and of none that a pause does with which it is known to hold, and the
// terms keep their sides.
func (l *Laws) extend(w *Law) {
	first := w.Of(w.Least)
	matters := func(n int64) bool {
		next := w.Of(n)
		return next.like(first) && slices.ContainsFunc(l.samples, func(s sample) bool { return next.Holds(s.values) < w.holds(s.values) }) &&
			!slices.ContainsFunc(l.samples, func(s sample) bool { return next.Holds(s.values) < s.holds })
	}
	for n := w.Most + 1; n <= w.Most+gap && n < w.Least+farthest; n++ {
		if matters(n) {
			w.Most = n
		}
	}
	for n := w.Least - 1; n >= w.Least-gap && n > w.Most-farthest; n-- {
		if matters(n) {
			w.Least = n
		}
	}
}
