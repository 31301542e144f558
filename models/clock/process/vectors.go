package process

import (
	"fencepost/models/clock"
)

// page is memory from which the copies are cut that messages carry: no one writes to a
// copy once it has been handed out, and no step allocates one of its own. The slices
// have length 0 and what is left as their capacity: what is left is no part of the state.
type page struct {
	numbers []uint64
	heads   []clock.Vector
}

// pageSize is how many copies are cut from a page at most; a page of numbers has at least
// as many as one copy needs.
const pageSize = 64

// cut is a copy of some numbers.
func (p *page) cut(numbers []uint64) *clock.Vector {
	n := len(numbers)
	if cap(p.numbers) < n {
		p.numbers = make([]uint64, 0, max(pageSize, min(pageSize*n, 1<<12), n))
	}
	if cap(p.heads) == 0 {
		p.heads = make([]clock.Vector, 0, pageSize)
	}
	head, copied := p.heads[:1], p.numbers[:n:n]
	copy(copied, numbers)
	head[0] = copied
	p.heads, p.numbers = head[1:], p.numbers[n:n]
	return &head[0]
}

// fresh is a page that is empty, and not nil.
func (p *page) fresh() page {
	if p.heads == nil || p.numbers == nil {
		return page{numbers: make([]uint64, 0), heads: make([]clock.Vector, 0)}
	}
	return *p
}

// vector is a vector clock of all processes. Unless it is durable it begins with zeros
// after a crash.
//
// Source: Fidge 1988, Mattern 1989.
type vector struct {
	self    int // from 0
	durable bool

	known clock.Vector
	page  page
}

func newVector(self, processes int, durable bool) *vector {
	return &vector{self: self, durable: durable, known: make(clock.Vector, processes)}
}

func (c *vector) Tick(clock.Reading) (Stamp, Refusal) {
	c.known.Tick(c.self)
	return vectorStamp(c.page.cut(c.known)), 0
}

func (c *vector) Receive(m Stamp, _ clock.Reading) (Stamp, Refusal) {
	if err := c.known.Receive(c.self, *m.Vector); err != nil {
		return Stamp{}, outOfRange
	}
	return vectorStamp(c.page.cut(c.known)), 0
}

func (*vector) Persist(clock.Reading) (clock.Reading, bool) { return 0, false }

func (c *vector) Recover(before Clock) {
	if c.durable {
		copy(c.known, before.(*vector).known)
	}
}

func (c *vector) Copy(old Clock) Clock {
	n, ok := old.(*vector)
	if !ok {
		n = &vector{}
	}
	known, left := n.known, n.page.fresh()
	*n = *c
	n.known, n.page = append(known[:0], c.known...), left
	return n
}

// pruned is a vector clock that keeps at most a given number of entries, the latest by the
// wall clocks of those whose they are. What it has forgotten it has not seen.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4.
type pruned struct {
	self    uint32 // from 0
	durable bool
	limits  clock.PruneLimits

	known clock.TimedVector[uint32]
	heard clock.TimedVector[uint32] // the entries of a message, between two calls empty
	flat  []uint64                  // the entries as a message carries them, between two calls empty
	page  page
}

func (c *pruned) Tick(pt clock.Reading) (Stamp, Refusal) {
	c.known.Tick(c.self, pt)
	c.known.Prune(pt, c.limits)
	return c.stamp(), 0
}

func (c *pruned) Receive(m Stamp, pt clock.Reading) (Stamp, Refusal) {
	heard := entries(c.heard, *m.Vector)
	c.known.Merge(heard)
	c.heard = heard[:0]
	return c.Tick(pt)
}

// stamp is the clock as a message carries it.
func (c *pruned) stamp() Stamp {
	for _, e := range c.known {
		c.flat = append(c.flat, uint64(e.ID), e.N, uint64(e.At))
	}
	v := c.page.cut(c.flat)
	c.flat = c.flat[:0]
	return vectorStamp(v)
}

// entries are those that a message carries, appended to a clock.
func entries(to clock.TimedVector[uint32], flat []uint64) clock.TimedVector[uint32] {
	for ; len(flat) >= 3; flat = flat[3:] {
		to = append(to, clock.TimedEntry[uint32]{ID: uint32(flat[0]), N: flat[1], At: clock.Reading(flat[2])})
	}
	return to
}

func (*pruned) Persist(clock.Reading) (clock.Reading, bool) { return 0, false }

func (c *pruned) Recover(before Clock) {
	if c.durable {
		c.known = append(c.known[:0], before.(*pruned).known...)
	}
}

func (c *pruned) Copy(old Clock) Clock {
	n, ok := old.(*pruned)
	if !ok {
		n = &pruned{}
	}
	known, heard, flat, left := n.known, n.heard, n.flat, n.page.fresh()
	*n = *c
	n.known, n.page = append(known[:0], c.known...), left
	if n.heard, n.flat = heard, flat; flat == nil {
		n.heard, n.flat = make(clock.TimedVector[uint32], 0, c.limits.Big), make([]uint64, 0, 3*c.limits.Big)
	}
	if n.known == nil {
		n.known = make(clock.TimedVector[uint32], 0)
	}
	return n
}
