package fingerprint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A walk takes the values of one type, and all that they refer to, into a print. It is made
// once for a type: to go through a struct by reflection takes ten times as long, and a
// search does it at every state. It reads memory and writes none, and no event depends on it
// but by its print.
type walk func(p *Print, at unsafe.Pointer, depth int)

// known are the walks that were made, by type: one depends on nothing but its type.
var known sync.Map

// few is how many values of an array are walked one by one.
const few = 16

// deep bounds how far a print follows pointers: a ring of them has no end.
const deep = 100

// Value takes in a value and all that it refers to.
func Value(p *Print, v reflect.Value) {
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		v = c
	}
	walkOf(v.Type())(p, v.Addr().UnsafePointer(), 0)
}

// SameBytes reports whether two values are alike byte by byte. Others may still be equal, as where pointers to equal values differ.
func SameBytes[T any](a, b *T) bool {
	size := unsafe.Sizeof(*a)
	return bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(a)), size), unsafe.Slice((*byte)(unsafe.Pointer(b)), size))
}

// walkOf is the walk of a type.
func walkOf(t reflect.Type) walk {
	if f, ok := known.Load(t); ok {
		return f.(walk)
	}
	w := &walks{made: map[reflect.Type]walk{}}
	f := w.of(t)
	for _, t := range w.types { // not before all of them are whole: one may call another
		known.Store(t, w.made[t])
	}
	return f
}

// walks are those that are being made.
type walks struct {
	made  map[reflect.Type]walk
	types []reflect.Type
}

// of is the walk of a type.
func (w *walks) of(t reflect.Type) walk {
	if f, ok := w.made[t]; ok {
		return f
	}
	var f walk
	w.made[t] = func(p *Print, at unsafe.Pointer, depth int) { f(p, at, depth) } // of a type that holds itself
	f = w.compile(t)
	w.made[t], w.types = f, append(w.types, t)
	return f
}

func (w *walks) compile(t reflect.Type) walk {
	if isNumber(t) {
		size := t.Size()
		return func(p *Print, at unsafe.Pointer, _ int) { p.bytes(at, size) }
	}
	switch t.Kind() {
	case reflect.String:
		return func(p *Print, at unsafe.Pointer, _ int) { p.text(*(*string)(at)) }
	case reflect.Struct, reflect.Array:
		return w.compound(t)
	case reflect.Slice:
		return w.slice(t)
	case reflect.Pointer:
		return w.pointer(t)
	case reflect.Interface:
		return dynamic(t)
	case reflect.Map:
		return w.mapping(t)
	case reflect.Func:
		return func(*Print, unsafe.Pointer, int) {}
	}
	return func(*Print, unsafe.Pointer, int) {
		panic(fmt.Sprintf("sim: a state with a %v has no fingerprint", t.Kind()))
	}
}

// isNumber reports whether a value is a number or a condition: all of it is its bytes.
func isNumber(t reflect.Type) bool { return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 }

// bytes takes in memory without pointers and gaps, eight bytes at a time.
func (p *Print) bytes(at unsafe.Pointer, size uintptr) {
	a, b := p[0], p[1]
	rest := unsafe.Slice((*byte)(at), size)
	for ; len(rest) >= 8; rest = rest[8:] {
		a, b = folded(a, b, binary.LittleEndian.Uint64(rest))
	}
	if len(rest) > 0 {
		word := uint64(0)
		for i := len(rest) - 1; i >= 0; i-- {
			word = word<<8 | uint64(rest[i])
		}
		a, b = folded(a, b, word)
	}
	p[0], p[1] = a, b
}

// text takes in all of a string: a hash of 64 bits would be all that tells two apart.
func (p *Print) text(s string) {
	p.fold(uint64(len(s)))
	p.bytes(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
}

// A piece is some of what a struct or an array holds: numbers that lie side by side, or one value
// with a walk of its own.
type piece struct {
	at   uintptr
	size uintptr // of the numbers
	walk walk
}

// compound is the walk of a struct or an array.
func (w *walks) compound(t reflect.Type) walk {
	if t.Kind() == reflect.Array && t.Len() > few && !isNumber(t.Elem()) { // a piece for each would be many
		each, size, n := w.of(t.Elem()), t.Elem().Size(), t.Len()
		return func(p *Print, at unsafe.Pointer, depth int) {
			deeper(depth)
			for i := range n {
				each(p, unsafe.Add(at, uintptr(i)*size), depth+1)
			}
		}
	}
	pieces := w.pieces(nil, t, 0)
	return func(p *Print, at unsafe.Pointer, depth int) {
		deeper(depth)
		for i := range pieces {
			x := &pieces[i]
			if x.walk != nil {
				x.walk(p, unsafe.Add(at, x.at), depth+1)
				continue
			}
			p.bytes(unsafe.Add(at, x.at), x.size)
		}
	}
}

// pieces adds those of a type that lies at an offset.
func (w *walks) pieces(list []piece, t reflect.Type, at uintptr) []piece {
	switch {
	case isNumber(t), t.Kind() == reflect.Array && isNumber(t.Elem()):
		if n := len(list); n > 0 && list[n-1].walk == nil && list[n-1].at+list[n-1].size == at {
			list[n-1].size += t.Size()
			return list
		}
		return append(list, piece{at: at, size: t.Size()})
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			list = w.pieces(list, t.Field(i).Type, at+t.Field(i).Offset)
		}
		return list
	case t.Kind() == reflect.Array && t.Len() <= few:
		for i := range t.Len() {
			list = w.pieces(list, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
		return list
	}
	return append(list, piece{at: at, walk: w.of(t)})
}

// deeper panics where pointers go too deep.
func deeper(depth int) {
	if depth > deep {
		panic("sim: a state with a ring of pointers has no fingerprint")
	}
}

// header is how a slice lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

func (w *walks) slice(t reflect.Type) walk {
	size := t.Elem().Size()
	if isNumber(t.Elem()) {
		return func(p *Print, at unsafe.Pointer, _ int) {
			s := (*header)(at)
			p.fold(uint64(s.len))
			p.bytes(s.data, uintptr(s.len)*size)
		}
	}
	each := w.of(t.Elem())
	return func(p *Print, at unsafe.Pointer, depth int) {
		deeper(depth)
		s := (*header)(at)
		p.fold(uint64(s.len))
		for i := range s.len {
			each(p, unsafe.Add(s.data, uintptr(i)*size), depth+1)
		}
	}
}

func (w *walks) pointer(t reflect.Type) walk {
	var to walk
	switch {
	case isImmutable(t):
		to = func(*Print, unsafe.Pointer, int) {}
	case t.Implements(printer):
		to = func(p *Print, at unsafe.Pointer, _ int) {
			reflect.NewAt(t.Elem(), at).Interface().(Printer).Print(p)
		}
	default:
		to = w.of(t.Elem())
	}
	return func(p *Print, at unsafe.Pointer, depth int) {
		deeper(depth)
		x := *(*unsafe.Pointer)(at)
		if x == nil {
			p.fold(0)
			return
		}
		p.fold(1)
		to(p, x, depth+1)
	}
}

// dynamic is the walk of an interface, which may hold now this, now that.
func dynamic(t reflect.Type) walk {
	return func(p *Print, at unsafe.Pointer, depth int) {
		deeper(depth)
		v := reflect.NewAt(t, at).Elem()
		if v.IsNil() {
			p.fold(0)
			return
		}
		p.fold(1)
		v = v.Elem()
		p.text(v.Type().PkgPath())
		p.text(v.Type().String())
		c := reflect.New(v.Type())
		c.Elem().Set(v)
		walkOf(v.Type())(p, c.UnsafePointer(), depth+1)
	}
}

// mapping is the walk of a map: the sum of its entries, whatever their order.
func (w *walks) mapping(t reflect.Type) walk {
	key, value := w.of(t.Key()), w.of(t.Elem())
	return func(p *Print, at unsafe.Pointer, depth int) {
		deeper(depth)
		var sum Print
		m := reflect.NewAt(t, at).Elem()
		k, v := reflect.New(t.Key()), reflect.New(t.Elem())
		for i := m.MapRange(); i.Next(); {
			k.Elem().SetIterKey(i)
			v.Elem().SetIterValue(i)
			var e Print
			key(&e, k.UnsafePointer(), depth+1)
			value(&e, v.UnsafePointer(), depth+1)
			sum[0] += e[0]
			sum[1] += e[1]
		}
		p.fold(uint64(m.Len()))
		p.fold(sum[0])
		p.fold(sum[1])
	}
}
