package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Limits of a budget.
const (
	MaxBudget  = 64 // faults of a run, as [explore.Budget.Check] has it
	maxChoices = 64 // lengths, steps or rates to choose among
)

// budget reads the block `budget:`, nil if there is none or something is wrong. It is
// whole if no part of it has been left out because it could not be read.
func (d *decoding) budget(v *strict.Value, whole bool) *explore.Budget {
	if v == nil {
		return nil
	}
	r := budgetReader{decoding: d, whole: v, good: whole, keys: v.Entries(budgetNames()), allowed: map[string]bool{}}
	if v.Kind() != strict.Mapping {
		return nil
	}
	b := &explore.Budget{}
	for i := range BudgetKeys {
		k := &BudgetKeys[i]
		if value, ok := r.keys.Get(k.Name); ok {
			k.read(&r, k, value, b)
		}
	}
	for _, k := range r.keys {
		r.good = r.good && budgetKey(k.Key) != nil
	}
	r.needs()
	if !r.good || len(r.allowed) == 0 {
		return nil
	}
	return b
}

// budgetReader is a budget while it is read.
type budgetReader struct {
	*decoding
	whole   *strict.Value
	keys    strict.Map[*strict.Value]
	good    bool            // all counts could be read
	allowed map[string]bool // the counts that are above 0
	total   int             // of them
}

// count reads how many faults of a kind there may be.
func (r *budgetReader) count(k *BudgetKey, v *strict.Value, b *explore.Budget) {
	n, ok := strict.Read[int64](v)
	switch {
	case !ok:
		r.good = false
	case n < 0 || n > MaxBudget:
		v.Errorf("%s is %d: want 0 to %d", k.Name, n, MaxBudget)
		r.good = false
	case n > 0:
		*b.Allow(k.do).Count, r.allowed[k.Name] = int(n), true
		if r.total += int(n); r.total > MaxBudget {
			v.Errorf("with this there are %d faults in all: want at most %d", r.total, MaxBudget)
			r.good = false
		}
	}
}

// loss reads the chance that any message is lost.
func (r *budgetReader) loss(_ *BudgetKey, v *strict.Value, b *explore.Budget) {
	loss, ok := strict.Scan(v, strict.Proportion)
	if r.good = r.good && ok; loss > 0 {
		b.Loss, r.allowed["loss"] = sim.Chance(loss), true
	}
}

// nodesOf reads nodes.
func (r *budgetReader) nodesOf(v *strict.Value, into *[]sim.NodeID) {
	*into = r.nodes(v)
	slices.Sort(*into)
}

// lengthsOf reads how long faults of a kind may last.
func (r *budgetReader) lengthsOf(k *BudgetKey, v *strict.Value, b *explore.Budget) {
	r.lengths(k.Name, v, b.Allow(k.do).For)
}

// amounts reads how large faults of a kind may be.
func (r *budgetReader) amounts(k *BudgetKey, v *strict.Value, b *explore.Budget) {
	form := amountForms[k.Form]
	b.SetAmounts(k.do, choices(k.Name, asList(v), func(v *strict.Value) (int64, bool) {
		n, ok := form.scan(v)
		if ok && n == 0 && form.zero != "" {
			v.Errorf("%s", form.zero)
			return 0, false
		}
		return n, ok && form.within(v, n)
	}))
}

// cuts reads how long partitions may last: as other lengths, or forever.
func (r *budgetReader) cuts(k *BudgetKey, v *strict.Value, b *explore.Budget) {
	if v.Kind() == strict.Mapping {
		r.lengths(k.Name, v, &b.CutFor)
		return
	}
	items := asList(v)
	lengths := slices.DeleteFunc(slices.Clone(items), func(v *strict.Value) bool { return v.Kind() == strict.Scalar && v.Scalar() == forever })
	switch b.CutForever = len(lengths) < len(items); {
	case len(items)-len(lengths) > 1:
		v.Errorf("%s is in the list already", forever)
	case len(lengths) > 0:
		r.list(k.Name, lengths, &b.CutFor)
	}
}

// forever is the length of what has no end.
const forever = "forever"

// lengths reads how long faults may last: a length, a list of them or a distribution.
func (r *budgetReader) lengths(key string, v *strict.Value, into *explore.Lengths) {
	switch {
	case v == nil:
	case v.Kind() == strict.Mapping:
		dist, log, ok := r.decoding.lengths(v)
		switch {
		case !ok, log != nil && !r.outlasts(v.Field("gclog"), log):
		case dist.Most() == 0:
			v.Errorf("%s is always 0: want lengths above 0", key)
		default:
			into.Dist = &dist
		}
	default:
		r.list(key, asList(v), into)
	}
}

// list reads some lengths, of which a fault has one.
func (r *budgetReader) list(key string, items []*strict.Value, into *explore.Lengths) {
	into.List = choices(key, items, func(v *strict.Value) (time.Duration, bool) {
		d, ok := strict.Scan(v, strict.Duration)
		if ok && d == 0 {
			v.Errorf("a length of 0 has no effect: want one above 0")
		}
		return d, ok && d > 0
	})
	slices.Sort(into.List)
}

// asList is the items of a list, or a value that stands for its only one.
func asList(v *strict.Value) []*strict.Value {
	if v.Kind() != strict.List {
		return []*strict.Value{v}
	}
	if v.Len() == 0 {
		v.Errorf("a list of no values: want at least one")
	}
	return v.Items()
}

// choices reads values of which each may be given once.
func choices[T cmp.Ordered](key string, items []*strict.Value, scan func(*strict.Value) (T, bool)) (list []T) {
	for i, v := range items {
		if i == maxChoices {
			v.Errorf("%s has %d values: want at most %d", key, len(items), maxChoices)
			return nil
		}
		x, ok := scan(v)
		switch {
		case !ok:
		case slices.Contains(list, x):
			v.Errorf("%s is in the list already", v.Scalar())
		default:
			list = append(list, x)
		}
	}
	return list
}

// needs reports keys about faults that the budget does not allow, and a budget that
// allows nothing.
func (r *budgetReader) needs() {
	if !r.good {
		return
	}
	for _, key := range r.whole.Keys() {
		k := budgetKey(key)
		if k == nil || len(k.Needs) == 0 {
			continue
		}
		counts := k.Needs
		if slices.ContainsFunc(counts, func(c string) bool { return r.allowed[c] }) {
			continue
		}
		r.good = false
		if key == "nodes" {
			r.doc.Add(r.whole.KeyPos(key), key, "nodes without any fault: want one count above 0, such as that of pauses")
			continue
		}
		r.doc.Add(r.whole.KeyPos(key), key, fmt.Sprintf("%s without %s: want a count above 0 there, or this left out",
			key, strings.Join(counts, " or ")))
	}
	if r.good && len(r.allowed) == 0 {
		r.whole.Errorf("the budget allows nothing: want one count above 0, such as that of pauses")
	}
}
