package clock

import (
	"cmp"
	"fmt"
	"slices"
)

// Entry is a counter of a [Sparse] clock.
type Entry[I ID] struct {
	ID I
	N  uint64
}

// Sparse is a vector clock of any number of named processes: what is absent counts 0.
// The nil clock has seen nothing.
//
//  1. ids ascend, none twice
//  2. counters are at most 2^63-1
//
// It promises what [Vector] promises, at the price of an id and a counter for each
// process ever heard of. Tick and Merge change it in place: a message carries a Clone.
//
// Source: "Dynamo", 2007, section 4.4: a list of (node, counter) pairs.
type Sparse[I ID] []Entry[I]

// SparseOf is the clock with these entries, in any order. An id that comes twice and a
// counter above [MaxCount] are errors.
func SparseOf[I ID](entries ...Entry[I]) (Sparse[I], error) {
	s := slices.Clone(Sparse[I](entries))
	slices.SortFunc(s, func(a, b Entry[I]) int { return cmp.Compare(a.ID, b.ID) })
	for _, e := range s {
		if e.N > MaxCount {
			return nil, &CountError{e.N}
		}
	}
	return s, s.Check()
}

// find is where id is or belongs.
func (s Sparse[I]) find(id I) (int, bool) {
	low, high := 0, len(s)
	for low < high {
		if mid := int(uint(low+high) / 2); s[mid].ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < len(s) && s[low].ID == id
}

// Get is the counter of a process, 0 if it is unknown.
func (s Sparse[I]) Get(id I) uint64 {
	if i, ok := s.find(id); ok {
		return s[i].N
	}
	return 0
}

// Tick is a local event or a send of process id; it returns the counter.
func (s *Sparse[I]) Tick(id I) uint64 {
	i, ok := s.find(id)
	if !ok {
		*s = slices.Insert(*s, i, Entry[I]{ID: id})
	}
	(*s)[i].N++
	return (*s)[i].N
}

// TickAt is Tick for a process that remembers where its counter stood: it saves the
// search. It returns where the counter stands now.
func (s *Sparse[I]) TickAt(at int, id I) int {
	if v := *s; uint(at) < uint(len(v)) && v[at].ID == id {
		v[at].N++
		return at
	}
	s.Tick(id)
	at, _ = s.find(id)
	return at
}

// Receive is the receipt, by process id, of a message that carries t.
func (s *Sparse[I]) Receive(id I, t Sparse[I]) uint64 {
	s.Merge(t)
	return s.Tick(id)
}

// Merge takes the larger of each counter.
func (s *Sparse[I]) Merge(t Sparse[I]) {
	v, missing, i := *s, 0, 0
	for j := range t {
		for i < len(v) && v[i].ID != t[j].ID && v[i].ID < t[j].ID {
			i++
		}
		if i < len(v) && v[i].ID == t[j].ID {
			v[i].N = max(v[i].N, t[j].N)
			i++
		} else {
			missing++
		}
	}
	if missing > 0 {
		*s = v.insert(t, missing)
	}
}

// insert puts those of t in their places that s does not have, from the back, so that
// nothing is overwritten.
func (s Sparse[I]) insert(t Sparse[I], missing int) Sparse[I] {
	i, k := len(s)-1, len(s)+missing-1
	s = slices.Grow(s, missing)[:k+1]
	for j := len(t) - 1; j >= 0; k-- {
		switch {
		case i >= 0 && s[i].ID > t[j].ID:
			s[k] = s[i]
			i--
		case i >= 0 && s[i].ID == t[j].ID:
			s[k] = s[i]
			i--
			j--
		default:
			s[k] = t[j]
			j--
		}
	}
	return s
}

// Compare is how s stands to t.
func (s Sparse[I]) Compare(t Sparse[I]) Relation {
	var r Relation
	i, j := 0, 0
	for i < len(s) && j < len(t) {
		a, b := &s[i], &t[j]
		switch {
		case a.ID == b.ID:
			r |= order(a.N, b.N)
			i++
			j++
		case a.ID < b.ID:
			r |= order(a.N, 0)
			i++
		default:
			r |= order(0, b.N)
			j++
		}
		if r == Concurrent {
			return r
		}
	}
	for ; i < len(s); i++ {
		r |= order(s[i].N, 0)
	}
	for ; j < len(t); j++ {
		r |= order(0, t[j].N)
	}
	return r
}

// order is the relation of two clocks of one counter.
func order(a, b uint64) Relation {
	return Relation((a-b)>>63) | Relation((b-a)>>63<<1)
}

// Covers reports whether s knows of all that t knows: it is equal or after. Riak calls
// it descends.
func (s Sparse[I]) Covers(t Sparse[I]) bool { return s.Compare(t)&Before == 0 }

// Precedes reports whether an event of process id with clock s happened before one
// with clock t, by one look: see [Vector.Precedes].
func (s Sparse[I]) Precedes(id I, t Sparse[I]) bool {
	n := s.Get(id)
	return n > 0 && n <= t.Get(id)
}

// Clone is a copy for a message.
func (s Sparse[I]) Clone() Sparse[I] { return slices.Clone(s) }

// Check returns which invariant does not hold.
func (s Sparse[I]) Check() error {
	for i, e := range s {
		switch {
		case i > 0 && s[i-1].ID == e.ID:
			return fmt.Errorf("sparse clock, 1: %v comes twice", e.ID)
		case i > 0 && s[i-1].ID > e.ID:
			return fmt.Errorf("sparse clock, 1: %v after %v", e.ID, s[i-1].ID)
		case e.N >= 1<<63:
			return fmt.Errorf("sparse clock, 2: the counter of %v is %d, above 2^63-1", e.ID, e.N)
		}
	}
	return nil
}

// WireSize is how many bytes a message needs for the clock: each id, as a varint or a
// string with its length, and a varint.
func (s Sparse[I]) WireSize() int {
	size := varint(uint64(len(s)))
	for _, e := range s {
		size += idSize(e.ID) + varint(e.N)
	}
	return size
}
