package check

import (
	"cmp"
	"slices"

	"fencepost/models/fact"
)

// Updates is the counter of a store as its facts tell it.
type Updates struct {
	Counter int64
	Made    int64       // increments, each once however often it arrives
	Writer  fact.Holder // who wrote last
	Wrote   increments  // that have been counted
}

func newUpdates(l *Lock) Updates { return Updates{Wrote: make(increments, l.Clients+1)} }

// hear takes in a write. It reports how many increments more are missing after a write than before it, and who wrote before.
func (u *Updates) hear(f *fact.Fact) (lost int64, over fact.Holder) {
	before, over := u.Made-u.Counter, u.Writer
	if u.Wrote.add(write{f.By, f.N}) {
		u.Made++
	}
	u.Counter, u.Writer = f.Value, f.By
	return u.Made - u.Counter - before, over
}

// write is an increment: its holder has made n before.
type write struct {
	by fact.Holder
	n  uint16
}

// compare orders the increments of a client as it made them.
func (w write) compare(v write) int { return cmp.Or(w.by.Compare(v.by), cmp.Compare(w.n, v.n)) }

// increments is a set of increments, by client and in the order in which it made them.
type increments [][]write

// Reset empties the set.
func (s increments) Reset() {
	for c := range s {
		s[c] = s[c][:0]
	}
}

// add reports whether an increment is new. Nearly all come in order.
func (s increments) add(w write) bool {
	list := s[w.by.Node]
	i, known := len(list), false
	if i > 0 && list[i-1].compare(w) >= 0 {
		i, known = slices.BinarySearchFunc(list, w, write.compare)
	}
	if !known {
		s[w.by.Node] = slices.Insert(list, i, w)
	}
	return !known
}
