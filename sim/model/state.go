package model

import (
	"fmt"
	"reflect"
)

// resetter is a part of a state that knows itself how to begin anew.
type resetter interface{ Reset() }

// Restore makes what puts a state back to what it is now, without allocation: all of it gets
// its value again at once, but a map is cleared and a slice truncated, and both keep their memory. A map
// or slice that has elements now is a parameter, and its elements are left alone, as is what a pointer
// refers to. A part with a Reset method is reset by that. A map that is nil is made.
//
// What it works on is behind the func, which a fingerprint does not follow.
func Restore(state any) func() {
	v := reflect.ValueOf(state)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("model: want a pointer to a struct, got %T", state))
	}
	v = v.Elem()
	var k keeper
	k.fields(v)
	initial := reflect.New(v.Type()).Elem()
	initial.Set(v)
	return func() {
		for i := range k.kept {
			k.kept[i].aside.Set(k.kept[i].part)
		}
		v.Set(initial)
		for i := range k.kept {
			k.kept[i].part.Set(k.kept[i].aside)
		}
		for _, reset := range k.resets {
			reset()
		}
	}
}

// keeper is what of a state is not simply set again.
type keeper struct {
	kept   []kept // parts that keep their memory, wherever that is by then
	resets []func()
}

type kept struct{ part, aside reflect.Value }

func (k *keeper) keep(v reflect.Value, reset func()) {
	k.kept = append(k.kept, kept{v, reflect.New(v.Type()).Elem()})
	k.resets = append(k.resets, reset)
}

func (k *keeper) fields(v reflect.Value) {
	for i := range v.NumField() {
		k.part(settable(v, i))
	}
}

// settable is a field of a struct, which has to be exported.
func settable(v reflect.Value, i int) reflect.Value {
	if !v.Field(i).CanSet() {
		panic(fmt.Sprintf("model: %v.%s: want an exported field, so that it can be reset", v.Type(), v.Type().Field(i).Name))
	}
	return v.Field(i)
}

func (k *keeper) part(v reflect.Value) {
	if r, ok := v.Addr().Interface().(resetter); ok {
		if v.Kind() == reflect.Slice && v.Len() > 0 { // a table, which stays where it is
			k.resets = append(k.resets, r.Reset)
			return
		}
		k.keep(v, r.Reset)
		return
	}
	switch {
	case v.Kind() == reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		if v.Len() == 0 {
			k.resets = append(k.resets, v.Clear)
		}
	case v.Kind() == reflect.Slice:
		if v.Len() == 0 {
			k.keep(v, func() { v.SetLen(0) })
		}
	case !owns(v.Type()) || v.Type() == distType: // whose list is never written
	case v.Kind() == reflect.Struct:
		k.fields(v)
	default: // an array
		for i := range v.Len() {
			k.part(v.Index(i))
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
