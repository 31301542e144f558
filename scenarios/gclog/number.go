package gclog

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// maxStamp is a time no process has been up, but every clock that counts from
// the epoch is past.
const maxStamp = 20 * 365 * 24 * time.Hour

var (
	errNumber = errors.New("not a decimal number")
	errComma  = errors.New("a decimal comma: want a decimal point")
)

// parseDecimal returns a decimal number of a unit, rounded to nanoseconds, half
// up. There is no sign and no exponent.
func parseDecimal(text string, unit time.Duration) (time.Duration, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	if strings.Contains(text, ",") {
		return 0, errComma
	}
	if whole == "" || dot && fraction == "" {
		return 0, errNumber
	}
	var sum time.Duration
	for _, digit := range []byte(whole) {
		if digit < '0' || digit > '9' {
			return 0, errNumber
		}
		if sum > (math.MaxInt64-9)/10 {
			return 0, errors.New("too large")
		}
		sum = 10*sum + time.Duration(digit-'0')
	}
	if sum > math.MaxInt64/unit-1 { // room for the fraction
		return 0, errors.New("too large")
	}
	sum *= unit
	for _, digit := range []byte(fraction) {
		if digit < '0' || digit > '9' {
			return 0, errNumber
		}
		// unit is a power of ten; below a nanosecond only its first digit rounds.
		if unit == 1 && digit >= '5' {
			sum++
		}
		unit /= 10
		sum += unit * time.Duration(digit-'0')
	}
	return sum, nil
}

// parsePrinted returns a length as a JVM prints it: with digits on both sides of a decimal
// point, or of the comma of its locale. A number without a fraction is the rest of one
// that another writer has broken up.
func parsePrinted(text string, unit time.Duration) (time.Duration, error) {
	i := strings.IndexAny(text, ".,")
	if i <= 0 || i == len(text)-1 {
		return 0, fmt.Errorf("length %q: want digits on both sides of a decimal point", excerpt(text))
	}
	return parseLength(text[:i]+"."+text[i+1:], unit)
}

// parseLength returns the length of a pause.
func parseLength(text string, unit time.Duration) (time.Duration, error) {
	d, err := parseDecimal(text, unit)
	if err == nil && d > MaxPause {
		err = fmt.Errorf("over %v", MaxPause)
	}
	if err != nil {
		return 0, fmt.Errorf("length %q: %w", excerpt(text), err)
	}
	return d, nil
}

// parseStamp returns a time since the process started, or -1 if text is none.
func parseStamp(text string, unit time.Duration) time.Duration {
	d, err := parseDecimal(text, unit)
	if err != nil || d > maxStamp {
		return -1
	}
	return d
}

// parseWithUnit returns a length such as "15.2ms" or "15.2 ms".
func parseWithUnit(text string) (time.Duration, error) {
	number, unit := cutUnit(strings.TrimSpace(text))
	if unit == 0 {
		return 0, fmt.Errorf("length %q: no unit (ns, us, ms or s)", excerpt(text))
	}
	return parseLength(strings.TrimSpace(number), unit)
}

// cutUnit splits a number from the unit after it, which is 0 if there is none.
func cutUnit(text string) (string, time.Duration) {
	i := strings.LastIndexAny(text, "0123456789.") + 1
	return text[:i], unitOf(strings.TrimSpace(text[i:]))
}

// unitOf returns the unit of that name, or 0.
func unitOf(name string) time.Duration {
	switch name {
	case "ns":
		return time.Nanosecond
	case "us", "µs", "μs": // micro sign and mu
		return time.Microsecond
	case "ms":
		return time.Millisecond
	case "s":
		return time.Second
	}
	return 0
}
