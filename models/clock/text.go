package clock

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"fencepost/internal/text"
)

// ParseError says what is wrong with the text of a clock, and where.
type ParseError struct {
	Form   string // what the text should have been
	Offset int    // bytes from the beginning of the text, 0 and up
	Why    string
}

func (e *ParseError) Error() string { return fmt.Sprintf("%s, offset %d: %s", e.Form, e.Offset, e.Why) }

// scanner reads the text forms of clocks, which are also their JSON forms, but for the
// ids, which need no quotes in a text. The first mistake stays.
type scanner struct {
	form, text string
	at         int
	err        *ParseError
}

func (s *scanner) fail(at int, format string, args ...any) {
	if s.err == nil {
		s.err = &ParseError{s.form, at, fmt.Sprintf(format, args...)}
	}
}

// peek is the next byte that is no space, 0 at the end and after a mistake.
func (s *scanner) peek() byte {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
	if s.at == len(s.text) || s.err != nil {
		return 0
	}
	return s.text[s.at]
}

// eat takes a byte if it is the next.
func (s *scanner) eat(c byte) bool {
	if s.peek() != c || c == 0 {
		return false
	}
	s.at++
	return true
}

// want takes a byte that has to be the next.
func (s *scanner) want(c byte) {
	if !s.eat(c) {
		s.fail(s.at, "expected %q, got %s", c, s.next())
	}
}

// next is what comes next, for a message.
func (s *scanner) next() string {
	if s.peek(); s.at == len(s.text) {
		return "the end"
	}
	return strconv.Quote(text.Excerpt(s.text[s.at:], 20))
}

// list reads items between brackets, with commas.
func (s *scanner) list(open, shut byte, item func()) {
	s.want(open)
	for n := 0; s.err == nil && !s.eat(shut); n++ {
		if n > 0 && !s.eat(',') {
			s.fail(s.at, "expected ',' or %q, got %s", shut, s.next())
		}
		if n == MaxEntries {
			s.fail(s.at, "more than %d entries", MaxEntries)
		}
		item()
	}
}

// number takes a whole number of at most so much.
func (s *scanner) number(what string, most uint64) uint64 {
	s.peek()
	at := s.at
	if s.eat('-') {
		s.fail(at, "%s %s is negative", what, text.Excerpt(s.text[at:at+1+digits(s.text[at+1:])], 20))
		return 0
	}
	s.at += digits(s.text[s.at:])
	if at == s.at {
		s.fail(at, "expected a %s, got %s", what, s.next())
		return 0
	}
	n, err := strconv.ParseUint(s.text[at:s.at], 10, 64)
	if err != nil || n > most {
		s.fail(at, "%s %s is above the limit of %d", what, text.Excerpt(s.text[at:s.at], 20), most)
		return 0
	}
	return n
}

func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// plain are the bytes of an id that needs no quotes in a text.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.'/"

// word takes an id, in quotes or plain.
func (s *scanner) word() string {
	c := s.peek()
	at := s.at
	if c != '"' {
		s.at += len(s.text[at:]) - len(strings.TrimLeft(s.text[at:], plain))
		if at == s.at {
			s.fail(at, "expected an id, got %s", s.next())
		}
		return s.text[at:s.at]
	}
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	if s.at++; s.at > len(s.text) {
		s.at = len(s.text)
		s.fail(at, "the quote is not closed")
		return ""
	}
	var word string
	if err := json.Unmarshal([]byte(s.text[at:s.at]), &word); err != nil {
		s.fail(at, "%s is no quoted id: %v", text.Excerpt(s.text[at:s.at], 20), err)
	}
	return word
}

// end is the mistake, or what is left.
func (s *scanner) end() error {
	if s.peek() != 0 {
		s.fail(s.at, "unexpected %s", s.next())
	} else if s.at < len(s.text) {
		s.fail(s.at, "unexpected zero byte")
	}
	if s.err != nil {
		return s.err
	}
	return nil
}

// parseID takes an id.
func parseID[I ID](s *scanner) (id I) {
	s.peek()
	at := s.at
	word := s.word()
	if len(word) > MaxIDLength {
		s.fail(at, "an id of %d bytes, at most %d", len(word), MaxIDLength)
	}
	if s.err != nil {
		return id
	}
	if err := setID(&id, word); err != nil {
		s.fail(at, "%v", err)
	}
	return id
}

// setID reads an id by its own rule, or as the text or whole number that it is.
func setID[I ID](id *I, word string) error {
	if u, ok := any(id).(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(word))
	}
	var err error
	switch v := reflect.ValueOf(id).Elem(); v.Kind() {
	case reflect.String:
		v.SetString(word)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(word, 10, v.Type().Bits())
		v.SetInt(n)
	default:
		var n uint64
		n, err = strconv.ParseUint(word, 10, v.Type().Bits())
		v.SetUint(n)
	}
	if err != nil {
		return fmt.Errorf("%q is no id of type %T", text.Excerpt(word, 20), *id)
	}
	return nil
}

// idText is an id as a text, before quotes.
func idText[I ID](id I) string { return fmt.Sprint(id) }

// idSize is how many bytes an id takes in a message.
func idSize[I ID](id I) int {
	switch v := reflect.ValueOf(id); v.Kind() {
	case reflect.String:
		return varint(uint64(v.Len())) + v.Len()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := v.Int()
		return varint(uint64(n)<<1 ^ uint64(n>>63)) // zigzag, as in protocol buffers
	default:
		return varint(v.Uint())
	}
}

// quoted is a string as JSON, which may not fail: what is not UTF-8 is replaced.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string cannot
	}
	return string(b)
}

// needsQuotes reports whether an id cannot stand plain in a text.
func needsQuotes(text string) bool {
	return text == "" || strings.Trim(text, plain) != ""
}

// reading takes a reading of a clock, which may be negative.
func (s *scanner) reading() Reading {
	s.peek()
	sign := Reading(1)
	if s.eat('-') {
		sign = -1
	}
	return sign * Reading(s.number("reading", uint64(MaxReading)))
}

// String is l,c.
func (t Timestamp) String() string { return fmt.Sprintf("%d,%d", t.L, t.C) }

// MarshalText implements [encoding.TextMarshaler].
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]: l between -2^62 and 2^62, c of
// 32 bits.
func (t *Timestamp) UnmarshalText(text []byte) error {
	s := scanner{form: "hybrid timestamp", text: string(text)}
	l := s.reading()
	s.want(',')
	c := s.number("counter", math.MaxUint32)
	if err := s.end(); err != nil {
		return err
	}
	*t = Timestamp{l, uint32(c)}
	return nil
}

// String is counter@process.
func (s Stamp[I]) String() string { return fmt.Sprintf("%d@%s", s.C, textOf(s.P)) }

// MarshalText implements [encoding.TextMarshaler].
func (s Stamp[I]) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Stamp[I]) UnmarshalText(text []byte) error {
	in := scanner{form: "Lamport stamp", text: string(text)}
	c := in.number("counter", MaxCount)
	in.want('@')
	p := parseID[I](&in)
	if err := in.end(); err != nil {
		return err
	}
	*s = Stamp[I]{c, p}
	return nil
}

// String is l,c@node.
func (s HybridStamp[I]) String() string { return s.Timestamp.String() + "@" + textOf(s.Node) }

// MarshalText implements [encoding.TextMarshaler].
func (s HybridStamp[I]) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *HybridStamp[I]) UnmarshalText(text []byte) error {
	in := scanner{form: "hybrid stamp", text: string(text)}
	l := in.reading()
	in.want(',')
	c := in.number("counter", math.MaxUint32)
	in.want('@')
	node := parseID[I](&in)
	if err := in.end(); err != nil {
		return err
	}
	*s = HybridStamp[I]{Timestamp{l, uint32(c)}, node}
	return nil
}

// String is id:n.
func (d Dot[I]) String() string { return fmt.Sprintf("%s:%d", textOf(d.ID), d.N) }

// MarshalText implements [encoding.TextMarshaler].
func (d Dot[I]) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]: n is at most [MaxCount].
func (d *Dot[I]) UnmarshalText(text []byte) error {
	in := scanner{form: "dot", text: string(text)}
	id := parseID[I](&in)
	in.want(':')
	n := in.number("counter", MaxCount)
	if err := in.end(); err != nil {
		return err
	}
	*d = Dot[I]{id, n}
	return nil
}

// String is {a:1@5,b:2@7}: counters, and the readings at which they were counted last.
func (v TimedVector[I]) String() string {
	var b strings.Builder
	for i, e := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d@%d", textOf(e.ID), e.N, e.At)
	}
	return "{" + b.String() + "}"
}

// MarshalText implements [encoding.TextMarshaler].
func (v TimedVector[I]) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]: ids ascend, counters are at most
// [MaxCount], readings between -2^62 and 2^62, and there are at most [MaxEntries].
func (v *TimedVector[I]) UnmarshalText(text []byte) error {
	in := scanner{form: "timed vector", text: string(text)}
	w := TimedVector[I]{}
	in.list('{', '}', func() {
		in.peek()
		at := in.at
		e := TimedEntry[I]{ID: parseID[I](&in)}
		if n := len(w); n > 0 && w[n-1].ID >= e.ID {
			in.fail(at, "%v after %v: ids ascend", e.ID, w[n-1].ID)
		}
		in.want(':')
		e.N = in.number("counter", MaxCount)
		in.want('@')
		e.At = in.reading()
		w = append(w, e)
	})
	if err := in.end(); err != nil {
		return err
	}
	*v = w
	return nil
}

// textOf is an id as it stands in a text.
func textOf[I ID](id I) string {
	text := idText(id)
	if needsQuotes(text) {
		return quoted(text)
	}
	return text
}
