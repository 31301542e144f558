package linear

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is what a form is.
type shape uint8

const (
	missing shape = iota
	word          // nil, 7, x, \c
	keyword       // :x, without the colon
	text          // "x", without the quotes
	vector        // [x y], and (x y)
	table         // {x y}
	set           // #{x y}
	tagged        // #x y, x without the hash
)

// A form is a part of a text in EDN.
type form struct {
	kind   shape
	text   string
	items  []form
	offset int
}

// is reports whether a form is a word, or with a colon a keyword.
func (f form) is(what string) bool {
	return f.kind == word && f.text == what || f.kind == keyword && ":"+f.text == what
}

// isPair reports whether a form is a list of two.
func (f form) isPair() bool { return f.kind == vector && len(f.items) == 2 }

// String returns the form as messages have it.
func (f form) String() string {
	switch f.kind {
	case missing:
		return "nothing"
	case keyword:
		return show(":" + f.text)
	case text:
		return show(strconv.Quote(f.text))
	case vector:
		return fmt.Sprintf("a list of %d", len(f.items))
	case table:
		return "a map"
	case set:
		return "a set"
	case tagged:
		return "a form tagged " + show(f.text)
	}
	return show(f.text)
}

// A scanner reads the forms of a text: of a whole file of EDN, or of one line of a log.
//
// Source: the EDN format, github.com/edn-format/edn.
type scanner struct {
	text string
	pos  int
	end  string // what the end of the text is the end of: "line" or "file"
}

// deepest is how deep forms may be in each other.
const deepest = 100

// separators are what a word cannot have inside.
const separators = blanks + `"[](){};\`

// blanks separate forms; a comma is one of them.
const blanks = " \t\r\n\f\v,"

// space passes over what is not a form: blanks, and in a file comments.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case strings.IndexByte(blanks, c) >= 0:
			s.pos++
		case c == ';' && s.end == "file":
			s.pos = lineEnd(s.text, s.pos)
		default:
			return
		}
	}
}

// skip passes over space and over forms that #_ discards.
func (s *scanner) skip(depth int) error {
	for s.space(); strings.HasPrefix(s.text[s.pos:], "#_"); s.space() {
		from := s.pos
		s.pos += len("#_")
		switch f, err := s.next(depth + 1); {
		case err != nil:
			return err
		case f.kind == missing:
			return at(from, "want a form after #_, got the end of the %s", s.end)
		}
	}
	return nil
}

// next reads a form. At the end of the text it is missing.
func (s *scanner) next(depth int) (form, error) {
	if depth > deepest {
		return form{}, at(s.pos, "want forms at most %d deep, got deeper ones", deepest)
	}
	if err := s.skip(depth); err != nil {
		return form{}, err
	}
	f := form{offset: s.pos}
	if s.pos == len(s.text) {
		return f, nil
	}
	switch c := s.text[s.pos]; c {
	case '"':
		return s.quoted(f)
	case '[', '(':
		f.kind = vector
		return s.group(f, map[byte]byte{'[': ']', '(': ')'}[c], depth)
	case '{':
		f.kind = table
		f, err := s.group(f, '}', depth)
		if err == nil && len(f.items)%2 != 0 {
			err = at(f.items[len(f.items)-1].offset, "want a value for each key of the map")
		}
		return f, err
	case ']', ')', '}', ';':
		return f, at(f.offset, "want a form, got %q", string(c))
	case '#':
		return s.dispatched(f, depth)
	case '\\':
		return s.character(f)
	case ':':
		s.pos++
		f.kind = keyword
	default:
		f.kind = word
	}
	var err error
	f.text, err = s.word(f.offset)
	return f, err
}

// word reads up to a separator.
func (s *scanner) word(offset int) (string, error) {
	n := strings.IndexAny(s.text[s.pos:], separators)
	if n < 0 {
		n = len(s.text) - s.pos
	}
	got := s.text[s.pos : s.pos+n]
	if got == "" || !utf8.ValidString(got) || strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return "", at(offset, "want a word of printable characters in UTF-8, got %s", show(got))
	}
	s.pos += n
	return got, nil
}

// character reads \a, \newline, \u0041 and the like: as a word, with its backslash.
func (s *scanner) character(f form) (form, error) {
	_, size := utf8.DecodeRuneInString(s.text[s.pos+1:])
	from := s.pos
	s.pos += 1 + size
	if n := strings.IndexAny(s.text[s.pos:], separators); n >= 0 {
		s.pos += n
	} else {
		s.pos = len(s.text)
	}
	f.kind, f.text = word, s.text[from:s.pos]
	if size == 0 || !utf8.ValidString(f.text) || strings.IndexFunc(f.text, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return f, at(f.offset, `want a character such as \a, got %s`, show(f.text))
	}
	return f, nil
}

// dispatched reads what starts with a hash: a set, or a form with a tag. Namespaced maps,
// #:x{...}, count as tagged.
func (s *scanner) dispatched(f form, depth int) (form, error) {
	if s.pos++; strings.HasPrefix(s.text[s.pos:], "{") {
		f.kind = set
		return s.group(f, '}', depth)
	}
	tag, err := s.word(f.offset)
	if err != nil || strings.HasPrefix(tag, "#") {
		return f, at(f.offset, "want a set or a tag after #")
	}
	inner, err := s.next(depth + 1)
	if err == nil && inner.kind == missing {
		err = at(f.offset, "want a form after the tag %s, got the end of the %s", show(tag), s.end)
	}
	f.kind, f.text, f.items = tagged, tag, []form{inner}
	return f, err
}

// group reads the forms up to a closing bracket.
func (s *scanner) group(f form, closing byte, depth int) (form, error) {
	for s.pos++; ; {
		if err := s.skip(depth); err != nil {
			return f, err
		}
		switch {
		case s.pos == len(s.text):
			return f, s.unclosed(f.offset, string(closing))
		case s.text[s.pos] == closing:
			s.pos++
			return f, nil
		}
		item, err := s.next(depth + 1)
		if err != nil {
			return f, err
		}
		f.items = append(f.items, item)
	}
}

// unclosed is the error of a text that ends inside what an offset opens.
func (s *scanner) unclosed(offset int, closing string) error {
	line, column := position(s.text, offset)
	return at(s.pos, "want %s, which closes line %d, column %d, got the end of the %s", closing, line, column, s.end)
}

// quoted reads a text.
func (s *scanner) quoted(f form) (form, error) {
	f.kind = text
	for s.pos++; ; {
		n := strings.IndexAny(s.text[s.pos:], `"\`)
		if n < 0 {
			s.pos = len(s.text)
			return f, s.unclosed(f.offset, "a quote")
		}
		f.text += s.text[s.pos : s.pos+n]
		if s.pos += n; s.text[s.pos] == '"' {
			break
		}
		r, size := escaped(s.text[s.pos:])
		if size == 0 {
			return f, at(s.pos, `want an escape such as \n, got %s`, show(s.text[s.pos:min(s.pos+2, len(s.text))]))
		}
		f.text += r
		s.pos += size
	}
	s.pos++
	if !utf8.ValidString(f.text) {
		return f, at(f.offset, "want a text in UTF-8, got %s", show(f.text))
	}
	return f, nil
}

// escaped returns what an escape of a text stands for, and its length, 0 if it is none.
func escaped(from string) (string, int) {
	if len(from) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`tnrbf"\`, from[1]); i >= 0 {
		return "\t\n\r\b\f\"\\"[i : i+1], 2
	}
	unit := func(from string) (rune, bool) {
		if len(from) < 6 || from[:2] != `\u` {
			return 0, false
		}
		n, err := strconv.ParseUint(from[2:6], 16, 16)
		return rune(n), err == nil
	}
	r, ok := unit(from)
	switch {
	case !ok:
		return "", 0
	case r < 0xD800 || r > 0xDFFF:
		return string(r), 6
	}
	low, ok := unit(from[6:])
	if r >= 0xDC00 || !ok || low < 0xDC00 || low > 0xDFFF {
		return "", 0
	}
	return string((r-0xD800)<<10 + (low - 0xDC00) + 0x10000), 12
}
