package values

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Words checks that each text of the parameters is one of the words that its yaml tag
// allows (oneof), or is left out. A scenario file is checked when it is read; parameters
// that Go code writes come here first.
func (l *Problems[P]) Words(params any) { l.words("", reflect.ValueOf(params), nil) }

func (l *Problems[P]) words(path string, v reflect.Value, oneOf []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			l.words(path, v.Elem(), oneOf)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			l.field(path, v.Type().Field(i), v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			l.words(below(path, fmt.Sprint(i)), v.Index(i), oneOf)
		}
	case reflect.String:
		if word := v.String(); word != "" && oneOf != nil && !slices.Contains(oneOf, word) {
			l.Bad(path, "want one of %s, got %q", strings.Join(oneOf, ", "), word)
		}
	}
}

// field checks one field of a struct. An embedded struct lends its fields.
func (l *Problems[P]) field(path string, f reflect.StructField, v reflect.Value) {
	tag, tagged := f.Tag.Lookup("yaml")
	if !tagged {
		if f.Anonymous {
			l.words(path, v, nil)
		}
		return
	}
	name, options, _ := strings.Cut(tag, ",")
	var oneOf []string
	for option := range strings.SplitSeq(options, ",") {
		if words, ok := strings.CutPrefix(option, "oneof="); ok {
			oneOf = strings.Split(words, "|")
		}
	}
	l.words(below(path, name), v, oneOf)
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Refuse is what is wrong with the parameters of a model, all of it, as an error; nil if
// nothing is. A System carries it, and no world is made of that.
func Refuse[P ~struct{ Path, Message string }](model string, found []P) error {
	var errs []error
	for _, p := range found {
		q := struct{ Path, Message string }(p)
		errs = append(errs, fmt.Errorf("%s: %s: %s", model, q.Path, q.Message))
	}
	return errors.Join(errs...)
}
