// Package fingerprint is a print of 128 bits of whatever a state consists of. It is part of package sim,
// which names all that others use: the functions here are what only the engine asks.
package fingerprint

import (
	"math/bits"
	"reflect"
)

// Print is the print of a state, see sim.Print.
type Print [2]uint64

// fold takes in a word.
func (p *Print) fold(x uint64) { p[0], p[1] = folded(p[0], p[1], x) }

func folded(a, b, x uint64) (uint64, uint64) {
	return bits.RotateLeft64((a^x)*0x9E3779B97F4A7C15, 29) + 0x2545F4914F6CDD1D,
		bits.RotateLeft64((b+x)*0xD6E8FEB86659FD93, 31) ^ 0x8EBC6AF09C88C6E3
}

// Take takes in another print.
func Take(p *Print, x Print) {
	a, b := folded(p[0], p[1], x[0])
	p[0], p[1] = folded(a, b, x[1])
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
func (p *Print) Value(x any) { Value(p, reflect.ValueOf(x)) }

// A Printer is a node, a property, or what one of these has a pointer to, that takes its state
// into a fingerprint itself: all that what it does from now on depends on. Without it the fields are gone through one by one, which
// is most of the time of a search.
type Printer interface{ Print(p *Print) }

// Immutable is implemented by a type to which states hold pointers and which never changes
// during a search, such as a compiled program: it says so by having the method. A fingerprint
// does not look behind such a pointer: that would take time at every state, and tell no two apart.
type Immutable interface{ Immutable() }

var immutable, printer = reflect.TypeFor[Immutable](), reflect.TypeFor[Printer]()

// OneIf is a condition as a word.
func OneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
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
