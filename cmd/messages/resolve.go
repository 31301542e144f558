package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// resolve finds the fields of every kind and the register of every field.
func (d *declaration) resolve() {
	if d.structs["Msg"] != nil {
		if d.message = d.layout("Msg"); d.message.find("Kind") == nil {
			d.wrong(d.structs["Msg"].Pos(), "Msg has no field Kind")
		}
	}
	if list := d.structs["fields"]; list != nil {
		for _, line := range list.Fields.List {
			d.field(line)
		}
	}
	for _, name := range d.families {
		for _, line := range d.structs[name].Fields.List {
			d.kind(line)
		}
	}
	if d.distinct(); d.message == nil {
		d.allocate()
	}
	for _, k := range d.kinds {
		d.crowded(k)
	}
	for _, f := range d.fields {
		if len(f.kinds) == 0 && len(d.found) == 0 {
			d.wrong(f.pos, "no kind has the field %s", f.name)
		}
	}
}

// field reads a line of the struct fields.
func (d *declaration) field(line *ast.Field) {
	tags := d.tags(line, "at", "show", "set")
	for _, n := range line.Names {
		f := &field{name: n.Name, typ: d.source(line.Type), doc: comment(line), show: tags["show"], set: tags["set"] == "yes", pos: n.Pos()}
		if other := d.find(f.name); other != nil {
			d.wrong(f.pos, "%s is declared twice, as %s here and as %s at %s", f.name, f.typ, other.typ, d.fset.Position(other.pos))
			continue
		}
		d.fields = append(d.fields, f)
		if d.message != nil {
			d.locate(f, line, tags["at"])
		} else if tags["at"] != "" {
			d.wrong(d.within(line, "at:"), "the generator chooses the register of %s where it writes Msg: want no at", f.name)
		}
		if set := tags["set"]; set != "" && (!f.set || f.half != "") {
			d.wrong(d.within(line, "set:"), "want set:\"yes\", for a field with a whole register")
		}
	}
}

func (d *declaration) find(name string) *field {
	if i := slices.Index(d.names(), name); i >= 0 {
		return d.fields[i]
	}
	return nil
}

func (d *declaration) names() (names []string) {
	for _, f := range d.fields {
		names = append(names, f.name)
	}
	return names
}

// kind reads a line of a family.
func (d *declaration) kind(line *ast.Field) {
	if len(line.Names) != 1 {
		d.wrong(line.Pos(), "want one kind with a name in a line")
		return
	}
	tags := d.tags(line, "kind", "has", "new", "say", "text", "log", "detail")
	id := line.Names[0]
	k := &kind{name: id.Name, number: 1, label: kebab(id.Name), doc: comment(line), constructor: tags["new"], tags: tags, pos: id.Pos()}
	if len(d.kinds) > 0 {
		k.number = d.kinds[len(d.kinds)-1].number + 1
	}
	d.kinds = append(d.kinds, k)
	class := d.source(line.Type)
	k.class = class[strings.LastIndex(class, ".")+1:]
	if !slices.Contains([]string{"Message", "Timer", "Note"}, k.class) {
		d.wrong(line.Type.Pos(), "%s is no class of kinds%s", class, near(class, []string{"model.Message", "model.Timer", "model.Note"}))
	}
	for _, w := range strings.Fields(tags["kind"]) {
		if n, err := strconv.Atoi(w); err == nil {
			k.number = n
		} else {
			k.label = w
		}
	}
	if k.number < 0 || k.number > 255 {
		d.wrong(k.pos, "%s has number %d: want 0 to 255", k.name, k.number)
	}
	if k.label != kebab(k.label) || !unicode.IsLower(rune(k.label[0])) {
		d.wrong(d.within(line, k.label), "%s is named %q: want small letters with hyphens, as %q", k.name, k.label, kebab(k.label))
	}
	d.has(k, line, tags["has"])
	k.say = d.sentence(k, line, tags["say"])
}

// has reads what a kind carries.
func (d *declaration) has(k *kind, line *ast.Field, names string) {
	from := ""
	for _, w := range strings.Fields(names) {
		place := d.within(line, w)
		if message, first, opens := strings.Cut(w, "("); opens {
			if from != "" || !token.IsIdentifier(message) {
				d.wrong(place, "%q: want NAME(FIELDS), as request(Try)", w)
			}
			from, w = message, first
		}
		name, closes := strings.CutSuffix(w, ")")
		name, later := strings.CutPrefix(name, "+")
		f := d.find(name)
		switch {
		case closes && from == "":
			d.wrong(place, "%q closes a bracket that is not open", w)
		case f == nil:
			d.wrong(place, "%s has %q, which fields does not declare%s", k.name, name, near(name, d.names()))
		case slices.Contains(f.kinds, k):
			d.wrong(place, "%s has %s twice", k.name, name)
		default:
			f.kinds = append(f.kinds, k)
			k.carries = append(k.carries, carried{f, from, later})
		}
		if closes {
			from = ""
		}
	}
	if from != "" {
		d.wrong(d.within(line, from), "%s( is not closed", from)
	}
}

// distinct reports kinds that have a name or a number in common, numbers without a kind, and constructors of kinds that do
// not carry the same.
func (d *declaration) distinct() {
	first := map[string]*kind{}
	twice := func(k *kind, what string) *kind {
		if other := first[what]; other != nil {
			return other
		}
		first[what] = k
		return nil
	}
	for _, k := range d.kinds {
		for _, what := range []string{"the name " + k.label, "number " + strconv.Itoa(k.number)} {
			if other := twice(k, what); other != nil {
				d.wrong(k.pos, "%s has %s, which the kind at %s has, too", k.name, what, d.fset.Position(other.pos))
			}
		}
		name := constructorName(k)
		if other := twice(k, "func "+name); other != nil && !d.byHand[name] && !slices.Equal(k.made(), other.made()) {
			d.wrong(k.pos, "%s and %s have the constructor %s and carry different fields", other.name, k.name, name)
		}
	}
	for n := 1; n <= len(d.kinds) && len(d.found) == 0; n++ {
		if first["number "+strconv.Itoa(n)] == nil && (n < len(d.kinds) || first["number 0"] == nil) {
			d.wrong(d.kinds[0].pos, "no kind has number %d: want all from 1 on", n)
		}
	}
}

// made are the fields that a constructor has.
func (k *kind) made() []carried {
	return slices.DeleteFunc(slices.Clone(k.carries), func(c carried) bool { return c.later })
}

// kebab is a name of Go in kebab case.
func kebab(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, c := range runes {
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// constructorName is the name of the function that makes messages of a kind.
func constructorName(k *kind) string {
	switch {
	case k.constructor == "" && !token.IsExported(k.name):
		return "new" + exported(k.name)
	case k.constructor == "":
		return "New" + k.name
	case token.IsExported(k.constructor):
		return "New" + k.constructor
	}
	return k.constructor
}

func exported(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
