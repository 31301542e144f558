package sim

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
)

// Print is a fingerprint of a world in the middle of a run: two worlds with the same
// print go on alike, whatever becomes of them. Of a million states two differ and have
// the same print with a probability below 2^-88.
type Print [2]uint64

// fold takes in a word.
func (p *Print) fold(x uint64) {
	p[0] = bits.RotateLeft64((p[0]^x)*0x9E3779B97F4A7C15, 29) + 0x2545F4914F6CDD1D
	p[1] = bits.RotateLeft64((p[1]+x)*0xD6E8FEB86659FD93, 31) ^ 0x8EBC6AF09C88C6E3
}

// Fingerprint is the print of the world at a [Choice] at Stepping: true time, the
// states and clocks of the nodes, what is pending, and what the properties remember.
// It panics if a node or a property holds a channel or an unsafe pointer; what it
// calls through a func is not part of it.
func (w *World[M]) Fingerprint() Print {
	if w.dirty == nil {
		w.dirty, w.prints = make([]bool, len(w.names)), make([]Print, len(w.names))
		for i := range w.dirty {
			w.dirty[i] = true
		}
	}
	p := Print{uint64(w.now), 1}
	for i := 1; i < len(w.homes); i++ {
		if w.dirty[i] {
			w.dirty[i] = false
			w.prints[i] = Print{}
			if n, ok := w.homes[i].node().(Printer); ok {
				n.Print(&w.prints[i])
			} else {
				w.prints[i].value(w.homes[i].value(), 0)
			}
		}
		p.fold(w.prints[i][0])
		p.fold(w.prints[i][1])
		w.foldAside(&p, NodeID(i))
	}
	w.foldPending(&p)
	at := &w.q.events[w.q.popped] // what is at hand: no longer pending, and not yet done
	foldEvent(&p, at, w.nodes[at.to].life)
	for i := range w.plans {
		q := &w.plans[i]
		for _, x := range [...]int{q.noted, q.seen, q.next, q.active, int(q.drawn), int(q.latest)} {
			p.fold(uint64(x))
		}
		p.fold(uint64(q.base))
		p.fold(uint64(q.ends))
	}
	for _, o := range w.system.Properties {
		if o, ok := o.(Printer); ok {
			o.Print(&p)
			continue
		}
		p.value(reflect.ValueOf(o), 0)
	}
	return p
}

// Fold takes in words.
func (p *Print) Fold(words ...uint64) {
	for _, x := range words {
		p.fold(x)
	}
}

// Value takes in a value and all that it refers to. It is slower than Fold by far.
func (p *Print) Value(x any) { p.value(reflect.ValueOf(x), 0) }

// A Printer is a node, a property, or what one of these has a pointer to, that takes its state
// into a fingerprint itself: all that what it does from now on depends on. Without it the fields are gone through one by one, which
// is most of the time of a search.
type Printer interface{ Print(p *Print) }

// Immutable is implemented by a type to which states hold pointers and which never changes
// during a search, such as a compiled program: it says so by having the method. A fingerprint
// does not look behind such a pointer: that would take time at every state, and tell no two apart.
type Immutable interface{ Immutable() }

var immutable, printer = reflect.TypeFor[Immutable](), reflect.TypeFor[Printer]()

// changed marks the print of a node as out of date.
func (w *World[M]) changed(id NodeID) {
	if w.dirty != nil {
		w.dirty[id] = true
	}
}

// foldAside takes in what the engine keeps of a node.
func (w *World[M]) foldAside(p *Print, id NodeID) {
	n, a, c := &w.nodes[id], &w.aside[id], &w.clocks[id]
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
	if w.hunt != nil { // at an instant a node is asked for once
		p.fold(oneIf(w.hunt.stepped[id] == w.now))
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
		foldEvent(p, &e, n.life)
	}
}

// drawsMatter reports whether it matters which draw comes next: not if all are 0.
func (w *World[M]) drawsMatter() bool {
	return !w.config.Calm || len(w.config.Overrides) > 0 || w.src.choose != nil || w.fork != 0
}

// oneIf is a condition as a word.
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// foldPending takes in what is pending, in its order.
func (w *World[M]) foldPending(p *Print) {
	keys := w.q.snapshot()
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	p.fold(uint64(len(keys)))
	for _, k := range keys {
		e := &w.q.events[k.slot()]
		p.fold(uint64(e.at))
		foldEvent(p, e, w.nodes[e.to].life)
	}
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

func foldEvent[M Message](p *Print, e *event[M], life uint32) {
	stale := e.class != message && e.class != change && e.life != life
	if stale {
		p.fold(1)
		return
	}
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

// deep bounds how far a print follows pointers: a ring of them has no end.
const deep = 100

// value takes in a value and all that it refers to.
func (p *Print) value(v reflect.Value, depth int) {
	if depth > deep {
		panic("sim: a state with a ring of pointers has no fingerprint")
	}
	switch v.Kind() {
	case reflect.Bool:
		p.fold(oneIf(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.fold(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.fold(v.Uint())
	case reflect.Float32, reflect.Float64:
		p.fold(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		p.fold(math.Float64bits(real(v.Complex())))
		p.fold(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		p.text(v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			p.value(v.Field(i), depth+1)
		}
	case reflect.Array, reflect.Slice:
		p.fold(uint64(v.Len()))
		for i := range v.Len() {
			p.value(v.Index(i), depth+1)
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			p.fold(0)
			return
		}
		p.fold(1)
		if v.Kind() == reflect.Pointer && (isImmutable(v.Type()) || p.printed(v)) {
			return
		}
		if v.Kind() == reflect.Interface { // which may hold now this, now that
			p.text(v.Elem().Type().PkgPath())
			p.text(v.Elem().Type().String())
		}
		p.value(v.Elem(), depth+1)
	case reflect.Map:
		p.mapping(v, depth)
	case reflect.Func:
	default:
		panic(fmt.Sprintf("sim: a state with a %v has no fingerprint", v.Kind()))
	}
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

// printed takes in what a pointer refers to if that is a [Printer]. It reports whether it is.
func (p *Print) printed(v reflect.Value) bool {
	if !v.Type().Implements(printer) {
		return false
	}
	reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Interface().(Printer).Print(p)
	return true
}

// mapping takes in a map: the sum of its entries, whatever their order.
func (p *Print) mapping(v reflect.Value, depth int) {
	var sum Print
	for i := v.MapRange(); i.Next(); {
		var e Print
		e.value(i.Key(), depth+1)
		e.value(i.Value(), depth+1)
		sum[0] += e[0]
		sum[1] += e[1]
	}
	p.fold(uint64(v.Len()))
	p.fold(sum[0])
	p.fold(sum[1])
}
