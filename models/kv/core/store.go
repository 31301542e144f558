package core

import (
	"math/bits"

	"fencepost/models/kv/version"
	"fencepost/sim"
)

// Store is what a node stores, by key, or what a client has read: open addressing with
// linear probing, at most three quarters full. A key is never removed; one without an object
// is as one that was never there.
type Store struct {
	Slots []slot // a power of two of them
	count int    // keys
}

// slot is a place of a store.
type slot struct {
	Name   uint32 // the key and 1; 0, the slot is free
	Object *version.Object
}

// Get is the object of a key, nil if there is none.
func (s *Store) Get(key uint32) *version.Object {
	if len(s.Slots) == 0 {
		return nil
	}
	return s.Slots[s.place(key)].Object
}

// place is where a key is, or would be. The table has slots.
func (s *Store) place(key uint32) int {
	last := len(s.Slots) - 1
	spread := key * 0x9E3779B1 // the golden ratio: keys that follow each other are far apart
	i := int(spread >> (32 - bits.Len(uint(last))))
	for s.Slots[i].Name != key+1 && s.Slots[i].Name != 0 {
		i = (i + 1) & last
	}
	return i
}

// Set stores what a replica has of a key, and makes room for it.
func (s *Store) Set(key uint32, o *version.Object) {
	if 4*(s.count+1) > 3*len(s.Slots) {
		s.grow()
	}
	at := &s.Slots[s.place(key)]
	if at.Name == 0 {
		at.Name = key + 1
		s.count++
	}
	at.Object = o // an object never changes once it is made
}

// grow doubles the slots. A store that has been reset grows in the memory it has had, where
// there is room for the slots so far beside the new ones.
func (s *Store) grow() {
	old, size := s.Slots, max(2*len(s.Slots), 8)
	if room := size + len(old); room > cap(s.Slots) {
		s.Slots = make([]slot, size, size+size/2)
	} else {
		aside := s.Slots[size:room]
		copy(aside, old)
		old, s.Slots = aside, s.Slots[:size]
		clear(s.Slots)
	}
	for i := range old {
		if name := old[i].Name; name != 0 {
			s.Slots[s.place(name-1)] = old[i]
		}
		old[i] = slot{}
	}
}

// Reset makes the store equal to another one.
func (s *Store) Reset(to *Store) {
	s.Slots, s.count = Refill(s.Slots, to.Slots), to.count
}

// Print takes in the keys that have objects, whatever the order in which they came.
func (s *Store) Print(p *sim.Print) {
	var sum sim.Print
	for i := range s.Slots {
		if at := &s.Slots[i]; at.Object != nil {
			var one sim.Print
			one.Fold(uint64(at.Name), at.Object.Digest())
			sum[0] += one[0]
			sum[1] += one[1]
		}
	}
	p.Fold(sum[0], sum[1])
}

// Refill makes a list equal to another one, in its own memory. It is not nil: a list that has
// become empty is not, either, and a copy of it is the same.
func Refill[T any](list, to []T) []T {
	if list == nil {
		list = []T{}
	}
	clear(list)
	return append(list[:0], to...)
}

// Matches reports whether a key has one value, which is the expected one; 0 expects none.
func Matches(o *version.Object, expects uint64) bool {
	switch all := o.Values(); {
	case len(all) == 0:
		return expects == 0
	case len(all) > 1:
		return false
	case all[0].Tombstone:
		return expects == 0
	default:
		return all[0].Data == expects
	}
}

// One is 1 for true, as a print has it.
func One(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
