package strict

import (
	"maps"
	"reflect"
)

// Teach makes d decode every T with read, as if T were an [Unmarshaler] whose
// UnmarshalStrict is read. It is for types of packages that do not know this one,
// and for what can be read only in a context that d does not have. A clone of d
// has learnt what d has, and learns alone from then on.
func Teach[T any](d *Doc, read func(v *Value, into *T)) {
	d.readers = maps.Clone(d.readers)
	if d.readers == nil {
		d.readers = map[reflect.Type]reader{}
	}
	d.readers[reflect.TypeFor[T]()] = func(v *Value, into any) { read(v, into.(*T)) }
}

// reader decodes a value into what into points to.
type reader func(v *Value, into any)
