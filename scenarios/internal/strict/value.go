package strict

import (
	"fmt"
	"strconv"
	"strings"
)

// Unmarshaler is implemented by types that read more than one form, such as a
// delay that is 5ms or {exp: 5ms}. UnmarshalStrict reports what is wrong with v
// through its methods. It is not called for null.
type Unmarshaler interface {
	UnmarshalStrict(v *Value)
}

// Value is a part of a document.
type Value struct {
	doc  *Doc
	node *node
	path string
}

// Kind returns what the value looks like.
func (v *Value) Kind() Kind { return v.node.kind }

// Pos returns where the value starts.
func (v *Value) Pos() Position {
	at := v.node.pos
	at.Path = v.path
	return at
}

// Scalar returns the text of a scalar, without quotes; it is empty for any other kind.
func (v *Value) Scalar() string { return v.node.text }

// Len returns the number of items of a list or keys of a mapping.
func (v *Value) Len() int { return len(v.node.items) }

// Items returns the values of a list or mapping, in order.
func (v *Value) Items() []*Value {
	items := make([]*Value, v.Len())
	for i := range items {
		items[i] = v.item(i)
	}
	return items
}

// Keys returns the keys of a mapping, in order.
func (v *Value) Keys() []string {
	keys := make([]string, len(v.node.keys))
	for i, k := range v.node.keys {
		keys[i] = k.text
	}
	return keys
}

// Field returns the value of a mapping's key, or nil.
func (v *Value) Field(key string) *Value {
	for i, k := range v.node.keys {
		if k.text == key {
			return v.item(i)
		}
	}
	return nil
}

// KeyPos returns where a key of a mapping stands, and where the mapping does if there
// is no such key. Its path is that of the mapping.
func (v *Value) KeyPos(key string) Position {
	for i, k := range v.node.keys {
		if k.text == key {
			_, at := v.key(i)
			return at
		}
	}
	return v.Pos()
}

// Decode stores the value in what into points to, by the rules of [Doc.Decode],
// and reports whether all of it was good.
func (v *Value) Decode(into any) bool {
	before := v.doc.count()
	decode(v, settable(into), options{})
	return v.node.kind != refused && v.doc.count() == before
}

// Errorf reports a mistake in the value.
func (v *Value) Errorf(format string, args ...any) {
	v.report(fmt.Sprintf(format, args...))
}

func (v *Value) report(message string, valid ...string) {
	if v.node.kind != refused {
		v.doc.Add(v.Pos(), v.node.text, message, valid...)
	}
}

// Reject reports that the value is not what was wanted: Reject("a delay", "5ms
// or {exp: 5ms}") says `"soon" is not a delay: want 5ms or {exp: 5ms}`.
func (v *Value) Reject(noun, want string) {
	v.Errorf("%s is not %s: want %s", v.describe(), noun, want)
}

func (v *Value) describe() string {
	if v.node.kind == Scalar {
		return quote(v.node.text)
	}
	return v.node.kind.String()
}

// OneOf returns the text of the value if it is one of words; otherwise it
// reports a mistake and returns "".
func (v *Value) OneOf(words ...string) string {
	for _, w := range words {
		if v.node.kind == Scalar && v.node.text == w {
			return w
		}
	}
	v.report(v.describe()+" is not a valid word", words...)
	return ""
}

// Choice returns the only key of a mapping such as {exp: 5ms}, and its value. If
// the value is anything else or the key is none of keys, it reports a mistake and
// returns "", nil.
func (v *Value) Choice(keys ...string) (string, *Value) {
	if v.node.kind != Mapping {
		v.report(v.describe()+" is not a mapping with one key", keys...)
		return "", nil
	}
	before := v.doc.count()
	for i := range v.node.keys {
		key, at := v.key(i)
		v.known(key, at, keys)
	}
	switch {
	case v.doc.count() > before:
		return "", nil
	case v.Len() != 1:
		v.report(fmt.Sprintf("%d keys where one is wanted", v.Len()), keys...)
		return "", nil
	}
	return v.node.keys[0].text, v.item(0)
}

// Scan reads a scalar with parse, such as [Duration], and reports its error.
func Scan[T any](v *Value, parse func(string) (T, error)) (result T, ok bool) {
	if v.node.kind != Scalar {
		v.Errorf("%s where a text is wanted", v.describe())
		return result, false
	}
	result, err := parse(v.node.text)
	if err != nil {
		v.Errorf("%v", err)
	}
	return result, err == nil
}

// known reports a key that is not one of valid.
func (v *Value) known(key string, at Position, valid []string) {
	for _, k := range valid {
		if k == key {
			return
		}
	}
	v.doc.Add(at, key, "unknown key "+quote(key), valid...)
}

// Entries are the keys of a mapping and their values. A key that is not among the valid ones is reported.
func (v *Value) Entries(valid []string) (list Map[*Value]) {
	switch {
	case v.isNull():
		return nil
	case v.node.kind != Mapping:
		v.Reject("a mapping", "keys such as "+strings.Join(valid[:min(3, len(valid))], ", "))
		return nil
	}
	for i := range v.node.keys {
		key, at := v.key(i)
		v.known(key, at, valid)
		list = append(list, Entry[*Value]{key, v.item(i), at})
	}
	return list
}

// item returns the i-th value of a list or mapping.
func (v *Value) item(i int) *Value {
	name := strconv.Itoa(i)
	if v.node.kind == Mapping {
		name = cut(v.node.keys[i].text)
	}
	if v.path != "" {
		name = v.path + "." + name
	}
	return &Value{doc: v.doc, node: v.node.items[i], path: name}
}

// key returns the i-th key of a mapping and its position, which has the path of
// the mapping.
func (v *Value) key(i int) (string, Position) {
	k := v.node.keys[i]
	at := k.pos
	at.Path = v.path
	return k.text, at
}
