// Package text puts numbers, durations and lists of names into words, and finds the word
// that was meant.
package text

import (
	"strconv"
	"strings"
	"time"
)

// Ordinal is 1st, 2nd, 3rd, 4th, 11th, 21st.
func Ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = [...]string{"st", "nd", "rd"}[n%10-1]
	}
	return strconv.Itoa(n) + suffix
}

// Count is a number of things, of which several end in s: "1 lock", "2 locks".
func Count[N ~int | ~int64 | ~uint64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if n < 0 {
		return strconv.FormatInt(int64(n), 10) + " " + thing + "s"
	}
	return strconv.FormatUint(uint64(n), 10) + " " + thing + "s"
}

// List is names in a sentence: "a, b and c".
func List(names []string) string { return list(names, " and ") }

// Either is names in a sentence, of which one is wanted: "a, b or c".
func Either(names []string) string { return list(names, " or ") }

func list(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + word + names[last]
}

// Excerpt is the start of a text, of at most this many bytes and then "...". It cuts no
// character in two; bytes that are no UTF-8 are question marks.
func Excerpt(s string, most int) string {
	if len(s) <= most {
		return strings.ToValidUTF8(s, "?")
	}
	end := most
	for end > most-3 && end > 0 && s[end]&0xC0 == 0x80 { // inside a character of at most 4 bytes
		end--
	}
	return strings.ToValidUTF8(s[:end], "?") + "..."
}

// Duration is a duration as [Plain] has it: "1m30s", "2h", "5us".
func Duration(d time.Duration) string { return Plain(d.String()) }

// Plain is a text in which durations that Go wrote stand without the zeros after hours and
// minutes, and without a letter that no keyboard has. They stay exact.
func Plain(durations string) string { return plain.Replace(durations) }

var plain = strings.NewReplacer("h0m0s", "h", "m0s", "m", "µs", "us")
