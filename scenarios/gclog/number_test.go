package gclog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParseDecimal(t *testing.T) {
	for _, test := range []struct {
		text string
		unit time.Duration
		want time.Duration // -1: an error
	}{
		{"0", time.Second, 0},
		{"77.3944623", time.Second, 77394462300},
		{"0.0001800", time.Second, 180_000},
		{"0.1", time.Millisecond, 100_000},
		{"338872", time.Nanosecond, 338_872},
		{"0.12345649", time.Millisecond, 123_456},
		{"0.1234565", time.Millisecond, 123_457},
		{"1.5", time.Nanosecond, 2},
		{"1.4999", time.Nanosecond, 1},
		{"9223372035", time.Second, 9223372035 * time.Second},
		{"9223372036", time.Second, -1},
		{"99999999999999999999", time.Nanosecond, -1},
		{"", time.Second, -1},
		{".", time.Second, -1},
		{"1.", time.Second, -1},
		{".5", time.Second, -1},
		{"-1", time.Second, -1},
		{"+1", time.Second, -1},
		{"1e3", time.Second, -1},
		{"1,5", time.Second, -1},
		{"1.5x", time.Second, -1},
		{"NaN", time.Second, -1},
	} {
		got, err := parseDecimal(test.text, test.unit)
		if test.want < 0 {
			assert.Error(t, err, test.text)
			continue
		}
		assert.NoError(t, err, test.text)
		assert.Equal(t, test.want, got, test.text)
	}
}

func TestSummary(t *testing.T) {
	log := Log{Pauses: []Pause{{For: 4}, {For: 1}, {For: 3}, {For: 2}}}
	assert.Equal(t, Summary{Count: 4, P50: 2, P99: 4, Max: 4, Total: 10}, log.Summary())
	assert.Equal(t, "1 pause, p50 2ns, p99 2ns, max 2ns, total 2ns", Summary{1, 2, 2, 2, 2}.String())
	assert.Equal(t, "4 pauses, p50 2ns, p99 4ns, max 4ns, total 10ns", log.Summary().String())
	for perMille, want := range map[int]time.Duration{-5: 1, 0: 1, 250: 1, 251: 2, 500: 2, 501: 3, 1000: 4, 2000: 4} {
		assert.Equal(t, want, log.Quantile(perMille), perMille)
	}
	assert.Equal(t, Summary{}, (&Log{}).Summary())
}
