// Package codec keeps states of nodes as bytes: equal bytes are equal states, and nothing of a state is
// lost to a hash. A reading, recognised by its bits wherever it lies, is written as the number of its symbol, in
// the order in which symbols first appear, and its offset: states that differ only in the names of
// their symbols have the same bytes.
package codec

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

// A Writer takes a state apart.
type Writer struct {
	Search  int     // whose symbols are written
	Bias    *Biases // of these
	B       []byte
	Symbols []int // in the order in which they appeared
	Err     error // of what cannot be kept
}

// A Reader puts a state together.
type Reader struct {
	Search  int
	Bias    *Biases
	B       []byte
	Symbols []int // what they are called
}

// Biases are what the offset of each symbol is more than it says: a step that divides a reading, or
// takes a remainder, does something else with another bias.
type Biases [sim.MaxSymbols]int64

// A Codec writes and reads values of a type that lie somewhere in memory.
type Codec struct {
	Write func(w *Writer, at unsafe.Pointer)
	Read  func(r *Reader, at unsafe.Pointer)
}

func (w *Writer) fail(format string, args ...any) {
	if w.Err == nil {
		w.Err = fmt.Errorf(format, args...)
	}
}

// symbol is the number of a symbol within what is written.
func (w *Writer) symbol(s int) int {
	i := slices.Index(w.Symbols, s)
	if i < 0 {
		i = len(w.Symbols)
		w.Symbols = append(w.Symbols, s)
	}
	return i
}

// ofDifference is the number of a length between two symbols, which no symbol has.
const ofDifference = sim.MaxSymbols

// Difference is the number of a length between two symbols: other biases have it the other way round.
func (b *Biases) Difference(from, to int, offset int64) int64 {
	return sim.Difference(from, to, offset, b[0] != 0)
}

// word writes 64 bits: an even number is a plain value, in two parts, an odd one a symbol, or the length between two.
func (w *Writer) word(v int64) {
	if from, to, offset, ok := sim.AsDifference(v); ok {
		if v != w.Bias.Difference(from, to, offset) {
			w.fail("a value looks like a length between two readings and is none: %#x", v)
		}
		w.B = binary.AppendUvarint(w.B, ofDifference<<1|1)
		w.B = binary.AppendVarint(w.B, offset)
		w.B = append(w.B, byte(w.symbol(from)), byte(w.symbol(to)))
		return
	}
	search, symbol, offset, ok := sim.AsSymbol(v)
	if !ok {
		w.B = binary.AppendUvarint(w.B, uint64(v)<<1&^1&(1<<33-1))
		w.B = binary.AppendVarint(w.B, v>>32)
		return
	}
	if search != w.Search {
		w.fail("a value looks like a reading and is none: %#x", v)
	}
	offset -= w.Bias[symbol]
	if offset > sim.MaxOffset || offset < -sim.MaxOffset {
		w.fail("a reading plus more than 13 days")
	}
	w.B = binary.AppendUvarint(w.B, uint64(w.symbol(symbol))<<1|1)
	w.B = binary.AppendVarint(w.B, offset)
}

func (r *Reader) word() int64 {
	low, high := r.uvarint(), r.varint()
	if low&1 == 0 {
		return high<<32 | int64(low>>1)
	}
	if low>>1 == ofDifference {
		from, to := r.Symbols[r.B[0]], r.Symbols[r.B[1]]
		r.B = r.B[2:]
		return r.Bias.Difference(from, to, high)
	}
	symbol := r.Symbols[low>>1]
	return sim.Symbol(r.Search, symbol, high+r.Bias[symbol])
}

func (r *Reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.B)
	r.B = r.B[n:]
	return v
}

func (r *Reader) varint() int64 {
	v, n := binary.Varint(r.B)
	r.B = r.B[n:]
	return v
}

// Codecs are those that are made.
type Codecs map[reflect.Type]*Codec

// Of is the codec of a type.
func (c Codecs) Of(t reflect.Type) (*Codec, error) {
	if k := c[t]; k != nil {
		return k, nil
	}
	k := new(Codec)
	c[t] = k // of a type that holds itself
	err := c.make(k, t)
	return k, err
}

var immutable = reflect.TypeFor[sim.Immutable]()

func (c Codecs) make(k *Codec, t reflect.Type) error {
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
			*k = Codec{func(*Writer, unsafe.Pointer) {}, func(*Reader, unsafe.Pointer) {}}
			return nil
		}
		pointer(k, t)
		return nil
	case reflect.Interface: // what a form of a node has that is not this one
		*k = Codec{func(w *Writer, at unsafe.Pointer) {
			if !reflect.NewAt(t, at).Elem().IsNil() {
				w.fail("a state that holds a %v cannot be kept", t)
			}
		}, func(*Reader, unsafe.Pointer) {}}
		return nil
	case reflect.String:
		*k = Codec{func(w *Writer, at unsafe.Pointer) { w.text(*(*string)(at)) }, func(r *Reader, at unsafe.Pointer) { *(*string)(at) = r.text() }}
		return nil
	}
	return number(k, t)
}

func (w *Writer) text(s string) { w.B = append(binary.AppendUvarint(w.B, uint64(len(s))), s...) }

func (r *Reader) text() string {
	n := r.uvarint()
	s := string(r.B[:n])
	r.B = r.B[n:]
	return s
}

// number is the codec of a number or a condition.
func number(k *Codec, t reflect.Type) error {
	switch size := t.Size(); t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		*k = Codec{func(w *Writer, at unsafe.Pointer) { w.B = append(w.B, *(*byte)(at)) },
			func(r *Reader, at unsafe.Pointer) { *(*byte)(at) = r.B[0]; r.B = r.B[1:] }}
	case reflect.Int16, reflect.Uint16:
		*k = Codec{func(w *Writer, at unsafe.Pointer) { w.B = binary.AppendUvarint(w.B, uint64(*(*uint16)(at))) },
			func(r *Reader, at unsafe.Pointer) { *(*uint16)(at) = uint16(r.uvarint()) }}
	case reflect.Int64, reflect.Uint64, reflect.Int, reflect.Uint, reflect.Int32, reflect.Uint32:
		if size == 8 {
			*k = Codec{func(w *Writer, at unsafe.Pointer) { w.word(*(*int64)(at)) },
				func(r *Reader, at unsafe.Pointer) { *(*int64)(at) = r.word() }}
			return nil
		}
		*k = Codec{func(w *Writer, at unsafe.Pointer) { w.B = binary.AppendUvarint(w.B, uint64(*(*uint32)(at))) },
			func(r *Reader, at unsafe.Pointer) { *(*uint32)(at) = uint32(r.uvarint()) }}
	case reflect.Float64:
		*k = Codec{func(w *Writer, at unsafe.Pointer) {
			w.B = binary.AppendUvarint(w.B, math.Float64bits(*(*float64)(at)))
		}, func(r *Reader, at unsafe.Pointer) { *(*float64)(at) = math.Float64frombits(r.uvarint()) }}
	default:
		return fmt.Errorf("a state that holds a %v cannot be kept", t)
	}
	return nil
}

// structure is the codec of a struct, field by field.
func (c Codecs) structure(k *Codec, t reflect.Type) error {
	type field struct {
		at uintptr
		*Codec
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		of, err := c.Of(f.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t.Name(), f.Name, err)
		}
		fields = append(fields, field{f.Offset, of})
	}
	k.Write = func(w *Writer, at unsafe.Pointer) {
		for i := range fields {
			fields[i].Write(w, unsafe.Add(at, fields[i].at))
		}
	}
	k.Read = func(r *Reader, at unsafe.Pointer) {
		for i := range fields {
			fields[i].Read(r, unsafe.Add(at, fields[i].at))
		}
	}
	return nil
}

func (c Codecs) array(k *Codec, t reflect.Type) error {
	each, err := c.Of(t.Elem())
	n, size := t.Len(), t.Elem().Size()
	k.Write = func(w *Writer, at unsafe.Pointer) {
		for i := range n {
			each.Write(w, unsafe.Add(at, uintptr(i)*size))
		}
	}
	k.Read = func(r *Reader, at unsafe.Pointer) {
		for i := range n {
			each.Read(r, unsafe.Add(at, uintptr(i)*size))
		}
	}
	return err
}

// slice is the codec of a slice: one that is nil is as one that is empty.
func (c Codecs) slice(k *Codec, t reflect.Type) error {
	each, err := c.Of(t.Elem())
	size := t.Elem().Size()
	k.Write = func(w *Writer, at unsafe.Pointer) {
		s := reflect.NewAt(t, at).Elem()
		w.B = binary.AppendUvarint(w.B, uint64(s.Len()))
		for i := range s.Len() {
			each.Write(w, unsafe.Add(s.UnsafePointer(), uintptr(i)*size))
		}
	}
	k.Read = func(r *Reader, at unsafe.Pointer) {
		n := int(r.uvarint())
		s := reflect.MakeSlice(t, n, n)
		for i := range n {
			each.Read(r, unsafe.Add(s.UnsafePointer(), uintptr(i)*size))
		}
		reflect.NewAt(t, at).Elem().Set(s)
	}
	return err
}

// pointer is the codec of a pointer, which must be nil: what it refers to may be changed by another.
func pointer(k *Codec, t reflect.Type) {
	k.Write = func(w *Writer, at unsafe.Pointer) {
		if *(*unsafe.Pointer)(at) != nil {
			w.fail("a state that shares a %v cannot be kept", t.Elem())
		}
	}
	k.Read = func(*Reader, unsafe.Pointer) {}
}

// mapping is the codec of a map, in the order of the bytes of its keys: these hold no readings.
func (c Codecs) mapping(k *Codec, t reflect.Type) error {
	key, err := c.Of(t.Key())
	if err != nil {
		return err
	}
	value, err := c.Of(t.Elem())
	k.Write = func(w *Writer, at unsafe.Pointer) {
		m := reflect.NewAt(t, at).Elem()
		type entry struct {
			key   string
			value reflect.Value
		}
		var list []entry
		for i := m.MapRange(); i.Next(); {
			p := addressable(i.Key())
			kw := Writer{Search: w.Search, Bias: w.Bias}
			key.Write(&kw, p.UnsafePointer())
			if len(kw.Symbols) > 0 {
				w.fail("the key of a map is a reading")
			}
			list = append(list, entry{string(kw.B), addressable(i.Value())})
		}
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		w.B = binary.AppendUvarint(w.B, uint64(len(list)))
		for _, e := range list {
			w.B = append(w.B, e.key...)
			value.Write(w, e.value.UnsafePointer())
		}
	}
	k.Read = func(r *Reader, at unsafe.Pointer) {
		n := int(r.uvarint())
		m := reflect.MakeMapWithSize(t, n)
		for range n {
			a, b := reflect.New(t.Key()), reflect.New(t.Elem())
			key.Read(r, a.UnsafePointer())
			value.Read(r, b.UnsafePointer())
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
