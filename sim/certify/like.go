package certify

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/codec"
	"fencepost/sim/certify/internal/serial"
)

// Nodes that are alike may change places: what can follow from a state is the same, but for which of
// them does it. So of all states that differ in this one is kept. It is the one in which
// alike nodes are sorted by their signatures: what a node remembers, what is on its way to it and from
// it, and how the others see it, and where all of that is equal, by the instants. Two
// states that are equal but for places may be kept as two where signatures do not tell that, which
// proves the same.
//
// Source: Ip and Dill, "Better Verification Through Symmetry", 1996; Hendriks, Behrmann, Larsen,
// Niebert and Vaandrager, "Adding Symmetry Reduction to Uppaal", 2003, for zones.

// places is which node each becomes: by its number, [sim.None] stays. An empty one changes nothing.
type places []byte

func (p places) of(n sim.NodeID) sim.NodeID {
	if len(p) == 0 {
		return n
	}
	return sim.NodeID(p[n])
}

// stay lets each node stay where it is.
func stay(to places) places {
	for i := range to {
		to[i] = byte(i)
	}
	return to
}

// likeness is which nodes are alike, and what is known of parts with other places.
type likeness struct {
	groups [][]sim.NodeID
	group  []int // by node: that which it is of, from 1; 0: none
	moved  map[movedPart]reordered
	views  map[string]uint32
}

func newLikeness() *likeness {
	return &likeness{moved: map[movedPart]reordered{}, views: map[string]uint32{}}
}

// movedPart is a part and what becomes of the numbers of nodes in it, and of the serial numbers.
type movedPart struct {
	in          *parts
	id          uint32
	to, serials string
}

// reordered is a part whose symbols are those of another, in another order.
type reordered struct {
	id      uint32
	symbols []byte
}

// renamed is a part whose nodes have other places, or its serial numbers other numbers.
func (s *space) renamed(d *draft, in *parts, p part, to places, serials []byte) (part, error) {
	if !in.renames {
		return p, nil
	}
	m, ok := s.like.moved[movedPart{in, p.id, string(to), string(serials)}]
	if !ok {
		key := movedPart{in, p.id, string(to), string(serials)}
		n := len(p.symbols)
		if err := d.learns(func() error { return s.rename(key, n) }); err != nil {
			return part{}, err
		}
		m = s.like.moved[key]
	}
	q := part{m.id, d.vars.Take(len(m.symbols), 0)}
	for i, j := range m.symbols {
		q.symbols[i] = p.symbols[j]
	}
	return q, nil
}

// rename puts a part on the stage, gives it other names and takes it off again.
func (s *space) rename(key movedPart, symbols int) error {
	p := s.stagedOf(key.in)
	s.put(key.in, key.id, upTo(symbols), p)
	to := sim.Renaming{Node: places(key.to).of, Serial: func(_ sim.NodeID, n uint32) uint32 { return n }}
	if key.serials != "" {
		to.Serial = serial.Renumbering(key.in.serials[key.id], key.serials)
	}
	p.(sim.Renamer).Rename(to)
	id, list, err := s.save(key.in, p)
	m := reordered{id: id}
	for _, i := range list {
		m.symbols = append(m.symbols, byte(i))
	}
	s.like.moved[key] = m
	return err
}

// view is how a part sees a node of a group: a number that is that of another node's where the two
// change places in it.
func (s *space) view(d *draft, in *parts, p part, node sim.NodeID) (uint32, error) {
	if !in.renames {
		return 0, nil
	}
	v := in.view(p.id, node)
	if v == 0 {
		id, n := p.id, len(p.symbols)
		if err := d.learns(func() error { return s.look(in, id, node, n) }); err != nil {
			return 0, err
		}
		v = in.view(id, node)
	}
	return v, nil
}

// look finds how a part sees a node: what it is when that node is the first of its group, and all others are the second.
func (s *space) look(in *parts, part uint32, node sim.NodeID, symbols int) error {
	group := s.like.groups[s.like.group[node]-1]
	p := s.stagedOf(in)
	s.put(in, part, upTo(symbols), p)
	p.(sim.Renamer).Rename(sim.Renaming{Serial: func(_ sim.NodeID, n uint32) uint32 { return n }, Node: func(n sim.NodeID) sim.NodeID {
		switch {
		case n == node:
			return group[0]
		case slices.Contains(group, n):
			return group[1]
		}
		return n
	}})
	k, _ := s.codec(p)
	w := codec.Writer{Search: s.search, Bias: s.bias}
	k.Write(&w, pointerOf(p))
	id, ok := s.like.views[string(w.B)]
	if !ok {
		id = uint32(len(s.like.views) + 1)
		s.like.views[string(w.B)] = id
	}
	in.seen(part, node, id)
	return w.Err
}

// stagedOf is where parts are put.
func (s *space) stagedOf(in *parts) any {
	switch in {
	case s.messages:
		return s.Message()
	case s.properties:
		return s.Property(s.property)
	}
	return s.Node(in.node)
}

// upTo is the numbers up to n.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// arrange puts alike nodes in the order of their signatures, and returns the places that they have then,
// none if all stay.
func (s *space) arrange(d *draft) (to places, err error) {
	if len(s.like.groups) == 0 {
		return nil, nil
	}
	to = stay(d.bytes.Take(s.nodes+1, 0))
	changed := false
	for _, g := range s.like.groups {
		list := make([]signed, len(g))
		for i, n := range g {
			if list[i], err = s.sign(d, n); err != nil {
				return nil, err
			}
		}
		slices.SortStableFunc(list, func(a, b signed) int { return cmp.Or(bytes.Compare(a.text, b.text), d.earlier(&a, &b, s.like.group)) })
		for i := range list {
			to[list[i].node] = byte(g[i])
			changed = changed || list[i].node != g[i]
		}
	}
	if !changed {
		return nil, nil
	}
	return to, s.place(d, to)
}

// signed is a node, its signature and the variables that it has, in an order that its place does not change.
type signed struct {
	node      sim.NodeID
	text      []byte
	variables []int
}

// sign is the signature of a node.
func (s *space) sign(d *draft, n sim.NodeID) (signed, error) {
	g := signed{node: n, variables: append(d.ints.Take(0, 32), d.last[n])}
	b := d.bytes.Take(0, 512)
	if !s.node[n].renames {
		b = binary.AppendUvarint(b, uint64(d.nodes[n-1].id))
	}
	for _, v := range d.nodes[n-1].symbols {
		g.variables = append(g.variables, v.index())
	}
	own := s.like.group[n]
	name := func(m sim.NodeID) byte { // alike nodes have one name
		switch {
		case m == n:
			return 0
		case s.like.group[m] == own:
			return byte(s.nodes + 1)
		}
		return byte(m)
	}
	var err error
	sees := func(in *parts, p part) {
		if v, e := s.view(d, in, p, n); e != nil {
			err = cmp.Or(err, e)
		} else {
			b = binary.AppendUvarint(b, uint64(v))
		}
	}
	add := func(e *event) {
		b = append(b, byte(e.class), name(e.to), name(e.from))
		if s.messages.renames {
			sees(s.messages, part{e.msg, e.symbols})
		} else {
			b = binary.AppendUvarint(b, uint64(e.msg))
		}
		b = binary.AppendVarint(b, e.due.offset)
	}
	for i := range d.pending {
		if e := &d.pending[i]; e.to == n || e.from == n {
			add(e)
			g.variables = append(g.variables, e.at)
		}
	}
	for i := range d.nodes {
		if s.like.group[i+1] != own || sim.NodeID(i+1) == n {
			sees(s.node[i+1], d.nodes[i])
		}
		if p := d.stops[i]; p != nil {
			b = append(b, 255, name(sim.NodeID(i+1)), flag(p.down), byte(len(p.inbox)), byte(len(p.held)))
			for j := range p.inbox {
				add(&p.inbox[j])
			}
			for j := range p.held {
				b = append(b, byte(p.held[j].kind), name(p.held[j].to), byte(p.held[j].note))
			}
		}
	}
	sees(s.properties, d.property)
	g.text = b
	return g, err
}

// earlier compares the instants of two nodes with those of all that are not alike.
func (d *draft) earlier(a, b *signed, group []int) int {
	own := group[a.node]
	for i := range a.variables {
		if i == len(b.variables) {
			return 1
		}
		x, y := a.variables[i], b.variables[i]
		for j := range d.pending {
			e := &d.pending[j]
			if group[e.to] == own || group[e.from] == own {
				continue
			}
			if c := cmp.Or(cmp.Compare(d.zone.At(x, e.at), d.zone.At(y, e.at)), cmp.Compare(d.zone.At(e.at, x), d.zone.At(e.at, y))); c != 0 {
				return c
			}
		}
	}
	for i := range min(len(a.variables), len(b.variables)) {
		x, y := a.variables[i], b.variables[i]
		if c := cmp.Compare(d.zone.At(x, y), d.zone.At(y, x)); c != 0 {
			return c
		}
	}
	return 0
}

// place gives the nodes of a state other places.
func (s *space) place(d *draft, to places) error {
	err := s.alter(d, func(in *parts, p part, _ sim.NodeID) (part, error) { return s.renamed(d, in, p, to, nil) })
	if err == nil {
		s.settleIn(d, to)
	}
	return err
}

// settleIn puts nodes in other places, and sends to these what is on its way.
func (s *space) settleIn(d *draft, to places) {
	nodes, stops, last := d.parts.Clone(d.nodes, 0), d.stopped.Clone(d.stops, 0), d.ints.Clone(d.last, 0)
	move := func(list []event) {
		for i := range list {
			list[i].to, list[i].from = to.of(list[i].to), to.of(list[i].from)
		}
	}
	for i, p := range d.stops {
		at := to[i+1]
		nodes[at-1], stops[at-1], last[at] = d.nodes[i], p, d.last[i+1]
		if p != nil { // a copy since its parts were altered
			move(p.inbox)
			for j := range p.held {
				p.held[j].to = to.of(p.held[j].to)
			}
			s.sortBlocks(p.held)
		}
	}
	d.nodes, d.stops, d.last = nodes, stops, last
	move(d.pending)
	d.sort(s.fifo)
}

// findAlike takes those nodes for alike that the model says are, and that nothing tells apart in the first state, in
// the delays of their links and in what may happen to them.
func (s *space) findAlike(first *state, declared [][]sim.NodeID) error {
	s.like.group = make([]int, s.nodes+1)
	for _, g := range declared {
		var groups [][]sim.NodeID
		for _, n := range g {
			k := 0
			for ; k < len(groups); k++ {
				alike, err := s.mayChange(first, groups[k][0], n)
				if err != nil {
					return err
				}
				if alike {
					groups[k] = append(groups[k], n)
					break
				}
			}
			if k == len(groups) {
				groups = append(groups, []sim.NodeID{n})
			}
		}
		for _, found := range groups {
			if len(found) > 1 {
				s.like.groups = append(s.like.groups, found)
				for _, n := range found {
					s.like.group[n] = len(s.like.groups)
				}
			}
		}
	}
	return nil
}

// mayChange reports whether all is as it is where two nodes change places.
func (s *space) mayChange(first *state, a, b sim.NodeID) (bool, error) {
	to := stay(make(places, s.nodes+1))
	to[a], to[b] = byte(b), byte(a)
	for i := range s.delays {
		for j := range s.delays {
			if s.delays[i][j] != s.delays[to[i]][to[j]] {
				return false, nil
			}
		}
	}
	for k := range s.faults {
		if slices.Contains(s.faults[k].Nodes, a) != slices.Contains(s.faults[k].Nodes, b) {
			return false, nil
		}
	}
	if slices.Contains(s.senders, a) != slices.Contains(s.senders, b) || s.costs[a] != s.costs[b] {
		return false, nil
	}
	for _, n := range []sim.NodeID{a, b} {
		if s.mono[n] != 0 || s.wall[n] != 0 { // readings of its clocks say whose they are
			return false, nil
		}
	}
	if s.node[a] != s.node[b] {
		return false, nil
	}
	var w keyWriter
	before, _ := w.write(first)
	before = slices.Clone(before)
	d := (&draft{state: *first, memory: new(memory), record: newRecorder(0)}).copied()
	if err := s.place(d, to); err != nil {
		return false, err
	}
	after, _ := w.write(&d.state)
	return bytes.Equal(before, after), nil
}
