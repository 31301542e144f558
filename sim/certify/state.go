package certify

import (
	"cmp"
	"encoding/binary"
	"slices"

	"fencepost/sim"
)

// class is what a pending event is.
type class uint8

const (
	message class = iota
	timer
	alarm
	wake   // the end of a pause
	second // copy of a message, which keeps no order with others
)

// event is what will happen to a node, at an instant that is a variable of the zone.
type event struct {
	class   class
	to      sim.NodeID
	from    sim.NodeID
	msg     uint32
	symbols []variable
	due     due // of an alarm
	at      int // the variable
}

// due is the reading that an alarm waits for.
type due struct {
	symbol variable
	offset int64
}

// stop is a node that is paused: what came meanwhile, and what has not left.
type stop struct {
	inbox []event
	held  []heldEffect
}

// heldEffect is an effect whose symbols are variables.
type heldEffect struct {
	effect
	symbols []variable
	at      due
}

// state is everything on which the future depends, but for the zone. The variables are those of the
// pending events, in their order, then the readings that are remembered, in the order in which
// they first appear, and then those of what happened last, by node.
type state struct {
	nodes    []part
	property part
	stops    []*stop // by node; nil: it is not paused
	left     []uint8 // pauses that may still begin, by [Fault], then messages that may be lost, and that may come again
	pending  []event
	last     []int // by node the variable of what happened to it last, of [sim.None] to the property; or never
	zone     zone
}

// sort puts the pending events in an order that does not depend on their instants. Where links keep
// the order of messages, these stay in the order in which they were sent.
func (s *state) sort(fifo bool) {
	slices.SortStableFunc(s.pending, func(a, b event) int {
		if place := cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.class, b.class), cmp.Compare(a.from, b.from)); place != 0 || fifo && a.class == message {
			return place
		}
		return cmp.Or(cmp.Compare(a.msg, b.msg), cmp.Compare(a.due.offset, b.due.offset))
	})
}

// sameLink reports whether two events are messages of one link.
func (e *event) sameLink(f *event) bool {
	return e.class == message && f.class == message && e.to == f.to && e.from == f.from
}

// rename gives the symbols of all that is remembered other numbers. States share what they do not
// change, so that what is renamed is copied.
func (s *state) rename(do func(*variable)) {
	list := func(l *[]variable) {
		*l = slices.Clone(*l)
		for i := range *l {
			do(&(*l)[i])
		}
	}
	events := func(l *[]event) {
		*l = slices.Clone(*l)
		for i := range *l {
			e := &(*l)[i]
			if list(&e.symbols); e.class == alarm {
				do(&e.due.symbol)
			}
		}
	}
	for i := range s.nodes {
		list(&s.nodes[i].symbols)
	}
	list(&s.property.symbols)
	events(&s.pending)
	for i, p := range s.stops {
		if p == nil {
			continue
		}
		c := stop{p.inbox, slices.Clone(p.held)}
		events(&c.inbox)
		for j := range c.held {
			h := &c.held[j]
			if list(&h.symbols); h.kind == sim.Sets {
				do(&h.at.symbol)
			}
		}
		s.stops[i] = &c
	}
}

// canonical gives the variables the numbers that they have in every equal state, and forgets those
// to which nothing refers. A search keeps the zone of these; a path keeps all.
func (s *state) canonical(fifo bool) {
	s.sort(fifo)
	variables := make([]int, 0, s.zone.n)
	for i := range s.pending {
		variables = append(variables, s.pending[i].at)
	}
	over := s.over()
	for i := range s.pending {
		s.pending[i].at = i
	}
	events := len(variables)
	s.rename(func(v *variable) {
		i := slices.Index(variables[events:], int(*v))
		if i < 0 {
			i = len(variables) - events
			variables = append(variables, int(*v))
		}
		*v = variable(events + i)
	})
	for node, v := range s.last {
		s.last[node] = len(variables)
		variables = append(variables, v)
	}
	s.zone = s.zone.kept(variables)
	for node, v := range s.last {
		s.zone.raise(v)
		if over[node] {
			s.zone.free(v)
		}
	}
}

// key is all but the zone, as bytes.
func (s *state) key(b []byte) []byte {
	part := func(p *part) { b = bytesOf(binary.AppendUvarint(b, uint64(p.id)), p.symbols) }
	ofEvent := func(e *event) {
		b = append(b, byte(e.class))
		b = binary.AppendUvarint(b, uint64(e.to))
		b = binary.AppendUvarint(b, uint64(e.from))
		b = binary.AppendUvarint(b, uint64(e.msg))
		b = bytesOf(b, e.symbols)
		if e.class == alarm {
			b = append(b, byte(e.due.symbol))
			b = binary.AppendVarint(b, e.due.offset)
		}
	}
	for i := range s.nodes {
		part(&s.nodes[i])
	}
	part(&s.property)
	b = append(b, s.left...)
	b = binary.AppendUvarint(b, uint64(len(s.pending)))
	for i := range s.pending {
		ofEvent(&s.pending[i])
	}
	for i, p := range s.stops {
		if p == nil {
			continue
		}
		b = append(b, byte(i+1), byte(len(p.inbox)), byte(len(p.held)))
		for j := range p.inbox {
			ofEvent(&p.inbox[j])
		}
		for j := range p.held {
			b = p.held[j].key(b)
		}
	}
	return b
}

func (h *heldEffect) key(b []byte) []byte {
	b = append(b, byte(h.kind), byte(h.note))
	b = binary.AppendUvarint(b, uint64(h.to))
	b = binary.AppendUvarint(b, uint64(h.msg))
	b = bytesOf(b, h.symbols)
	for _, x := range [...]int64{h.least, h.most, h.at.offset} {
		b = binary.AppendVarint(b, x)
	}
	return append(b, byte(h.at.symbol))
}

// bytesOf adds variables to a key: there are fewer than 256, or the search ends.
func bytesOf(b []byte, list []variable) []byte {
	for _, v := range list {
		b = append(b, byte(v))
	}
	return b
}
