package amount_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/amount"
)

func TestSpans(t *testing.T) {
	for text, want := range map[string]amount.Span{
		"0..5ms":       {0, 5 * time.Millisecond},
		"0s..10s":      {0, 10 * time.Second},
		"300us..5ms":   {300 * time.Microsecond, 5 * time.Millisecond},
		"5ms":          {5 * time.Millisecond, 5 * time.Millisecond},
		" 1s .. 2s ":   {time.Second, 2 * time.Second},
		"0":            {},
		"0..0":         {},
		"1.5s..2.25s":  {1500 * time.Millisecond, 2250 * time.Millisecond},
		"0..7995ms":    {0, 7995 * time.Millisecond},
		"0..24h":       {0, 24 * time.Hour},
		"7.995000001s": {7995000001, 7995000001},
		"0...5ms":      {0, 500 * time.Microsecond},
	} {
		got, err := amount.ParseSpan(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestWrongSpans(t *testing.T) {
	for text, want := range map[string]string{
		"5ms..0":                        "the range is upside down: want 0s..5ms",
		"10s..1s":                       "the range is upside down: want 1s..10s",
		"":                              `want a duration such as 5ms, or a range such as 0..5ms, got ""`,
		"..5ms":                         `got ""`,
		"0..":                           `got ""`,
		"5":                             `got "5"`,
		"0..5":                          `got "5"`,
		"1%..2%":                        `got "1%"`,
		"0..9223372036":                 `got "9223372036"`,
		"0..1s..2s":                     `got "1s..2s"`,
		"-1s..1s":                       "want a duration of 0s to 24h, got \"-1s\"",
		"0..25h":                        "want a duration of 0s to 24h",
		"0..9999999h":                   "got",
		"0..1e9s":                       "got",
		"NaN..Inf":                      "got",
		"a..b":                          `got "a"`,
		"\x00..5ms":                     "got",
		"9999999999999":                 "got",
		strings.Repeat("9", 5000) + "s": "...\"",
	} {
		_, err := amount.ParseSpan(text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want, text)
		assert.Less(t, len(err.Error()), 200)
	}
}

// What is read is written so that it is read again, and its value as a scenario draws both ends.
func TestSpanTexts(t *testing.T) {
	for text, want := range map[string][2]string{
		"0..5ms":   {"0s..5ms", "{uniform: [0s, 5.000001ms]}"},
		"5ms..5ms": {"5ms", "5ms"},
		"0..1us":   {"0s..1us", "{uniform: [0s, 1.001us]}"},
		"0..10s":   {"0s..10s", "{uniform: [0s, 10.000000001s]}"},
	} {
		s, err := amount.ParseSpan(text)
		require.NoError(t, err)
		assert.Equal(t, want[0], s.String())
		assert.Equal(t, want[1], s.Value())
	}
}

func FuzzParseSpan(f *testing.F) {
	for _, text := range []string{"0..5ms", "5ms", "10s..1s", "..", "0..", "1%..2%", "0...5ms", "-1s..24h", "1h2m3s..4h", "9e99s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := amount.ParseSpan(text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, time.Duration(0), s.Least)
		require.LessOrEqual(t, s.Least, s.Most)
		require.LessOrEqual(t, s.Most, amount.MaxSpan)
		again, err := amount.ParseSpan(s.String())
		require.NoError(t, err, s.String())
		require.Equal(t, s, again)
	})
}
