package certify

import (
	"encoding/binary"

	"fencepost/sim"
)

// A state is kept as its key: all but the zone, as bytes, from which it is made again when its turn
// comes. The variables have the numbers that they have in every equal state: those of the pending
// events, in their order, then the readings that are remembered, in the order in which they first
// appear, and then those of what happened last, by node. Those to which nothing refers are left out.

// keyWriter writes keys.
type keyWriter struct {
	b         []byte
	variables []int   // of the zone, in the order of their new numbers
	number    []uint8 // of a reading, by its old variable: its new one, plus 1
}

// write is the key of a state, whose pending events are sorted, and the variables that its zone is to
// keep. Both are good until the next call.
func (w *keyWriter) write(s *state) (key []byte, variables []int) {
	w.b, w.variables = w.b[:0], w.variables[:0]
	if len(w.number) < s.zone.Len() {
		w.number = make([]uint8, 2*s.zone.Len())
	}
	for i := range s.pending {
		w.variables = append(w.variables, s.pending[i].at)
	}
	w.b = append(w.b, s.left...)
	w.b = append(w.b, byte(len(s.pending)))
	for i := range s.pending {
		w.event(&s.pending[i])
	}
	for i := range s.nodes {
		w.part(s.nodes[i].id, s.nodes[i].symbols)
	}
	w.part(s.property.id, s.property.symbols)
	for i, p := range s.stops {
		if p != nil {
			w.stop(sim.NodeID(i+1), p)
		}
	}
	for _, v := range w.variables[len(s.pending):] {
		w.number[v] = 0
	}
	w.variables = append(w.variables, s.last...)
	return w.b, w.variables
}

func (w *keyWriter) part(id uint32, symbols []variable) {
	w.b = append(binary.AppendUvarint(w.b, uint64(id)), byte(len(symbols)))
	for _, v := range symbols {
		w.symbol(v)
	}
}

// symbol writes the new number of a variable. There are fewer than 256, or the search ends.
func (w *keyWriter) symbol(v variable) {
	i := v.index()
	if w.number[i] == 0 {
		w.variables = append(w.variables, i)
		w.number[i] = uint8(len(w.variables))
	}
	if c := v.clock(); c != 0 {
		w.b = append(w.b, ofClock, byte(c))
	}
	w.b = append(w.b, w.number[i]-1)
}

// ofClock comes before the clock of a reading, and is no number.
const ofClock = 255

func (w *keyWriter) event(e *event) {
	w.b = append(w.b, byte(e.class), byte(e.to), byte(e.from))
	if w.part(e.msg, e.symbols); e.class == alarm {
		w.due(e.due)
	}
}

func (w *keyWriter) due(d due) {
	w.symbol(d.symbol)
	w.b = binary.AppendVarint(w.b, d.offset)
}

func (w *keyWriter) stop(node sim.NodeID, p *stop) {
	w.b = append(w.b, byte(node), flag(p.down), byte(len(p.inbox)), byte(len(p.held)))
	for i := range p.inbox {
		w.event(&p.inbox[i])
	}
	for i := range p.held {
		h := &p.held[i]
		w.b = append(w.b, byte(h.kind), byte(h.note), byte(h.to), flag(h.watched), flag(h.differs))
		w.part(h.msg, h.symbols)
		w.b = binary.AppendVarint(binary.AppendVarint(w.b, h.least), h.most)
		if h.dated() {
			w.due(h.at)
		}
		if h.differs {
			w.symbol(h.less)
		}
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// keyReader reads keys.
type keyReader struct {
	*memory
	b  []byte
	at int // what comes next in it
}

// read is the state of a key, whose zone has n variables, in a system of as many nodes, with as many counts of
// what is left.
func (r *keyReader) read(key []byte, nodes, left, n int) (s state) {
	r.b, r.at = key, left
	s.left = r.bytes.Take(left, 0)
	copy(s.left, key)
	s.pending = r.list(int(r.next()), 4)
	for i := range s.pending {
		s.pending[i].at = i
	}
	s.nodes, s.stops, s.last = r.parts.Take(nodes, 0), r.stopped.Take(nodes, 0), r.ints.Take(nodes+1, 0)
	for i := range s.nodes {
		s.nodes[i].id, s.nodes[i].symbols = r.part()
		s.stops[i] = nil
	}
	s.property.id, s.property.symbols = r.part()
	for r.at < len(r.b) {
		s.stops[r.next()-1] = r.stop()
	}
	for i := range s.last {
		s.last[i] = n - len(s.last) + i
	}
	return s
}

func (r *keyReader) next() byte {
	r.at++
	return r.b[r.at-1]
}

func (r *keyReader) varint() int64 {
	v, n := binary.Varint(r.b[r.at:])
	r.at += n
	return v
}

func (r *keyReader) part() (id uint32, symbols []variable) {
	v, n := binary.Uvarint(r.b[r.at:])
	r.at += n
	symbols = r.vars.Take(int(r.next()), 0)
	for i := range symbols {
		symbols[i] = r.symbol()
	}
	return uint32(v), symbols
}

func (r *keyReader) symbol() variable {
	b := r.next()
	if b == ofClock {
		c := clock(r.next())
		return c.of(int(r.next()))
	}
	return variable(b)
}

func (r *keyReader) due() due { return due{r.symbol(), r.varint()} }

// list is events, with room for more.
func (r *keyReader) list(n, more int) []event {
	events := r.events.Take(n, more)
	for i := range events {
		e := &events[i]
		*e = event{class: class(r.next()), to: sim.NodeID(r.next()), from: sim.NodeID(r.next())}
		if e.msg, e.symbols = r.part(); e.class == alarm {
			e.due = r.due()
		}
	}
	return events
}

func (r *keyReader) stop() *stop {
	down, inbox, held := r.next() == 1, int(r.next()), int(r.next())
	p := &stop{down, r.list(inbox, 0), r.held.Take(held, 0)}
	for i := range p.held {
		h := &p.held[i]
		*h = heldEffect{}
		h.kind, h.note, h.to = sim.EffectKind(r.next()), sim.Kind(r.next()), sim.NodeID(r.next())
		h.watched, h.differs = r.next() == 1, r.next() == 1
		h.effect.msg, h.symbols = r.part()
		if h.least, h.most = r.varint(), r.varint(); h.dated() {
			h.at = r.due()
		}
		if h.differs {
			h.less = r.symbol()
		}
	}
	return p
}
