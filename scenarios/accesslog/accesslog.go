// Package accesslog reads the access log of a real web server as a stream of requests
// in the order of their times, so that rate limiters can be compared on it.
//
// The format is found from the content: the common and the combined format of Apache
// and nginx, JSON of nginx, Caddy, Traefik and Envoy, the text of Envoy, Istio and of AWS
// load balancers, or CSV whose header names a column with the time and one with the key.
// What syslog, containers and virtual hosts put before a line is known and taken off. Each
// of them may be gzipped, also in several members, or UTF-16. Times go from text to integer
// nanoseconds; no float is involved.
//
// The client is where the format has it, and looks like one; a line that has something
// else there is left out. It is an error if more than a tenth of a log is left out; a short
// log may lose two lines.
//
// A log of any size is read in bounded memory: a line allocates nothing, a key is
// only its hash ([Hash]), and names are kept of the keys that come most often. Lines may be
// in any order: a log of a million lines is sorted whole. Of a longer one the last half million
// are held, and all within a horizon, at most 4 million; each takes about 54 bytes. What
// comes later than that is left out. What is left out is counted, and the first three
// lines that cannot be read are shown.
package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fencepost/internal/logtext"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Limits of a log.
const (
	MaxLine    = 64 << 10             // bytes in a line, with its end; a longer one is malformed
	MaxHorizon = 24 * time.Hour       // of [Options]
	MaxAhead   = 366 * 24 * time.Hour // from a line to the next: one that is farther from those around it is left out
	LeastHeld  = 1 << 19              // lines that are held to be sorted, whatever their times
	MaxHeld    = 4 << 20              // lines that are held within the horizon, if Options do not say
	MaxColumns = 1000                 // of a table
)

// DefaultHorizon is how far out of order lines may be that are more than [LeastHeld] lines
// apart.
const DefaultHorizon = 10 * time.Minute

// Formats, the values of Summary.Format.
const (
	Common   = "common"   // host ident user [time] "request" status bytes
	Combined = "combined" // the same, "referer" "user agent"
	JSON     = "json"     // an object on each line
	Envoy    = "envoy"    // the text that Envoy and Istio write by default
	ALB      = "alb"      // of AWS Application Load Balancers
	CSV      = "csv"      // a table with a header
)

// Keys are the parts of a common or combined log by which requests can be told apart;
// the last two are only in the combined. In a table it is the name of any column, and in
// JSON that of any field, or [Client], which is the first with a name such as client, ip or
// remote_addr.
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
	Horizon time.Duration // within which lines are sorted however many there are, 0 to MaxHorizon
	Held    int           // most lines that are held to be sorted; 0 is MaxHeld
	MaxSize int64         // most bytes of a gzipped log, unpacked; 0 is without a bound
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
	lines  *logtext.Lines
	sample []sampled // the first lines, until they are read again
	n      int64     // number of the last line that was read
	chain  []envelope
	parser parser
	table  bool
	order  order
	names  names
	found  Summary
	client bool // the key is the client
	prefix int
	last   int64 // time of the line before
	era    int64 // time of the last line that is not alone in its year; at first the median
	stray  stray // a line that may be
	err    error
}

// stray is a line far from all before it. The next line says whether it is wrong.
type stray struct {
	waits bool
	at    int64
	key   []byte
	line  Problem
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
	l, err := logtext.New(r, logtext.Options{MaxLine: MaxLine, MaxSize: o.MaxSize})
	if err != nil {
		return nil, err
	}
	if !l.Gzip {
		l.SetMaxSize(0)
	}
	if o.Held == 0 {
		o.Held = MaxHeld
	}
	rd := &Reader{lines: l, order: newOrder(o.Horizon, o.Held), client: o.Key == Client, prefix: o.Prefix6}
	rd.found.Gzip = l.Gzip
	return rd, rd.detect(o.Key)
}

// Next implements [traffic.Stream].
func (r *Reader) Next() (traffic.Request, bool) {
	for {
		if e, ok := r.order.pop(); ok {
			return traffic.Request{At: sim.Time(e.at), Key: e.key, Cost: 1}, true
		}
		if !r.step() && !r.end() {
			r.err = r.lines.Err()
			return traffic.Request{}, false
		}
	}
}

// end gives out what is left, and reports whether there was any.
func (r *Reader) end() bool {
	r.refuse()
	return r.order.flush()
}

// next is the next line, of the sample before others.
func (r *Reader) next() (line []byte, long, ok bool) {
	if len(r.sample) > 0 {
		s := r.sample[0]
		if r.sample = r.sample[1:]; len(r.sample) == 0 {
			r.sample = nil
		}
		r.n = s.n
		return s.text, s.long, true
	}
	line, ok = r.lines.Next()
	r.n = r.lines.N
	return line, r.lines.Long, ok
}

// step reads one line, and reports whether there was one.
func (r *Reader) step() bool {
	line, long, ok := r.next()
	switch {
	case !ok:
		return false
	case r.n == r.found.header:
		r.parser.parse(bytes.TrimSpace(line)) // the sample may have ended below another
	case long:
		r.bad(line, logtext.Options{MaxLine: MaxLine}.TooLong())
	case blank(line):
		r.found.Blank++
	default:
		r.take(line)
	}
	return true
}

// take reads one line of the format.
func (r *Reader) take(line []byte) {
	text, ok := strip(r.chain, line, r.table)
	if !ok {
		r.bad(line, "nothing before it such as "+strings.Join(r.found.Within, " and "))
		return
	}
	at, key, reason := r.parser.parse(text)
	if reason != "" {
		r.bad(line, reason)
		return
	}
	if r.client {
		key = network(key, r.prefix)
	}
	const most = int64(MaxAhead)
	if !r.stray.waits && at-r.era <= most && r.era-at <= most {
		r.push(at, key)
		return
	}
	r.settle(line, at, key)
}

// settle decides about lines that are years apart: one that is alone is wrong, the first of
// a log as well as any other. If two in succession agree, they are right: the log has a gap.
func (r *Reader) settle(line []byte, at int64, key []byte) {
	const most = int64(MaxAhead)
	near := func(t int64) bool { return at-t <= most && t-at <= most }
	s := &r.stray
	switch {
	case s.waits && near(s.at):
		r.push(s.at, s.key)
		s.waits = false
		r.push(at, key)
	case near(r.era):
		r.refuse()
		r.push(at, key)
	default:
		r.refuse()
		*s = stray{true, at, append(s.key[:0], key...), Problem{r.n, excerpt(line), "its time is more than a year from that of the lines around it"}}
	}
}

// refuse leaves out a line that stayed alone.
func (r *Reader) refuse() {
	if r.stray.waits {
		r.stray.waits = false
		r.problem(r.stray.line)
	}
}

// push takes a request.
func (r *Reader) push(at int64, key []byte) {
	f := &r.found
	if f.Used > 0 && at < r.last {
		f.OutOfOrder++
	}
	r.last, r.era = at, at
	hash := Hash(key)
	if !r.order.push(entry{at, hash}) {
		f.Late++
		f.Latest = max(f.Latest, time.Duration(r.order.newest-at))
		return
	}
	r.names.count(hash, key)
	if f.Used++; f.Used == 1 {
		f.First, f.Last = at, at
		f.minutes, f.grain = true, int64(time.Second)
	}
	f.First, f.Last = min(f.First, at), max(f.Last, at)
	f.minutes = f.minutes && at%int64(time.Minute) == 0
	for at%f.grain != 0 {
		f.grain /= 10
	}
}

// shown is how many malformed lines are shown.
const shown = 3

func (r *Reader) bad(line []byte, reason string) {
	if r.found.Malformed < shown {
		r.problem(Problem{r.n, excerpt(line), reason})
		return
	}
	r.found.Malformed++
}

func (r *Reader) problem(p Problem) {
	if r.found.Malformed++; len(r.found.Problems) < shown {
		r.found.Problems = append(r.found.Problems, p)
	}
}

// Err is why the log could not be read to its end, or that too much of it was left out;
// nil if it is neither. A gzip that breaks off at the end of its file is no error; see
// [Summary].Cut. One that does so before has lost who knows how much.
func (r *Reader) Err() error {
	var e *logtext.TooLarge
	switch {
	case errors.As(r.err, &e):
		return fmt.Errorf("%w, or raise --memory, of which a gzip may have 16 times as much, unpacked", r.err)
	case r.err != nil:
		return r.err
	}
	s := r.Summary()
	if s.Cut != "" && !r.lines.AtEnd() {
		return fmt.Errorf("after line %d: %s, and what follows cannot be read", s.Lines, s.Cut)
	}
	return s.refused()
}

// Bytes is how many of the file have been read, of a gzipped one the compressed.
func (r *Reader) Bytes() int64 { return r.lines.Bytes() }

// Name is the text of a key, if it is one of those that come most often.
func (r *Reader) Name(key uint64) (string, bool) { return r.names.of(key) }

// Summary is what has been found so far.
func (r *Reader) Summary() Summary {
	s := r.found
	s.Lines, s.Cut, s.Crowded = r.n, r.lines.Cut(), r.order.crowded
	s.Horizon, s.Held = time.Duration(r.order.horizon), r.order.least
	return s
}
