// Package logtext reads the lines of logs that other programs have written. It is the
// one layer between a file and the reader of its lines: it unpacks gzip, decodes
// UTF-16, drops a byte order mark, and takes CR, LF and CRLF alike as the end of a line.
// How many bytes it yields, and how long a line is, has bounds.
package logtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxSize is how many bytes [Each] reads, unpacked.
const MaxSize = 64 << 20

// Options are the bounds of a log.
type Options struct {
	MaxLine int   // bytes in a line, with its end
	MaxSize int64 // bytes of the whole, unpacked and decoded; 0 is without a bound
}

// TooLarge is the error for a log of more bytes, unpacked, than its bound.
type TooLarge struct{ Most int64 }

// Error implements error.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("the log is larger than %d MiB: cut it at a line end", e.Most>>20)
}

// Lines gives the lines of a log one by one, and allocates nothing for a line.
type Lines struct {
	Gzip  bool // what was found at the start
	UTF16 bool

	N     int64 // number of the last line, from 1
	Ended bool  // the last line had an end
	Long  bool  // it is longer than the bound: only its first bytes were returned

	options  Options
	source   counting
	in       io.Reader
	buf      []byte
	from, to int   // what is not yet returned
	lf, cr   int   // the next of each kind of end, or to if there is none before it
	skip     bool  // the last end was a CR: an LF right after it belongs to it
	size     int64 // bytes that were read of in
	err      error // why nothing more comes
}

// New returns the lines of a log. It is an error if the log is packed or encoded in a way
// that is not read.
func New(r io.Reader, o Options) (*Lines, error) {
	l := &Lines{options: o, source: counting{r: r}}
	in, err := l.decode()
	if err != nil {
		return nil, err
	}
	l.in, l.buf = in, make([]byte, min(64<<10, o.MaxLine))
	return l, nil
}

// Next returns a line without its end, valid until the next call, and whether there is one.
func (l *Lines) Next() (line []byte, ok bool) {
	l.Long = false
	for {
		if l.skip && l.from < l.to {
			if l.skip = false; l.buf[l.from] == '\n' {
				l.from++
			}
		}
		l.find(&l.lf, '\n')
		l.find(&l.cr, '\r')
		end := min(l.lf, l.cr)
		switch {
		case end < l.to && end-l.from < l.options.MaxLine:
			line = l.buf[l.from:end]
			l.end(end)
			return line, true
		case end < l.to || l.to-l.from >= l.options.MaxLine:
			return l.long(), true
		case l.err != nil:
			line, l.from, l.Ended = l.buf[l.from:l.to], l.to, false
			if len(line) > 0 {
				l.N++
			}
			return line, len(line) > 0
		}
		l.fill()
	}
}

// find makes at the place of the next c, or the end of what there is.
func (l *Lines) find(at *int, c byte) {
	if *at >= l.from {
		return
	}
	if i := bytes.IndexByte(l.buf[l.from:l.to], c); i >= 0 {
		*at = l.from + i
	} else {
		*at = l.to
	}
}

// end continues after the end of a line. In the buffer each is an LF from then on.
func (l *Lines) end(at int) {
	l.skip = l.buf[at] == '\r'
	l.buf[at] = '\n'
	l.from, l.Ended = at+1, true
	l.N++
}

// fill reads more, and makes room for it first. Each byte is looked at once for each kind
// of end.
func (l *Lines) fill() {
	if l.from > 0 {
		copy(l.buf, l.buf[l.from:l.to])
		l.to, l.lf, l.cr, l.from = l.to-l.from, l.lf-l.from, l.cr-l.from, 0
	}
	if l.to == len(l.buf) {
		larger := make([]byte, 2*len(l.buf))
		copy(larger, l.buf)
		l.buf = larger
	}
	before := l.to
	for range 100 {
		n, err := l.in.Read(l.buf[l.to:])
		l.to += n
		l.size += int64(n)
		if l.err = err; n > 0 || err != nil {
			break
		}
		l.err = io.ErrNoProgress
	}
	if l.to > before && errors.Is(l.err, io.ErrNoProgress) {
		l.err = nil
	}
	if most := l.options.MaxSize; most > 0 && l.size > most {
		l.to -= int(min(l.size-most, int64(l.to-before)))
		l.err = &TooLarge{most}
	}
	l.extend(&l.lf, '\n', before)
	l.extend(&l.cr, '\r', before)
}

// extend looks for the next c in what has come.
func (l *Lines) extend(at *int, c byte, before int) {
	if *at < before {
		return
	}
	if i := bytes.IndexByte(l.buf[before:l.to], c); i >= 0 {
		*at = before + i
	} else {
		*at = l.to
	}
}

// long returns the first bytes of a line that is too long, and leaves the rest.
func (l *Lines) long() []byte {
	head := bytes.Clone(l.buf[l.from:min(l.from+100, l.to)])
	l.Long = true
	for {
		l.find(&l.lf, '\n')
		l.find(&l.cr, '\r')
		if end := min(l.lf, l.cr); end < l.to {
			l.end(end)
			return head
		}
		if l.from = l.to; l.err != nil {
			l.N, l.Ended = l.N+1, false
			return head
		}
		l.fill()
	}
}

// Cut says why a gzip ends too early, "" if it does not. What comes before is good.
func (l *Lines) Cut() string {
	if l.Gzip && l.err != nil && damaged(l.err) {
		return "the gzip is damaged or cut here: " + l.err.Error()
	}
	return ""
}

// AtEnd reports whether a gzip that is [Lines.Cut] is so at the end of its file.
func (l *Lines) AtEnd() bool { return errors.Is(l.err, io.ErrUnexpectedEOF) }

// Err is why the log could not be read to its end, nil if it could, or if it is [Lines.Cut].
func (l *Lines) Err() error {
	if l.err == nil || errors.Is(l.err, io.EOF) || l.Cut() != "" {
		return nil
	}
	return l.err
}

// SetMaxSize changes the bound of bytes, unpacked; 0 is without one.
func (l *Lines) SetMaxSize(most int64) { l.options.MaxSize = most }

// Bytes is how many bytes of the file have been read, of a gzipped one the compressed.
func (l *Lines) Bytes() int64 { return l.source.n }

// TooLong says that a line is longer than the bound.
func (o Options) TooLong() string { return fmt.Sprintf("longer than %d KiB", o.MaxLine>>10) }

// Each gives every line of a log to take, with its number from 1 and its end, which is
// "\n" whatever it was, and which a cut last line lacks. It refuses what is no text, lines
// of more than maxLine bytes, logs of more than [MaxSize], and a gzip that is cut.
func Each(src io.Reader, maxLine int, take func(n int, line string) error) error {
	l, err := New(src, Options{MaxLine: maxLine, MaxSize: MaxSize})
	if err != nil {
		return err
	}
	for {
		line, ok := l.Next()
		switch {
		case !ok && l.Cut() != "":
			return fmt.Errorf("after line %d: %s", l.N, l.Cut())
		case !ok:
			return l.Err()
		case l.Long:
			return fmt.Errorf("line %d: %s", l.N, l.options.TooLong())
		case bytes.IndexByte(line, 0) >= 0:
			return fmt.Errorf("line %d: zero byte: the file is binary, or was truncated while the process wrote it", l.N)
		case l.Ended:
			line = line[:len(line)+1]
		}
		if err := take(int(l.N), string(line)); err != nil {
			return err
		}
	}
}

// Reader returns the text of a log as UTF-8 with "\n" after each line, for a reader that
// splits it by itself. It refuses what [New] refuses when it is read, and a gzip that is cut.
func Reader(src io.Reader, o Options) io.Reader { return &reader{src: src, options: o} }

type reader struct {
	src     io.Reader
	options Options
	lines   *Lines
	rest    []byte
	err     error
}

// Read implements [io.Reader].
func (r *reader) Read(b []byte) (int, error) {
	if r.lines == nil && r.err == nil {
		r.lines, r.err = New(r.src, r.options)
	}
	for len(r.rest) == 0 && r.err == nil {
		line, ok := r.lines.Next()
		switch {
		case !ok && r.lines.Cut() != "":
			r.err = fmt.Errorf("after line %d: %s", r.lines.N, r.lines.Cut())
		case !ok && r.lines.Err() != nil:
			r.err = r.lines.Err()
		case !ok:
			r.err = io.EOF
		case r.lines.Long:
			r.err = fmt.Errorf("line %d: %s", r.lines.N, r.options.TooLong())
		case r.lines.Ended:
			r.rest = line[:len(line)+1]
		default:
			r.rest = line
		}
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
