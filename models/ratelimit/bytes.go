package ratelimit

import (
	"math/bits"
	"reflect"
)

// Sizer says how many bytes states S take, with the slices that they hold: as on a 64-bit
// machine, on whichever it runs. Names of keys, and what a map or a store takes beside a
// state, are not in it.
type Sizer[S any] struct {
	fixed  int64
	slices []slice
}

// slice is a field of a state that holds a list.
type slice struct {
	field int
	each  int64
}

// NewSizer is the sizer of states S, which are structs.
func NewSizer[S any]() *Sizer[S] {
	t := reflect.TypeFor[S]()
	z := &Sizer[S]{fixed: sizeOf(t)}
	for i := range t.NumField() {
		if f := t.Field(i).Type; f.Kind() == reflect.Slice {
			z.slices = append(z.slices, slice{i, sizeOf(f.Elem())})
		}
	}
	return z
}

// Bytes is what a state takes now.
func (z *Sizer[S]) Bytes(key *S) int64 {
	total := z.fixed
	for _, s := range z.slices {
		total += s.each * int64(reflect.ValueOf(key).Elem().Field(s.field).Len())
	}
	return total
}

// sizeOf is the size of a type where a word has 8 bytes.
func sizeOf(t reflect.Type) int64 {
	size, _ := layout(t)
	return size
}

// layout is the size of a type, and what its address is a multiple of.
func layout(t reflect.Type) (size, align int64) {
	const word = 8
	switch t.Kind() {
	case reflect.Slice:
		return 3 * word, word
	case reflect.Int, reflect.Uint, reflect.Pointer:
		return word, word
	case reflect.Struct:
		align = 1
		for i := range t.NumField() {
			n, a := layout(t.Field(i).Type)
			size, align = roundedUp(size, a)+n, max(align, a)
		}
		return roundedUp(size, align), align
	}
	size = int64(t.Size())
	return size, size
}

func roundedUp(n, to int64) int64 { return (n + to - 1) / to * to }

// SlidingLogBytes is what the log of a key takes that has had this many requests in it at
// once, at different instants, 0 and up.
func SlidingLogBytes(requests int64) int64 {
	total := sizeOf(reflect.TypeFor[SlidingLogState]())
	if requests > 0 {
		room := int64(1) << bits.Len64(uint64(requests-1))
		total += sizeOf(reflect.TypeFor[logEntry]()) * max(room, leastRing)
	}
	return total
}
