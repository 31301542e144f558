package strict

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Set changes the value at path, a chain of keys and list indices such as
// faults.0.for, as the flag --set path=value does. Missing keys are created, a
// text on the way becomes a mapping, and the index one past the end of a list
// appends. A value that starts with [, { or a quote is read as YAML; any other
// is the text itself, and an empty one, ~ or null is no value.
//
// The error, an [*Error], tells of a bad path or of a value that cannot be read,
// and changes nothing. Mistakes in the value are found by Decode and located at
// "--set path=value".
func (d *Doc) Set(path, value string) error {
	d.sets++
	at := Position{File: d.name, Set: cut(path + "=" + value), order: d.sets}
	call := &Doc{name: d.name} // collects the problems of this call only
	n := call.parseValue(strings.TrimSpace(value), at)
	if err := call.Err(); err != nil {
		return err
	}
	return d.put(path, n, at)
}

// Put changes the value at path to v, a value of this or another Doc, whose
// position it keeps: a mistake in it is reported where it was written. The rules
// for path are those of Set.
func (d *Doc) Put(path string, v *Value) error {
	return d.put(path, v.node.clone(), v.node.pos)
}

func (d *Doc) put(path string, n *node, at Position) error {
	call := &Doc{name: d.name, lines: d.lines}
	_, unprintable := badCharacter(path)
	switch {
	case unprintable != "", slices.Contains(strings.Split(path, "."), ""):
		call.Add(at, path, fmt.Sprintf("%s is not a path: want keys and indices such as faults.0.for", quote(path)))
	case strings.Count(path, ".") >= MaxDepth:
		call.Add(at, path, fmt.Sprintf("the path is deeper than %d levels", MaxDepth))
	default:
		if root := call.graft(d.root, path, n, at); root != nil {
			d.root = root
		}
	}
	return call.Err()
}

// parseValue reads the value of a Set.
func (d *Doc) parseValue(value string, at Position) *node {
	switch {
	case len(value) > MaxSize:
		d.Add(at, "", fmt.Sprintf("the value is too large: want at most %d KiB", MaxSize/1024))
	case value == "" || value == "~" || value == "null":
		return &node{kind: Null, pos: at}
	case strings.ContainsRune("[{\"'", rune(value[0])):
		return d.parseFlow(value, at)
	}
	for line := range strings.SplitSeq(value, "\n") {
		if _, problem := badCharacter(line); problem != "" {
			d.Add(at, value, problem)
			break
		}
	}
	return &node{kind: Scalar, text: value, plain: true, pos: at}
}

func (d *Doc) parseFlow(value string, at Position) *node {
	var text Doc
	root, err := text.read(value)
	if err == nil {
		err = text.Err()
	}
	switch {
	case err != nil:
		d.Add(at, value, err.(*Error).Problems[0].Message)
	case root.Kind == yaml.MappingNode && root.Style&yaml.FlowStyle == 0:
		// "a": b and [a]: b are block mappings, whatever they start with.
		d.Add(at, value, fmt.Sprintf("%s is not a value: want a text, [a, b] or {key: value}", quote(value)))
	default:
		return d.convert(root, origin{set: &at}, 1)
	}
	return nil
}

// graft returns old with n put in at path, or nil where path leads nowhere; then
// old is unchanged.
func (d *Doc) graft(old *node, path string, n *node, at Position) *node {
	if path == "" {
		return n
	}
	if old.kind != List && old.kind != Mapping {
		old = &node{kind: Mapping, pos: at}
		if part, _, _ := strings.Cut(path, "."); isIndex(part) {
			old.kind = List
		}
	}
	i, rest := old.find(path)
	if i >= 0 {
		item := d.graft(old.items[i], rest, n, at)
		if item == nil {
			return nil
		}
		old.items[i] = item
		return old
	}
	part, rest, _ := strings.Cut(path, ".")
	if old.kind == List && part != fmt.Sprint(len(old.items)) {
		d.Add(at, part, fmt.Sprintf("%s is not an index here: want %s", quote(part), span(len(old.items))))
		return nil
	}
	item := d.graft(&node{kind: Null, pos: at}, rest, n, at)
	if item == nil {
		return nil
	}
	if old.kind == Mapping {
		old.keys = append(old.keys, &node{kind: Scalar, text: part, plain: true, pos: at})
	}
	old.items = append(old.items, item)
	return old
}

// span names the indices that a list of n entries takes, the one that appends
// included.
func span(n int) string {
	if n == 0 {
		return "0, which appends"
	}
	return fmt.Sprintf("0 to %d, where %d appends", n, n)
}

func isIndex(s string) bool {
	_, ok := index(s)
	return ok
}
