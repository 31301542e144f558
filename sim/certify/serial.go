package certify

import (
	"encoding/binary"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/serial"
)

// Serial numbers, of attempts for instance, are compared for being equal, and the next is one more than the
// last. So those of a node that occur anywhere in a state have the numbers 1, 2 and so on, in their order: what
// can follow is the same, and a client that asks again and again comes back to a state that was seen before.
//
// Source: Ip and Dill, "Better Verification Through Symmetry", 1996, section 4, of scalar sets.

// serialsIn are the serial numbers that occur in what is on the stage.
func (t *theatre) serialsIn(p sim.Renamer) (list []serial.Number) {
	p.Rename(sim.Renaming{Node: places(nil).of, Serial: func(of sim.NodeID, n uint32) uint32 {
		if s := (serial.Number{Of: of, N: n}); n > 0 && (of == sim.None || t.numbers[of]) && !slices.Contains(list, s) {
			list = append(list, s)
		}
		return n
	}})
	return list
}

// sender is which of the ends of a message has serial numbers.
func (t *theatre) sender(from, to sim.NodeID) sim.NodeID {
	switch {
	case len(t.numbers) == 0:
		return sim.None
	case t.numbers[from]:
		return from
	case t.numbers[to]:
		return to
	}
	return sim.None
}

// occurring are the serial numbers in a state, in their order.
func (s *space) occurring(d *draft) []serial.Number {
	list := d.serials.Take(0, 64)
	add := func(in *parts, id uint32, own sim.NodeID) {
		if in.numbered {
			for _, n := range in.serials[id] {
				list = append(list, n.By(own))
			}
		}
	}
	events := func(l []event) {
		for i := range l {
			add(s.messages, l[i].msg, s.sender(l[i].from, l[i].to))
		}
	}
	for i := range d.nodes {
		add(s.node[i+1], d.nodes[i].id, sim.NodeID(i+1))
		if p := d.stops[i]; p != nil {
			events(p.inbox)
			for j := range p.held {
				add(s.messages, p.held[j].effect.msg, s.sender(sim.NodeID(i+1), p.held[j].to))
			}
		}
	}
	add(s.properties, d.property.id, sim.None)
	events(d.pending)
	slices.SortFunc(list, serial.Compare)
	return slices.Compact(list)
}

// rank gives the serial numbers in a state the numbers 1, 2 and so on, by node, in their order.
func (s *space) rank(d *draft) error {
	if s.keepSerials || len(s.numbers) == 0 {
		return nil
	}
	occurring := s.occurring(d)
	ranks := d.ints.Take(len(occurring), 0)
	changed := false
	for i, n := range occurring {
		if ranks[i] = 1; i > 0 && occurring[i-1].Of == n.Of {
			ranks[i] += ranks[i-1]
		}
		changed = changed || ranks[i] != int(n.N)
	}
	if !changed {
		return nil
	}
	return s.alter(d, func(in *parts, p part, own sim.NodeID) (part, error) {
		if !in.numbered {
			return p, nil
		}
		list := in.serials[p.id]
		to, changed := d.bytes.Take(0, 2*len(list)), false
		for _, n := range list {
			i, _ := slices.BinarySearchFunc(occurring, n.By(own), serial.Compare)
			to = binary.AppendUvarint(to, uint64(ranks[i]))
			changed = changed || ranks[i] != int(n.N)
		}
		if !changed {
			return p, nil
		}
		return s.renamed(d, in, p, nil, to)
	})
}

// alter lets a function change the parts of a state: what nodes and the property remember, and what messages
// say. It is told which node's the serial numbers are that name none.
func (s *space) alter(d *draft, do func(in *parts, p part, own sim.NodeID) (part, error)) (err error) {
	for i := range d.nodes {
		if d.nodes[i], err = do(s.node[i+1], d.nodes[i], sim.NodeID(i+1)); err != nil {
			return err
		}
	}
	if d.property, err = do(s.properties, d.property, sim.None); err != nil {
		return err
	}
	message := func(msg *uint32, symbols *[]variable, own sim.NodeID) error {
		p, err := do(s.messages, part{*msg, *symbols}, own)
		*msg, *symbols = p.id, p.symbols
		return err
	}
	events := func(list []event) error {
		for i := range list {
			e := &list[i]
			if err := message(&e.msg, &e.symbols, s.sender(e.from, e.to)); err != nil {
				return err
			}
		}
		return nil
	}
	for i, p := range d.stops {
		if p == nil {
			continue
		}
		d.stops[i] = &stop{p.down, slices.Clone(p.inbox), slices.Clone(p.held)}
		if err := events(d.stops[i].inbox); err != nil {
			return err
		}
		for j := range d.stops[i].held {
			h := &d.stops[i].held[j]
			if err := message(&h.effect.msg, &h.symbols, s.sender(sim.NodeID(i+1), h.to)); err != nil {
				return err
			}
		}
	}
	return events(d.pending)
}
