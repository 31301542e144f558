package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// layout is the type Msg or a struct that it embeds.
type layout struct {
	name  string
	parts []any // *register or *layout, in the order of the struct
}

// register is a field of Msg.
type register struct{ name, typ string }

// registers are all of a layout, with those of embedded structs.
func (l *layout) registers() (list []*register) {
	for _, p := range l.parts {
		switch p := p.(type) {
		case *register:
			list = append(list, p)
		case *layout:
			list = append(list, p.registers()...)
		}
	}
	return list
}

// find returns the register of a name, nil if there is none.
func (l *layout) find(name string) *register {
	list := l.registers()
	if i := slices.IndexFunc(list, func(r *register) bool { return r.name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

// layout reads a struct of the package.
func (d *declaration) layout(name string) *layout {
	l := &layout{name: name}
	for _, f := range d.structs[name].Fields.List {
		for _, n := range f.Names {
			l.parts = append(l.parts, &register{n.Name, d.source(f.Type)})
		}
		if embedded := d.source(f.Type); len(f.Names) == 0 && d.structs[embedded] != nil && embedded != name {
			l.parts = append(l.parts, d.layout(embedded))
		}
	}
	return l
}

// bits are the sizes of the types that a register can have.
var bits = map[string]int{"bool": 1, "uint8": 8, "int8": 8, "uint16": 16, "int16": 16, "uint32": 32, "int32": 32, "uint64": 64, "int64": 64, "sim.NodeID": 32}

// locate finds the register of a field that its tag names.
func (d *declaration) locate(f *field, source *ast.Field, at string) {
	if same := d.message.find(f.name); same != nil {
		if f.at = same; at != "" || same.typ != f.typ {
			d.wrong(f.pos, "%s is a field of Msg: want it with its type %s and without at", f.name, same.typ)
		}
		return
	}
	var names []string
	for _, r := range d.message.registers() {
		if bits[r.typ] > 0 {
			names = append(names, r.name)
		}
	}
	words := strings.Fields(at)
	if len(words) == 0 {
		d.wrong(f.pos, "%s has no register: want at:\"NAME\" with one of %s", f.name, strings.Join(names, ", "))
		return
	}
	name, half, halved := strings.Cut(words[0], ".")
	place := d.within(source, words[0])
	if !slices.Contains(names, name) {
		d.wrong(place, "Msg has no register %q%s", name, near(name, names))
		return
	}
	f.at, f.half, f.limit = d.message.find(name), half, slices.Contains(words, "limit")
	for _, w := range words[1:] {
		if ways := []string{"limit", "coarse"}; !slices.Contains(ways, w) {
			d.wrong(d.within(source, " "+w)+1, "%q is no way to store a field%s", w, near(w, ways))
		}
	}
	clock := slices.Contains([]string{"sim.Wall", "sim.Mono", "sim.Boot"}, f.typ)
	switch size := bits[f.at.typ]; {
	case halved && (half != "lo" && half != "hi" || size != 64):
		d.wrong(place, "%q is no half: want %s.lo or %s.hi of a register of 64 bits", words[0], name, name)
	case clock && (halved || size < 64 || f.limit) && !slices.Contains(words, "coarse"):
		d.wrong(place, "%s is a reading of a clock: want a register of 64 bits, or at:\"%s coarse\" if no proof needs to see it", f.name, words[0])
	case size == 1 && f.typ != "bool":
		d.wrong(place, "%s is %s: want another register than %s, which is bool", f.name, f.typ, name)
	}
}

// allocate gives every field a register, which it shares with fields that no kind has beside it, and makes Msg of them.
func (d *declaration) allocate() {
	taken := map[string][]*field{}
	list := []*register{{"Kind", "sim.Kind"}}
	for _, f := range d.fields {
		typ, prefix := "int64", "x"
		if f.typ == "bool" {
			typ, prefix = "bool", "b"
		} else if f.typ == "string" || strings.HasPrefix(f.typ, "float") || strings.ContainsAny(f.typ, "*[]{}") {
			d.wrong(f.pos, "%s is %s: want an integer or a bool, or write Msg by hand", f.name, f.typ)
		}
		name := prefix
		for n := 2; slices.ContainsFunc(taken[name], f.meets); n++ {
			name = fmt.Sprint(prefix, n)
		}
		if taken[name] == nil {
			list = append(list, &register{name, typ})
		}
		f.at = list[slices.IndexFunc(list, func(r *register) bool { return r.name == name })]
		taken[name] = append(taken[name], f)
	}
	slices.SortStableFunc(list, func(a, b *register) int { return bits[a.typ] - bits[b.typ] }) // as the compiler lays them out best
	d.message = &layout{name: "Msg"}
	for _, r := range list {
		d.message.parts = append(d.message.parts, r)
	}
}

// meets reports whether a kind has both fields.
func (f *field) meets(other *field) bool {
	return slices.ContainsFunc(f.kinds, func(k *kind) bool { return slices.Contains(other.kinds, k) })
}

// crowded reports fields of a constructor that share a register.
func (d *declaration) crowded(k *kind) {
	for i, f := range k.made() {
		for _, g := range k.made()[:i] {
			if f.at != nil && f.at == g.at && (f.half == "" || g.half == "" || f.half == g.half) {
				d.wrong(k.pos, "%s has %s and %s in the same register %s", k.name, g.name, f.name, f.at.name)
			}
		}
	}
}
