package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fencepost/internal/text"
)

const (
	maxReported  = 50   // problems in an Error
	maxCollected = 1000 // problems kept by a Doc, so that bad input stays cheap
	maxWords     = 30   // valid words in a message
	maxText      = 60   // characters of input in a message
)

// Position is a place in a file, or in a value given by Set.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // from 1; 0 is the file as a whole
	Column int    `json:"column,omitempty"` // in characters, from 1
	Set    string `json:"set,omitempty"`    // "path=value" if the place is there
	Path   string `json:"path,omitempty"`   // keys and indices, as in faults.0.for

	order int // of the Set
}

// String returns file:line:column or "--set path=value".
func (p Position) String() string {
	switch {
	case p.Set != "":
		return "--set " + printable(p.Set)
	case p.Line == 0:
		return printable(p.File)
	}
	return fmt.Sprintf("%s:%d:%d", printable(p.File), p.Line, p.Column)
}

// compare orders positions as a report does: the file from the top, then what
// Set gave, in that order.
func (p Position) compare(q Position) int {
	return cmp.Or(
		cmp.Compare(p.order, q.order),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column),
	)
}

// Problem is one mistake.
type Problem struct {
	Position
	Text    string `json:"text,omitempty"`    // the offending text, cut if long
	Message string `json:"message"`           // what is wrong and what was wanted
	Nearest string `json:"nearest,omitempty"` // the valid word that Text is near to
	Excerpt string `json:"excerpt,omitempty"` // the line with a mark under Text

	raw    string // Text in full
	syntax bool   // the excerpt starts a line earlier
}

// String returns position, message and path in one line.
func (p Problem) String() string {
	s := fmt.Sprintf("%s: %s", p.Position, p.Message)
	if p.Path != "" && !strings.HasPrefix(p.Set, p.Path) {
		s += fmt.Sprintf(" (at %s)", printable(p.Path))
	}
	return s
}

// Error is every mistake found in a document, in the order of the file.
type Error struct {
	Problems []Problem `json:"problems"`       // at most 50
	More     int       `json:"more,omitempty"` // mistakes beyond those

	cause error
}

// Error returns one line per problem, each with its excerpt.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
		if p.Excerpt != "" {
			b.WriteByte('\n')
			b.WriteString(p.Excerpt)
		}
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.More)
	}
	return b.String()
}

// Unwrap returns why a file could not be read, such as [io/fs.ErrNotExist], or nil.
func (e *Error) Unwrap() error { return e.cause }

// Add reports a mistake: got is what stands at the position and message what is
// wrong with it. If valid words are given, the message continues with the one
// nearest to it, or with all of them.
func (d *Doc) Add(at Position, got, message string, valid ...string) {
	p := Problem{Position: at, Text: got, Message: message, Nearest: text.Nearest(got, valid)}
	switch {
	case p.Nearest != "":
		p.Message += fmt.Sprintf("; did you mean %q?", p.Nearest)
	case len(valid) > maxWords:
		p.Message += "; want one of " + strings.Join(valid[:maxWords], ", ") + ", ..."
	case len(valid) > 1:
		p.Message += "; want one of " + strings.Join(valid, ", ")
	case len(valid) == 1:
		p.Message += "; want " + valid[0]
	}
	d.add(p)
}

func (d *Doc) add(p Problem) {
	if len(d.problems) == maxCollected {
		d.dropped++
		return
	}
	p.raw, p.Text = p.Text, cut(p.Text)
	p.Message = printable(p.Message) // words of the input may be in it
	d.problems = append(d.problems, p)
}

// count grows with every mistake.
func (d *Doc) count() int { return len(d.problems) + d.dropped }

// Err returns everything found so far as an [*Error], or nil. The same mistake
// at the same place is reported once, so a document may be decoded twice.
func (d *Doc) Err() error {
	if len(d.problems) == 0 {
		return nil
	}
	list := slices.Clone(d.problems)
	slices.SortStableFunc(list, func(a, b Problem) int { return a.compare(b.Position) })
	seen := map[Problem]bool{}
	list = slices.DeleteFunc(list, func(p Problem) bool {
		was := seen[p]
		seen[p] = true
		return was
	})
	e := &Error{Problems: list, More: d.dropped}
	if len(list) > maxReported {
		e.Problems, e.More = list[:maxReported], d.dropped+len(list)-maxReported
	}
	for i := range e.Problems {
		e.Problems[i].Excerpt = d.excerpt(e.Problems[i])
	}
	return e
}

// quote returns s in quotes, cut if long, with control characters escaped.
func quote(s string) string { return strconv.Quote(cut(s)) }

// cut shortens s to maxText characters.
func cut(s string) string {
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// printable returns s with a ? for what a terminal might obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' ' // one column, as the mark below counts
		case unicode.IsPrint(r):
			return r
		}
		return '?'
	}, s)
}
