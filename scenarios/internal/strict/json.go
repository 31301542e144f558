package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ParseJSON parses data as one JSON document of at most this many values, by the rules
// of [Parse]: duplicate keys are refused, and Decode converts nothing silently. It
// fails where nothing more can be read: text that is no JSON, or is cut off. The error
// is an [*Error].
func ParseJSON(name string, data []byte, values int) (*Doc, error) {
	d := &Doc{name: name, json: true}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	if !utf8.ValidString(text) {
		return nil, d.refuse("not UTF-8: want a text file")
	}
	d.lines = strings.Split(text, "\n")
	r := jsonReader{doc: d, text: text, line: 1, column: 1, left: values, tokens: json.NewDecoder(strings.NewReader(text))}
	r.tokens.UseNumber()
	root, err := r.value(1)
	if err == nil {
		r.here()
		if _, err = r.tokens.Token(); err == io.EOF {
			d.root = root
			return d, nil
		}
		if err == nil {
			err = errSecond
		}
	}
	r.refuse(err)
	return nil, d.Err()
}

// jsonReader turns tokens into a tree, and keeps where it stands in the text.
type jsonReader struct {
	doc          *Doc
	text         string
	tokens       *json.Decoder
	offset       int // in bytes, up to where line and column are known
	line, column int
	left         int // values that may still come
}

// forward moves to an offset that is not before where it stands.
func (r *jsonReader) forward(to int) {
	for _, c := range r.text[r.offset:to] {
		if r.column++; c == '\n' {
			r.line, r.column = r.line+1, 1
		}
	}
	r.offset = to
}

// here is the position of the token that comes next.
func (r *jsonReader) here() Position {
	at := int(r.tokens.InputOffset())
	at += len(r.text[at:]) - len(strings.TrimLeft(r.text[at:], " \t\r\n,:"))
	r.forward(at)
	return Position{File: r.doc.name, Line: r.line, Column: r.column}
}

// Why a document is refused that is JSON.
var (
	errTooMany = errors.New("too many values") // it would take too much memory
	errSecond  = errors.New("a second value behind the first")
)

// value reads the next value.
func (r *jsonReader) value(depth int) (*node, error) {
	n := &node{pos: r.here()}
	if r.left--; r.left < 0 {
		return nil, errTooMany
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	t, err := r.tokens.Token()
	switch t := t.(type) {
	case nil:
		n.kind = Null
	case bool:
		n.kind, n.plain, n.text = Scalar, true, fmt.Sprint(t)
	case json.Number:
		n.kind, n.plain, n.text = Scalar, true, t.String()
	case string:
		n.kind, n.text = Scalar, t
		r.doc.checkEscapes(n)
	case json.Delim:
		n.kind = List
		if t == '{' {
			n.kind = Mapping
		}
		return n, r.items(n, depth)
	}
	return n, err
}

// items reads what a list or mapping holds, to its end.
func (r *jsonReader) items(n *node, depth int) error {
	first := map[string]*node{}
	for r.tokens.More() {
		var key *node
		if n.kind == Mapping {
			var err error
			if key, err = r.value(MaxDepth); err != nil {
				return err
			}
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		if key != nil {
			if before := first[key.text]; before != nil {
				r.doc.addDuplicate(key, before)
				continue
			}
			first[key.text] = key
			n.keys = append(n.keys, key)
		}
		n.items = append(n.items, item)
	}
	_, err := r.tokens.Token()
	return err
}

// refuse reports why the text cannot be read further.
func (r *jsonReader) refuse(err error) {
	if err != errSecond {
		r.here()
	}
	message, at := err.Error(), r.offset
	syntax := (*json.SyntaxError)(nil)
	switch {
	case errors.Is(err, io.EOF) && strings.TrimSpace(r.text) == "":
		r.doc.Add(Position{File: r.doc.name}, "", "the file is empty")
		return
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		message, at = "the file ends in the middle: it was cut off", len(r.text)
	case errors.As(err, &syntax):
		message = "not valid JSON: " + syntax.Error() // its offset counts from some token or other
	}
	r.forward(min(at, len(r.text)))
	r.doc.Add(Position{File: r.doc.name, Line: r.line, Column: r.column}, "", message)
}
