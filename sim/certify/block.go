package certify

import (
	"cmp"
	"fmt"
	"slices"

	"fencepost/sim"
)

// A step that sends to several nodes that are alike sends in one order, in which they are not alike where a fault
// may begin between two sends: those that have been sent to are the first. So any of them may be. That is
// more than runs have, where they differ, and a violation still takes a run that shows it.

// mostTogether is how many sends of a step to alike nodes a fault may begin between: which of them have left is a byte.
const mostTogether = 8

// errScattered is of a step whose sends to alike nodes would keep an order that these have not.
var errScattered = fmt.Errorf("a fault may begin between the sends of a step to nodes that are alike, which have to follow one another then, and be at most %d", mostTogether)

// together reports whether two effects of a step are sends to nodes that are alike.
func (s *space) together(a, b *heldEffect) bool {
	return a.kind == sim.Sends && b.kind == sim.Sends && len(s.like.groups) > 0 && s.like.group[a.to] > 0 && s.like.group[a.to] == s.like.group[b.to]
}

// block is how many effects are sends to nodes that are alike, from the first on.
func (s *space) block(held []heldEffect) int {
	n := 1
	for n < len(held) && s.together(&held[0], &held[n]) {
		n++
	}
	return n
}

// scattered reports whether a step sends to alike nodes otherwise than in one block, or to more than a block may have.
func (s *space) scattered(held []heldEffect) bool {
	for len(held) > 0 {
		n := s.block(held)
		if n > mostTogether || slices.ContainsFunc(held[n:], func(h heldEffect) bool { return s.together(&held[0], &h) }) {
			return true
		}
		held = held[n:]
	}
	return false
}

// split lets a fault begin after any of the first effects, of which there are some to nodes that are alike, that are not
// the first of these.
func (r *reaction) split(d *draft, held []heldEffect, inbox []event) error {
	n := r.block(held)
	for set := 1; set < 1<<n-1; set++ {
		if set&(set+1) == 0 {
			continue // they are the first
		}
		c := d.copied()
		if !c.goes(some, byte(set)) {
			continue
		}
		var early, rest []heldEffect
		for i := range held[:n] {
			if set>>i&1 == 1 {
				early = append(early, held[i])
			} else {
				rest = append(rest, held[i])
			}
		}
		wait := stop{inbox: inbox, held: append(rest, held[n:]...)}
		if err := r.leaveThen(c, early, func(d *draft) error { return r.interrupted(d, wait) }); err != nil {
			return err
		}
	}
	return nil
}

// leaveThen lets effects leave between which nothing begins.
func (r *reaction) leaveThen(d *draft, held []heldEffect, then func(*draft) error) error {
	if len(held) == 0 {
		return then(d)
	}
	if d.record != nil {
		d.record.left(d, &held[0])
	}
	return r.leaves(d, &held[0], func(d *draft) error { return r.leaveThen(d, held[1:], then) })
}

// sortBlocks puts effects that may leave in any order in one.
func (s *space) sortBlocks(held []heldEffect) {
	for len(held) > 0 {
		n := s.block(held)
		slices.SortStableFunc(held[:n], func(a, b heldEffect) int { return cmp.Compare(a.to, b.to) })
		held = held[n:]
	}
}
