package clock

import (
	"cmp"
	"fmt"
	"slices"
)

// Group is a fixed set of processes. It gives each a number, in the order of their
// ids, and so turns a [Sparse] clock into a [Vector] and back.
type Group[I ID] struct{ ids []I }

// NewGroup is the group of these processes, in any order; at most [MaxEntries], none
// twice.
func NewGroup[I ID](ids ...I) (Group[I], error) {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, cmp.Compare)
	for i := range sorted {
		if i > 0 && sorted[i] == sorted[i-1] {
			return Group[I]{}, fmt.Errorf("group: %v comes twice", sorted[i])
		}
	}
	if len(ids) > MaxEntries {
		return Group[I]{}, fmt.Errorf("group: %d processes, at most %d", len(ids), MaxEntries)
	}
	return Group[I]{sorted}, nil
}

// Len is how many processes there are.
func (g Group[I]) Len() int { return len(g.ids) }

// Name is the id of process p.
func (g Group[I]) Name(p int) I { return g.ids[p] }

// Number is the number of a process.
func (g Group[I]) Number(id I) (p int, ok bool) {
	return slices.BinarySearchFunc(g.ids, id, cmp.Compare)
}

// Dense is the clock by number. A process that is not of the group is an error.
func (g Group[I]) Dense(s Sparse[I]) (Vector, error) {
	v := make(Vector, len(g.ids))
	for _, e := range s {
		p, ok := g.Number(e.ID)
		if !ok {
			return nil, fmt.Errorf("group: process %v is not one of the %d known", e.ID, len(g.ids))
		}
		v[p] = e.N
	}
	return v, nil
}

// Sparse is the clock by id, without zeros.
func (g Group[I]) Sparse(v Vector) (Sparse[I], error) {
	if len(v) != len(g.ids) {
		return nil, dimension(len(g.ids), len(v))
	}
	var s Sparse[I]
	for p, n := range v {
		if n > 0 {
			s = append(s, Entry[I]{g.ids[p], n})
		}
	}
	return s, nil
}
