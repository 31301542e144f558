// Package modeltest tests what models make of package model: each parameter at its limits, one
// run that a test scripts, many in which everything goes wrong, and a mutant for each
// property.
package modeltest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Params tests the parameters of a model one by one: the default ones are valid; each word
// of a oneof is accepted and another refused; each limit is accepted and what is beyond it
// refused; a list has at most a value for each; every number has a range; and of parameters
// that are valid a world can be made, of others none.
//
//	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
func Params[P any, M sim.Message](t testing.TB, defaults func() P, problems func(*P) []model.ValidationError, system func(*P) sim.System[M]) {
	t.Helper()
	c := &checker[P, M]{t: t, defaults: defaults, problems: problems, system: system}
	c.try(nil, "the default parameters", "", nil)
	p := c.filled()
	for i, f := range model.Fields(&p) {
		c.field(i, &f)
	}
}

type checker[P any, M sim.Message] struct {
	t        testing.TB
	defaults func() P
	problems func(*P) []model.ValidationError
	system   func(*P) sim.System[M]
}

// filled are the default parameters with every block of parameters that is left out, and one
// element in each list of blocks.
func (c *checker[P, M]) filled() P {
	p := c.defaults()
	fill(reflect.ValueOf(&p).Elem())
	return p
}

func fill(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct && model.IsBlock(v.Type()):
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem())
	case v.Kind() == reflect.Slice && model.IsBlock(v.Type()) && v.Len() == 0:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	}
}

func (c *checker[P, M]) field(i int, f *model.Field) {
	c.t.Helper()
	set := func(to func(v reflect.Value)) func(*P) {
		return func(p *P) { element(model.Fields(p)[i].Value, to) }
	}
	text := func(word string) func(*P) { return set(func(v reflect.Value) { v.SetString(word) }) }
	for _, word := range f.Words {
		c.try(text(word), f.Path+": "+word, "", f)
	}
	if f.Words != nil {
		c.try(text("no-such-word"), f.Path+": no-such-word", elementPath(f), nil)
	}
	if f.Each != "" {
		c.try(func(p *P) { tooMany(p, i, max(2, int(f.Count)+1)) }, f.Path+" with a value too many", f.Path, nil)
	}
	if _, most, limited := strings.Cut(f.Many, ".."); limited {
		n, _ := strconv.Atoi(most) // as Validate has read it
		c.try(func(p *P) { tooMany(p, i, n+1) }, f.Path+" with a value too many", f.Path, nil)
	}
	if f.Range == "" {
		if f.Elem() == distType || f.Elem().ConvertibleTo(reflect.TypeFor[int64]()) {
			c.t.Errorf("modeltest: %s: a number without a range", f.Path)
		}
		return
	}
	for _, n := range []int64{f.Least, f.Most} {
		c.try(set(number(n)), fmt.Sprintf("%s: %d", f.Path, n), "", f)
	}
	for _, n := range []int64{f.Least - 1, f.Most + 1} {
		if possible(f.Elem(), n) {
			c.try(set(number(n)), fmt.Sprintf("%s: %d", f.Path, n), elementPath(f), nil)
		}
	}
}

// try checks that parameters are refused for a path, or not refused for what the tags of a
// field say; and that a world is made exactly of valid ones.
func (c *checker[P, M]) try(set func(*P), what, refused string, accepted *model.Field) {
	c.t.Helper()
	p := c.filled()
	if set == nil {
		p = c.defaults()
	} else {
		set(&p)
	}
	found := c.problems(&p)
	is := func(match func(e model.ValidationError) bool) bool { return slices.ContainsFunc(found, match) }
	switch {
	case set == nil && len(found) > 0:
		c.t.Errorf("modeltest: %s are refused: %v", what, found)
	case refused != "" && !is(func(e model.ValidationError) bool { return e.Path == refused && e.Message != "" }):
		c.t.Errorf("modeltest: %s is not refused, but %v", what, found)
	case accepted != nil && is(func(e model.ValidationError) bool {
		return e.Path == elementPath(accepted) && strings.HasPrefix(e.Message, accepted.Wanted())
	}):
		c.t.Errorf("modeltest: %s is refused: %v", what, found)
	}
	if _, err := sim.NewWorld(c.system(&p), sim.Config{Until: 1}); (err == nil) != (len(found) == 0) {
		c.t.Errorf("modeltest: %s: validation finds %v, and making a world of it %v", what, found, err)
	}
}

var distType = reflect.TypeFor[sim.Dist]()

// element sets a value, what a pointer refers to, or the one element of a list.
func element(v reflect.Value, to func(v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		element(v.Elem(), to)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		element(v.Index(0), to)
	default:
		to(v)
	}
}

// elementPath is the path of a value, or of the first in a list.
func elementPath(f *model.Field) string {
	if f.Value.Kind() == reflect.Slice {
		return f.Path + ".0"
	}
	return f.Path
}

func number(n int64) func(v reflect.Value) {
	return func(v reflect.Value) {
		switch {
		case v.Type() == distType:
			v.Set(reflect.ValueOf(sim.Constant(time.Duration(n))))
		case v.CanUint():
			v.SetUint(uint64(n))
		default:
			v.SetInt(n)
		}
	}
}

// possible reports whether a type has a value.
func possible(t reflect.Type, n int64) bool {
	v := reflect.New(t).Elem()
	switch {
	case t == distType:
		return n >= 0
	case v.CanUint():
		return n >= 0 && !v.OverflowUint(uint64(n))
	}
	return !v.OverflowInt(n)
}

// tooMany gives a list more values than it may have.
func tooMany(p any, i, n int) {
	v := model.Fields(p)[i].Value
	v.Set(reflect.MakeSlice(v.Type(), n, n))
}
