// Package units writes numbers as a person reads them: durations, sizes, shares and counts.
package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fencepost/sim"
)

// Duration is a duration as a person reads it, to four digits: "10.02s", "6.94s",
// "5ms", "1.5µs", "60s", "25h".
func Duration(ns int64) string {
	u, sign := uint64(ns), ""
	if ns < 0 {
		u, sign = -u, "-"
	}
	switch {
	case u == 0:
		return "0s"
	case u < 1e3:
		return sign + strconv.FormatUint(u, 10) + "ns"
	case u < 999_950:
		return sign + digits(u, 1e3) + "µs"
	case u < 999_950_000:
		return sign + digits(u, 1e6) + "ms"
	case u < uint64(10*time.Minute):
		return sign + digits(u, 1e9) + "s"
	case u < uint64(10*time.Hour):
		return sign + digits(u, uint64(time.Minute)) + "min"
	}
	return sign + digits(u, uint64(time.Hour)) + "h"
}

// digits is n / unit to four digits, without trailing zeros.
func digits(n, unit uint64) string {
	decimals := 3
	for whole := n / unit; whole >= 10 && decimals > 0; whole /= 10 {
		decimals--
	}
	power := uint64(1)
	for range decimals {
		power *= 10
	}
	whole, rest := n/unit, n%unit
	rest = (rest*power + unit/2) / unit
	if rest >= power {
		whole, rest = whole+1, rest-power
	}
	s := strconv.FormatUint(whole, 10)
	if rest > 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%0*d", decimals, rest), "0")
	}
	return s
}

// Size is a number of bytes as a person reads it, to four digits: "512 B", "1.234 MB".
func Size(bytes int64) string {
	u := uint64(max(bytes, 0))
	switch {
	case u < 1e3:
		return strconv.FormatUint(u, 10) + " B"
	case u < 999_950:
		return digits(u, 1e3) + " kB"
	case u < 999_950_000:
		return digits(u, 1e6) + " MB"
	}
	return digits(u, 1e9) + " GB"
}

// Number is a whole number in a sentence: "1,000,000". In a table it is [Plain].
func Number[N int | int64 | uint64](n N) string {
	s, sign := fmt.Sprint(n), ""
	if s[0] == '-' {
		s, sign = s[1:], "-"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plain is a whole number in a table, where a program may read it: "1000000".
func Plain[N int | int64 | uint64](n N) string { return fmt.Sprint(n) }

// Times is how often something happened, in words.
func Times[N int | int64 | uint64](n N) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return Number(n) + " times"
}

// Plural is a number of things.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Number(n) + " " + thing + "s"
}

// Percent is a share to two digits, or to as many as it takes to tell it from 0
// and 1: "5.8%", "0.3%", "99.97%".
func Percent(share float64) string {
	switch {
	case share <= 0:
		return "0%"
	case share >= 1:
		return "100%"
	}
	per := float64(share * 100)
	for decimals := range 12 {
		s := strconv.FormatFloat(per, 'f', decimals, 64)
		if significant(s) >= 2 && s != "100" && !strings.HasPrefix(s, "100.") || decimals == 11 {
			if strings.Contains(s, ".") {
				s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
			}
			return s + "%"
		}
	}
	return ""
}

// significant counts the digits from the first that is not 0.
func significant(s string) int {
	return len(strings.TrimLeft(strings.ReplaceAll(s, ".", ""), "0"))
}

// Instant is a true instant: "10.020s".
func Instant(ns int64) string { return sim.Seconds(ns) }

// Decimal is a number to four digits, and never with an exponent.
func Decimal(f float64) string {
	size := f
	if size < 0 {
		size = -size
	}
	decimals := 3
	for ; size >= 10 && decimals > 0; size /= 10 {
		decimals--
	}
	for ; size > 0 && size < 1 && decimals < 12; size *= 10 {
		decimals++
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(f, 'f', decimals, 64), ".")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// Exact is a duration with every digit, in the unit that needs no decimals if
// there is one above nanoseconds: "60s", "5ms", "10.0000001s".
func Exact(ns int64) string {
	switch {
	case ns == 0:
		return "0s"
	case ns%1e9 == 0:
		return strconv.FormatInt(ns/1e9, 10) + "s"
	case ns%1e6 == 0 && ns < 1e9 && ns > -1e9:
		return strconv.FormatInt(ns/1e6, 10) + "ms"
	case ns%1e3 == 0 && ns < 1e6 && ns > -1e6:
		return strconv.FormatInt(ns/1e3, 10) + "µs"
	case ns < 1e3 && ns > -1e3:
		return strconv.FormatInt(ns, 10) + "ns"
	}
	return sim.Seconds(ns)
}

// Brief is a text of unknown origin in at most the given number of characters, none of which moves the cursor.
func Brief(text string, room int) string {
	b, n := []rune{}, 0
	for _, r := range text {
		if n++; n > room {
			return string(b[:room-len("...")]) + "..."
		}
		if !unicode.IsPrint(r) {
			r = '?'
		}
		b = append(b, r)
	}
	return string(b)
}
