package gclog

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"fencepost/internal/lazyregexp"
	"fencepost/internal/logtext"
)

const (
	maxSeries   = 16 // a CSV with more has the wrong column named series
	maxProblems = 5
)

// A reader takes a log line by line and keeps the pauses of every series, since
// only the end of the log tells which one is the most complete.
type reader struct {
	line   int // number of the current line
	text   string
	format string
	first  Problem // the line that settled the format

	series  []*tally // in order of appearance
	stray   tally    // bad lines of a series unknown
	pauses  int      // over all series
	kinds   map[string]string
	classic classic
	table   *table
	content bool     // a line that is not blank went before
	ahead   int      // such lines before the one that settled the format
	begins  Problem  // the first of them
	cut     *Problem // where the log was cut off
	quiet   bool     // while reading a last line that may be cut
}

// A tally is one series. A line with two pauses, of which one is bad, is used.
type tally struct {
	name              string
	pauses            []Pause
	used, bad         int
	lastUsed, lastBad int // line numbers
	problems          []Problem

	doubtful, firstDoubtful int // pauses with two lengths, and the line of the first
}

func (t *tally) add(line int, p Pause) {
	t.pauses = append(t.pauses, p)
	if t.lastUsed == line {
		return
	}
	if t.lastBad == line {
		t.bad--
		t.lastBad = 0
	}
	t.used++
	t.lastUsed = line
}

// fail notes a problem and reports whether it made one more line bad.
func (t *tally) fail(p Problem) bool {
	if len(t.problems) < maxProblems {
		t.problems = append(t.problems, p)
	}
	if t.lastBad == p.Line || t.lastUsed == p.Line {
		return false
	}
	t.bad++
	t.lastBad = p.Line
	return true
}

// merge adds bad lines that are on no line of t.
func (t *tally) merge(stray tally) {
	t.bad += stray.bad
	t.problems = append(t.problems, stray.problems...)
	slices.SortStableFunc(t.problems, func(a, b Problem) int { return a.Line - b.Line })
	t.problems = t.problems[:min(len(t.problems), maxProblems)]
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
	r.text = strings.TrimSuffix(text, "\r")
	comment := strings.HasPrefix(r.text, "#") && (r.format == CSV || !r.content)
	if comment || strings.TrimSpace(r.text) == "" {
		return nil
	}
	before := r.pauses
	r.quiet = !ended
	if err := r.parse(); err != nil {
		return err
	}
	r.content = true
	if r.format == "" {
		if r.ahead++; r.ahead == 1 {
			r.begins = r.problem("the log begins inside this line")
		}
	}
	if !ended && r.pauses == before {
		p := r.problem("the log is cut here: the line has no end")
		r.cut = &p
	}
	if r.pauses > MaxPauses {
		return fmt.Errorf("line %d: more than %d pauses", r.line, MaxPauses)
	}
	return nil
}

// parse hands the line to its format, once a line has settled which that is.
func (r *reader) parse() error {
	if r.format == CSV {
		return r.row()
	}
	// After the first line, only a header that names a unit is one for certain.
	if !r.content || strings.Contains(r.text, "_") {
		if t := newTable(r.text); t != nil && (!r.content || t.unit != 0) {
			return r.head(t)
		}
	}
	if f := formatOf(r.text); f != "" && r.format == "" {
		r.settle(f)
	} else if f != "" && f != r.format {
		return r.mixed(f)
	}
	switch r.format {
	case Classic:
		r.classic.read(r)
	case Unified:
		r.unified()
	case GoTrace:
		r.goCycle()
	}
	return nil
}

// head takes the first line of a table.
func (r *reader) head(t *table) error {
	if r.format != "" {
		return r.mixed(CSV)
	}
	r.settle(CSV)
	r.table = t
	if r.stray.bad += r.ahead; r.ahead > 0 { // rows, perhaps, that come above their header
		r.stray.problems = append(r.stray.problems, r.problem(fmt.Sprintf("a header below %d other lines", r.ahead)))
	}
	if t.headless {
		return r.row()
	}
	return nil
}

// formatOf returns the format of a line that only one log format has, else "".
func formatOf(text string) string {
	switch {
	case isUnified(text):
		return Unified
	case isClassic(text):
		return Classic
	case isGoTrace(text):
		return GoTrace
	}
	return ""
}

func (r *reader) settle(format string) {
	r.format, r.first = format, r.problem("")
}

func (r *reader) mixed(format string) error {
	return fmt.Errorf("two formats in one log: line %d is %s (%q), line %d is %s (%q)",
		r.first.Line, r.format, r.first.Text, r.line, format, excerpt(r.text))
}

func (r *reader) problem(reason string) Problem {
	return Problem{Line: r.line, Text: excerpt(r.text), Reason: reason}
}

// tally returns the series of that name, new if need be, or nil if there would be too many.
func (r *reader) tally(name string) *tally {
	i := slices.IndexFunc(r.series, func(t *tally) bool { return t.name == name })
	if i >= 0 {
		return r.series[i]
	}
	if len(r.series) == maxSeries {
		return nil
	}
	t := &tally{name: strings.Clone(name)}
	r.series = append(r.series, t)
	return t
}

// add records a pause on the current line. The kind is copied once per log, so
// that a pause does not keep its line in memory.
func (r *reader) add(series string, p Pause) {
	kind, ok := r.kinds[p.Kind]
	if !ok {
		kind = strings.Clone(p.Kind)
		r.kinds[kind] = kind
	}
	p.Kind = kind
	r.pauses++
	r.tally(series).add(r.line, p)
}

// addEnded records a pause whose stamp, -1 if there is none, is its end.
func (r *reader) addEnded(series string, stamp, length time.Duration, kind string) {
	at := stamp
	if stamp >= 0 {
		at = max(0, stamp-length)
	}
	r.add(series, Pause{At: at, For: length, Kind: kind})
}

// fail records that the current line should hold a pause and does not.
func (r *reader) fail(series, reason string) {
	if !r.quiet {
		r.tally(series).fail(r.problem(reason))
	}
}

// finish chooses the series and settles the counts.
func (r *reader) finish(want []string) (*Log, error) {
	if r.line == 0 {
		return nil, errEmpty
	}
	t, err := r.choose(want)
	if err != nil {
		return nil, err
	}
	t.merge(r.stray)
	candidates, bad := t.used+t.bad, t.bad
	if r.cut == nil && t.name == GC {
		r.cut = r.classic.unfinished()
	}
	if r.cut != nil {
		t.fail(*r.cut)
	}
	if end := pauseEnds[t.name]; r.ahead > 0 && end != nil && end().MatchString(r.begins.Text) {
		t.fail(r.begins)
		slices.SortStableFunc(t.problems, func(a, b Problem) int { return a.Line - b.Line })
	}
	if logtext.TooMany(int64(bad), int64(candidates)) {
		return nil, fmt.Errorf("%d of %d lines with a pause of series %s cannot be read:%s",
			bad, candidates, t.name, logtext.Indented(t.problems))
	}
	if len(t.pauses) == 0 {
		return nil, noPauses(r.line)
	}
	return &Log{
		Format: r.format, Series: t.name, Found: r.found(), Pauses: t.pauses,
		Lines: r.line, Used: t.used, Ignored: r.line - t.used - t.bad, Bad: t.bad, Problems: t.problems,
		Doubtful: t.doubtful, FirstDoubtful: t.firstDoubtful,
	}, nil
}

// pauseEnds are the ends of lines with a pause, by series. A first line that has one, and
// settles no format, has lost its start.
var pauseEnds = map[string]func() *regexp.Regexp{
	Safepoint: lazyregexp.New(`: \d+ ns\b`),
	App:       lazyregexp.New(`stopped: [\d.,]+ seconds|Stopping threads took: [\d.,]+ seconds`),
	GC:        lazyregexp.New(`, [\d.,]+ secs\]|\d[.,]\d+ms$`),
	Go:        lazyregexp.New(`\d ms clock|\d ms cpu|\d->\d+->\d+ MB`),
}

// found returns the names of the series, the most complete first.
func (r *reader) found() []string {
	var names []string
	for _, name := range preference {
		if slices.ContainsFunc(r.series, func(t *tally) bool { return t.name == name }) {
			names = append(names, name)
		}
	}
	for _, t := range r.series {
		if !slices.Contains(preference, t.name) {
			names = append(names, t.name)
		}
	}
	return names
}

// harmless is what a caller asked for, with a question mark for each control character.
func harmless(asked string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, asked)
}

// choose returns the series that Read promises. One whose every line is bad is
// chosen too: to fall back to a less complete one would hide that.
func (r *reader) choose(want []string) (*tally, error) {
	found := r.found()
	switch {
	case len(found) == 0 && r.stray.bad > 0:
		return nil, fmt.Errorf("no row of the table can be read:%s", logtext.Indented(r.stray.problems))
	case len(found) == 0:
		return nil, noPauses(r.line)
	}
	for _, name := range want {
		if slices.Contains(found, name) {
			return r.tally(name), nil
		}
	}
	switch {
	case len(want) > 0:
		return nil, fmt.Errorf("no pauses of series %s; the log has %s", harmless(strings.Join(want, ", ")), strings.Join(found, ", "))
	case len(found) > 1 && !slices.Contains(preference, found[0]):
		return nil, fmt.Errorf("several series (%s): ask for one", strings.Join(found, ", "))
	}
	return r.tally(found[0]), nil
}
