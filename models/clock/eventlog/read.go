package eventlog

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fencepost/internal/lazyregexp"
	"fencepost/models/clock/script"
)

// The formats of logs.
const (
	Auto   = "auto"
	ShiViz = "shiviz" // vector clocks, found by a regular expression
	Script = "script" // a run that a person has written down: see package script
	Run    = "run"    // of a scenario: see FromRun
)

// Options say how to read a log.
type Options struct {
	Format     string // Auto, ShiViz or Script; "" is Auto
	Expression string // with the groups host, clock and event; "": that of the file, else EventFirst, HostFirst or Bare
	Delimiter  string // between executions, with the group trace for their names; "": that of the file
	Execution  string // the name of the one to read, or its number from 1
	// Progress is told from time to time how many bytes of how many are done, and says
	// whether to continue; if not, the error is ErrStopped.
	Progress func(done, total int) bool
}

// ErrStopped is that Options.Progress did not want more.
var ErrStopped = errors.New("stopped")

// ExecutionsError is that a log has several executions, and none of them is picked.
type ExecutionsError struct {
	Picked  string // what Options name, and the log does not have
	Names   []string
	Restart int // the line in which a host counts from 1 again, if no delimiter parts the log
}

func (e *ExecutionsError) Error() string {
	const most = 20
	names, more := e.Names, ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(e.Names)-most)
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(excerpt(name))
	}
	list := strings.Join(quoted, ", ") + more
	if e.Picked != "" {
		return fmt.Sprintf("there is no execution %q: want %s", excerpt(e.Picked), list)
	}
	if e.Restart > 0 {
		return fmt.Sprintf("%d executions: every host counts from 1 again, first in line %d: want one of %s, or a delimiter", len(e.Names), e.Restart, list)
	}
	return fmt.Sprintf("%d executions: want one of %s", len(e.Names), list)
}

// Read reads a log. What is wrong with its text is an error of type [script.Mistakes],
// all of it up to a limit; whether its clocks agree is for [Log.Order] to say.
func Read(in io.Reader, o Options) (*Log, error) {
	text, err := load(in)
	if err != nil {
		return nil, err
	}
	r := &reader{text: text, options: o, line: 1}
	switch o.Format {
	case ShiViz:
	case Script:
		return readScript(text)
	case Auto, "":
		if o.Expression == "" && !r.clocks() {
			l, err := readScript(text)
			if err != nil && strings.Contains(text, `":`) {
				return nil, fmt.Errorf("no line is a host and its clock, as alice {\"alice\":1}: want an expression that says where they are; and it is no script: %w", firstOf(err))
			}
			return l, err
		}
	default:
		return nil, fmt.Errorf("format %q: want %s, %s or %s", excerpt(o.Format), Auto, ShiViz, Script)
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	return r.read()
}

// load is the whole text, with plain ends of lines.
func load(in io.Reader) (string, error) {
	var b strings.Builder
	in = io.LimitReader(in, MaxBytes+1)
	if _, err := io.CopyN(&b, in, 1<<16); err != nil && err != io.EOF {
		return "", err
	}
	if err := isText(b.String()); err != nil {
		return "", err // before a gigabyte of something else is read
	}
	if _, err := io.Copy(&b, in); err != nil {
		return "", err
	}
	if b.Len() > MaxBytes {
		return "", fmt.Errorf("more than %d bytes", MaxBytes)
	}
	text := strings.TrimPrefix(b.String(), "\ufeff")
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text, isText(text)
}

// isText says where a text is none.
func isText(text string) error {
	line := 1
	for rest := text; rest != ""; line++ {
		i := strings.IndexByte(rest, '\n') + 1
		if i == 0 {
			i = len(rest)
		}
		if zero := strings.IndexByte(rest[:i], 0); zero >= 0 {
			return script.Mistakes{{Line: line, Column: zero + 1, Why: "a zero byte: this is no text"}}
		}
		if i > MaxLine {
			return script.Mistakes{{Line: line, Column: MaxLine, Why: fmt.Sprintf("a line of more than %d bytes", MaxLine)}}
		}
		rest = rest[i:]
	}
	return nil
}

// reader reads the clocks of a log.
type reader struct {
	text      string
	options   Options
	x         *expression
	delimiter *expression

	at, line int  // how far the lines are counted
	parted   bool // at a delimiter
	log      *Log
	clock    clockReader
	mistakes script.Mistakes
	told     int

	headings     int    // lines left out that look like headings
	firstSkipped string // the first line left out
	textless     bool   // the text ends behind the last clock
}

// clockLine is a line with a clock and nothing behind it.
var clockLine = lazyregexp.New(`(?m)^\S* ?\{.*\}[ \t]*$`)

// header is the expression and the delimiter that the first two lines are, and where
// the log begins.
func (r *reader) header() (x, delimiter string, begin int) {
	first, rest, _ := strings.Cut(r.text, "\n")
	second, _, more := strings.Cut(rest, "\n")
	for _, group := range []string{"host", "clock", "event"} {
		if !strings.Contains(first, "<"+group+">") {
			if strings.TrimSpace(first) == "" && strings.Contains(second, "<trace>") {
				return "", strings.TrimSpace(second), len(first) + 1 + len(second) + 1
			}
			return "", "", 0
		}
	}
	begin = len(first) + 1 + len(second)
	if more {
		begin++
	}
	return strings.TrimSpace(first), strings.TrimSpace(second), min(begin, len(r.text))
}

// clocks reports whether this is a log with clocks, and no script.
func (r *reader) clocks() bool {
	x, _, _ := r.header()
	return x != "" || clockLine().MatchString(r.text)
}

// prepare finds out how to read the text.
func (r *reader) prepare() error {
	x, delimiter, begin := r.header()
	if r.options.Expression != "" {
		x = r.options.Expression
	}
	if r.options.Delimiter != "" {
		delimiter = r.options.Delimiter
	}
	r.log = &Log{Format: ShiViz}
	r.clock.number = map[string]int32{}
	var err, too error
	if x != "" {
		r.x, err = compile("expression", x, "host", "clock", "event")
	}
	if delimiter != "" {
		r.delimiter, too = compile("delimiter", delimiter)
	}
	if err = errors.Join(err, too); err != nil {
		return err
	}
	if err := r.pick(begin); err != nil || x != "" {
		r.log.Expression = x
		return err
	}
	if r.log.Expression, err = r.layout(); err == nil {
		r.x, err = compile("expression", r.log.Expression)
	}
	return err
}

// read reads the events of what is left of the text.
func (r *reader) read() (*Log, error) {
	r.log.Lines = lines(r.text[r.at:])
	if err := r.scan(); err != nil {
		return nil, err
	}
	if len(r.mistakes) > 0 {
		return nil, r.mistakes
	}
	if len(r.log.Events) == 0 {
		return nil, fmt.Errorf("there is no event in it: nothing matches the expression %s", shown(r.log.Expression))
	}
	if err := r.pickRestart(); err != nil {
		return nil, err
	}
	r.log.Hosts = r.clock.hosts
	r.log.index()
	return r.log, r.log.counted()
}

// scan reads the events, and notes what is wrong with them.
func (r *reader) scan() error {
	host, stamp, event := 2*r.x.re.SubexpIndex("host"), 2*r.x.re.SubexpIndex("clock"), 2*r.x.re.SubexpIndex("event")
	for at := r.at; len(r.mistakes) < maxMistakes; {
		m := r.x.next(r.text, at)
		if m == nil {
			r.skip(at, len(r.text))
			break
		}
		r.skip(at, m[0])
		if !r.event(m[0], m[host:host+2], m[stamp:stamp+2], m[event:event+2]) {
			break
		}
		at = after(r.text, m)
		if p := r.options.Progress; p != nil && at-r.told > 1<<20 {
			r.told = at
			if !p(at, len(r.text)) {
				return ErrStopped
			}
		}
	}
	return nil
}

// counted says that no clock counts its own host: what is taken for the host is not it.
func (l *Log) counted() error {
	for i := range l.Events {
		if l.Events[i].Count > 0 {
			return nil
		}
	}
	e := &l.Events[0]
	return fmt.Errorf("no event has a counter of its own host: that in line %d is of %q, and its clock is %q: want an expression that says where the host is, without what stands before it",
		e.Line, excerpt(l.Hosts[e.Host]), excerpt(l.Clock(0, 3)))
}

// firstOf is the first of several mistakes.
func firstOf(err error) error {
	if mistakes := (script.Mistakes)(nil); errors.As(err, &mistakes) {
		return errors.New(mistakes[0].Error())
	}
	return err
}

// lines is how many lines of a text are not blank.
func lines(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// skip counts the lines between two events that are not blank. What is left of the line
// of an event does not count: an expression need not begin where the line does.
func (r *reader) skip(from, to int) {
	for at := from; at < to; {
		end := to
		if i := strings.IndexByte(r.text[at:to], '\n'); i >= 0 {
			end = at + i + 1
		}
		whole := (at == 0 || r.text[at-1] == '\n') && (r.text[end-1] == '\n' || end == len(r.text))
		if line := strings.TrimSpace(r.text[at:end]); whole && line != "" {
			if r.log.Skipped++; r.log.FirstSkipped == 0 {
				r.log.FirstSkipped, r.firstSkipped = r.lineOf(at), line
			}
			if heading(line) {
				r.headings++
			}
		}
		at = end
	}
}

// event reads one event: where it begins, and where in the text its parts are. It
// reports whether there is room for more.
func (r *reader) event(begin int, host, stamp, event []int) bool {
	if host[0] < 0 || stamp[0] < 0 || event[0] < 0 {
		r.bad(begin, "the expression takes this for an event, and finds no host, clock or event in it")
		return true
	}
	if stamp[0] == stamp[1] && host[0] == host[1] {
		return true // GoVector begins an execution with a line of a space
	}
	line := r.lineOf(begin)
	r.clock.err = nil
	h := r.clock.intern(r.text[host[0]:host[1]], 0)
	if r.clock.err != nil {
		r.bad(host[0], "%s", r.clock.err.why)
		return len(r.clock.hosts) < MaxHosts
	}
	v, err := r.clock.read(r.text[stamp[0]:stamp[1]])
	switch {
	case err != nil:
		r.bad(stamp[0]+err.at, "%s", err.why)
		return len(r.clock.hosts) < MaxHosts
	case len(r.log.Events) == MaxEvents:
		r.bad(begin, "more than %d events", MaxEvents)
		return false
	case len(r.log.counters)+len(v) > MaxCounters:
		r.bad(begin, "the clocks of all events have more than %d counters", MaxCounters)
		return false
	}
	e := Event{Host: h, Line: int32(line), Text: r.text[event[0]:event[1]]}
	r.textless = event[0] == len(r.text)
	r.log.stamp(&e, v)
	r.log.Events = append(r.log.Events, e)
	return true
}

// lineOf is the line of an offset that is not before the last one asked for.
func (r *reader) lineOf(at int) int {
	if at > r.at {
		r.line += strings.Count(r.text[r.at:at], "\n")
		r.at = at
	}
	return r.line
}

// bad notes a mistake at an offset.
func (r *reader) bad(at int, format string, args ...any) {
	begin := strings.LastIndexByte(r.text[:at], '\n') + 1
	line := 1 + strings.Count(r.text[:begin], "\n")
	r.mistakes = append(r.mistakes, &script.Mistake{Line: line, Column: at - begin + 1, Why: fmt.Sprintf(format, args...)})
}
