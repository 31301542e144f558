package reach

import (
	"math/bits"
	"runtime/debug"
)

// set is the states visited, exactly: the keys in the order in which they were found,
// which is the queue of the search too, and a hash table of the same keys, with linear
// probing. The table can be made again from the queue, so that when it grows there are
// never two.
type set struct {
	wide  bool // keys have two words, else one
	table []uint64
	slots uint64
	last  bool // the table has the size that the memory allows; it is filled up
	queue [][]uint64
	n     uint64

	touched uint64 // keeps the loads of touch from being optimized away
}

// A chunk of the queue holds 1<<chunk keys. A table has at least minSlots; it grows when
// it is 3/4 full, the last one is filled to 9/10.
const (
	chunk    = 13
	minSlots = 1 << 10
)

func (s *set) words() int64 {
	if s.wide {
		return 2
	}
	return 1
}

// bytes is what the set takes.
func (s *set) bytes() int64 {
	return 8 * (int64(len(s.table)) + s.words()*int64(len(s.queue))<<chunk)
}

// room makes room for more keys, with the set taking at most the given number of bytes.
// It reports whether there is.
func (s *set) room(more uint64, memory int64) bool {
	want := s.n + more
	if !s.last && want > s.slots/4*3 {
		s.resize(max(2*s.slots, minSlots), want, memory)
	}
	queue := int64((want+1<<chunk-1)>>chunk) << chunk
	if want > s.slots/10*9 || 8*(int64(len(s.table))+s.words()*queue) > memory {
		return false
	}
	for uint64(len(s.queue))<<chunk < want {
		s.queue = append(s.queue, make([]uint64, s.words()<<chunk))
	}
	return true
}

// resize makes a table of so many slots or, if that is too many for the memory, the
// largest for which the queue has room beside it.
func (s *set) resize(slots, want uint64, memory int64) {
	for slots/4*3 < want {
		slots *= 2
	}
	most := max(memory/8/s.words()-1<<chunk, 0) // slots and queue
	if most = most * 10 / 19; int64(slots) >= most {
		slots, s.last = uint64(max(most, 0)), true
	}
	if slots <= s.slots {
		return
	}
	s.table = nil
	collect(s.n)
	s.slots, s.table = slots, make([]uint64, slots*uint64(s.words()))
	clear(s.table) // in order, which is faster than to get its pages as the keys come
	s.fill()
}

// fill puts the keys of the queue into an empty table.
func (s *set) fill() {
	const ahead = 256
	var places [ahead]uint64
	for first := uint64(0); first < s.n; first += ahead {
		end := min(first+ahead, s.n)
		for i := first; i < end; i++ {
			k := s.key(i)
			var found uint64
			places[i-first], found = s.touch(k)
			s.touched ^= found
		}
		for i := first; i < end; i++ {
			k := s.key(i)
			s.insert(k, places[i-first])
		}
	}
}

// key is the key that was added as number i.
func (s *set) key(i uint64) key {
	c, j := s.queue[i>>chunk], i&(1<<chunk-1)
	if s.wide {
		return key{lo: c[2*j], hi: c[2*j+1]}
	}
	return key{lo: c[j]}
}

// touch finds the slot at which the search for a key begins and loads it. Loads that
// depend on nothing overlap, so to touch a batch of keys before they are inserted waits
// for memory once, not for each.
func (s *set) touch(k key) (place, found uint64) {
	h := (k.lo ^ bits.RotateLeft64(k.hi*0xD6E8FEB86659FD93, 29)) * 0x9E3779B97F4A7C15
	h = (h ^ h>>32) * 0xD6E8FEB86659FD93
	place, _ = bits.Mul64(h, s.slots)
	if s.wide {
		return place, s.table[2*place]
	}
	return place, s.table[place]
}

// insert puts a key into the table and reports whether it was not there.
func (s *set) insert(k key, place uint64) bool {
	if s.wide {
		return s.insertWide(k, place)
	}
	for {
		v := s.table[place]
		if v == k.lo {
			return false
		}
		if v == 0 {
			s.table[place] = k.lo
			return true
		}
		if place++; place == s.slots {
			place = 0
		}
	}
}

func (s *set) insertWide(k key, place uint64) bool {
	for {
		lo, hi := &s.table[2*place], &s.table[2*place+1]
		if *lo == k.lo && *hi == k.hi {
			return false
		}
		if *lo == 0 {
			*lo, *hi = k.lo, k.hi
			return true
		}
		if place++; place == s.slots {
			place = 0
		}
	}
}

// add appends a key that is new to the queue, in which there is room for it.
func (s *set) add(k key) {
	s.write(s.n, k)
	s.n++
}

func (s *set) write(i uint64, k key) {
	c, j := s.queue[i>>chunk], i&(1<<chunk-1)
	if s.wide {
		c[2*j], c[2*j+1] = k.lo, k.hi
	} else {
		c[j] = k.lo
	}
}

// repack changes every key. Afterwards keys may be wide.
func (s *set) repack(wide bool, change func(key) key) {
	if wide == s.wide {
		for i := range s.n {
			s.write(i, change(s.key(i)))
		}
		if s.table != nil {
			clear(s.table)
			s.fill()
		}
		return
	}
	before := *s
	before.table, s.table = nil, nil
	s.wide, s.slots, s.last = wide, 0, false
	s.queue = make([][]uint64, 0, len(before.queue))
	collect(s.n)
	for s.n = 0; s.n < before.n; {
		if s.n&(1<<chunk-1) == 0 {
			s.queue = append(s.queue, make([]uint64, s.words()<<chunk))
		}
		s.add(change(before.key(s.n)))
		if s.n&(1<<chunk-1) == 0 {
			before.queue[(s.n-1)>>chunk] = nil // it is not needed any more
		}
	}
	collect(s.n)
}

// collect gives memory back that is no longer used. Whatever is to take its place would
// otherwise come on top. For few keys that does not matter.
func collect(keys uint64) {
	if keys >= 1<<17 {
		debug.FreeOSMemory()
	}
}
