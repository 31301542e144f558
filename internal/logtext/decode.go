package logtext

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// counting counts the bytes that are read.
type counting struct {
	r io.Reader
	n int64
}

// Read implements [io.Reader].
func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// packed are other compressions and encodings, by their first bytes.
var packed = []struct{ magic, name, instead string }{
	{"\x28\xb5\x2f\xfd", "packed with zstd", "unpack it first, or pack it with gzip"},
	{"\xfd7zXZ", "packed with xz", "unpack it first, or pack it with gzip"},
	{"BZh", "packed with bzip2", "unpack it first, or pack it with gzip"},
	{"PK\x03\x04", "packed with zip", "unpack it first, or pack it with gzip"},
	{"\x1f\x9d", "packed with compress", "unpack it first, or pack it with gzip"},
	{"\xff\xfe\x00\x00", "UTF-32", "convert it to UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32", "convert it to UTF-8"},
}

const gzipMagic = "\x1f\x8b"

// sniffed is how many bytes at the start tell the encoding.
const sniffed = 64

// decode finds out how a log is packed and encoded by its first bytes.
func (l *Lines) decode() (io.Reader, error) {
	in := bufio.NewReaderSize(&l.source, 64<<10)
	head, err := peek(in)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(gzipMagic)) {
		z, err := gzip.NewReader(in) // continues with the next member where one ends
		if err != nil {
			return nil, fmt.Errorf("the log begins like a gzip, and is none: %w", err)
		}
		l.Gzip, in = true, bufio.NewReaderSize(z, 64<<10)
		if head, err = peek(in); err != nil && !damaged(err) {
			return nil, err
		}
		if bytes.HasPrefix(head, []byte(gzipMagic)) {
			return nil, errors.New("the log is gzipped twice: gunzip it once")
		}
	}
	for _, p := range packed {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return nil, fmt.Errorf("the log is %s: %s", p.name, p.instead)
		}
	}
	switch order := utf16Order(head); order {
	case 0:
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			_, _ = in.Discard(3)
		}
		return in, nil
	default:
		l.UTF16 = true
		return &utf16Reader{in: in, low: order - 1, first: true}, nil
	}
}

// peek returns the first bytes, fewer of a short log.
func peek(in *bufio.Reader) ([]byte, error) {
	head, err := in.Peek(sniffed)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// utf16Order is 1 if a text is UTF-16 with the low byte first, 2 if the high byte is, 0
// if it is not UTF-16. Without a byte order mark, it is if three quarters of its units
// have an empty high byte and few an empty low byte.
func utf16Order(head []byte) int {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return 1
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return 2
	}
	units := len(head) / 2
	empty := [2]int{}
	for i, c := range head[:2*units] {
		if c == 0 {
			empty[i%2]++
		}
	}
	switch {
	case units > 1 && 8*empty[0] <= units && 4*empty[1] >= 3*units:
		return 1
	case units > 1 && 8*empty[1] <= units && 4*empty[0] >= 3*units:
		return 2
	}
	return 0
}

// utf16Reader makes UTF-8 of UTF-16. What is no character becomes U+FFFD.
type utf16Reader struct {
	in    *bufio.Reader
	low   int  // which byte of a unit is the low one, 0 or 1
	first bool // a byte order mark is not text
	high  rune // a surrogate that waits for its second half
	rest  []byte
	buf   [4096]byte
}

// Read implements [io.Reader].
func (u *utf16Reader) Read(b []byte) (int, error) {
	for len(u.rest) == 0 {
		u.rest = u.buf[:0]
		for len(u.rest) < len(u.buf)-2*utf8.UTFMax {
			if err := u.unit(); err != nil {
				if len(u.rest) == 0 {
					return 0, err
				}
				break // it comes again
			}
		}
	}
	n := copy(b, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// unit takes one unit of 16 bits.
func (u *utf16Reader) unit() error {
	pair, err := u.in.Peek(2)
	if len(pair) < 2 {
		if errors.Is(err, io.EOF) && (len(pair) == 1 || u.high != 0) {
			_, _ = u.in.Discard(len(pair))
			u.high = 0
			u.rest = utf8.AppendRune(u.rest, utf8.RuneError)
			return nil
		}
		return err
	}
	c := rune(pair[u.low]) | rune(pair[1-u.low])<<8
	_, _ = u.in.Discard(2)
	first := u.first
	u.first = false
	switch {
	case first && c == 0xfeff:
	case u.high != 0:
		r := utf16.DecodeRune(u.high, c)
		u.rest = utf8.AppendRune(u.rest, r)
		if u.high = 0; r == utf8.RuneError && !utf16.IsSurrogate(c) {
			u.rest = utf8.AppendRune(u.rest, c)
		}
	case c >= 0xd800 && c < 0xdc00:
		u.high = c
	default:
		u.rest = utf8.AppendRune(u.rest, c) // a second half alone is U+FFFD
	}
	return nil
}

// damaged reports whether an error says that a gzip is cut or damaged: it has been
// copied while it was written, and is good up to there.
func damaged(err error) bool {
	var c flate.CorruptInputError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &c)
}
