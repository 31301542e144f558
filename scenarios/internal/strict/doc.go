// Package strict decodes YAML text into Go structs and reports every mistake at
// once: with file, line, column, the offending text, what was wanted, and the
// nearest valid word.
//
// It reads less than YAML allows. Anchors, aliases, merge keys, explicit tags,
// second documents, duplicate keys and tabs as indentation are refused, and no
// value is converted silently: 1.5 is not an integer, 5 is not a duration, null
// is not an empty list.
//
// A [Doc] is read, changed with [Doc.Set], decoded with [Doc.Decode], and then
// collects what its caller finds wrong with the decoded values ([Doc.Add]), so
// that [Doc.Err] is one report in the order of the file.
package strict

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest file and the longest value of Set, in bytes.
const MaxSize = 1 << 20

// MaxDepth is how deep lists and mappings may be nested.
const MaxDepth = 64

// Doc is one parsed file and the mistakes found in it so far. Positions are
// kept; nothing is decoded before Decode.
type Doc struct {
	name     string
	lines    []string
	root     *node
	sets     int // values given by Set so far
	problems []Problem
	dropped  int                     // problems beyond maxCollected
	readers  map[reflect.Type]reader // see Teach
	json     bool                    // it was parsed by ParseJSON
}

// ReadFile reads and parses the file at path. A file over MaxSize is refused
// without being read to its end. The error is an [*Error].
func ReadFile(path string) (*Doc, error) {
	d := &Doc{name: path}
	f, err := os.Open(path)
	if err != nil {
		return nil, d.unreadable(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, d.unreadable(err)
	case info.IsDir():
		return nil, d.refuse("this is a directory: want a YAML file")
	}
	// One byte more than allowed is enough for Parse to refuse the rest.
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, d.unreadable(err)
	}
	return Parse(path, data)
}

// Parse reads data as one YAML document; name stands for it in messages. It
// fails only where nothing more can be read: text that is no YAML, is empty or
// is too large. What is YAML but refused here (anchors, duplicate keys and so
// on) is reported by Decode and Err, together with the mistakes in the values.
// The error is an [*Error].
func Parse(name string, data []byte) (*Doc, error) {
	d := &Doc{name: name}
	if len(data) > MaxSize {
		return nil, d.tooLarge()
	}
	root, err := d.read(strings.TrimPrefix(string(data), "\uFEFF"))
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, d.refuse("the file is empty: want lines such as \"key: value\"")
	}
	d.root = d.convert(root, origin{file: name}, 1)
	return d, nil
}

// Decode stores the document in the struct that into points to, over the values
// already there: what the document leaves out stays as it is. It returns Err.
//
// A field takes part if it has a tag `yaml:"name,options"`; a struct embedded
// without a tag lends its fields. The options are
//
//	required        the key must be there
//	one-or-many     a list may be written as its only element
//	oneof=a|b|c     the text is one of these words
//	signed          a duration may be negative
//	ppb             an int64 in parts per billion, written 100ppm (see [PartsPerBillion])
//	proportion      an int64 in parts per billion, written 1% (see [Proportion])
//	size            an int64 in bytes, written 10KB (see [Size])
//
// Fields are strings, booleans, integers, [time.Duration], structs, slices and
// arrays of these, pointers (nil where the key is absent or null), [Map],
// *[Value] for a part decoded later, whatever implements [Unmarshaler] or
// [encoding.TextUnmarshaler], and what [Teach] has taught. A list or Map in the
// document replaces the one in the struct. Any other type is a mistake in the
// program, and Decode panics.
func (d *Doc) Decode(into any) error {
	d.Root().Decode(into)
	return d.Err()
}

// Root returns the whole document.
func (d *Doc) Root() *Value { return &Value{doc: d, node: d.root} }

// Name is what stands for the document in messages.
func (d *Doc) Name() string { return d.name }

// Source returns the text that was parsed, without the changes of Set.
func (d *Doc) Source() string { return strings.Join(d.lines, "\n") }

// Lookup returns the value at a path such as faults.0.for, or nil where there
// is none.
func (d *Doc) Lookup(path string) *Value {
	n, rest := d.walk(path)
	if rest != "" {
		return nil
	}
	return &Value{doc: d, node: n, path: path}
}

// Text returns the scalar at path as written, without quotes; it is empty where
// there is none.
func (d *Doc) Text(path string) string {
	if v := d.Lookup(path); v != nil && v.Kind() == Scalar {
		return v.node.text
	}
	return ""
}

// At returns the position of the value at path, or of the nearest value around
// it where there is none.
func (d *Doc) At(path string) Position {
	n, _ := d.walk(path)
	at := n.pos
	at.Path = path
	return at
}

// Inside returns the position of a place in the text at path: a line of it, and a byte of
// that, both from 1. It reports false if the file does not have the text as it is, line by
// line behind |, at which a reader could look.
func (d *Doc) Inside(path string, line, column int) (at Position, ok bool) {
	n, rest := d.walk(path)
	lines := strings.Split(n.text, "\n")
	at = n.pos
	at.Path, at.Line = path, n.pos.Line+line
	if rest != "" || !n.block || at.Set != "" || line < 1 || line > len(lines) || at.Line > len(d.lines) {
		return Position{}, false
	}
	text := lines[line-1]
	indent, same := strings.CutSuffix(strings.TrimSuffix(d.lines[at.Line-1], "\r"), text)
	if !same || column < 1 || column > len(text)+1 {
		return Position{}, false
	}
	at.Column = 1 + utf8.RuneCountInString(indent+text[:column-1])
	return at, true
}

// Clone returns a copy that can be changed and decoded independently.
func (d *Doc) Clone() *Doc {
	c := *d
	c.root = d.root.clone()
	c.problems = slices.Clone(d.problems)
	return &c
}

// walk follows path as far as it goes and returns what is left of it.
func (d *Doc) walk(path string) (n *node, rest string) {
	n, rest = d.root, path
	for rest != "" {
		i, after := n.find(rest)
		if i < 0 {
			break
		}
		n, rest = n.items[i], after
	}
	return n, rest
}

func (d *Doc) refuse(message string) error {
	d.Add(Position{File: d.name}, "", message)
	return d.Err()
}

func (d *Doc) tooLarge() error {
	return d.refuse(fmt.Sprintf("the file is too large: want at most %d KiB", MaxSize/1024))
}

func (d *Doc) unreadable(err error) error {
	reason := err
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		reason = p.Err // without the path, which the position names
	}
	d.Add(Position{File: d.name}, "", fmt.Sprintf("cannot read the file: %v", reason))
	e := d.Err().(*Error)
	e.cause = err
	return e
}

// settable returns what into points to.
func settable(into any) reflect.Value {
	rv := reflect.ValueOf(into)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		panic(fmt.Sprintf("strict: cannot decode into %T: want a pointer", into))
	}
	return rv.Elem()
}
