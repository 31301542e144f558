package strict

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Field is a field of a struct as Decode reads it, for those who describe a format.
type Field struct {
	Key       string
	Owner     reflect.Type // the struct that declares it, where it is embedded another one
	Go        reflect.StructField
	Required  bool
	OneOrMany bool
	OneOf     []string
	Form      string // the name of one of [Forms], "" if it is no number with a unit
}

// Fields lists the fields of a struct type that take part in decoding, in order.
func Fields(t reflect.Type) []Field {
	var list []Field
	for _, f := range fieldsOf(t) {
		owner := t
		if n := len(f.index); n > 1 {
			owner = t.FieldByIndex(f.index[:n-1]).Type
		}
		d := Field{Key: f.name, Owner: owner, Go: t.FieldByIndex(f.index), Required: f.required, OneOrMany: f.oneOrMany, OneOf: f.oneOf}
		d.Form = f.form(element(d.Go.Type))
		list = append(list, d)
	}
	return list
}

// element is what a pointer, or a list that may be written as its only element, is of.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

// form names how a value of a type is written.
func (o options) form(t reflect.Type) string {
	m := o.measure
	switch {
	case t == reflect.TypeFor[time.Duration]() && o.signed:
		m = &signedDuration
	case t == reflect.TypeFor[time.Duration]():
		m = &duration
	}
	i := slices.IndexFunc(forms, func(f *measure) bool { return f == m })
	if i < 0 {
		return ""
	}
	return formNames[i]
}

// forms are the numbers with a unit.
var (
	forms     = []*measure{&duration, &signedDuration, &drift, &proportion, &size}
	formNames = []string{"duration", "signed-duration", "clock-error", "share", "size"}
)

// Form is how numbers of a kind are written.
type Form struct {
	Name    string // "duration"
	Noun    string // "a duration"
	Want    string // in words, with examples
	Pattern string // a regular expression that a text must match
	Bare    bool   // a number without a unit will do
}

// Forms lists the numbers with a unit.
func Forms() []Form {
	var list []Form
	for i, m := range forms {
		f := Form{Name: formNames[i], Noun: m.noun, Want: m.want, Pattern: m.pattern()}
		f.Bare = slices.ContainsFunc(m.units, func(u unit) bool { return u.name == "" })
		list = append(list, f)
	}
	return list
}

// pattern is a regular expression that holds for the texts that parse reads, and for
// those that are too large or too fine.
func (m *measure) pattern() string {
	const number = `[0-9]+(\.[0-9]+)?`
	sign, space := "", ""
	if m.signed {
		sign = "[+-]?"
	}
	if m.spaced {
		space = " ?"
	}
	if !m.many {
		return "^" + sign + number + space + anyOf(m.units) + "$"
	}
	var b strings.Builder
	for rest := m.units; len(rest) > 0; { // each size after the larger ones, or not at all
		n := 1
		for n < len(rest) && rest[n].size == rest[0].size {
			n++
		}
		b.WriteString("(" + number + anyOf(rest[:n]) + ")?")
		rest = rest[n:]
	}
	return "^" + sign + b.String() + "$"
}

// anyOf is a pattern for the name of one of some units.
func anyOf(units []unit) string {
	var names []string
	for _, u := range units {
		names = append(names, regexp.QuoteMeta(u.name))
	}
	if len(names) == 1 {
		return names[0]
	}
	return "(" + strings.Join(names, "|") + ")"
}
