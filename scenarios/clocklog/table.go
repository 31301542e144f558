package clocklog

import (
	"fmt"
	"slices"
	"strings"
)

// A table is the header of a CSV: the index of each column, -1 if there is none, and
// how many places its unit is from the nanosecond, or the part per billion.
//
// The columns are seconds, or t, time, at or elapsed with a unit (time_s; _ns, _us, _ms,
// _s): true time; offset with a unit: how far the clock is ahead; and, if it is there,
// freq_ppm or freq_ppb. Other columns are ignored.
type table struct {
	at, offset, freq                   int
	atPlaces, offsetPlaces, freqPlaces int
	columns                            int
}

// places is how many places a unit is from the nanosecond, -1 if it is none.
func places(unit string) int {
	switch unit {
	case "ns":
		return 0
	case "us", "µs", "μs":
		return 3
	case "ms":
		return 6
	case "s":
		return 9
	}
	return -1
}

// newTable is the table that a line heads, nil if it heads none.
func newTable(text string) *table {
	cells := cells(strings.ToLower(text))
	t := &table{at: -1, offset: -1, freq: -1, columns: len(cells)}
	for i, cell := range cells {
		base, unit, _ := strings.Cut(cell, "_")
		p := places(unit)
		switch {
		case t.at < 0 && cell == "seconds":
			t.at, t.atPlaces = i, 9
		case t.at < 0 && p >= 0 && slices.Contains([]string{"t", "time", "at", "elapsed"}, base):
			t.at, t.atPlaces = i, p
		case t.offset < 0 && base == "offset" && p >= 0:
			t.offset, t.offsetPlaces = i, p
		case t.freq < 0 && (cell == "freq_ppm" || cell == "frequency_ppm"):
			t.freq, t.freqPlaces = i, 3
		case t.freq < 0 && (cell == "freq_ppb" || cell == "frequency_ppb"):
			t.freq, t.freqPlaces = i, 0
		}
	}
	if t.at < 0 || t.offset < 0 {
		return nil
	}
	return t
}

func fitsTable(text string) bool { return newTable(text) != nil }

func parseTable(p *parser, text string) (m measure, err error) {
	if p.table == nil {
		if p.table = newTable(text); p.table == nil {
			p.table = &table{at: -1}
			return m, fmt.Errorf("a header without seconds and offset: want one such as seconds,offset_ms,freq_ppm")
		}
		return m, errIgnored
	}
	t := p.table
	f := cells(text)
	switch {
	case t.at < 0:
		return m, errIgnored // one mistake is enough
	case len(f) != t.columns:
		return m, fmt.Errorf("%d columns: the header has %d", len(f), t.columns)
	}
	var errs [3]error
	m.Stamp, errs[0] = readStamp(f[t.at], t.atPlaces)
	m.Error, errs[1] = readError(f[t.offset], t.offsetPlaces)
	if t.freq >= 0 {
		m.Freq, errs[2] = readFreq(f[t.freq], t.freqPlaces)
	}
	return m, first(errs[:])
}

// cells are the columns of a row.
func cells(text string) []string {
	f := strings.Split(text, ",")
	for i := range f {
		f[i] = strings.Trim(strings.TrimSpace(f[i]), `"`)
	}
	return f
}
