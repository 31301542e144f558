package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// field is a struct field that takes part in decoding.
type field struct {
	name  string
	index []int // as reflect.Value.FieldByIndex wants it
	options
}

// options are what a tag says besides the name.
type options struct {
	required  bool
	oneOrMany bool
	oneOf     []string
	measure   *measure // how an integer is written, nil for digits
	signed    bool
}

// fieldsOf returns the fields of a struct type in order, those of embedded
// structs in their place.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("yaml")
		switch {
		case !tagged && f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
		case !tagged || tag == "-":
		case !f.IsExported():
			panic(fmt.Sprintf("strict: %v.%s has a yaml tag but is not exported", t, f.Name))
		default:
			name, rest, _ := strings.Cut(tag, ",")
			fields = append(fields, field{name, []int{i}, parseOptions(rest)})
		}
	}
	return fields
}

func parseOptions(list string) (o options) {
	for option := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "":
		case "required":
			o.required = true
		case "one-or-many":
			o.oneOrMany = true
		case "oneof":
			o.oneOf = strings.Split(value, "|")
		case "signed":
			o.signed = true
		case "ppb":
			o.measure = &drift
		case "proportion":
			o.measure = &proportion
		case "size":
			o.measure = &size
		default:
			panic(fmt.Sprintf("strict: unknown option %q in a yaml tag", option))
		}
	}
	return o
}

// elements returns the options for the elements of a list.
func (o options) elements() options {
	o.required, o.oneOrMany = false, false
	return o
}

func names(fields []field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return list
}

func byName(fields []field, name string) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}
