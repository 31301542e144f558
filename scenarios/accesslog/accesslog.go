// Package accesslog reads the access log of a real web server as a stream of requests
// in the order of their times, so that rate limiters can be compared on it.
//
// The format is found from the content: the common and the combined format of Apache
// and nginx, or CSV whose header names a column with the time and one with the key.
// Each of them may be gzipped, also in several members. Times go from text to integer
// nanoseconds; no float is involved.
//
// A log of any size is read in constant memory: a line allocates nothing, a key is
// only its hash ([Hash]), and names are kept of the keys that come most often. Servers
// write a line when a request ends and stamp it with its begin, so lines are out of
// order; they are sorted within a horizon, and what comes later than that is dropped
// and counted. What cannot be read is counted, and the first three such lines are
// shown.
package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Limits of a log.
const (
	MaxLine    = 64 << 10             // bytes in a line, with its end; a longer one is malformed
	MaxHorizon = 24 * time.Hour       // of [Options]
	MaxPending = 8 << 20              // lines that wait to be sorted, besides those of the newest second
	MaxAhead   = 366 * 24 * time.Hour // from the newest line to the next: a line after that is malformed, unless the next line agrees
	MaxColumns = 1000                 // of a table
)

// DefaultHorizon is how far out of order lines may be. In the logs that it was chosen
// by the worst line is 296 s late.
const DefaultHorizon = 10 * time.Minute

// Formats, the values of Summary.Format.
const (
	Common   = "common"   // host ident user [time] "request" status bytes
	Combined = "combined" // the same, "referer" "user agent"
	CSV      = "csv"      // a table with a header
)

// Keys are the parts of a common or combined log by which requests can be told apart;
// the last two are only in the combined. In a table it is the name of any column, or
// [Client], which is the first column with a name such as client, ip or remote_addr.
const (
	Client  = "client"  // address or name of the host
	User    = "user"    // who logged in
	Method  = "method"  // GET
	Path    = "path"    // of the request, without its query
	Referer = "referer" // header
	Agent   = "agent"   // header User-Agent
)

// Options say how a log is read.
type Options struct {
	Key     string        // by which requests are told apart; "" is [Client]
	Prefix6 int           // bits of an IPv6 client that count, 1 to 127, usually 64; 0 is all
	Horizon time.Duration // within which lines are sorted, 0 to MaxHorizon; 0 keeps the order within a second only
}

// A Problem is a line that cannot be read.
type Problem struct {
	Line   int64  // 1 and up
	Text   string // the start of the line
	Reason string
}

// String returns the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("line %d: %s: %q", p.Line, p.Reason, p.Text) }

// A Reader gives the requests of a log in the order of their times. It is a
// [traffic.Stream]; a Request's At is the time since 1970 began, its Key the [Hash] of
// its key, and its Cost 1.
type Reader struct {
	lines  *lines
	parser parser
	order  order
	names  names
	found  Summary
	prefix int
	last   int64 // time of the line before
	ahead  int64 // time of the line before, if that was too far ahead
	err    error
}

// parser takes the time and the key out of the lines of one format. What it returns is
// valid until the next line; reason is not empty if the line is malformed.
type parser interface {
	parse(line []byte) (at int64, key []byte, reason string)
}

// NewReader finds out the format. It is an error if the log is empty, binary, or holds
// no line that can be read, or if its format does not have the key.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	if o.Key == "" {
		o.Key = Client
	}
	switch {
	case o.Horizon < 0 || o.Horizon > MaxHorizon:
		return nil, fmt.Errorf("horizon: must be 0s to %v, got %v", MaxHorizon, o.Horizon)
	case o.Prefix6 < 0 || o.Prefix6 > 127:
		return nil, fmt.Errorf("IPv6 prefix: must be 1 to 127 bits, or 0 for all, got %d", o.Prefix6)
	}
	l, err := newLines(r)
	if err != nil {
		return nil, err
	}
	rd := &Reader{lines: l, order: newOrder(o.Horizon), prefix: o.Prefix6}
	if o.Key != Client {
		rd.prefix = 0
	}
	rd.found.Gzip = l.gzip
	return rd, rd.detect(o.Key)
}

// detect reads up to the first line that settles the format.
func (r *Reader) detect(key string) error {
	for {
		line, reason, ok := r.lines.next()
		switch {
		case !ok && r.lines.err != nil:
			return r.lines.err
		case !ok && r.lines.n == 0:
			return errors.New("the log is empty")
		case !ok:
			return r.unknown()
		case blank(line) && reason == "":
			r.found.Blank++
			continue
		case bytes.IndexByte(line, 0) >= 0:
			return fmt.Errorf("line %d: zero byte: the file is binary, or UTF-16", r.lines.n)
		case reason != "":
			r.bad(line, reason)
			continue
		}
		p := newCommon(key)
		format, why := p.format(line)
		if format != "" {
			if err := p.has(format, key); err != nil {
				return err
			}
			r.found.Format, r.parser = format, p
			r.take(line)
			return nil
		}
		if r.found.Malformed == 0 {
			t, err := newTable(line, key)
			if err != nil {
				return fmt.Errorf("line %d: %w", r.lines.n, err)
			}
			if t != nil {
				r.found.Format, r.parser = CSV, t
				return r.first()
			}
		}
		r.bad(line, why)
	}
}

// first reads a table up to its first row that can be read.
func (r *Reader) first() error {
	for r.found.Used == 0 {
		if !r.step() {
			if r.lines.err != nil {
				return r.lines.err
			}
			return r.unknown()
		}
	}
	return nil
}

// unknown is the error for a log of which no line can be read.
func (r *Reader) unknown() error {
	var b strings.Builder
	if r.found.Format == CSV {
		fmt.Fprintf(&b, "no row of the table can be read (%d rows)", r.found.Malformed)
	} else {
		fmt.Fprintf(&b, `no line of %d is of a known format. Tried were
  common    192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 512
  combined  the same, followed by "referer" "user agent"
  csv       a header such as time,client, and below it 2015-05-17T10:05:03Z,192.0.2.1`, r.lines.n)
	}
	for _, p := range r.found.Problems {
		b.WriteString("\n" + p.String())
	}
	return errors.New(b.String())
}

// Next implements [traffic.Stream].
func (r *Reader) Next() (traffic.Request, bool) {
	for {
		if e, ok := r.order.pop(); ok {
			return traffic.Request{At: sim.Time(e.at), Key: e.key, Cost: 1}, true
		}
		if !r.step() && !r.order.flush() {
			r.err = r.lines.err
			return traffic.Request{}, false
		}
	}
}

// step reads one line, and reports whether there was one.
func (r *Reader) step() bool {
	line, reason, ok := r.lines.next()
	switch {
	case !ok:
		return false
	case reason != "":
		r.bad(line, reason)
	case blank(line):
		r.found.Blank++
	default:
		r.take(line)
	}
	return true
}

// take reads one line of the format.
func (r *Reader) take(line []byte) {
	at, key, reason := r.parser.parse(line)
	if reason == "" && r.leaps(at) {
		reason = "its time is more than a year after all lines before it"
	}
	if reason != "" {
		r.bad(line, reason)
		return
	}
	if r.prefix > 0 {
		key = network(key, r.prefix)
	}
	f := &r.found
	if f.Used == 0 {
		f.First, f.Last = at, at
	} else if at < r.last {
		f.OutOfOrder++
	}
	r.last = at
	hash := Hash(key)
	if !r.order.push(entry{at, hash}) {
		f.Late++
		return
	}
	r.names.count(hash, key)
	f.Used++
	f.First, f.Last = min(f.First, at), max(f.Last, at)
}

// leaps reports whether a time is a wrong one: too far ahead of all others. If two lines
// in succession are so far ahead and near each other, the log has a gap, or begins with
// wrong times, and they are right.
func (r *Reader) leaps(at int64) bool {
	const most = int64(MaxAhead)
	before := r.ahead
	r.ahead = 0
	if r.found.Used == 0 || at <= r.order.newest+most {
		return false
	}
	if before > 0 && at >= before-most && at <= before+most {
		return false
	}
	r.ahead = at
	return true
}

// shown is how many malformed lines are shown.
const shown = 3

func (r *Reader) bad(line []byte, reason string) {
	if r.found.Malformed++; len(r.found.Problems) < shown {
		r.found.Problems = append(r.found.Problems, Problem{r.lines.n, excerpt(line), reason})
	}
}

// Err is why the log could not be read to its end, nil if it could. A gzip that breaks
// off is no error; see [Summary].Cut.
func (r *Reader) Err() error { return r.err }

// Bytes is how many of the file have been read, of a gzipped one the compressed.
func (r *Reader) Bytes() int64 { return r.lines.source.n }

// Name is the text of a key, if it is one of those that come most often.
func (r *Reader) Name(key uint64) (string, bool) { return r.names.of(key) }

// Summary is what has been found so far.
func (r *Reader) Summary() Summary {
	s := r.found
	s.Lines, s.Cut, s.Crowded = r.lines.n, r.lines.cut, r.order.crowded
	s.Horizon = time.Duration(r.order.horizon)
	return s
}

// Summary is a log in figures. Used + Late + Malformed + Blank is Lines, less one for
// the header of a table.
type Summary struct {
	Format      string
	Gzip        bool
	Lines       int64
	Used        int64
	Malformed   int64
	Blank       int64
	Problems    []Problem // the first three malformed lines
	OutOfOrder  int64     // lines that are before the line that precedes them
	Late        int64     // lines that were dropped, since they are before the horizon
	Horizon     time.Duration
	Crowded     int64  // seconds that were given out before the horizon, since too many lines were waiting
	Cut         string // why it ends too early, if it does
	First, Last int64  // times used, in ns since 1970
}

// Text is the log on one line, and a line for each of the problems.
func (s *Summary) Text(file string) []string {
	format := s.Format
	if s.Gzip {
		format += ", gzip"
	}
	span := time.Duration(s.Last - s.First)
	t := fmt.Sprintf("%s: %s, %s, %s in %v from %s, %d out of order", path.Base(file), format,
		counted(s.Lines, "line"), counted(s.Used, "request"), span.Round(time.Second), time.Unix(0, s.First).UTC().Format(time.RFC3339), s.OutOfOrder)
	if s.Late > 0 {
		t += fmt.Sprintf(", %d too late and dropped (horizon %v)", s.Late, s.Horizon)
	}
	if s.Crowded > 0 {
		t += fmt.Sprintf(", more than %d within the horizon", MaxPending)
	}
	if s.Malformed > 0 {
		t += fmt.Sprintf(", %d malformed", s.Malformed)
	}
	if s.Cut != "" {
		t += ", " + s.Cut
	}
	list := []string{t}
	for _, p := range s.Problems {
		list = append(list, p.String())
	}
	return list
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// excerpt returns the start of a line, fit to be printed.
func excerpt(line []byte) string {
	const most = 80
	end := ""
	if len(line) > most {
		line, end = line[:most], "..."
	}
	return strings.ToValidUTF8(string(line), "?") + end
}
