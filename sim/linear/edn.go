package linear

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shape is what a form is.
type shape uint8

const (
	missing shape = iota
	word          // nil, 7, x
	keyword       // :x, without the colon
	text          // "x", without the quotes
	vector        // [x y], and (x y)
	table         // {x y}
)

// A form is a part of a line of EDN.
type form struct {
	kind   shape
	text   string
	items  []form
	column int // from 1
}

// is reports whether a form is a word, or with a colon a keyword.
func (f form) is(what string) bool {
	return f.kind == word && f.text == what || f.kind == keyword && ":"+f.text == what
}

// String returns the form as messages have it.
func (f form) String() string {
	switch f.kind {
	case missing:
		return "nothing"
	case keyword:
		return ":" + f.text
	case text:
		return show(strconv.Quote(f.text))
	case vector:
		return fmt.Sprintf("a list of %d", len(f.items))
	case table:
		return "a map"
	}
	return show(f.text)
}

// A scanner reads the forms of one line.
//
// Source: the EDN format, github.com/edn-format/edn, without tags, characters and
// comments inside a line, which histories do not have.
type scanner struct {
	line string
	pos  int
}

// deepest is how deep forms may be in each other.
const deepest = 8

func (s *scanner) space() {
	for s.pos < len(s.line) && strings.IndexByte(" \t\r,", s.line[s.pos]) >= 0 {
		s.pos++
	}
}

// atEnd reports whether the line has no more forms.
func (s *scanner) atEnd() bool {
	s.space()
	return s.pos == len(s.line)
}

// next reads a form. At the end of the line it is missing.
func (s *scanner) next(depth int) (form, error) {
	if s.atEnd() {
		return form{column: s.pos + 1}, nil
	}
	f := form{column: s.pos + 1}
	switch c := s.line[s.pos]; c {
	case '"':
		return s.quoted(f)
	case '[', '(':
		f.kind = vector
		return s.group(f, map[byte]byte{'[': ']', '(': ')'}[c], depth)
	case '{':
		f.kind = table
		return s.group(f, '}', depth)
	case ']', ')', '}', ';', '#', '\\':
		return f, at(f.column, "want a form, got %q", string(c))
	case ':':
		s.pos++
		f.kind = keyword
	default:
		f.kind = word
	}
	from := s.pos
	for s.pos < len(s.line) && strings.IndexByte(" \t\r,\"[](){};\\", s.line[s.pos]) < 0 {
		s.pos++
	}
	f.text = s.line[from:s.pos]
	if f.text == "" || !utf8.ValidString(f.text) {
		return f, at(f.column, "want a word in UTF-8, got %q", f.text)
	}
	return f, nil
}

// group reads the forms up to a closing bracket.
func (s *scanner) group(f form, closing byte, depth int) (form, error) {
	if depth == deepest {
		return f, at(f.column, "want forms at most %d deep, got deeper ones", deepest)
	}
	for s.pos++; !s.atEnd() && s.line[s.pos] != closing; {
		item, err := s.next(depth + 1)
		if err != nil {
			return f, err
		}
		f.items = append(f.items, item)
	}
	if s.pos == len(s.line) {
		return f, at(s.pos+1, "want %q, which closes column %d, got the end of the line", string(closing), f.column)
	}
	s.pos++
	return f, nil
}

// quoted reads a text. The escapes of EDN are among those of Go.
func (s *scanner) quoted(f form) (form, error) {
	from := s.pos
	for s.pos++; s.pos < len(s.line) && s.line[s.pos] != '"'; s.pos++ {
		if s.line[s.pos] == '\\' {
			s.pos++
		}
	}
	if s.pos >= len(s.line) {
		s.pos = len(s.line)
		return f, at(s.pos+1, "want a quote, which closes column %d, got the end of the line", f.column)
	}
	s.pos++
	decoded, err := strconv.Unquote(s.line[from:s.pos])
	if err != nil || !utf8.ValidString(decoded) {
		return f, at(f.column, "want a text in UTF-8 with escapes such as \\n, got %s", show(s.line[from:s.pos]))
	}
	f.kind, f.text = text, decoded
	return f, nil
}

// jepsenLogger is what a line about an operation has before its process.
const jepsenLogger = "jepsen.util"

// jepsenLine reads a line of the log, for which see [Jepsen].
func (r *reader) jepsenLine(line string) error {
	i := strings.Index(line, jepsenLogger)
	if i < 0 {
		r.ignored++
		return nil
	}
	s := &scanner{line: line, pos: i + len(jepsenLogger)}
	s.space()
	if !strings.HasPrefix(line[s.pos:], "-") && !strings.HasPrefix(line[s.pos:], ":") {
		return at(s.pos+1, `want " - " after the logger`)
	}
	s.pos++
	e := &event{}
	for _, part := range []*form{&e.process, &e.phase, &e.f, &e.value} {
		var err error
		if *part, err = s.next(0); err != nil {
			return err
		}
		if e.process.kind == keyword {
			r.ignored++
			return nil
		}
	}
	if (e.phase.is(":invoke") || e.phase.is(":ok")) && !s.atEnd() {
		return at(s.pos+1, "want the end of the line, got more") // others have a reason there
	}
	return r.event(e, int64(r.line))
}

// ednLine reads a map, for which see [EDN].
func (r *reader) ednLine(line string) error {
	s := &scanner{line: line}
	if s.atEnd() || line[s.pos] == ';' {
		return nil
	}
	m, err := s.next(0)
	switch {
	case err != nil:
		return err
	case m.kind != table:
		return at(m.column, "want a map, as in {:process 3, ...}, got %v", m)
	case !s.atEnd():
		return at(s.pos+1, "want the end of the line, got more")
	case len(m.items)%2 != 0:
		return at(m.items[len(m.items)-1].column, "want a value for each key of the map")
	}
	none := form{column: m.column}
	e := &event{none, none, none, none, none}
	parts := map[string]*form{":process": &e.process, ":type": &e.phase, ":f": &e.f, ":key": &e.key, ":value": &e.value}
	for i := 0; i < len(m.items); i += 2 {
		part := parts[m.items[i].String()]
		switch {
		case part == nil:
		case part.kind != missing:
			return at(m.items[i].column, "want each key once, got %v again", m.items[i])
		default:
			*part = m.items[i+1]
		}
	}
	if e.process.kind == keyword {
		r.ignored++
		return nil
	}
	return r.event(e, int64(r.line))
}
