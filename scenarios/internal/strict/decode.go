package strict

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
)

// decode stores v in rv as far as it is good, and reports what is not.
func decode(v *Value, rv reflect.Value, o options) {
	if raw, ok := rv.Addr().Interface().(**Value); ok {
		*raw = v
		return
	}
	if v.node.kind == refused {
		return
	}
	if read, ok := v.doc.readers[rv.Type()]; ok {
		if !v.isNull() {
			read(v, rv.Addr().Interface())
		}
		return
	}
	switch into := rv.Addr().Interface().(type) {
	case Unmarshaler:
		if !v.isNull() {
			into.UnmarshalStrict(v)
		}
		return
	case encoding.TextUnmarshaler:
		if v.isText() {
			decodeText(v, into)
		}
		return
	case *time.Duration:
		m := &duration
		if o.signed {
			m = &signedDuration
		}
		decodeMeasure(v, rv, m)
		return
	}
	if rv.Kind() == reflect.Pointer {
		decodePointer(v, rv, o)
		return
	}
	if !v.isNull() {
		decodeKind(v, rv, o)
	}
}

func decodeKind(v *Value, rv reflect.Value, o options) {
	switch kind := rv.Kind(); {
	case kind == reflect.Struct:
		decodeStruct(v, rv)
	case kind == reflect.Slice:
		decodeSlice(v, rv, o)
	case kind == reflect.Array:
		decodeArray(v, rv, o)
	case kind == reflect.String:
		decodeString(v, rv, o)
	case kind == reflect.Bool:
		decodeBool(v, rv)
	case o.measure != nil && kind == reflect.Int64:
		decodeMeasure(v, rv, o.measure)
	case rv.CanInt():
		decodeInt(v, rv)
	case rv.CanUint():
		decodeUint(v, rv)
	default:
		panic(fmt.Sprintf("strict: cannot decode into %v", rv.Type()))
	}
}

// decodePointer decodes into a copy: what a default points to may be shared.
func decodePointer(v *Value, rv reflect.Value, o options) {
	if v.node.kind == Null {
		rv.SetZero()
		return
	}
	target := reflect.New(rv.Type().Elem())
	if !rv.IsNil() {
		target.Elem().Set(rv.Elem())
	}
	decode(v, target.Elem(), o)
	rv.Set(target)
}

func decodeStruct(v *Value, rv reflect.Value) {
	fields := fieldsOf(rv.Type())
	valid := names(fields)
	if v.node.kind != Mapping {
		v.Reject("a mapping", "keys such as "+strings.Join(valid[:min(3, len(valid))], ", "))
		return
	}
	var meant []string // keys that are there, but misspelt
	for i := range v.node.keys {
		key, at := v.key(i)
		f, ok := byName(fields, key)
		if !ok {
			v.known(key, at, valid)
			meant = append(meant, text.Nearest(key, valid))
			continue
		}
		decode(v.item(i), rv.FieldByIndex(f.index), f.options)
	}
	for _, f := range fields {
		// One mistake, one problem: a misspelt key is not missing as well.
		if f.required && v.Field(f.name) == nil && !slices.Contains(meant, f.name) {
			v.Errorf("key %q is missing", f.name)
		}
	}
}

func decodeSlice(v *Value, rv reflect.Value, o options) {
	items := v.Items()
	if v.node.kind != List {
		if !o.oneOrMany {
			v.Reject("a list", `[a, b] or lines with "- "`)
			return
		}
		items = []*Value{v}
	}
	list := reflect.MakeSlice(rv.Type(), len(items), len(items))
	for i, item := range items {
		decode(item, list.Index(i), o.elements())
	}
	rv.Set(list)
}

func decodeArray(v *Value, rv reflect.Value, o options) {
	switch {
	case v.node.kind != List:
		v.Reject("a list", fmt.Sprintf("%d values in [ ]", rv.Len()))
	case v.Len() != rv.Len():
		v.Errorf("a list of %d: want %d values", v.Len(), rv.Len())
	default:
		for i, item := range v.Items() {
			decode(item, rv.Index(i), o.elements())
		}
	}
}

func decodeString(v *Value, rv reflect.Value, o options) {
	switch {
	case o.oneOf != nil:
		if word := v.OneOf(o.oneOf...); word != "" {
			rv.SetString(word)
		}
	case v.isText():
		rv.SetString(v.node.text)
	}
}

func decodeText(v *Value, into encoding.TextUnmarshaler) {
	if err := into.UnmarshalText([]byte(v.node.text)); err != nil {
		v.Errorf("%s: %s", v.describe(), printable(err.Error()))
	}
}

func decodeBool(v *Value, rv reflect.Value) {
	switch {
	case v.isPlain("true"), v.isPlain("false"):
		rv.SetBool(v.node.text == "true")
	default:
		v.Reject("a boolean", "true or false")
	}
}

func decodeMeasure(v *Value, rv reflect.Value, m *measure) {
	if v.node.kind != Scalar {
		if !v.isNull() {
			v.Reject(m.noun, m.want)
		}
		return
	}
	n, err := m.parse(v.node.text)
	if err != nil {
		v.Errorf("%v", err)
		return
	}
	rv.SetInt(n)
}

func decodeInt(v *Value, rv reflect.Value) {
	if !v.isInteger() {
		return
	}
	n, err := strconv.ParseInt(v.node.text, 10, rv.Type().Bits())
	if err != nil { // the digits are checked: out of range
		high := int64(1)<<(rv.Type().Bits()-1) - 1
		v.Errorf("%s is out of range: want %d to %d", v.describe(), -high-1, high)
		return
	}
	rv.SetInt(n)
}

func decodeUint(v *Value, rv reflect.Value) {
	if !v.isInteger() {
		return
	}
	n, err := strconv.ParseUint(v.node.text, 10, rv.Type().Bits())
	if err != nil {
		v.Errorf("%s is out of range: want 0 to %d", v.describe(), ^uint64(0)>>(64-rv.Type().Bits()))
		return
	}
	rv.SetUint(n)
}

// isNull reports a null, which has no meaning but for pointers.
func (v *Value) isNull() bool {
	if v.node.kind == Null {
		v.Errorf("no value is given: want one, or leave the entry out")
		return true
	}
	return false
}

// isText is true for a scalar and reports anything else.
func (v *Value) isText() bool {
	if v.node.kind != Scalar {
		if !v.isNull() {
			v.Reject("a text", "a word or a quoted text")
		}
		return false
	}
	if v.doc.json && v.node.plain {
		v.Reject("a text", "one in quotes")
		return false
	}
	return true
}

func (v *Value) isPlain(text string) bool { return v.node.plain && v.node.text == text }

// isInteger is true for an unquoted integer in its one spelling, and reports
// anything else: 010 and 1_000 mean different things to different readers.
func (v *Value) isInteger() bool {
	digits := strings.TrimPrefix(v.node.text, "-")
	number := digits != "" && strings.Trim(digits, "0123456789") == ""
	switch {
	case v.node.kind == Scalar && number && !v.node.plain:
		v.Errorf("%s is a text: want an integer without quotes", v.describe())
	case number && len(digits) > 1 && digits[0] == '0':
		v.Errorf("%s starts with 0: want an integer without leading zeros", v.describe())
	case !number:
		v.Reject("an integer", "digits such as 3")
	default:
		return true
	}
	return false
}
