package eventlog

import (
	"fmt"
	"strings"
)

// Bare is the expression of a log whose lines are a host and its clock, without a text.
const Bare = `^(?<host>\S*) (?<clock>{.*})(?<event>)$`

// LayoutError is that two expressions fit a log equally well.
type LayoutError struct {
	Expressions [2]string
	LeftOut     [2]Place // what each leaves out
}

// Place is a line and its text.
type Place struct {
	Line int
	Text string
}

func (e *LayoutError) Error() string {
	describe := func(i int) string {
		if p := e.LeftOut[i]; p.Line > 0 {
			return fmt.Sprintf("%s leaves out line %d, %q", e.Expressions[i], p.Line, excerpt(p.Text))
		}
		return e.Expressions[i] + " leaves the last clock without a text"
	}
	return fmt.Sprintf("the text of an event may stand before or behind its clock, and both fit equally well: %s; %s; want one of the two expressions",
		describe(0), describe(1))
}

// layout is the expression of a log that names none. GoVector writes the host first, ShiViz
// expects the text first. Where the first and the last line leave a doubt, all are tried.
func (r *reader) layout() (string, error) {
	text := strings.TrimSpace(r.text[r.at:])
	first, last := isClock(text[:lineBreak(text)]), isClock(text[strings.LastIndexByte(text, '\n')+1:])
	switch {
	case first && !last:
		return HostFirst, nil
	case !first && last:
		return EventFirst, nil
	}
	host, event := r.fit(HostFirst), r.fit(EventFirst)
	switch {
	case first && r.fit(Bare).odd == 0:
		return Bare, nil
	case host.odd < event.odd:
		return HostFirst, nil
	case host.odd > event.odd || host.events == 0:
		return EventFirst, nil
	case first && host.begins:
		return HostFirst, nil // its end is lost, not its beginning
	}
	return "", &LayoutError{[2]string{HostFirst, EventFirst}, [2]Place{host.leftOut, event.leftOut}}
}

// isClock reports whether a line is a clock and its host alone.
func isClock(line string) bool { return clockLine().MatchString(line) }

// lineBreak is where the first line of a text ends.
func lineBreak(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// fit is how well an expression fits a log.
type fit struct {
	events  int
	odd     int   // lines left out that are no headings, clocks without a text or without their host, and mistakes
	begins  bool  // the first event is the first of its host
	leftOut Place // the first line
}

// fit reads the log with an expression.
func (r *reader) fit(expression string) (f fit) {
	p := &reader{text: r.text, line: r.line, at: r.at, log: &Log{Format: ShiViz}}
	p.clock.number = map[string]int32{}
	x, err := compile("expression", expression)
	if err != nil {
		panic(err) // one of this package
	}
	p.x = x
	p.scan()
	f.events = len(p.log.Events)
	f.odd = p.log.Skipped - p.headings + len(p.mistakes)
	for _, e := range p.log.Events {
		if e.Count == 0 {
			f.odd++
		}
	}
	if p.textless && expression == HostFirst {
		f.odd++
	}
	f.begins = f.events > 0 && p.log.Events[0].Count == 1
	f.leftOut = Place{p.log.FirstSkipped, p.firstSkipped}
	return f
}

// heading reports whether a line parts a log rather than belonging to an event: one that
// begins with a comment, or with three signs that draw a line.
func heading(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
		return true
	}
	return len(line) >= 3 && strings.IndexByte("=-*~_+", line[0]) >= 0 && line[1] == line[0] && line[2] == line[0]
}
