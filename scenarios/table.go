package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

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
	name, ok := read[string](v)
	if !ok {
		return
	}
	in := d.files.get("csv", name, v.Pos().Set != "", readTable)
	if !d.use(v, in) {
		return
	}
	*into, _ = sim.Empirical(in.values) // they are some, and none is negative
}

// readTable reads one duration per row: each with its unit, or all in the unit at
// the end of the header, as in rtt_ms. Empty lines and those that begin with # do
// not count. What is finer than a nanosecond is cut off.
func readTable(in *input, r io.Reader) error {
	limited := &io.LimitedReader{R: r, N: maxTableSize + 1}
	lines := bufio.NewScanner(limited)
	unit, n := "", 0
	for lines.Scan() {
		n++
		row := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if row == "" || row[0] == '#' {
			continue
		}
		if u := unitOfHeader(row); len(in.values) == 0 && unit == "" && u != "" {
			unit = u
			continue
		}
		value, err := parseCell(row, unit)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", in.Path, n, err)
		}
		if in.values = append(in.values, value); len(in.values) > maxTableRows {
			return fmt.Errorf("%s:%d: more than %d rows", in.Path, n, maxTableRows)
		}
	}
	switch {
	case limited.N == 0:
		return fmt.Errorf("%s: the file is too large: want at most %d MiB", in.Path, maxTableSize>>20)
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is too long: want one duration", in.Path, n+1)
	case lines.Err() != nil:
		return fmt.Errorf("%s:%d: %w", in.Path, n+1, lines.Err())
	case len(in.values) == 0:
		return fmt.Errorf("%s: no durations in %d lines: want one per line, such as 1.5ms, or numbers below a header such as rtt_ms", in.Path, n)
	}
	in.Summary = summary(in)
	return nil
}

func summary(in *input) string {
	sorted := slices.Sorted(slices.Values(in.values))
	rank := func(percent int) time.Duration { return sorted[(len(sorted)*percent+99)/100-1] }
	return fmt.Sprintf("%s: %d durations, p50 %v, p99 %v, max %v", path.Base(in.Path), len(sorted), rank(50), rank(99), rank(100))
}

// unitOfHeader is the unit that the header of a table gives, or "".
func unitOfHeader(row string) string {
	i := strings.LastIndexAny(row, "_ ")
	if i <= 0 || strings.ContainsAny(row[:1], "0123456789.+-") {
		return ""
	}
	switch unit := strings.Trim(row[i+1:], `()[]"`); unit {
	case "ns", "us", "µs", "μs", "ms", "s":
		return unit
	}
	return ""
}

// parseCell reads a duration, or a number of the unit if there is one.
func parseCell(cell, unit string) (time.Duration, error) {
	number := strings.TrimRight(cell, "abcdefghijklmnopqrstuvwxyzµμ ")
	if unit == "" {
		unit = strings.TrimSpace(cell[len(number):])
	} else if number != cell && number != "" {
		return 0, fmt.Errorf("%q has a unit of its own, and the header has one, too", excerpt(cell))
	}
	places, ok := map[string]int{"s": 9, "ms": 6, "us": 3, "µs": 3, "μs": 3, "ns": 0}[unit]
	whole, fraction, _ := strings.Cut(number, ".")
	if ok && len(fraction) > places && strings.Trim(fraction, "0123456789") == "" {
		number = strings.TrimSuffix(whole+"."+fraction[:places], ".")
	}
	length, err := strict.Duration(number + unit)
	switch {
	case err != nil && strings.Contains(cell, ","):
		return 0, fmt.Errorf("%q has several columns: want one", excerpt(cell))
	case err != nil && number == "":
		return 0, fmt.Errorf("%q is not a duration: want a number", excerpt(cell))
	}
	return length, err
}

// excerpt is the start of a text.
func excerpt(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
