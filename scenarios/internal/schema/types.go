package schema

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"fencepost/scenarios/internal/strict"
)

// Builder makes nodes of types. What a value becomes that is decoded later, which its
// type does not tell, is said by the tag `schema:"NAME"`, the name of a definition.
type Builder struct {
	// Comment is what the source says of a field of a struct, or of the struct itself
	// if the field is "".
	Comment func(t reflect.Type, field string) string
	// Forms are the types that are not what they look like, such as those that read
	// texts themselves.
	Forms map[reflect.Type]*Node
}

// Struct is a mapping with the keys of a struct.
func (b *Builder) Struct(t reflect.Type) *Node {
	n := Object()
	for _, f := range strict.Fields(t) {
		n.Properties.Add(f.Key, b.field(f))
		if f.Required {
			n.Required = append(n.Required, f.Key)
		}
	}
	return n.With(b.about(t))
}

// about is the comment of a type without its name: "linkFormat is a rule" is "A rule".
func (b *Builder) about(t reflect.Type) string {
	text := b.Comment(t, "")
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(text, t.Name()+verb); ok && rest != "" {
			text = strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	return strings.TrimSuffix(text, " What is left out has the value that the comment gives.")
}

func (b *Builder) field(f strict.Field) *Node {
	n := b.value(f.Go.Type, f)
	n.Limits = strings.Replace(f.Go.Tag.Get("range"), "..", " to ", 1)
	if text := b.Comment(f.Owner, f.Go.Name); text != "" {
		n.Description = text
	}
	return n
}

// value is a value of a type, with the options of its field.
func (b *Builder) value(t reflect.Type, f strict.Field) *Node {
	name := f.Go.Tag.Get("schema")
	if form, ok := b.Forms[t]; ok {
		c := *form
		return &c
	}
	switch {
	case t == reflect.TypeFor[*strict.Value]() && name != "":
		return Ref(name)
	case t.Kind() == reflect.Pointer:
		return b.value(t.Elem(), f)
	case isMap(t):
		n := &Node{Type: []string{"object"}, Others: b.value(t.Elem().Field(1).Type, f)}
		return n
	case t.Kind() == reflect.Slice:
		one := b.value(t.Elem(), f)
		if !f.OneOrMany {
			return ListOf(one, 0)
		}
		return Any(one, ListOf(one, 0))
	case f.Form != "":
		return Ref(f.Form)
	case f.OneOf != nil:
		return Words(f.OneOf...)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()), t.Kind() == reflect.String:
		return Text()
	case t.Kind() == reflect.Struct:
		return b.Struct(t)
	case t.Kind() == reflect.Bool:
		return &Node{Type: []string{"boolean"}}
	}
	return whole(t)
}

// isMap reports whether a type is a [strict.Map].
func isMap(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[strict.Value]().PkgPath() && strings.HasPrefix(t.Name(), "Map[")
}

// whole is an integer of a type.
func whole(t reflect.Type) *Node {
	n := &Node{Type: []string{"integer"}}
	switch {
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		n.Minimum = new(int64)
	case t.Kind() < reflect.Int || t.Kind() > reflect.Int64:
		panic(fmt.Sprintf("schema: cannot describe %v", t))
	}
	return n
}
