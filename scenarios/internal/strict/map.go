package strict

// Map is a mapping in the order of the document.
type Map[T any] []Entry[T]

// Entry is a key of a mapping, its value, and where the key stands.
type Entry[T any] struct {
	Key   string
	Value T
	Pos   Position
}

// Get returns the value of key.
func (m Map[T]) Get(key string) (value T, ok bool) {
	for _, e := range m {
		if e.Key == key {
			return e.Value, true
		}
	}
	return value, false
}

// Keys returns the keys in order.
func (m Map[T]) Keys() []string {
	keys := make([]string, len(m))
	for i, e := range m {
		keys[i] = e.Key
	}
	return keys
}

// UnmarshalStrict implements [Unmarshaler].
func (m *Map[T]) UnmarshalStrict(v *Value) {
	if v.Kind() != Mapping {
		v.Reject("a mapping", `lines such as "key: value"`)
		return
	}
	*m = make(Map[T], v.Len())
	for i := range *m {
		e := &(*m)[i]
		e.Key, e.Pos = v.key(i)
		v.item(i).Decode(&e.Value)
	}
}
