package explore

import "fencepost/sim"

// states is a set of fingerprints: an open-addressing table, at most three quarters full.
type states struct {
	slots []sim.Print
	count int
	zero  bool // the print of only zeros is in the set; in slots it stands for none
}

const printSize = 16

func (s *states) bytes() int64 { return int64(len(s.slots)) * printSize }

func (s *states) has(p sim.Print) bool {
	if p == (sim.Print{}) {
		return s.zero
	}
	if len(s.slots) == 0 {
		return false
	}
	return s.slots[s.place(p)] == p
}

// place is where a print is or would be.
func (s *states) place(p sim.Print) int {
	mask := len(s.slots) - 1
	i := int(p[0]^p[1]>>7) & mask
	for s.slots[i] != p && s.slots[i] != (sim.Print{}) {
		i = (i + 1) & mask
	}
	return i
}

// add reports whether the print is new.
func (s *states) add(p sim.Print) bool {
	if s.has(p) {
		return false
	}
	s.count++
	if p == (sim.Print{}) {
		s.zero = true
		return true
	}
	if s.grows(0) {
		s.grow()
	}
	s.slots[s.place(p)] = p
	return true
}

// clear takes all prints out, and keeps the memory.
func (s *states) clear() {
	clear(s.slots)
	s.count, s.zero = 0, false
}

// grows reports whether the table must grow to take more prints.
func (s *states) grows(more int) bool { return 4*(s.count+more) > 3*len(s.slots) }

func (s *states) grow() {
	old := s.slots
	s.slots = make([]sim.Print, max(2*len(old), 1024))
	for _, p := range old {
		if p != (sim.Print{}) {
			s.slots[s.place(p)] = p
		}
	}
}
