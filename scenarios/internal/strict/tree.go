package strict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Kind is what a value looks like in the document.
type Kind int

// The kinds of a value.
const (
	refused Kind = iota // reported already, so nothing more is said about it
	Null                // no text, ~ or null
	Scalar              // a text, quoted or not
	List                // [a, b] or lines with "- "
	Mapping             // {key: value} or lines with "key: "
)

// String names the kind as messages do: "a list".
func (k Kind) String() string {
	return [...]string{"a refused value", "nothing", "a text", "a list", "a mapping"}[k]
}

// node is a value with its place; what YAML offers beyond that is gone.
type node struct {
	kind  Kind
	text  string // of a Scalar
	plain bool   // a Scalar without quotes
	block bool   // a Scalar written behind |, line by line
	pos   Position
	keys  []*node // of a Mapping: keys[i] belongs to items[i]
	items []*node // of a List or Mapping
}

// origin is where the text of a tree stands: in a file, or in a value of Set.
type origin struct {
	file string
	set  *Position
}

func (o origin) at(y *yaml.Node) Position {
	if o.set != nil {
		return *o.set
	}
	return Position{File: o.file, Line: y.Line, Column: y.Column}
}

// convert turns y into our tree and reports what is YAML but refused here.
func (d *Doc) convert(y *yaml.Node, o origin, depth int) *node {
	n := &node{pos: o.at(y)}
	if y.Anchor != "" {
		d.Add(n.pos, "&"+y.Anchor, "anchors are not supported: write the value out")
	}
	switch {
	case depth > MaxDepth:
		d.Add(n.pos, "", fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	case y.Kind == yaml.AliasNode:
		d.Add(n.pos, "*"+y.Value, "aliases are not supported: write the value out")
	case y.Style&yaml.TaggedStyle != 0:
		d.Add(n.pos, y.Tag, fmt.Sprintf("tag %s: tags are not supported", quote(y.Tag)))
	case y.Kind == yaml.SequenceNode:
		n.kind = List
		for _, item := range y.Content {
			n.items = append(n.items, d.convert(item, o, depth+1))
		}
	case y.Kind == yaml.MappingNode:
		n.kind = Mapping
		d.convertEntries(n, y, o, depth)
	case y.Tag == "!!null":
		n.kind = Null
	default:
		n.kind, n.text = Scalar, y.Value
		n.plain, n.block = y.Style == 0, y.Style == yaml.LiteralStyle
		d.checkEscapes(n)
	}
	return n
}

// checkEscapes refuses what a text in quotes may hold by its escapes, such as
// "\e[31m": a report prints texts as they are, and a terminal would obey.
func (d *Doc) checkEscapes(n *node) {
	for line := range strings.SplitSeq(n.text, "\n") {
		if d.json {
			line = strings.TrimSuffix(line, "\r") // a whole file may be in it
		}
		if _, problem := badCharacter(line); problem != "" {
			d.Add(n.pos, "", problem+" in a text: want it left out")
			return
		}
	}
}

func (d *Doc) convertEntries(n *node, y *yaml.Node, o origin, depth int) {
	first := map[string]*node{}
	for i := 0; i < len(y.Content); i += 2 {
		key := d.convertKey(y.Content[i], o)
		value := d.convert(y.Content[i+1], o, depth+1)
		switch before := first[key.text]; {
		case key.kind == refused:
		case before != nil:
			d.addDuplicate(key, before)
		default:
			first[key.text] = key
			n.keys = append(n.keys, key)
			n.items = append(n.items, value)
		}
	}
}

func (d *Doc) addDuplicate(key, before *node) {
	where := ""
	if before.pos.Line > 0 {
		where = fmt.Sprintf(" (first at %d:%d)", before.pos.Line, before.pos.Column)
	}
	d.Add(key.pos, key.text, fmt.Sprintf("duplicate key %s%s", quote(key.text), where))
}

func (d *Doc) convertKey(y *yaml.Node, o origin) *node {
	if y.Kind == yaml.SequenceNode || y.Kind == yaml.MappingNode {
		d.Add(o.at(y), "", "a key must be a text")
		return &node{pos: o.at(y)}
	}
	key := d.convert(y, o, MaxDepth)
	switch {
	case y.Tag == "!!merge":
		d.Add(key.pos, y.Value, "merge keys are not supported: write the values out")
		key.kind = refused
	case key.kind == Null: // a key null, ~ or empty is a word like any other
		key.kind, key.text = Scalar, y.Value
	}
	return key
}

// find returns the index of the item that path starts with, -1 if there is none,
// and the rest of path. A key that holds dots may be written as it is:
// vary.params.ttl finds the key "params.ttl" of vary.
func (n *node) find(path string) (i int, rest string) {
	if n.kind == List {
		part, rest, _ := strings.Cut(path, ".")
		if i, ok := index(part); ok && i < len(n.items) {
			return i, rest
		}
		return -1, path
	}
	for i, key := range n.keys {
		if path == key.text {
			return i, ""
		}
	}
	for i, key := range n.keys {
		if rest, ok := strings.CutPrefix(path, key.text+"."); ok {
			return i, rest
		}
	}
	return -1, path
}

// index reads a list index: digits without sign or leading zeros.
func index(s string) (int, bool) {
	i, err := strconv.Atoi(s)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == s
}

func (n *node) clone() *node {
	c := *n
	c.keys = slices.Clone(n.keys) // keys never change
	c.items = slices.Clone(n.items)
	for i, item := range c.items {
		c.items[i] = item.clone()
	}
	return &c
}
