package clocklog

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"fencepost/internal/logtext"
)

const maxProblems = 5

// reader takes a log line by line.
type reader struct {
	options  Options
	parser   *parser
	line     int // number of the current line
	content  bool
	points   int
	last     string    // line that measures something
	sources  []*series // in order of appearance
	problems []Problem
	bad      int
	cut      *Problem

	unsynchronised int // lines
}

// series is the points of one source.
type series struct {
	name   string
	points []Point
}

// readAll feeds every line of r to take.
func (r *reader) readAll(src io.Reader) error {
	return logtext.Each(src, MaxLine, func(n int, line string) error {
		r.line = n
		return r.take(line)
	})
}

// take reads one line, its end included.
func (r *reader) take(line string) error {
	text, ended := strings.CutSuffix(line, "\n")
	text = strings.TrimSpace(text)
	if text == "" || text[0] == '#' {
		return nil
	}
	r.content = true
	if r.parser == nil {
		if isBanner(text) {
			return nil
		}
		if r.parser = r.detect(text); r.parser == nil {
			return r.unknown(text)
		}
	}
	m, why := r.parser.parse(r.parser, text)
	if why == nil && strings.ContainsFunc(m.source, unicode.IsControl) {
		why = errors.New("a control character in the name of a source")
	}
	switch {
	case why == errIgnored:
		return nil
	case why == errUnsynchronised:
		r.unsynchronised++
		return nil
	case why != nil && !ended:
		r.cut = &Problem{Line: r.line, Text: excerpt(text), Reason: why.Error()}
		return nil
	case why != nil:
		if r.bad++; len(r.problems) < maxProblems {
			r.problems = append(r.problems, Problem{Line: r.line, Text: excerpt(text), Reason: why.Error()})
		}
		return nil
	}
	if text == r.last {
		return fmt.Errorf("line %d: it is the same as the one before it, and a correction is made once: two copies of the log are in one file", r.line)
	}
	r.last = text
	return r.add(&m)
}

// detect is the parser of the format that was asked for, or that the line has; nil if
// it has none.
func (r *reader) detect(text string) *parser {
	if r.options.Format != "" {
		return parserOf(r.options.Format)
	}
	for i := range parsers {
		if parsers[i].fits(text) {
			p := parsers[i]
			return &p
		}
	}
	return nil
}

func (r *reader) unknown(text string) error {
	return fmt.Errorf(`line %d is of no known format: %q. Tried were
  chrony-tracking      2021-12-19 05:00:14 PPS 1 4.417 0.067 1.094e-06 N 1 ...
  chrony-measurements  2021-12-19 05:01:15 129.6.15.29 N 1 111 111 1111 10 13 1.00 -2.060e-03 3.078e-02 ...
  loopstats            50935 75440.031 0.000006019 13.778190 0.000351733 0.013380 6
  ptp4l                ptp4l[141661.021]: master offset 453555 s0 freq +18824 path delay 21453
  csv                  a header such as seconds,offset_ms,freq_ppm`, r.line, excerpt(text))
}

// add records what a line measured.
func (r *reader) add(m *measure) error {
	if r.points++; r.points > MaxPoints {
		return fmt.Errorf("line %d: more than %d points", r.line, MaxPoints)
	}
	m.Line = r.line
	for _, s := range r.sources {
		if s.name == m.source {
			s.points = append(s.points, m.Point)
			return nil
		}
	}
	if len(r.sources) == MaxSource {
		return fmt.Errorf("line %d: more than %d sources", r.line, MaxSource)
	}
	r.sources = append(r.sources, &series{strings.Clone(m.source), []Point{m.Point}})
	return nil
}

// finish chooses the source and puts its points into true time.
func (r *reader) finish() (*Log, error) {
	switch {
	case !r.content:
		return nil, errors.New("the log is empty")
	case r.bad > 0:
		return nil, fmt.Errorf("%d of %d lines cannot be read:%s", r.bad, r.line, logtext.Indented(r.problems))
	case r.parser != nil && r.parser.saysSteps && r.options.Step != 0:
		return nil, fmt.Errorf("step: a log of %s says itself which lines are steps", r.parser.format)
	}
	s, err := r.choose()
	if err != nil {
		return nil, err
	}
	l := &Log{Format: r.parser.format, Source: s.name, Dated: r.parser.dated, Points: s.points,
		Lines: r.line, Ignored: r.line - len(s.points), Others: r.points - len(s.points), Unsynchronised: r.unsynchronised, Cut: r.cut}
	for _, o := range r.sources {
		if o.name != "" {
			l.Found = append(l.Found, o.name)
		}
	}
	if err := r.settle(l); err != nil {
		return nil, err
	}
	return l, nil
}

// choose is the source that was asked for, or else that with the most lines.
func (r *reader) choose() (*series, error) {
	var best *series
	var names []string
	for _, s := range r.sources {
		names = append(names, s.name)
		if s.name == r.options.Source || r.options.Source == "" && (best == nil || len(s.points) > len(best.points)) {
			best = s
		}
	}
	switch {
	case len(r.sources) == 0:
		return nil, fmt.Errorf("no line of %d measures the clock", r.line)
	case best == nil && len(names) == 1 && names[0] == "":
		return nil, fmt.Errorf("source: a log of %s is of one clock, and names no sources", r.parser.format)
	case best == nil:
		return nil, fmt.Errorf("source: no line is of %q; the log has %s", excerpt(r.options.Source), excerpt(strings.Join(names, ", ")))
	case len(best.points) < 2:
		return nil, errors.New("only one line measures the clock: want at least two")
	}
	return best, nil
}

// settle finds out which corrections are steps, and when in true time each point was. A
// daemon that stamps its lines by the very clock that it is about to step has the error
// in the stamp.
func (r *reader) settle(l *Log) error {
	step := r.options.Step
	if step == 0 {
		step = r.parser.step
	}
	for i := range l.Points {
		p := &l.Points[i]
		if !r.parser.saysSteps {
			p.Stepped = p.Error.Abs() >= step
		}
		if p.At = p.Stamp; p.Stepped && r.parser.ownStamps {
			p.At -= p.Error
		}
	}
	first := l.Points[0].At
	for i := range l.Points {
		p := &l.Points[i]
		if p.At -= first; i == 0 {
			continue
		}
		before := &l.Points[i-1]
		switch gap := p.At - before.At; {
		case gap < -r.parser.grain:
			return fmt.Errorf("line %d: the time goes back by %v from line %d: the clock was set, which this log does not tell, or there are two logs in one file", p.Line, -gap, before.Line)
		case gap > MaxGap:
			return fmt.Errorf("line %d: %v later than line %d: want at most %d days between two lines", p.Line, gap, before.Line, MaxGap/(24*time.Hour))
		case gap < 0: // stamps are rounded down
			p.At = before.At
		}
	}
	return nil
}
