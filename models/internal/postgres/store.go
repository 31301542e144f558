package postgres

import "fencepost/models/internal/postgres/sql"

// version is one version of a row. Its values lie beside it in the store.
type version struct {
	used      bool
	from      uint32 // number of the commit that inserted it; 0 for one that all can see
	to        uint32 // number of the commit that deleted it; 0 for none
	by        int32  // session, plus 1, whose open transaction inserted it
	dead      int32  // session, plus 1, whose open transaction deleted or updated it
	locked    int32  // session, plus 1, that holds the row lock
	command   uint32 // that inserted it, of the open transaction
	killed    uint32 // command that deleted it, of the open transaction
	successor bool   // an update of the open transaction has put it in the place of another
	newer     int32  // slot, plus 1, of the version that an update put in its place
}

// store is the content of a table: versions in slots, their values, and indexes: slots
// in the order of the keys, versions of equal keys from the oldest.
type store struct {
	versions []version
	cells    []sql.Value
	free     []int32 // slots, the lowest last: equal contents tend to lie in equal places
	indexes  [sql.MaxIndexes][]int32
	serials  []sql.Value // the last one that a sequence has given
}

// row is the values of a version. They move when the store grows.
func (s *store) row(width int, slot int32) []sql.Value {
	at := int(slot) * width
	return s.cells[at : at+width : at+width]
}

// put stores a new version, in no index yet.
func (s *store) put(values []sql.Value, v version) int32 {
	v.used = true
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		s.versions[slot] = v
		copy(s.row(len(values), slot), values)
		return slot
	}
	s.versions = append(s.versions, v)
	s.cells = append(s.cells, values...)
	return int32(len(s.versions) - 1)
}

// drop removes a version from the store and its indexes.
func (s *store) drop(t *sql.Table, slot int32) {
	for i, x := range t.Indexes {
		s.unlink(t, x, i, slot)
	}
	s.versions[slot] = version{}
	clear(s.row(len(t.Columns), slot))
	s.free = append(s.free, slot)
	for i := len(s.free) - 1; i > 0 && s.free[i-1] < s.free[i]; i-- {
		s.free[i-1], s.free[i] = s.free[i], s.free[i-1]
	}
	for n := len(s.versions); n > 0 && len(s.free) > 0 && int(s.free[0]) == n-1; n-- {
		s.versions, s.cells = s.versions[:n-1], s.cells[:(n-1)*len(t.Columns)]
		s.free = append(s.free[:0], s.free[1:]...)
	}
}

// first is the place of the first entry of an index that is not before the key.
func (s *store) first(t *sql.Table, i int, key []sql.Value) int {
	x, entries, width := t.Indexes[i], s.indexes[i], len(t.Columns)
	low, high := 0, len(entries)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if x.Compare(s.row(width, entries[middle]), key) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// link puts a version into an index, behind those with its key.
func (s *store) link(t *sql.Table, i int, slot int32) {
	var memory [sql.MaxColumns]sql.Value
	x := t.Indexes[i]
	key := x.KeyOf(s.row(len(t.Columns), slot), &memory)
	entries := s.indexes[i]
	at := len(entries)
	if at > 0 && x.Compare(s.row(len(t.Columns), entries[at-1]), key) > 0 {
		at = s.first(t, i, key)
		for at < len(entries) && x.Compare(s.row(len(t.Columns), entries[at]), key) == 0 {
			at++
		}
	}
	entries = append(entries, 0)
	copy(entries[at+1:], entries[at:])
	entries[at] = slot
	s.indexes[i] = entries
}

// unlink takes a version out of an index, if it is there.
func (s *store) unlink(t *sql.Table, x *sql.Index, i int, slot int32) {
	var memory [sql.MaxColumns]sql.Value
	key := x.KeyOf(s.row(len(t.Columns), slot), &memory)
	entries := s.indexes[i]
	for at := s.first(t, i, key); at < len(entries); at++ {
		if entries[at] == slot {
			s.indexes[i] = append(entries[:at], entries[at+1:]...)
			return
		}
		if x.Compare(s.row(len(t.Columns), entries[at]), key) != 0 {
			return
		}
	}
}

// reset makes a store equal to another, in its own memory.
func (s *store) reset(initial *store) {
	s.versions = append(s.versions[:0], initial.versions...)
	s.cells = append(s.cells[:0], initial.cells...)
	s.free = append(s.free[:0], initial.free...)
	for i := range s.indexes {
		s.indexes[i] = append(s.indexes[i][:0], initial.indexes[i]...)
	}
	s.serials = append(s.serials[:0], initial.serials...)
}
