package format

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/text"
	"fencepost/models/product"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// words are those of the model: its nodes, kinds, properties and measures.
type words struct {
	program *sim.Program // nil if the model is not known
	ids     map[string]sim.NodeID
	// unsure is set while the parameters are wrong. Then the words are those of the
	// default parameters, and a word that is unknown may be right after all, unless
	// it is a known one misspelt.
	unsure bool
}

// readModel finds the model, decodes its parameters and describes its system.
func (d *decoding) readModel() {
	name, ok := strict.Read[string](d.format.Model)
	d.scenario.Model = name
	var names []string
	for _, m := range d.models {
		names = append(names, m.Name)
	}
	i := slices.Index(names, name)
	if i < 0 {
		if ok {
			d.bad(d.format.Model, fmt.Sprintf("there is no model %q", name), names)
		}
		return
	}
	d.params = d.models[i].New()
	if !d.readParams() {
		d.params = d.models[i].New()
		d.words.unsure = true
	}
	if f, ok := d.params.Target().(interface{ Follows() []product.Product }); ok {
		d.scenario.Follows = f.Follows()
	}
	p := d.params.Program()
	d.scenario.Program = p
	d.words.know(&p)
}

// know takes the words of a program.
func (w *words) know(p *sim.Program) {
	w.program, w.ids = p, map[string]sim.NodeID{}
	for i, n := range p.Nodes {
		w.ids[n] = sim.NodeID(i + 1)
	}
}

// readParams decodes the parameters over their defaults and lets the model check
// them.
func (d *decoding) readParams() bool {
	ok := d.format.Params == nil || d.format.Params.Decode(d.params.Target())
	unread, valid := d.mistakes(), ok
	for _, m := range d.params.Validate() {
		path := "params"
		if m.Path != "" {
			path += "." + m.Path
		}
		if m.Path != "" && mistaken(unread, path) {
			continue // what could not be read has no value that could be wrong as well
		}
		valid = false
		first, rest, _ := strings.Cut(m.Message, "\n")
		at, text := d.doc.At(path), d.doc.Text(path)
		if inside, message, ok := d.inside(path, first); ok {
			at, text, first = inside, "", message
		}
		d.doc.Add(at, text, first)
		if rest != "" {
			d.details[at] = rest
		}
	}
	return valid
}

// inside is the place in the file that a message about a place in a text means, and the
// message without it.
func (d *decoding) inside(path, message string) (at strict.Position, rest string, ok bool) {
	var line, column int
	place, rest, _ := strings.Cut(message, ": ")
	if n, _ := fmt.Sscanf(place, "line %d, column %d", &line, &column); n != 2 {
		return at, rest, false
	}
	at, ok = d.doc.Inside(path, line, column)
	return at, rest, ok
}

// mistakes are those that were found so far.
func (d *decoding) mistakes() []strict.Problem {
	if e := (*strict.Error)(nil); errors.As(d.doc.Err(), &e) {
		return e.Problems
	}
	return nil
}

// mistaken reports whether one of some mistakes is in the value at a path.
func mistaken(list []strict.Problem, path string) bool {
	return slices.ContainsFunc(list, func(p strict.Problem) bool { return p.Path == path || strings.HasPrefix(p.Path, path+".") })
}

// bad reports that a value is none of the valid words.
func (d *decoding) bad(v *strict.Value, message string, valid []string) {
	d.doc.Add(v.Pos(), v.Scalar(), message, valid...)
}

// unknown reports a word that the model does not have.
func (d *decoding) unknown(at strict.Position, word, message string, valid []string) {
	if d.words.program == nil || d.words.unsure && !misspelt(word, valid) {
		return
	}
	if len(valid) == 0 {
		message += "; the model has none"
	}
	d.doc.Add(at, word, message, valid...)
}

// misspelt reports whether a word is near to a valid one, and not only its
// neighbour: client-3 is not client-2 misspelt.
func misspelt(word string, valid []string) bool {
	near := text.Nearest(word, valid)
	return near != "" && withoutDigits(near) != withoutDigits(word)
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// node reads the name of a node.
func (d *decoding) node(v *strict.Value) (sim.NodeID, bool) {
	name, ok := strict.Read[string](v)
	if !ok || d.words.program == nil {
		return sim.None, false
	}
	id, ok := d.words.ids[name]
	switch {
	case ok:
	case strings.HasSuffix(name, "*"):
		message := "is a pattern, and here stands one node: want an entry for each"
		if names := d.matches(name); len(names) > 0 {
			message += " of " + strings.Join(names, ", ")
		}
		v.Errorf("%q %s", strict.Excerpt(name), message)
	default:
		d.unknownNode(v.Pos(), name)
	}
	return id, ok
}

// matches are the first nodes that a pattern with * at its end names.
func (d *decoding) matches(pattern string) (names []string) {
	for _, n := range d.words.program.Nodes {
		if !strings.HasPrefix(n, strings.TrimSuffix(pattern, "*")) {
			continue
		}
		if len(names) == 4 {
			return append(names[:3], "and so on")
		}
		names = append(names, n)
	}
	return names
}

func (d *decoding) unknownNode(at strict.Position, name string) {
	d.unknown(at, name, fmt.Sprintf("there is no node %q", name), d.words.program.Nodes)
}

// nodes reads a node, a pattern such as redis-*, or a list of these. It is empty
// if something is wrong, or the model is not known.
func (d *decoding) nodes(v *strict.Value) (ids []sim.NodeID) {
	items := []*strict.Value{v}
	if v.Kind() == strict.List {
		if items = v.Items(); len(items) == 0 {
			v.Errorf("a list of no nodes: want at least one")
		}
	}
	good := true
	for _, item := range items {
		pattern, ok := strict.Read[string](item)
		found := d.matching(item.Pos(), pattern, ok)
		good = good && len(found) > 0
		for _, id := range found {
			if slices.Contains(ids, id) {
				item.Errorf("%s is in the list already", d.words.program.Nodes[id-1])
				return nil
			}
			ids = append(ids, id)
		}
	}
	if !good {
		return nil
	}
	return ids
}

// matching lists the nodes that a name or pattern means, in their order; none if
// it could not be read.
func (d *decoding) matching(at strict.Position, pattern string, ok bool) (ids []sim.NodeID) {
	p := d.words.program
	if p == nil || !ok {
		return nil
	}
	prefix, many := strings.CutSuffix(pattern, "*")
	if !many {
		if id, ok := d.words.ids[pattern]; ok {
			return []sim.NodeID{id}
		}
		d.unknownNode(at, pattern)
		return nil
	}
	for i, n := range p.Nodes {
		if strings.HasPrefix(n, prefix) {
			ids = append(ids, sim.NodeID(i+1))
		}
	}
	if len(ids) == 0 {
		d.unknown(at, pattern, fmt.Sprintf("no node matches %q", pattern), p.Nodes)
	}
	return ids
}

// noted reads the kind of a note.
func (d *decoding) noted(v *strict.Value) (sim.Kind, bool) {
	word, ok := strict.Read[string](v)
	p := d.words.program
	if !ok || p == nil {
		return 0, false
	}
	if !slices.Contains(p.Notes, word) {
		d.unknown(v.Pos(), word, fmt.Sprintf("no node ever notes %q", word), p.Notes)
		return 0, false
	}
	return p.Kind(word), true
}

// sent reads the kind of a message that travels. Kind 0 starts a node. That a kind
// is only noted, or only armed as a timer, the model does not say: a fault on such
// a message is not injected, which a run reports.
func (d *decoding) sent(v *strict.Value) (sim.Kind, bool) {
	word, ok := strict.Read[string](v)
	p := d.words.program
	if !ok || p == nil {
		return 0, false
	}
	kind := p.Kind(word)
	if kind == 0 {
		var valid []string
		for i, k := range p.Kinds {
			if i > 0 && !slices.Contains(p.Notes, k) {
				valid = append(valid, k)
			}
		}
		d.unknown(v.Pos(), word, fmt.Sprintf("there is no kind of message %q", word), valid)
	}
	return kind, kind != 0
}
