package accesslog

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// lines splits a log into lines, and unpacks it before if it is gzipped.
type lines struct {
	source counting
	in     *bufio.Reader
	gzip   bool
	n      int64  // number of the last line
	cut    string // why the log ends too early
	err    error
}

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

// packed are other compressions, by their first bytes.
var packed = []struct{ magic, name string }{
	{"\x28\xb5\x2f\xfd", "zstd"}, {"\xfd7zXZ", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}, {"\x1f\x9d", "compress"},
}

func newLines(r io.Reader) (*lines, error) {
	l := &lines{source: counting{r: r}}
	l.in = bufio.NewReaderSize(&l.source, MaxLine)
	magic, err := l.in.Peek(5)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, p := range packed {
		if bytes.HasPrefix(magic, []byte(p.magic)) {
			return nil, fmt.Errorf("the log is packed with %s: unpack it first, or pack it with gzip", p.name)
		}
	}
	if !bytes.HasPrefix(magic, []byte("\x1f\x8b")) {
		return l, nil
	}
	z, err := gzip.NewReader(l.in) // goes on with the next member where one ends
	if err != nil {
		return nil, fmt.Errorf("the log begins like a gzip, and is none: %w", err)
	}
	l.gzip, l.in = true, bufio.NewReaderSize(z, MaxLine)
	return l, nil
}

// next returns a line without its end; reason is not empty if it is too long to be
// read. It is valid until the next call.
func (l *lines) next() (line []byte, reason string, ok bool) {
	line, err := l.in.ReadSlice('\n')
	switch {
	case err == nil:
		line = line[:len(line)-1]
	case errors.Is(err, bufio.ErrBufferFull):
		reason = fmt.Sprintf("longer than %d KiB", MaxLine>>10)
		line = bytes.Clone(line[:100])
		if err := l.skip(); err != nil {
			l.end(err)
		}
	default:
		l.end(err)
		if len(line) == 0 {
			return nil, "", false
		}
	}
	if l.n++; l.n == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return bytes.TrimSuffix(line, []byte("\r")), reason, true
}

// skip reads the rest of a line that is too long.
func (l *lines) skip() error {
	for {
		if _, err := l.in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// end notes why there are no more lines. A gzip that breaks off has been copied while
// it was written, and is good up to there.
func (l *lines) end(err error) {
	switch {
	case errors.Is(err, io.EOF):
	case l.gzip && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || corrupt(err)):
		l.cut = "the gzip is damaged or cut here: " + err.Error()
	default:
		l.err = err
	}
}

// corrupt reports whether the error is one of the packed data.
func corrupt(err error) bool {
	var e flate.CorruptInputError
	return errors.As(err, &e)
}
