package gclog

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A table is the header of a CSV: the index of each column, -1 if there is none.
//
// The pause column is named pause, duration, stop, stopped or length with a unit
// after it (pause_ms; _ns, _us, _ms, _s), or pause or duration alone, with a unit
// in each value. The start column is t, time, at, start or uptime with a unit.
// Columns series and kind (or cause) are text. Other columns are ignored. A table
// of one column, each value with its unit, needs no header.
type table struct {
	pause, at, series, kind int

	columns  int
	unit     time.Duration // of pause; 0 if each value has its own
	atUnit   time.Duration
	headless bool
}

// newTable returns the table that a line heads, or nil if it heads none.
func newTable(line string) *table {
	if _, err := parseWithUnit(line); err == nil {
		return &table{at: -1, series: -1, kind: -1, columns: 1, headless: true}
	}
	cells := cells(strings.ToLower(line))
	t := &table{pause: -1, at: -1, series: -1, kind: -1, columns: len(cells)}
	for i, cell := range cells {
		t.name(i, strings.TrimSpace(cell))
	}
	if t.pause < 0 {
		return nil
	}
	return t
}

// name gives column i its meaning; of two with the same meaning the first has it.
func (t *table) name(i int, cell string) {
	base, unit := cell, time.Duration(0)
	if j := strings.LastIndexByte(cell, '_'); j >= 0 {
		if u := unitOf(cell[j+1:]); u != 0 {
			base, unit = cell[:j], u
		}
	}
	bare := base == "pause" || base == "duration"
	switch {
	case t.pause < 0 && (bare || unit != 0 && slices.Contains([]string{"stop", "stopped", "length"}, base)):
		t.pause, t.unit = i, unit
	case t.at < 0 && unit != 0 && slices.Contains([]string{"t", "time", "at", "start", "uptime"}, base):
		t.at, t.atUnit = i, unit
	case t.series < 0 && cell == "series":
		t.series = i
	case t.kind < 0 && (cell == "kind" || cell == "cause"):
		t.kind = i
	}
}

// row reads the current line as a row of the table.
func (r *reader) row() error {
	cells := cells(r.text)
	p, err := r.table.read(cells)
	if err != nil {
		if f := formatOf(r.text); f != "" {
			return r.mixed(f)
		}
		if r.quiet {
			return nil
		}
	}
	series, known := r.table.seriesOf(cells)
	switch {
	case !known:
		r.stray.fail(r.problem(err.Error()))
	case r.tally(series) == nil:
		return fmt.Errorf("line %d: more than %d series", r.line, maxSeries)
	case err != nil:
		r.fail(series, err.Error())
	default:
		r.add(series, p)
	}
	return nil
}

// seriesOf returns the series of a row, which is unknown if cells are missing.
func (t *table) seriesOf(cells []string) (series string, known bool) {
	if t.series < 0 {
		return Unnamed, true
	}
	if len(cells) != t.columns || strings.ContainsFunc(cells[t.series], unicode.IsControl) {
		return "", false
	}
	return cmp.Or(cells[t.series], Unnamed), true
}

func (t *table) read(cells []string) (Pause, error) {
	p := Pause{At: -1}
	if len(cells) != t.columns {
		return p, fmt.Errorf("has %d columns, the first line has %d", len(cells), t.columns)
	}
	if t.series >= 0 && strings.ContainsFunc(cells[t.series], unicode.IsControl) {
		return p, errors.New("a control character in the name of a series")
	}
	var err error
	if t.unit == 0 {
		p.For, err = parseWithUnit(cells[t.pause])
	} else {
		p.For, err = parseLength(strings.TrimSpace(cells[t.pause]), t.unit)
	}
	if err != nil {
		return p, err
	}
	if t.at >= 0 {
		if at := strings.TrimSpace(cells[t.at]); at != "" {
			if p.At = parseStamp(at, t.atUnit); p.At < 0 {
				return p, fmt.Errorf("start %q is not a time since the process started", excerpt(at))
			}
		}
	}
	if t.kind >= 0 {
		p.Kind = cells[t.kind]
	}
	return p, nil
}

// cells splits a row. Most have no quotes, and need no reader of their own.
func cells(line string) []string {
	if strings.IndexByte(line, '"') < 0 {
		return strings.Split(line, ",")
	}
	cells, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		return nil // no columns, which is never the right number
	}
	return cells
}
