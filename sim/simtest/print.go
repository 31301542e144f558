package simtest

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"fencepost/sim"
)

// Print tests a [sim.Printer]: each field of the state that a pointer refers to, and each
// element of its lists, is changed in turn, and the print must change with it. A field that is
// left out on purpose is named, as "said" or "slots.call", with all that is below it; fields
// below a pointer, a func or a map are not looked at.
func Print(t testing.TB, state sim.Printer, leftOut ...string) {
	t.Helper()
	before := printOf(state)
	leaves("", reflect.ValueOf(state).Elem(), leftOut, func(path string, v reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch {
		case v.Kind() == reflect.Bool:
			v.SetBool(!v.Bool())
		case v.CanInt():
			v.SetInt(v.Int() ^ 1)
		case v.CanUint():
			v.SetUint(v.Uint() ^ 1)
		default:
			return
		}
		if printOf(state) == before {
			t.Errorf("simtest: %s is not in the print", path)
		}
		v.Set(old)
	})
}

func printOf(state sim.Printer) (p sim.Print) {
	state.Print(&p)
	return p
}

// leaves visits what is below a value, but for what is left out.
func leaves(path string, v reflect.Value, leftOut []string, visit func(string, reflect.Value)) {
	for _, name := range leftOut {
		if path == name || strings.HasPrefix(path, name+".") {
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			name := strings.TrimPrefix(path+"."+v.Type().Field(i).Name, ".")
			leaves(name, reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), leftOut, visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			leaves(path, v.Index(i), leftOut, visit)
		}
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Interface, reflect.String:
	default:
		visit(path, v)
	}
}
