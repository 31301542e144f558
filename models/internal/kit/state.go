package kit

import (
	"fmt"
	"reflect"
)

// resetter is a part of a state that knows itself how to begin anew.
type resetter interface{ Reset() }

// restore makes what puts a state back to what it is now, without allocation: a field gets
// its value again; a map is cleared and a slice truncated, and both keep their memory. A map
// or slice that has elements now is a parameter, and is left alone, as is what a pointer
// refers to. A part with a Reset method is reset by that. A map that is nil is made.
//
// What it works on is behind the func, which a fingerprint does not follow.
func restore(state any) func() {
	v := reflect.ValueOf(state)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("kit: want a pointer to a struct, got %T", state))
	}
	var parts []func()
	restoreStruct(v.Elem(), &parts)
	return func() {
		for _, reset := range parts {
			reset()
		}
	}
}

func restoreStruct(v reflect.Value, parts *[]func()) {
	for i := range v.NumField() {
		restorePart(settable(v, i), parts)
	}
}

// settable is a field of a struct, which has to be exported.
func settable(v reflect.Value, i int) reflect.Value {
	if !v.Field(i).CanSet() {
		panic(fmt.Sprintf("kit: %v.%s: want an exported field, so that it can be reset", v.Type(), v.Type().Field(i).Name))
	}
	return v.Field(i)
}

func restorePart(v reflect.Value, parts *[]func()) {
	add := func(reset func()) { *parts = append(*parts, reset) }
	if r, ok := v.Addr().Interface().(resetter); ok {
		add(r.Reset)
		return
	}
	switch {
	case v.Kind() == reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		if v.Len() == 0 {
			add(v.Clear)
		}
	case v.Kind() == reflect.Slice:
		if v.Len() == 0 {
			add(func() { v.SetLen(0) })
		}
	case !owns(v.Type()) || v.Type() == distType: // whose list nobody writes
		initial := reflect.New(v.Type()).Elem()
		initial.Set(v)
		add(func() { v.Set(initial) })
	case v.Kind() == reflect.Struct:
		restoreStruct(v, parts)
	default: // an array
		for i := range v.Len() {
			restorePart(v.Index(i), parts)
		}
	}
}

// owns reports whether values of a type own maps or slices.
func owns(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map, reflect.Slice:
		return true
	case reflect.Array:
		return owns(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if owns(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// At is the element of a list at an index, 0 and up, which a list that is too short grows
// to have: a table by node, of a property that is reset to an empty one.
func At[T any, I ~int | ~int32 | ~int64 | ~uint32 | ~uint64](list *[]T, i I) *T {
	for len(*list) <= int(i) {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[i]
}
