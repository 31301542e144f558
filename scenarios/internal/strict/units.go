package strict

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

// unit is a word behind a number, and what one of it counts.
type unit struct {
	name string
	size int64
}

// measure is a number with a unit that is kept as an integer.
type measure struct {
	noun   string // "a duration"
	want   string // "a number with a unit such as 250ms or 3s"
	grain  string // what the integer counts
	units  []unit // large before small; the name "" allows a bare number
	many   bool   // 1h30m
	spaced bool   // a space may stand before the unit
	signed bool
	most   int64
	top    string // most, as it is written
}

var durationUnits = []unit{
	{"h", int64(time.Hour)},
	{"m", int64(time.Minute)},
	{"s", int64(time.Second)},
	{"ms", int64(time.Millisecond)},
	{"us", int64(time.Microsecond)},
	{"µs", int64(time.Microsecond)}, // micro sign
	{"μs", int64(time.Microsecond)}, // Greek mu
	{"ns", 1},
}

var duration = measure{
	noun:  "a duration",
	want:  "a number with a unit such as 250ms or 3s",
	grain: "nanoseconds",
	units: durationUnits,
	many:  true,
	most:  math.MaxInt64,
	top:   "2562047h",
}

var signedDuration = measure{
	noun:   duration.noun,
	want:   "a number with a unit such as 250ms or -3s",
	grain:  duration.grain,
	units:  durationUnits,
	many:   true,
	signed: true,
	most:   duration.most,
	top:    duration.top,
}

var drift = measure{
	noun:   "a clock error",
	want:   "100ppm, 500ppb or 0.01%, with - for a slow clock",
	grain:  "parts per billion",
	units:  []unit{{"%", 10_000_000}, {"ppm", 1000}, {"ppb", 1}},
	spaced: true,
	signed: true,
	most:   math.MaxInt64,
	top:    "922337203685%",
}

var proportion = measure{
	noun:   "a proportion",
	want:   "1%, 0.5% or a number from 0 to 1",
	grain:  "parts per billion",
	units:  []unit{{"%", 10_000_000}, {"ppm", 1000}, {"ppb", 1}, {"", 1_000_000_000}},
	spaced: true,
	most:   1_000_000_000,
	top:    "100%",
}

var ratio = measure{
	noun:   "a ratio",
	want:   "a number or a percentage such as 0.5, 3 or 50%",
	grain:  "billionths",
	units:  []unit{{"%", 10_000_000}, {"", 1_000_000_000}},
	spaced: true,
	most:   math.MaxInt64,
	top:    "9223372036",
}

var size = measure{
	noun:  "a size",
	want:  "a number with a unit such as 512B, 10KB or 4MiB",
	grain: "bytes",
	units: []unit{
		{"TiB", 1 << 40}, {"TB", 1e12}, {"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6},
		{"KiB", 1 << 10}, {"KB", 1e3}, {"kB", 1e3}, {"B", 1},
	},
	most: math.MaxInt64,
	top:  "9223372TB",
}

// Duration reads a length of time of 0 or more such as 10s, 1.5s, 10020ms or
// 1h30m, in units from h to ns.
func Duration(text string) (time.Duration, error) {
	n, err := duration.parse(text)
	return time.Duration(n), err
}

// SignedDuration reads a length of time as [Duration] does, with an optional
// sign: -250ms.
func SignedDuration(text string) (time.Duration, error) {
	n, err := signedDuration.parse(text)
	return time.Duration(n), err
}

// PartsPerBillion reads a clock error such as 100ppm, -500ppb or 0.01%, in parts
// per billion.
func PartsPerBillion(text string) (int64, error) { return drift.parse(text) }

// Proportion reads a share of a whole such as 1%, 0.5%, 200ppm or 0.005, in
// parts per billion, from 0 to 1,000,000,000.
func Proportion(text string) (int64, error) { return proportion.parse(text) }

// Ratio reads a ratio of two totals such as 0.5, 3 or 50%, in billionths.
func Ratio(text string) (int64, error) { return ratio.parse(text) }

// Size reads a number of bytes such as 512B, 10KB (10,000) or 4KiB (4,096).
func Size(text string) (int64, error) { return size.parse(text) }

// Frequency is Count events in every Per.
type Frequency struct {
	Count int64         // 0 or more
	Per   time.Duration // more than 0
}

// UnmarshalStrict implements [Unmarshaler].
func (f *Frequency) UnmarshalStrict(v *Value) {
	if v.Kind() != Scalar {
		v.Reject("a rate", wantRate)
	} else if rate, ok := Scan(v, Rate); ok {
		*f = rate
	}
}

const wantRate = "a count per s, min, h or day such as 100/min, or per duration such as 5/10s"

// Rate reads a frequency such as 100/min, 5/s, 1000/day or 5/10s.
func Rate(text string) (Frequency, error) {
	bad := fmt.Errorf("%s is not a rate: want %s", quote(text), wantRate)
	count, per, ok := strings.Cut(text, "/")
	n, err := scaled(count, 1)
	switch {
	case !ok || errors.Is(err, errForm):
		return Frequency{}, bad
	case err != nil:
		return Frequency{}, fmt.Errorf("%s has no whole count that fits 64 bits: want %s", quote(text), wantRate)
	}
	for _, p := range []unit{
		{"s", int64(time.Second)}, {"second", int64(time.Second)}, {"min", int64(time.Minute)}, {"minute", int64(time.Minute)},
		{"h", int64(time.Hour)}, {"hour", int64(time.Hour)}, {"day", 24 * int64(time.Hour)},
	} {
		if p.name == per {
			return Frequency{n, time.Duration(p.size)}, nil
		}
	}
	d, err := Duration(per)
	if err != nil || d == 0 {
		return Frequency{}, bad
	}
	return Frequency{n, d}, nil
}

// parse returns text as a number of grains.
func (m *measure) parse(text string) (int64, error) {
	rest, negative := text, false
	if rest != "" && strings.ContainsRune("+-", rune(rest[0])) {
		rest, negative = rest[1:], rest[0] == '-'
	}
	n, err := m.sum(rest)
	switch {
	case errors.Is(err, errForm):
		return 0, fmt.Errorf("%s is not %s: want %s", quote(text), m.noun, m.advice(text))
	case !m.signed && rest != text:
		return 0, fmt.Errorf("%s has a sign: want %s of 0 or more", quote(text), m.noun)
	case errors.Is(err, errFine):
		return 0, fmt.Errorf("%s is not a whole number of %s", quote(text), m.grain)
	case err != nil || n > m.most:
		return 0, fmt.Errorf("%s is too large for %s: want at most %s", quote(text), m.noun, m.top)
	case negative:
		n = -n
	}
	return n, nil
}

// advice names the units to a number that has none.
func (m *measure) advice(text string) string {
	if _, err := scaled(text, 1); m.many && !errors.Is(err, errForm) {
		return fmt.Sprintf("a unit, as in %sms or %[1]ss", cut(text))
	}
	if meant := m.respelt(text); meant != "" {
		return fmt.Sprintf("%s; did you mean %q?", m.want, meant)
	}
	return m.want
}

// longUnits are what people write for the units of a duration.
var longUnits = map[string]string{
	"min": "m", "mins": "m", "minute": "m", "minutes": "m", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h", "msec": "ms", "msecs": "ms", "millis": "ms", "usec": "us", "micros": "us", "nanos": "ns",
}

// respelt is a text with the units that it means, "" if that is no number either.
func (m *measure) respelt(text string) string {
	if !m.many {
		return ""
	}
	out := ""
	for rest := strings.ReplaceAll(text, " ", ""); rest != ""; {
		var number, name string
		number, name, rest = m.split(rest)
		if short, ok := longUnits[strings.ToLower(name)]; ok {
			name = short
		}
		out += number + name
	}
	if _, err := m.sum(strings.TrimLeft(out, "+-")); err != nil || out == text {
		return ""
	}
	return out
}

// sum adds up the numbers of text, each with a smaller unit than the one before.
func (m *measure) sum(text string) (total int64, err error) {
	units := m.units
	for rest := text; ; {
		var number, name string
		number, name, rest = m.split(rest)
		i := 0
		for i < len(units) && units[i].name != name {
			i++
		}
		if i == len(units) {
			return 0, errForm
		}
		n, err := scaled(number, units[i].size)
		if err != nil {
			return 0, err
		}
		if total > math.MaxInt64-n {
			return 0, errLarge
		}
		total, units = total+n, units[i+1:]
		if rest == "" {
			return total, nil
		}
	}
}

// split takes the first number and its unit from text.
func (m *measure) split(text string) (number, name, rest string) {
	const digits = "0123456789."
	name = strings.TrimLeft(text, digits)
	number = text[:len(text)-len(name)]
	if i := strings.IndexAny(name, digits); m.many && i >= 0 {
		name, rest = name[:i], name[i:]
	}
	if m.spaced {
		name = strings.TrimPrefix(name, " ")
	}
	return number, name, rest
}

var (
	errForm  = errors.New("not a decimal number")
	errFine  = errors.New("not whole")
	errLarge = errors.New("too large")
)

// scaled returns a decimal number such as 1.5, multiplied by size. No float is
// involved: the result is exact or an error.
func scaled(number string, size int64) (int64, error) {
	whole, fraction, point := strings.Cut(number, ".")
	digits := whole + fraction
	if whole == "" || point && fraction == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, errForm
	}
	if len(digits) > 40 {
		return 0, errLarge // or far too fine; either way of no use
	}
	n, _ := new(big.Int).SetString(digits, 10)
	n.Mul(n, big.NewInt(size))
	ten, places := big.NewInt(10), big.NewInt(int64(len(fraction)))
	n, remainder := n.QuoRem(n, ten.Exp(ten, places, nil), new(big.Int))
	switch {
	case remainder.Sign() != 0:
		return 0, errFine
	case !n.IsInt64():
		return 0, errLarge
	}
	return n.Int64(), nil
}
