package check

import (
	"cmp"
	"slices"

	"fencepost/models/fact"
	"fencepost/sim"
)

// Effects are the effects that there are, as the facts say. A node that crashes when it has committed and has not yet
// said so says it when it is back, and may say it twice then; so effects are told apart by their ids. Both lists are in
// order, so that two runs in which the same has happened remember the same.
type Effects struct {
	Rows   []effect  // by sort and id
	Counts []effects // by intent and sort
}

type effect struct {
	sort uint16
	id   uint64
	gone bool
}

type effects struct {
	intent uint64
	sort   uint16
	n      uint16
}

// Take takes in an effect, or that it is undone: how many of its sort its intent has then. It is not fresh if that is known
// already.
func (e *Effects) Take(f *fact.Fact) (n uint16, fresh bool) {
	i, known := slices.BinarySearchFunc(e.Rows, effect{sort: f.N, id: f.Token}, func(a, b effect) int {
		return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(a.id, b.id))
	})
	count := e.count(f.ID, f.N)
	switch undone := f.Kind == fact.Undone; {
	case undone && known && !e.Rows[i].gone:
		e.Rows[i].gone = true
		count.n--
	case !undone && !known:
		e.Rows = slices.Insert(e.Rows, i, effect{sort: f.N, id: f.Token})
		count.n++
	default:
		return count.n, false
	}
	return count.n, true
}

// count is the count of the effects of a sort and an intent, which is made if there is none.
func (e *Effects) count(intent uint64, sort uint16) *effects {
	i, there := slices.BinarySearchFunc(e.Counts, effects{intent: intent, sort: sort}, func(a, b effects) int {
		return cmp.Or(cmp.Compare(a.intent, b.intent), cmp.Compare(a.sort, b.sort))
	})
	if !there {
		e.Counts = slices.Insert(e.Counts, i, effects{intent: intent, sort: sort})
	}
	return &e.Counts[i]
}

// Has reports whether an intent has an effect.
func (e *Effects) Has(intent uint64) bool {
	i, _ := slices.BinarySearchFunc(e.Counts, intent, func(a effects, intent uint64) int { return cmp.Compare(a.intent, intent) })
	for ; i < len(e.Counts) && e.Counts[i].intent == intent; i++ {
		if e.Counts[i].n > 0 {
			return true
		}
	}
	return false
}

// Print implements [sim.Printer].
func (e *Effects) Print(to *sim.Print) {
	to.Fold(uint64(len(e.Rows)), uint64(len(e.Counts)))
	for i := range e.Rows {
		gone := uint64(0)
		if e.Rows[i].gone {
			gone = 1
		}
		to.Fold(uint64(e.Rows[i].sort)<<1|gone, e.Rows[i].id)
	}
	for i := range e.Counts {
		to.Fold(e.Counts[i].intent, uint64(e.Counts[i].sort)<<16|uint64(e.Counts[i].n))
	}
}
