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
func ParseSpan(text string) (s Span, err error) {
	least, most, found := strings.Cut(text, "..")
	if !found {
		most = least
	}
	if s.Least, err = Duration(least); err != nil {
		return Span{}, err
	}
	if s.Most, err = Duration(most); err != nil {
		return Span{}, err
	}
	if s.Least > s.Most {
		return Span{}, fmt.Errorf("the range is upside down: want %s..%s", s.mostText(), s.leastText())
	}
	return s, nil
}

// Duration reads a duration such as 5ms; 0 needs no unit.
func Duration(text string) (time.Duration, error) {
	v, err := Parse(text)
	switch {
	case err != nil || v.is != lengths && !v.bare:
		return 0, fmt.Errorf("want a duration such as 5ms, or a range such as 0..5ms, got %q", cut(text))
	case v.Grains < 0 || v.Grains > int64(MaxSpan):
		return 0, fmt.Errorf("want a duration of 0s to 24h, got %q", cut(text))
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
