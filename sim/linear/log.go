package linear

import (
	"strconv"
	"strings"
	"time"

	"fencepost/internal/lazyregexp"
)

// What a line of a log is.
type lineKind uint8

const (
	blankLine  lineKind = iota
	eventLine           // an event of an operation or of the nemesis
	otherLine           // of another logger, or the trace of a stack below one
	unreadLine          // anything else
	lineKinds  int      = iota
)

var (
	// jepsenLogger is what stands before an event, and where the rest of a line starts.
	jepsenLogger = lazyregexp.New(`\bjepsen\.util(?: -|:|\])?[ \t]+`)
	otherLogger  = lazyregexp.New(`\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b`)

	// eventStart is how an event starts that has no logger, as in history.txt of Jepsen;
	// eventInside is how one looks wherever it stands in a line.
	eventStart  = lazyregexp.New(`^[ \t]*(?:-?\d+|:nemesis)[ \t]+:(?:invoke|ok|fail|info)(?:[ \t]|$)`)
	eventInside = lazyregexp.New(`\d[ \t]+:(?:invoke|ok|fail|info)\b` +
		`|:(?:invoke|ok|fail|info)[ \t]+:(?:read|write|cas|get|put|append|acquire|release)\b`)
	otherFormat = lazyregexp.New(`\{.*(?::process\b|""?op""? *:)`)
	stamp       = lazyregexp.New(`\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\b`)
	numberFirst = lazyregexp.New(`^(?:-?\d+|:\w+)(?:[ \t]|$)`)
)

// readLog reads a log, for which see [Jepsen].
func (r *reader) readLog() error {
	r.format = Jepsen
	var counts [lineKinds]int
	last, first := blankLine, 0
	for from := 0; from < len(r.text); {
		next := lineEnd(r.text, from)
		line := strings.TrimRight(r.text[from:next], "\r\n")
		kind, err := r.logLine(line, from, last)
		if err == nil && next == from+len(line) && kind != blankLine && (kind != eventLine || r.loose) {
			err = at(next, "want the end of the last line, got the end of the file, which may be cut here")
		}
		if err != nil {
			return err
		}
		if counts[kind]++; kind == unreadLine && counts[kind] == 1 {
			first = from
		}
		if kind == eventLine || kind == otherLine {
			last = kind
		}
		from = next
	}
	r.ignored += counts[otherLine]
	r.unread = counts[unreadLine]
	lines := counts[eventLine] + counts[otherLine] + counts[unreadLine]
	if r.unread*10 > lines && len(r.ops) > 0 {
		return at(first, "want a line of an operation or of a logger, got neither, as in %d of %d lines; at most a tenth may be so", r.unread, lines)
	}
	return nil
}

// logLine reads a line of a log that stands at an offset, where the last line that was
// read is of a kind.
func (r *reader) logLine(line string, offset int, last lineKind) (lineKind, error) {
	rest, logged := 0, jepsenLogger().FindAllStringIndex(line, 2)
	switch {
	case strings.Trim(line, blanks) == "":
		return blankLine, nil
	case len(logged) > 0 && (numberFirst().MatchString(line[logged[0][1]:]) || eventInside().MatchString(line)):
		rest = logged[0][1]
	case eventStart().MatchString(line):
	case last == otherLine && (line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "Caused by: ")):
		return otherLine, nil
	case eventInside().MatchString(line):
		return 0, at(offset, "want an event after the logger jepsen.util or at the start of the line, got it elsewhere")
	case otherLogger().MatchString(line):
		return otherLine, nil
	case otherFormat().MatchString(line):
		return 0, at(offset, "want a line of a log, got an event of EDN or JSON behind other text")
	default:
		return unreadLine, nil
	}
	if len(logged) > 1 && numberFirst().MatchString(line[logged[1][1]:]) {
		return 0, at(offset+logged[1][0], "want one event on a line, got another")
	}
	if err := r.stamped(line, offset); err != nil {
		return 0, err
	}
	return eventLine, r.logged(&scanner{text: r.text[:offset+len(line)], pos: offset + rest, end: "line"})
}

// logged reads an event behind its logger.
func (r *reader) logged(s *scanner) error {
	e := &event{offset: s.pos}
	for _, part := range []*form{&e.process, &e.phase, &e.f} {
		var err error
		if *part, err = s.next(0); err != nil {
			return err
		}
		if r.loose = false; part == &e.process && part.is(":nemesis") {
			r.ignored++
			return nil
		}
	}
	v, err := s.next(0)
	if e.value = v; e.phase.is(":fail") || e.phase.is(":info") { // others have a reason there, in any form
		if e.value.offset = s.pos; err != nil {
			e.value = form{offset: s.pos}
		}
		e.cause = form{kind: word, offset: s.pos}
		if s.space(); err == nil && s.pos == len(s.text) {
			e.cause.kind = missing
		}
		return r.event(e)
	}
	if err != nil {
		return err
	}
	if s.space(); s.pos < len(s.text) {
		return at(s.pos, "want the end of the line, got more")
	}
	carries := e.phase.is(":invoke") || e.f.is(":read") || e.f.is(":get") // other returns repeat the value of the call
	r.loose = carries && (v.kind == word || v.kind == keyword) && !v.is(Nil)
	return r.event(e)
}

// stamped refuses a line whose time lies before that of another one, if it has any.
func (r *reader) stamped(line string, offset int) error {
	found := stamp().FindStringIndex(line)
	if found == nil {
		return nil
	}
	t, err := time.Parse(time.DateTime, strings.Replace(line[found[0]:found[1]], "T", " ", 1))
	if err != nil {
		return nil // so it is no time
	}
	return r.inOrder(&event{due: form{kind: word, text: strconv.FormatInt(t.UnixNano(), 10), offset: offset + found[0]}}, "lines in the order of their times")
}
