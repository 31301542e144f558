package reach

import (
	"math/bits"
	"runtime/debug"
)

// set is the states visited, exactly: the keys in the order in which they were found,
// which is the queue of the search too, and a hash table of the same keys. The table is
// made of regions that share nothing, so that each may be filled by another goroutine.
// What it takes depends on the keys alone, not on their order.
type set struct {
	wide    bool // keys have two words, else one
	regions [regions]region
	queue   [][]uint64
	vias    [][]via // of the keys in the queue, until they are forgotten
	n       uint64  // keys in the queue

	forgotten uint64  // chunks of vias
	spare     [][]via // chunks to use again
}

// A chunk of the queue holds 1<<chunk keys.
const (
	chunk      = 13
	regionBits = 4
	regions    = 1 << regionBits
)

func newSet(wide bool) set {
	s := set{wide: wide}
	for i := range s.regions {
		s.regions[i].reset(s.words())
	}
	return s
}

func (s *set) words() uint64 {
	if s.wide {
		return 2
	}
	return 1
}

// bytes is what the set takes.
func (s *set) bytes() int64 {
	b := s.queueBytes(s.forgotten<<chunk, s.n)
	for i := range s.regions {
		b += s.regions[i].bytes
	}
	return b
}

// queueBytes is what the queue takes for a number of keys, of which the first are forgotten.
func (s *set) queueBytes(forgotten, n uint64) int64 {
	all := (n + 1<<chunk - 1) >> chunk
	return int64(all*s.words()+all-forgotten>>chunk) << (chunk + 3)
}

// hash is the hash of a key. Its upper bits are the place of the page that the key
// belongs to, its lower ones the place in that page.
func (k key) hash() uint64 {
	h := (k.lo ^ bits.RotateLeft64(k.hi*0xD6E8FEB86659FD93, 29)) * 0x9E3779B97F4A7C15
	return (h ^ h>>32) * 0xD6E8FEB86659FD93
}

// regionOf is the number of the region that holds the keys of a hash.
func regionOf(hash uint64) uint64 { return hash >> (64 - regionBits) }

// ahead is how many keys are looked for at a time. Loads that depend on nothing overlap,
// so that to load the lines of all of them first waits for memory once, not for each.
const ahead = 128

// insert enters the keys that moves lead to into the table, in order, and returns the
// moves to those that were not there.
func (s *set) insert(moves []move, sc *scratch) []move {
	fresh := moves[:0]
	var pages [ahead]*page
	var lines [ahead]*line
	for len(moves) > 0 {
		now := moves[:min(ahead, len(moves))]
		moves = moves[len(now):]
		for i := range now {
			h := now[i].hash
			pages[i] = s.regions[regionOf(h)].at(h)
			lines[i] = pages[i].line(pages[i].place(h))
		}
		loaded := uint64(0)
		for _, l := range lines[:len(now)] {
			loaded ^= l[0]
		}
		sc.loaded, sc.grown = loaded, false // or the loads would be optimized away
		for i := range now {
			m := &now[i]
			if s.wide || sc.grown { // lines may belong to other pages now
				if s.regions[regionOf(m.hash)].insert(m.to, m.hash, sc) {
					fresh = append(fresh, *m)
				}
				continue
			}
			there, used := lines[i].look(m.to.lo)
			if there {
				continue
			}
			if p := pages[i]; used < uint64(len(line{})) && p.n < p.most {
				lines[i][used] = m.to.lo
				p.n++
			} else if !s.regions[regionOf(m.hash)].insert(m.to, m.hash, sc) {
				continue
			}
			fresh = append(fresh, *m)
		}
	}
	return fresh
}

// extend makes room in the queue for the given number of keys.
func (s *set) extend(n uint64) {
	for uint64(len(s.queue))<<chunk < n {
		s.queue = append(s.queue, make([]uint64, s.words()<<chunk))
	}
	for uint64(len(s.vias))<<chunk < n {
		var c []via
		if last := len(s.spare) - 1; last >= 0 {
			c, s.spare = s.spare[last], s.spare[:last]
		} else {
			c = make([]via, 1<<chunk)
		}
		s.vias = append(s.vias, c)
	}
}

// via is how the key with number i was found.
func (s *set) via(i uint64) via { return s.vias[i>>chunk][i&(1<<chunk-1)] }

// forget forgets how the keys before number i were found.
func (s *set) forget(i uint64) {
	for ; s.forgotten < i>>chunk; s.forgotten++ {
		s.spare = append(s.spare, s.vias[s.forgotten])
		s.vias[s.forgotten] = nil
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

// write makes a key number i of the queue, in which there is room for it.
func (s *set) write(i uint64, k key, v via) {
	s.rewrite(i, k)
	s.vias[i>>chunk][i&(1<<chunk-1)] = v
}

func (s *set) rewrite(i uint64, k key) {
	c, j := s.queue[i>>chunk], i&(1<<chunk-1)
	if s.wide {
		c[2*j], c[2*j+1] = k.lo, k.hi
	} else {
		c[j] = k.lo
	}
}

// repack changes every key. Afterwards keys may be wide.
func (s *set) repack(wide bool, change func(key) key) {
	before := *s
	if s.wide = wide; wide != before.wide {
		s.queue = make([][]uint64, 0, len(before.queue))
	}
	for i := range s.n {
		if i>>chunk == uint64(len(s.queue)) {
			s.queue = append(s.queue, make([]uint64, s.words()<<chunk))
		}
		s.rewrite(i, change(before.key(i)))
		if wide != before.wide && (i+1)&(1<<chunk-1) == 0 {
			before.queue[i>>chunk] = nil // it is not needed any more
		}
	}
	for i := range s.regions {
		s.regions[i].reset(s.words())
	}
	var moves [ahead]move
	sc := new(scratch)
	for i := uint64(0); i < s.n; {
		now := moves[:0]
		for ; i < s.n && len(now) < ahead; i++ {
			k := s.key(i)
			now = append(now, move{to: k, hash: k.hash()})
		}
		s.insert(now, sc)
	}
	if wide != before.wide && s.n >= 1<<17 {
		debug.FreeOSMemory() // or the old queue would come on top for a while
	}
}
