package sim

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
)

// Print is a fingerprint of a world in the middle of a run: two worlds with the same
// print go on alike, whatever becomes of them. Of a million states two differ and have
// the same print with a probability below 2^-88.
type Print [2]uint64

// fold takes in a word.
func (p *Print) fold(x uint64) { p[0], p[1] = folded(p[0], p[1], x) }

func folded(a, b, x uint64) (uint64, uint64) {
	return bits.RotateLeft64((a^x)*0x9E3779B97F4A7C15, 29) + 0x2545F4914F6CDD1D,
		bits.RotateLeft64((b+x)*0xD6E8FEB86659FD93, 31) ^ 0x8EBC6AF09C88C6E3
}

// Fingerprint is the print of the world at a [Choice] at Stepping: true time, the
// states and clocks of the nodes, what is pending, and what the properties remember.
// It panics if a node or a property holds a channel or an unsafe pointer; what it
// calls through a func is not part of it.
func (w *World[M]) Fingerprint() Print {
	k := &w.kept
	if k.nodes == nil {
		k.nodes = make([]keptPrint, len(w.names))
	}
	p := Print{uint64(w.now), 1}
	for i := 1; i < len(w.slots); i++ {
		n := &k.nodes[i]
		if !n.fresh {
			*n = keptPrint{fresh: true}
			if x, ok := w.slots[i].node().(Printer); ok {
				x.Print(&n.print)
			} else {
				n.print.value(w.slots[i].value())
			}
		}
		p.take(n.print)
		w.foldAside(&p, NodeID(i))
	}
	w.foldPending(&p)
	w.foldLinks(&p)
	w.foldEvent(&p, w.q.popped) // what is at hand: no longer pending, and not yet done
	for i := range w.plans {
		q := &w.plans[i]
		for _, x := range [...]int{q.noted, q.seen, q.next, q.active, int(q.drawn), int(q.latest)} {
			p.fold(uint64(x))
		}
		p.fold(uint64(q.base))
		p.fold(uint64(q.ends))
	}
	w.foldProperties(&p)
	return p
}

// foldProperties takes in what the ledgers and the properties remember. One that was told
// nothing has not changed, and what it shares with another, that one takes in.
func (w *World[M]) foldProperties(p *Print) {
	k, all := &w.kept, w.remembering()
	if k.properties == nil {
		k.properties = make([]Print, len(all))
	}
	for i, o := range all {
		if k.heard>>(i&63)&1 != 0 {
			k.properties[i] = Print{}
			if x, ok := o.(Printer); ok {
				x.Print(&k.properties[i])
			} else {
				k.properties[i].value(reflect.ValueOf(o))
			}
		}
		p.take(k.properties[i])
	}
	k.heard = 0
}

// keptPrints are prints of what has not changed since the last fingerprint.
type keptPrints struct {
	nodes      []keptPrint
	properties []Print
	heard      uint64       // the ledgers and properties that were told something, see printBit
	events     []eventPrint // by slot
	pending    pendingPrints
}

type keptPrint struct {
	fresh bool
	print Print
}

// eventPrint is the print of the event of a sequence, of which there is never another in its slot.
type eventPrint struct {
	seq   uint64
	print Print
}

// reset forgets the run before; the nodes are marked when they begin.
func (k *keptPrints) reset() {
	k.heard = math.MaxUint64
	k.forgetEvents()
}

func (k *keptPrints) forgetEvents() {
	clear(k.events)
	k.pending.forget()
}

// changed marks the print of a node as out of date.
func (w *World[M]) changed(id NodeID) {
	if w.kept.nodes != nil {
		w.kept.nodes[id].fresh = false
	}
}

// take takes in another print.
func (p *Print) take(x Print) {
	p.fold(x[0])
	p.fold(x[1])
}

// Fold takes in words.
func (p *Print) Fold(words ...uint64) {
	a, b := p[0], p[1] // in registers: memory would take as long as the sums
	for _, x := range words {
		a, b = folded(a, b, x)
	}
	p[0], p[1] = a, b
}

// Value takes in a value and all that it refers to. It is slower than Fold by far.
func (p *Print) Value(x any) { p.value(reflect.ValueOf(x)) }

// A Printer is a node, a property, or what one of these has a pointer to, that takes its state
// into a fingerprint itself: all that what it does from now on depends on. Without it the fields are gone through one by one, which
// is most of the time of a search.
type Printer interface{ Print(p *Print) }

// Immutable is implemented by a type to which states hold pointers and which never changes
// during a search, such as a compiled program: it says so by having the method. A fingerprint
// does not look behind such a pointer: that would take time at every state, and tell no two apart.
type Immutable interface{ Immutable() }

var immutable, printer = reflect.TypeFor[Immutable](), reflect.TypeFor[Printer]()

// foldAside takes in what the engine keeps of a node.
func (w *World[M]) foldAside(p *Print, id NodeID) {
	n, a, c := w.nodes[id], &w.saved[id], &w.clocks[id]
	raw, frac := c.rawAt(w.now)
	for _, x := range [...]int64{int64(n.state), raw, frac, int64(c.rate), c.bootRaw, int64(c.boot(w.now)), c.ahead} {
		p.fold(uint64(x))
	}
	p.fold(oneIf(c.suspended))
	if n.state&(paused|busy|down) != 0 {
		for _, x := range [...]Time{a.until, a.occupied, a.frozen} {
			p.fold(uint64(x))
		}
	}
	if n.state&paused != 0 { // properties may ask
		p.fold(uint64(a.since))
	}
	if w.adversary != nil { // at an instant a node is asked for once
		p.fold(oneIf(w.adversary.stepped[id] == w.now))
	}
	if w.drawsMatter() {
		p.fold(n.sent)
		p.fold(a.drawn)
		p.fold(a.costs)
	}
	p.fold(uint64(len(a.effects))<<32 | uint64(len(a.inbox)-min(a.handled, len(a.inbox))))
	for _, e := range a.effects {
		p.fold(uint64(e.kind)<<32 | uint64(e.to))
		p.fold(uint64(e.length))
		p.fold(oneIf(e.met))
		foldMessage(p, e.msg)
	}
	for _, e := range a.inbox[min(a.handled, len(a.inbox)):] {
		if e.stale(n.incarnation) {
			p.fold(1)
			continue
		}
		foldEvent(p, &e)
	}
}

// drawsMatter reports whether it matters which draw comes next: not if all are 0.
func (w *World[M]) drawsMatter() bool {
	return !w.config.Minimal || len(w.config.Overrides) > 0 || w.src.choose != nil || w.fork != 0
}

// oneIf is a condition as a word.
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// foldLinks takes in what the future of the links depends on.
func (w *World[M]) foldLinks(p *Print) {
	if w.net.index == nil {
		for i := range w.net.links {
			w.foldLink(p, uint64(i), &w.net.links[i])
		}
		return
	}
	var sum Print // whatever the order in which they were first used
	for i := reflect.ValueOf(w.net.index).MapRange(); i.Next(); {
		var e Print
		w.foldLink(&e, i.Key().Uint(), &w.net.links[i.Value().Int()])
		sum[0] += e[0]
		sum[1] += e[1]
	}
	p.fold(sum[0])
	p.fold(sum[1])
}

// foldLink takes in what the future of a link depends on; one that has none leaves a
// print as it is.
func (w *World[M]) foldLink(p *Print, name uint64, s *linkState) {
	if s.arrival >= w.now || w.drawsMatter() && s.sent > 0 {
		p.fold(name)
		p.fold(uint64(max(s.arrival, w.now-1)))
	}
	if w.drawsMatter() && s.sent > 0 {
		p.fold(s.sent)
	}
}

// foldEvent takes in the event in a slot. What it is does not change from when it is pushed.
func (w *World[M]) foldEvent(p *Print, slot uint32) {
	e := &w.q.events[slot]
	if e.stale(w.nodes[e.to].incarnation) {
		p.fold(1)
		return
	}
	for len(w.kept.events) <= int(slot) {
		w.kept.events = append(w.kept.events, eventPrint{})
	}
	k := &w.kept.events[slot]
	if k.seq != e.seq {
		*k = eventPrint{seq: e.seq}
		foldEvent(&k.print, e)
	}
	p.take(k.print)
}

// stale reports whether an event is a timer of an earlier life of its node.
func (e *event[M]) stale(life uint32) bool {
	return e.class != message && e.class != change && e.incarnation != life
}

func foldEvent[M Message](p *Print, e *event[M]) {
	p.fold(uint64(e.class)<<32 | uint64(e.to))
	p.fold(uint64(e.from))
	if e.class != message {
		p.fold(uint64(e.due))
	}
	foldMessage(p, e.msg)
}

func foldMessage[M Message](p *Print, m M) {
	a, b := m.Fold(Digest(p[0])), m.Fold(Digest(p[1]))
	p.fold(uint64(a))
	p.fold(uint64(b))
}

// text takes in all of a string: a hash of 64 bits would be all that tells two apart.
func (p *Print) text(s string) {
	p.fold(uint64(len(s)))
	for len(s) > 0 {
		var word [8]byte
		s = s[copy(word[:], s):]
		p.fold(binary.LittleEndian.Uint64(word[:]))
	}
}

// isImmutable reports whether a pointer type is [Immutable] by a method of its own: a state that
// embeds what never changes has that method, too, and does change.
func isImmutable(t reflect.Type) bool {
	if !t.Implements(immutable) {
		return false
	}
	if t = t.Elem(); t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(immutable) || reflect.PointerTo(f.Type).Implements(immutable)) {
			return false
		}
	}
	return true
}
