package figure

import (
	"math"
	"strconv"
)

// A Unit is what a number of an axis is a number of. Those below have tick labels of
// their own; any other, such as "ppm", stands in parentheses behind the label.
type Unit string

// Units.
const (
	Count       Unit = "count" // whole things, which the label names
	Ratio       Unit = "ratio" // a number without a unit
	Nanoseconds Unit = "ns"    // shown as µs, ms, s, min, h or d
	Share       Unit = "share" // 0 to 1, shown in %
	Bytes       Unit = "bytes" // shown as B, kB, MB or GB
)

// A prefix is what numbers are divided by and what stands behind them.
type prefix struct {
	by     float64
	suffix string
}

// prefixes, from small to large; each is for numbers from from on.
var prefixes = map[Unit][]struct {
	from float64
	prefix
}{
	Nanoseconds: {
		{0, prefix{1, " ns"}}, {1e3, prefix{1e3, " µs"}}, {1e6, prefix{1e6, " ms"}}, {1e9, prefix{1e9, " s"}},
		{600e9, prefix{60e9, " min"}}, {10 * 3600e9, prefix{3600e9, " h"}}, {100 * 3600e9, prefix{24 * 3600e9, " d"}},
	},
	Bytes: {{0, prefix{1, " B"}}, {1e3, prefix{1e3, " kB"}}, {1e6, prefix{1e6, " MB"}}, {1e9, prefix{1e9, " GB"}}},
	Share: {{0, prefix{0.01, "%"}}},
}

// prefix is the one for numbers of a size.
func (u Unit) prefix(size float64) prefix {
	p := prefix{1, ""}
	for _, c := range prefixes[u] {
		if math.Abs(size) >= c.from {
			p = c.prefix
		}
	}
	if size == 0 {
		p.suffix = map[Unit]string{Share: "%"}[u] // 0 ns and 0 s are 0
	}
	return p
}

// Format is a single value as a person reads it, to three digits: "250 ms", "0.3%".
func (u Unit) Format(v float64) string {
	p := u.prefix(v)
	decimals := 0
	for size := math.Abs(v / p.by); size > 0 && size < 100-1e-6 && decimals < 12; size *= 10 {
		decimals++
	}
	text := p.text(v, min(decimals, 12), true)
	for u == Share && v < 1 && text == "100%" && decimals < 12 { // not quite
		decimals++
		text = p.text(v, decimals, true)
	}
	return text
}

// decimals is how many it takes to show the multiples of a step.
func (p prefix) decimals(step float64) int {
	for d := range 12 {
		size := step / p.by * math.Pow10(d)
		if math.Abs(size-math.Round(size)) < 1e-6*size {
			return d
		}
	}
	return 12
}

// text is a number with at most the given number of decimals, fewer if they are 0 and it is short.
func (p prefix) text(v float64, decimals int, short bool) string {
	s := strconv.FormatFloat(v/p.by, 'f', decimals, 64)
	whole, fraction := s, ""
	for i := range s {
		if s[i] == '.' {
			whole, fraction = s[:i], s[i+1:]
		}
	}
	for short && fraction != "" && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	sign := ""
	if whole[0] == '-' {
		whole, sign = whole[1:], "−"
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole + p.suffix
}

// label is the label of an axis with its unit, where the ticks do not say it.
func (a *Axis) label() string {
	switch _, said := prefixes[a.Unit]; {
	case said || a.Unit == Count || a.Unit == Ratio || a.Unit == "":
		return clean(a.Label)
	}
	return clean(a.Label) + " (" + clean(string(a.Unit)) + ")"
}
