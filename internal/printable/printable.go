// Package printable keeps characters that could move a terminal, or turn what follows
// around, out of what is printed.
package printable

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

// Harmless reports whether a character may reach a terminal or a page as it is: it
// prints, or it ends a line or a column. Control characters (C0, DEL, C1), the marks that
// turn the direction of what follows, and separators that some readers take for the end
// of a line may not.
func Harmless(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < 0x7f:
		return r >= ' '
	}
	return unicode.IsGraphic(r) && r != '\u2028' && r != '\u2029'
}

// Escape appends a text in which whatever is not harmless is written as in a Go string:
// \x1b, \u202e. A byte that is no UTF-8 is \xff.
func Escape(to, text []byte) []byte {
	return escape(to, text, func(to []byte, r rune, raw []byte) []byte {
		if r < 0x80 || r == utf8.RuneError && len(raw) == 1 {
			return append(to, '\\', 'x', hex[raw[0]>>4], hex[raw[0]&15])
		}
		return appendUnicode(to, r)
	})
}

// EscapeJSON appends a JSON text in which whatever is not harmless is written as \u001b.
// In JSON that encoding/json wrote such characters are in strings only, so that the value
// stays the same.
func EscapeJSON(to, text []byte) []byte {
	return escape(to, text, func(to []byte, r rune, _ []byte) []byte { return appendUnicode(to, r) })
}

const hex = "0123456789abcdef"

// appendUnicode appends \uXXXX, or the two of a surrogate pair.
func appendUnicode(to []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return appendUnicode(appendUnicode(to, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return append(to, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

func escape(to, text []byte, instead func(to []byte, r rune, raw []byte) []byte) []byte {
	for i := 0; i < len(text); {
		n := plain(text[i:])
		to = append(to, text[i:i+n]...)
		if i += n; i == len(text) {
			break
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if raw := text[i : i+size]; Harmless(r) && (r != utf8.RuneError || size > 1) {
			to = append(to, raw...)
		} else {
			to = instead(to, r, raw)
		}
		i += size
	}
	return to
}

// plain is how many bytes at the beginning are harmless ASCII, the short way for most.
func plain(text []byte) int {
	for i, b := range text {
		if b-' ' > '~'-' ' && b != '\n' {
			return i
		}
	}
	return len(text)
}

// Writer passes on what is written to it with Escape or EscapeJSON applied. A character
// that comes in two writes is kept until it is whole; Flush passes on what never was.
type Writer struct {
	Colors bool // the sequences that make a word bold and coloured pass, and that which ends it

	out    io.Writer
	escape func(to, text []byte) []byte
	rest   []byte // the beginning of a character
	buffer []byte
}

// NewWriter makes a writer for text that a person reads.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out, escape: Escape} }

// NewJSONWriter makes a writer for JSON.
func NewJSONWriter(out io.Writer) *Writer { return &Writer{out: out, escape: EscapeJSON} }

// Write implements [io.Writer].
func (w *Writer) Write(b []byte) (int, error) {
	text := b
	if len(w.rest) > 0 {
		text = append(w.rest, b...)
	}
	whole := len(text) - unfinished(text)
	w.buffer = w.buffer[:0]
	for part := text[:whole]; len(part) > 0; {
		n, colored := len(part), 0
		if w.Colors {
			n, colored = nextColor(part)
		}
		w.buffer = append(w.escape(w.buffer, part[:n]), part[n:n+colored]...)
		part = part[n+colored:]
	}
	w.rest = append([]byte(nil), text[whole:]...)
	if _, err := w.out.Write(w.buffer); err != nil {
		return 0, err
	}
	return len(b), nil
}

// nextColor is where the next sequence for a colour stands, and how long it is; without
// one it stands at the end.
func nextColor(text []byte) (at, length int) {
	for at < len(text) {
		i := bytes.IndexByte(text[at:], '\x1b')
		if i < 0 {
			break
		}
		if n := color(text[at+i:]); n > 0 {
			return at + i, n
		}
		at += i + 1
	}
	return len(text), 0
}

// color is how long the sequence at the beginning is that begins or ends a coloured word,
// 0 if there is none.
func color(text []byte) int {
	const first, reset = "\x1b[1;3", "\x1b[0m"
	switch {
	case bytes.HasPrefix(text, []byte(reset)):
		return len(reset)
	case bytes.HasPrefix(text, []byte(first)) && len(text) > len(first)+1 && text[len(first)]-'0' < 8 && text[len(first)+1] == 'm':
		return len(first) + 2
	}
	return 0
}

// Flush passes on the beginning of a character whose end never came.
func (w *Writer) Flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	w.buffer, w.rest = w.escape(w.buffer[:0], w.rest), nil
	_, err := w.out.Write(w.buffer)
	return err
}

// unfinished is how many bytes at the end begin a character that is not whole.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}
