package certify

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"fencepost/sim"
)

// A state is kept as bytes: equal bytes are equal states, and nothing of a state is lost to a hash.
// A reading, recognised by its bits wherever it lies, is written as the number of its symbol, in
// the order in which symbols first appear, and its offset: states that differ only in the names of
// their symbols have the same bytes.

// writer takes a state apart.
type writer struct {
	search  int
	bias    *biases
	b       []byte
	symbols []int // in the order in which they appeared
	err     error
}

// reader puts a state together.
type reader struct {
	search  int
	bias    *biases
	b       []byte
	symbols []int
}

// biases are what the offset of each symbol is more than it says: a step that divides a reading, or
// takes a remainder, does something else with another bias.
type biases [sim.MaxSymbols]int64

// codec writes and reads values of a type that lie somewhere in memory.
type codec struct {
	write func(w *writer, at unsafe.Pointer)
	read  func(r *reader, at unsafe.Pointer)
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// symbol is the number of a symbol within what is written.
func (w *writer) symbol(s int) int {
	i := slices.Index(w.symbols, s)
	if i < 0 {
		i = len(w.symbols)
		w.symbols = append(w.symbols, s)
	}
	return i
}

// word writes 64 bits: an even number is a plain value, in two parts, an odd one a symbol.
func (w *writer) word(v int64) {
	search, symbol, offset, ok := sim.AsSymbol(v)
	if !ok {
		w.b = binary.AppendUvarint(w.b, uint64(v)<<1&^1&(1<<33-1))
		w.b = binary.AppendVarint(w.b, v>>32)
		return
	}
	if search != w.search {
		w.fail("a value looks like a reading and is none: %#x", v)
	}
	offset -= w.bias[symbol]
	if offset > sim.MaxOffset || offset < -sim.MaxOffset {
		w.fail("a reading plus more than 13 days")
	}
	w.b = binary.AppendUvarint(w.b, uint64(w.symbol(symbol))<<1|1)
	w.b = binary.AppendVarint(w.b, offset)
}

func (r *reader) word() int64 {
	low, high := r.uvarint(), r.varint()
	if low&1 == 0 {
		return high<<32 | int64(low>>1)
	}
	symbol := r.symbols[low>>1]
	return sim.Symbol(r.search, symbol, high+r.bias[symbol])
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	r.b = r.b[n:]
	return v
}

// codecs are those that are made.
type codecs map[reflect.Type]*codec

// of is the codec of a type.
func (c codecs) of(t reflect.Type) (*codec, error) {
	if k := c[t]; k != nil {
		return k, nil
	}
	k := new(codec)
	c[t] = k // of a type that holds itself
	err := c.make(k, t)
	return k, err
}

var immutable = reflect.TypeFor[sim.Immutable]()

func (c codecs) make(k *codec, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		return c.structure(k, t)
	case reflect.Array:
		return c.array(k, t)
	case reflect.Slice:
		return c.slice(k, t)
	case reflect.Map:
		return c.mapping(k, t)
	case reflect.Pointer:
		if t.Implements(immutable) {
			*k = codec{func(*writer, unsafe.Pointer) {}, func(*reader, unsafe.Pointer) {}}
			return nil
		}
		pointer(k, t)
		return nil
	case reflect.String:
		*k = codec{func(w *writer, at unsafe.Pointer) { w.text(*(*string)(at)) }, func(r *reader, at unsafe.Pointer) { *(*string)(at) = r.text() }}
		return nil
	}
	return number(k, t)
}

func (w *writer) text(s string) { w.b = append(binary.AppendUvarint(w.b, uint64(len(s))), s...) }

func (r *reader) text() string {
	n := r.uvarint()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// number is the codec of a number or a condition.
func number(k *codec, t reflect.Type) error {
	switch size := t.Size(); t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		*k = codec{func(w *writer, at unsafe.Pointer) { w.b = append(w.b, *(*byte)(at)) },
			func(r *reader, at unsafe.Pointer) { *(*byte)(at) = r.b[0]; r.b = r.b[1:] }}
	case reflect.Int16, reflect.Uint16:
		*k = codec{func(w *writer, at unsafe.Pointer) { w.b = binary.AppendUvarint(w.b, uint64(*(*uint16)(at))) },
			func(r *reader, at unsafe.Pointer) { *(*uint16)(at) = uint16(r.uvarint()) }}
	case reflect.Int64, reflect.Uint64, reflect.Int, reflect.Uint, reflect.Int32, reflect.Uint32:
		if size == 8 {
			*k = codec{func(w *writer, at unsafe.Pointer) { w.word(*(*int64)(at)) },
				func(r *reader, at unsafe.Pointer) { *(*int64)(at) = r.word() }}
			return nil
		}
		*k = codec{func(w *writer, at unsafe.Pointer) { w.b = binary.AppendUvarint(w.b, uint64(*(*uint32)(at))) },
			func(r *reader, at unsafe.Pointer) { *(*uint32)(at) = uint32(r.uvarint()) }}
	case reflect.Float64:
		*k = codec{func(w *writer, at unsafe.Pointer) {
			w.b = binary.AppendUvarint(w.b, math.Float64bits(*(*float64)(at)))
		}, func(r *reader, at unsafe.Pointer) { *(*float64)(at) = math.Float64frombits(r.uvarint()) }}
	default:
		return fmt.Errorf("a state that holds a %v cannot be kept", t)
	}
	return nil
}

// structure is the codec of a struct, field by field.
func (c codecs) structure(k *codec, t reflect.Type) error {
	type field struct {
		at uintptr
		*codec
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		of, err := c.of(f.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t.Name(), f.Name, err)
		}
		fields = append(fields, field{f.Offset, of})
	}
	k.write = func(w *writer, at unsafe.Pointer) {
		for i := range fields {
			fields[i].write(w, unsafe.Add(at, fields[i].at))
		}
	}
	k.read = func(r *reader, at unsafe.Pointer) {
		for i := range fields {
			fields[i].read(r, unsafe.Add(at, fields[i].at))
		}
	}
	return nil
}

func (c codecs) array(k *codec, t reflect.Type) error {
	each, err := c.of(t.Elem())
	n, size := t.Len(), t.Elem().Size()
	k.write = func(w *writer, at unsafe.Pointer) {
		for i := range n {
			each.write(w, unsafe.Add(at, uintptr(i)*size))
		}
	}
	k.read = func(r *reader, at unsafe.Pointer) {
		for i := range n {
			each.read(r, unsafe.Add(at, uintptr(i)*size))
		}
	}
	return err
}

// slice is the codec of a slice: one that is nil is as one that is empty.
func (c codecs) slice(k *codec, t reflect.Type) error {
	each, err := c.of(t.Elem())
	size := t.Elem().Size()
	k.write = func(w *writer, at unsafe.Pointer) {
		s := reflect.NewAt(t, at).Elem()
		w.b = binary.AppendUvarint(w.b, uint64(s.Len()))
		for i := range s.Len() {
			each.write(w, unsafe.Add(s.UnsafePointer(), uintptr(i)*size))
		}
	}
	k.read = func(r *reader, at unsafe.Pointer) {
		n := int(r.uvarint())
		s := reflect.MakeSlice(t, n, n)
		for i := range n {
			each.read(r, unsafe.Add(s.UnsafePointer(), uintptr(i)*size))
		}
		reflect.NewAt(t, at).Elem().Set(s)
	}
	return err
}

// pointer is the codec of a pointer, which must be nil: what it refers to may be changed by another.
func pointer(k *codec, t reflect.Type) {
	k.write = func(w *writer, at unsafe.Pointer) {
		if *(*unsafe.Pointer)(at) != nil {
			w.fail("a state that shares a %v cannot be kept", t.Elem())
		}
	}
	k.read = func(*reader, unsafe.Pointer) {}
}

// mapping is the codec of a map, in the order of the bytes of its keys: these hold no readings.
func (c codecs) mapping(k *codec, t reflect.Type) error {
	key, err := c.of(t.Key())
	if err != nil {
		return err
	}
	value, err := c.of(t.Elem())
	k.write = func(w *writer, at unsafe.Pointer) {
		m := reflect.NewAt(t, at).Elem()
		type entry struct {
			key   string
			value reflect.Value
		}
		var list []entry
		for i := m.MapRange(); i.Next(); {
			p := addressable(i.Key())
			kw := writer{search: w.search, bias: w.bias}
			key.write(&kw, p.UnsafePointer())
			if len(kw.symbols) > 0 {
				w.fail("the key of a map is a reading")
			}
			list = append(list, entry{string(kw.b), addressable(i.Value())})
		}
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		w.b = binary.AppendUvarint(w.b, uint64(len(list)))
		for _, e := range list {
			w.b = append(w.b, e.key...)
			value.write(w, e.value.UnsafePointer())
		}
	}
	k.read = func(r *reader, at unsafe.Pointer) {
		n := int(r.uvarint())
		m := reflect.MakeMapWithSize(t, n)
		for range n {
			a, b := reflect.New(t.Key()), reflect.New(t.Elem())
			key.read(r, a.UnsafePointer())
			value.read(r, b.UnsafePointer())
			m.SetMapIndex(a.Elem(), b.Elem())
		}
		reflect.NewAt(t, at).Elem().Set(m)
	}
	return err
}

// addressable is a pointer to a copy of a value.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}
