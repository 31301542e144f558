package kv

import (
	"math/bits"

	"fencepost/models/kv/version"
	"fencepost/sim"
)

// store is what a node stores, by key, or what a client has read: open addressing with
// linear probing, at most three quarters full. A key is never removed; one without an object
// is as one that was never there.
type store struct {
	slots []slot // a power of two of them
	count int    // keys
}

// slot is a place of a store.
type slot struct {
	name   uint32 // the key and 1; 0, the slot is free
	object *version.Object
}

// get is the object of a key, nil if there is none.
func (s *store) get(key uint32) *version.Object {
	if len(s.slots) == 0 {
		return nil
	}
	return s.slots[s.place(key)].object
}

// place is where a key is, or would be. The table has slots.
func (s *store) place(key uint32) int {
	last := len(s.slots) - 1
	spread := key * 0x9E3779B1 // the golden ratio: keys that follow each other are far apart
	i := int(spread >> (32 - bits.Len(uint(last))))
	for s.slots[i].name != key+1 && s.slots[i].name != 0 {
		i = (i + 1) & last
	}
	return i
}

func (s *store) set(key uint32, o *version.Object) {
	if 4*(s.count+1) > 3*len(s.slots) {
		s.grow()
	}
	at := &s.slots[s.place(key)]
	if at.name == 0 {
		at.name = key + 1
		s.count++
	}
	at.object = o //fencepost:allow an object never changes once it is made
}

// grow doubles the slots. A store that has been reset grows in the memory it has had, where
// there is room for the slots so far beside the new ones.
func (s *store) grow() {
	old, size := s.slots, max(2*len(s.slots), 8)
	if room := size + len(old); room > cap(s.slots) {
		s.slots = make([]slot, size, size+size/2)
	} else {
		aside := s.slots[size:room]
		copy(aside, old)
		old, s.slots = aside, s.slots[:size]
		clear(s.slots)
	}
	for i := range old {
		if name := old[i].name; name != 0 {
			s.slots[s.place(name-1)] = old[i]
		}
		old[i] = slot{}
	}
}

// reset makes the store equal to another one.
func (s *store) reset(to *store) {
	s.slots, s.count = refill(s.slots, to.slots), to.count
}

// print takes in the keys that have objects, whatever the order in which they came.
func (s *store) print(p *sim.Print) {
	var sum sim.Print
	for i := range s.slots {
		if at := &s.slots[i]; at.object != nil {
			var one sim.Print
			one.Fold(uint64(at.name), at.object.Digest())
			sum[0] += one[0]
			sum[1] += one[1]
		}
	}
	p.Fold(sum[0], sum[1])
}

// refill makes a list equal to another one, in its own memory. It is not nil: a list that has
// become empty is not, either, and a copy of it is the same.
func refill[T any](list, to []T) []T {
	if list == nil {
		list = []T{}
	}
	clear(list)
	return append(list[:0], to...)
}
