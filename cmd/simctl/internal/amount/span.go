package amount

import (
	"fmt"
	"strings"
	"time"
)

// Span is a range of durations; both ends are within it.
type Span struct{ Least, Most time.Duration }

// MaxSpan is the longest duration of a [Span].
const MaxSpan = 24 * time.Hour

// ParseSpan reads a range of durations such as 0..5ms, or a single one: 5ms is 5ms..5ms.
func ParseSpan(text string) (Span, error) { return parseSpan(text, 0) }

// ParseSignedSpan reads a range whose ends may be negative, such as -2s..0.
func ParseSignedSpan(text string) (Span, error) { return parseSpan(text, -MaxSpan) }

// parseSpan reads a range that begins at a duration or later.
func parseSpan(text string, from time.Duration) (s Span, err error) {
	least, most, found := strings.Cut(text, "..")
	if !found {
		most = least
	}
	if s.Least, err = durationFrom(from, least); err != nil {
		return Span{}, err
	}
	if s.Most, err = durationFrom(from, most); err != nil {
		return Span{}, err
	}
	if s.Least > s.Most {
		return Span{}, fmt.Errorf("the range is upside down: want %s..%s", s.mostText(), s.leastText())
	}
	return s, nil
}

// Duration reads a duration such as 5ms; 0 needs no unit.
func Duration(text string) (time.Duration, error) { return durationFrom(0, text) }

func durationFrom(least time.Duration, text string) (time.Duration, error) {
	v, err := Parse(text)
	switch {
	case err != nil || v.is != lengths && !v.bare:
		return 0, fmt.Errorf("want a duration such as 5ms, or a range such as 0..5ms, got %q", cut(text))
	case v.Grains < int64(least) || v.Grains > int64(MaxSpan):
		return 0, fmt.Errorf("want a duration of %s to 24h, got %q", length(int64(least)), cut(text))
	}
	return time.Duration(v.Grains), nil
}

// cut shortens a text for a message.
func cut(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}

// String writes the range as it is read, with every digit.
func (s Span) String() string {
	if s.Least == s.Most {
		return s.leastText()
	}
	return s.leastText() + ".." + s.mostText()
}

func (s Span) leastText() string { return length(int64(s.Least)) }
func (s Span) mostText() string  { return length(int64(s.Most)) }

// Value writes the range as the value of a scenario: a distribution that draws each of its durations.
func (s Span) Value() string {
	if s.Least == s.Most {
		return s.leastText()
	}
	return fmt.Sprintf("{uniform: [%s, %s]}", s.leastText(), length(int64(s.Most)+1)) // without its upper end
}
