package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/logtext"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Limits of a table of durations.
const (
	maxTableSize = 10 << 20 // bytes
	maxTableRows = 1_000_000
)

// table decodes {csv: FILE}.
func (d *decoding) table(v *strict.Value, into *sim.Dist) {
	name, ok := strict.Read[string](v)
	if !ok {
		return
	}
	in := d.files.get("csv", name, v.Pos().Set != "", readTable)
	if !d.use(v, in) {
		return
	}
	if in.roundTrips && strings.HasPrefix(v.Pos().Path, "network.") {
		v.Errorf("%s holds round trips, and a delay is one way: want a table of halves, with a header such as delay_ms", in.Path)
		return
	}
	*into = in.dist
}

// readTable reads one duration per row: each with its unit, or all in the unit at
// the end of the header, as in delay_ms. Below a header such as length_ms,count each
// row says besides how often its duration counts. Empty lines and those that begin
// with # do not count. What is finer than a nanosecond is cut off.
func readTable(in *input, r io.Reader) error {
	lines := bufio.NewScanner(logtext.Reader(r, logtext.Options{MaxLine: maxTableSize, MaxSize: maxTableSize}))
	head, n, rows := header{}, 0, 0
	for lines.Scan() {
		n++
		row := strings.TrimSpace(lines.Text())
		if row == "" || row[0] == '#' {
			continue
		}
		if h := headerOf(row); len(in.values) == 0 && head.unit == "" && h.unit != "" {
			head, in.roundTrips = h, isRoundTrip(row)
			continue
		}
		value, count, err := head.read(row)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", in.Path, n, err)
		}
		if count > maxTableRows-len(in.values) {
			return fmt.Errorf("%s:%d: more than %d %s", in.Path, n, maxTableRows, head.what())
		}
		rows++
		in.values = append(in.values, slices.Repeat([]time.Duration{value}, count)...)
	}
	large := (*logtext.TooLarge)(nil)
	switch {
	case errors.As(lines.Err(), &large):
		return fmt.Errorf("%s: the file is too large: want at most %d MiB", in.Path, maxTableSize>>20)
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is too long: want one duration", in.Path, n+1)
	case lines.Err() != nil:
		return fmt.Errorf("%s:%d: %w", in.Path, n+1, lines.Err())
	case len(in.values) == 0 && rows > 0:
		return fmt.Errorf("%s: the counts are all 0: want one above 0", in.Path)
	case len(in.values) == 0:
		return fmt.Errorf("%s: no durations in %d lines: want one per line, such as 1.5ms, or numbers below a header such as delay_ms", in.Path, n)
	}
	in.Summary = summary(in)
	in.dist, _ = sim.Empirical(in.values) // they are some, and none is negative
	return nil
}

func summary(in *input) string {
	sorted := slices.Sorted(slices.Values(in.values))
	rank := func(percent int) time.Duration { return sorted[(len(sorted)*percent+99)/100-1] }
	return fmt.Sprintf("%s: %d durations, p50 %v, p99 %v, max %v", path.Base(in.Path), len(sorted), rank(50), rank(99), rank(100))
}

// header is what the first row of a table says of the others.
type header struct {
	unit    string // of each duration; "" where each has its own
	counted bool   // a second column says how often each duration counts
}

// headerOf reads a header; without a unit it is none.
func headerOf(row string) header {
	name, second, two := strings.Cut(row, ",")
	if counted := strings.Trim(second, ` "`) == "count"; counted || !two {
		return header{unitOfHeader(strings.TrimSpace(name)), counted}
	}
	return header{}
}

// unitOfHeader is the unit at the end of the name of a column, or "".
func unitOfHeader(name string) string {
	i := strings.LastIndexAny(name, "_ ")
	if i <= 0 || strings.ContainsAny(name[:1], "0123456789.+-") {
		return ""
	}
	switch unit := strings.Trim(name[i+1:], `()[]"`); unit {
	case "ns", "us", "µs", "μs", "ms", "s":
		return unit
	}
	return ""
}

// isRoundTrip reports whether a header says that its durations are there and back.
func isRoundTrip(header string) bool {
	header = strings.ToLower(header)
	return strings.Contains(header, "rtt") || strings.Contains(header, "round")
}

// what it is that a table has too many of.
func (h header) what() string {
	if h.counted {
		return "durations"
	}
	return "rows"
}

// read reads a row: a duration, and how often it counts.
func (h header) read(row string) (time.Duration, int, error) {
	if !h.counted {
		value, err := parseCell(row, h.unit)
		return value, 1, err
	}
	cell, times, two := strings.Cut(row, ",")
	times = strings.TrimSpace(times)
	if !two {
		return 0, 0, fmt.Errorf("%q has no count: want two columns, as in 1.5,20", strict.Excerpt(row))
	}
	value, err := parseCell(strings.TrimSpace(cell), h.unit)
	if err != nil {
		return 0, 0, err
	}
	count, err := strconv.ParseUint(times, 10, 31)
	if errors.Is(err, strconv.ErrRange) {
		return value, maxTableRows + 1, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%q is not a count: want a whole number, 0 or more", strict.Excerpt(times))
	}
	return value, int(count), nil
}

// placesOf is how many decimal places of a unit are whole nanoseconds.
var placesOf = map[string]int{"s": 9, "ms": 6, "us": 3, "µs": 3, "μs": 3, "ns": 0}

// parseCell reads a duration, or a number of the unit if there is one.
func parseCell(cell, unit string) (time.Duration, error) {
	number := strings.TrimRight(cell, "abcdefghijklmnopqrstuvwxyzµμ ")
	if unit == "" {
		unit = strings.TrimSpace(cell[len(number):])
	} else if number != cell && number != "" {
		return 0, fmt.Errorf("%q has a unit of its own, and the header has one, too", strict.Excerpt(cell))
	}
	places, ok := placesOf[unit]
	whole, fraction, _ := strings.Cut(number, ".")
	if ok && len(fraction) > places && strings.Trim(fraction, "0123456789") == "" {
		number = strings.TrimSuffix(whole+"."+fraction[:places], ".")
	}
	length, err := strict.Duration(number + unit)
	switch {
	case err != nil && strings.Contains(cell, ","):
		return 0, fmt.Errorf("%q has several columns: want one, or two below a header such as length_ms,count", strict.Excerpt(cell))
	case err != nil && number == "":
		return 0, fmt.Errorf("%q is not a duration: want a number", strict.Excerpt(cell))
	}
	return length, err
}
