package clock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Dots are the writes that one replica has taken: n of them, of which Values are still
// siblings, newest first. The dot of the value at position k is (ID, N-k).
type Dots[I ID, V any] struct {
	ID     I
	N      uint64
	Values []V
}

// gone is how many of the writes are gone.
func (d Dots[I, V]) gone() int64 { return int64(d.N) - int64(len(d.Values)) }

// DVVSet is a key with its siblings: a dotted version vector for all of them together,
// as large as one version vector with server ids.
//
// It promises that no sibling happened before another, and that no value goes unless
// one that is kept, or the context of a write, covers it; both on condition that no
// replica uses a dot twice ([Actor]).
//
//  1. ids ascend, none twice
//  2. an id has at most n values
//
// Sets are values: no method changes its receiver.
//
// Source: Almeida, Baquero, Goncalves, Preguica, Fonte, "Scalable and Accurate
// Causality Tracking for Eventually Consistent Stores", 2014; dvvset.erl of
// ricardobcl/Dotted-Version-Vectors.
type DVVSet[I ID, V comparable] struct {
	Entries []Dots[I, V]
	// Anonymous are values without a dot: on their way to a replica, or reconciled.
	// They obey no law: sync of three sets that have some depends on the order.
	Anonymous []V
}

// NewDVVSet is what a client sends: a value, and the context it has read.
func NewDVVSet[I ID, V comparable](context VersionVector[I], values ...V) DVVSet[I, V] {
	s := DVVSet[I, V]{Entries: make([]Dots[I, V], 0, len(context)), Anonymous: values}
	for _, e := range context {
		s.Entries = append(s.Entries, Dots[I, V]{ID: e.ID, N: e.N})
	}
	return s
}

// Join is all that the set knows of: the context that a reader gets.
func (s DVVSet[I, V]) Join() VersionVector[I] {
	all := make(VersionVector[I], len(s.Entries))
	for i, d := range s.Entries {
		all[i] = Entry[I]{d.ID, d.N}
	}
	return all
}

// Values are the siblings: those without a dot, then by id, newest first.
func (s DVVSet[I, V]) Values() []V {
	all := slices.Clone(s.Anonymous)
	for _, d := range s.Entries {
		all = append(all, d.Values...)
	}
	return all
}

// Size is how many siblings there are.
func (s DVVSet[I, V]) Size() int {
	n := len(s.Anonymous)
	for _, d := range s.Entries {
		n += len(d.Values)
	}
	return n
}

// Less reports whether t knows of all that s does, and more.
func (s DVVSet[I, V]) Less(t DVVSet[I, V]) bool { return s.Join().Compare(t.Join()) == Before }

// Sync is the siblings of both, without those that either has overwritten.
func (s DVVSet[I, V]) Sync(t DVVSet[I, V]) DVVSet[I, V] {
	a, b := s.Entries, t.Entries
	all := DVVSet[I, V]{Entries: make([]Dots[I, V], 0, max(len(a), len(b)))}
	if len(s.Anonymous)+len(t.Anonymous) > 0 {
		all.Anonymous = s.anonymous(t)
	}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].ID < b[0].ID:
			all.Entries, a = append(all.Entries, a[0]), a[1:]
		case a[0].ID > b[0].ID:
			all.Entries, b = append(all.Entries, b[0]), b[1:]
		default:
			all.Entries = append(all.Entries, a[0].merge(b[0]))
			a, b = a[1:], b[1:]
		}
	}
	all.Entries = append(append(all.Entries, a...), b...)
	return all
}

// anonymous is what both sides have without a dot, or one alone if it knows all that the
// other does.
func (s DVVSet[I, V]) anonymous(t DVVSet[I, V]) []V {
	switch s.Join().Compare(t.Join()) {
	case Before:
		return t.Anonymous
	case After:
		return s.Anonymous
	}
	return union(s.Anonymous, t.Anonymous)
}

// merge is what both sides still have of the writes at one replica, and those that
// only the one with the larger counter has heard of.
func (d Dots[I, V]) merge(e Dots[I, V]) Dots[I, V] {
	if d.N < e.N {
		d, e = e, d
	}
	if gone := max(d.gone(), e.gone()); gone > d.gone() {
		d.Values = d.Values[:max(0, int64(d.N)-gone)]
	}
	return d
}

// Update is a write that replica r takes: client is the new value with its context, as
// [NewDVVSet] makes it, and s is what the replica has.
func (s DVVSet[I, V]) Update(client DVVSet[I, V], r I) DVVSet[I, V] {
	all := DVVSet[I, V]{Entries: client.Entries}.Sync(s)
	for _, v := range client.Anonymous {
		all.take(r, v)
	}
	return all
}

// Event gives a value the next dot of r.
func (s DVVSet[I, V]) Event(r I, v V) DVVSet[I, V] {
	s.Entries = slices.Clone(s.Entries)
	s.take(r, v)
	return s
}

// take gives a value the next dot of r, in entries that no other set has; their values
// may be those of others.
func (s *DVVSet[I, V]) take(r I, v V) {
	i, ok := slices.BinarySearchFunc(s.Entries, r, func(d Dots[I, V], r I) int { return cmp.Compare(d.ID, r) })
	if !ok {
		s.Entries = slices.Insert(s.Entries, i, Dots[I, V]{ID: r})
	}
	d := &s.Entries[i]
	values := make([]V, 0, len(d.Values)+1)
	d.N, d.Values = d.N+1, append(append(values, v), d.Values...)
}

// Reconcile puts one value in the place of all siblings. It has no dot; the write that
// stores it gives it one.
func (s DVVSet[I, V]) Reconcile(f func(siblings []V) V) DVVSet[I, V] {
	return NewDVVSet(s.Join(), f(s.Values()))
}

// LastWriter keeps the latest value by the given order: the newest of some replica,
// which keeps its dot, or one that has none. Only the newest value of a replica is
// looked at, so the order must be one that never contradicts the dots: with wall clocks
// that go back, a value that is not newest could win, and sync would not commute.
//
// Source: dvvset.erl, lww.
func (s DVVSet[I, V]) LastWriter(after func(a, b V) bool) DVVSet[I, V] {
	var last *V
	at := -1 // whose it is; -1 without a dot
	for i := range s.Entries {
		if vs := s.Entries[i].Values; len(vs) > 0 && (last == nil || !after(*last, vs[0])) {
			last, at = &vs[0], i
		}
	}
	for i := range s.Anonymous {
		if last == nil || !after(*last, s.Anonymous[i]) {
			last, at = &s.Anonymous[i], -1
		}
	}
	won := NewDVVSet[I, V](s.Join())
	switch {
	case last == nil:
	case at < 0:
		won.Anonymous = []V{*last}
	default:
		won.Entries[at].Values = []V{*last}
	}
	return won
}

// Check returns which invariant does not hold.
func (s DVVSet[I, V]) Check() error {
	if err := s.Join().Check(); err != nil {
		return fmt.Errorf("dotted set: %w", err)
	}
	for _, d := range s.Entries {
		if uint64(len(d.Values)) > d.N {
			return fmt.Errorf("dotted set, 2: %v has %d values of %d writes", d.ID, len(d.Values), d.N)
		}
	}
	return nil
}

// String is the notation of the library's own documentation: {a,3,[v5 v2]}{b,1,[]},
// and values without a dot in brackets behind.
func (s DVVSet[I, V]) String() string {
	var b strings.Builder
	for _, d := range s.Entries {
		fmt.Fprintf(&b, "{%v,%d,%v}", d.ID, d.N, d.Values)
	}
	if len(s.Anonymous) > 0 {
		fmt.Fprint(&b, s.Anonymous)
	}
	return b.String()
}
