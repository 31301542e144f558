// Package key is what identifies a request that is sent again: the Idempotency-Key header, the
// keys that clients make of a request's content, as an article has them and repaired, and how
// long a key is kept. Nothing here needs an engine.
package key

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Header is how a server reads Idempotency-Key. The zero Header reads what the draft of the
// IETF asks for, of 1 character and more.
//
// Source: draft-ietf-httpapi-idempotency-key-header, section 2.1; RFC 8941, section 4.2.5.
type Header struct {
	Raw   bool // the key is the whole value, as Stripe takes it; else a quoted string
	Least int  // characters; below 1 is 1
	Most  int  // characters; 0: any number
}

// Structured is a header as the draft asks for, with the usual lengths: a UUID has 36.
func Structured() Header { return Header{Least: 20, Most: 255} }

// Stripe is a header as Stripe reads it.
//
// Source: Stripe API reference, "Idempotent requests".
func Stripe() Header { return Header{Raw: true, Least: 1, Most: 255} }

// Reason is why a header is refused.
type Reason uint8

// The reasons.
const (
	Missing      Reason = iota + 1 // there is no header
	Repeated                       // there are several
	Empty                          // it has no value, or an empty string
	NotUTF8                        // it is no text
	Control                        // it has a control character
	NotASCII                       // a quoted string has only printable ASCII characters
	Unquoted                       // it does not begin with a quotation mark
	Unterminated                   // no quotation mark ends the string
	BadEscape                      // a backslash stands before something else than " or \
	Separator                      // a comma or semicolon: several keys, or parameters
	Trailing                       // something else follows the string
	TooShort
	TooLong
)

// Error is a header that is refused, which a server answers with 400.
type Error struct {
	Reason Reason
	At     int // the byte at which that was seen, from 0; the length in characters of TooShort and TooLong
	header Header
}

// Error is the refusal in words.
func (e *Error) Error() string {
	const name = "Idempotency-Key: "
	switch e.Reason {
	case Missing:
		return name + "the header is missing"
	case Repeated:
		return name + "want one header, got several"
	case Empty:
		return name + "the key is empty"
	case Unquoted:
		return name + `want a structured string in quotation marks, as "8e03978e-40d5-43e8-bc93-6894a57f9324"`
	case TooShort:
		return fmt.Sprintf("%swant at least %d characters, got %d", name, e.header.Least, e.At)
	case TooLong:
		return fmt.Sprintf("%swant at most %d characters, got %d", name, e.header.Most, e.At)
	}
	return fmt.Sprintf("%s%s at byte %d", name, [...]string{NotUTF8: "not UTF-8", Control: "a control character", NotASCII: "a character beyond ASCII",
		Unterminated: "the quotation mark that ends the string is missing", BadEscape: `a backslash before something else than " or \`,
		Separator: "a separator: want one key without parameters", Trailing: "something follows the string"}[e.Reason], e.At)
}

// Parse is the key in the values of the header, one for each time that a request has it. The
// error is an *[Error].
func (h Header) Parse(values ...string) (string, error) {
	fail := func(r Reason, at int) (string, error) { return "", &Error{r, at, h} }
	switch len(values) {
	case 0:
		return fail(Missing, 0)
	case 1:
	default:
		return fail(Repeated, 0)
	}
	value := strings.Trim(values[0], " \t")
	if value == "" {
		return fail(Empty, 0)
	}
	if r, at := h.characters(value); r != 0 {
		return fail(r, at)
	}
	key := value
	if !h.Raw {
		var r Reason
		var at int
		if key, r, at = quoted(value); r != 0 {
			return fail(r, at)
		}
	} else if at := strings.IndexByte(value, ','); at >= 0 { // what a proxy makes of two headers
		return fail(Separator, at)
	}
	switch n := utf8.RuneCountInString(key); {
	case n == 0:
		return fail(Empty, 0)
	case n < h.Least:
		return fail(TooShort, n)
	case h.Most > 0 && n > h.Most:
		return fail(TooLong, n)
	}
	return key, nil
}

// characters is the first character that no key has, and where it is.
func (h Header) characters(value string) (Reason, int) {
	for at, c := range value {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(value[at:], string(utf8.RuneError)):
			return NotUTF8, at
		case c < ' ' || c >= 0x7f && c < 0xa0:
			return Control, at
		case c > 0x7f && !h.Raw:
			return NotASCII, at
		}
	}
	return 0, 0
}

// quoted is the string that a value is, or what is wrong with it and where.
//
// Source: RFC 8941, section 4.2.5.
func quoted(value string) (string, Reason, int) {
	if value[0] != '"' {
		return "", Unquoted, 0
	}
	var b strings.Builder
	for i := 1; i < len(value); i++ {
		switch c := value[i]; c {
		case '\\':
			if i++; i == len(value) || value[i] != '"' && value[i] != '\\' {
				return "", BadEscape, i - 1
			}
			b.WriteByte(value[i])
		case '"':
			switch rest := strings.TrimLeft(value[i+1:], " "); {
			case rest == "":
				return b.String(), 0, 0
			case rest[0] == ',' || rest[0] == ';':
				return "", Separator, len(value) - len(rest)
			}
			return "", Trailing, i + 1
		default:
			b.WriteByte(c)
		}
	}
	return "", Unterminated, len(value)
}
