package result

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumberIsReadAsItWasWritten: whole numbers of 64 bits are exact, and equal numbers are equal however they were made.
func TestNumberIsReadAsItWasWritten(t *testing.T) {
	for text, n := range map[string]Number{
		"0": Int(0), "-7": Int(-7), "9223372036854775807": Int(math.MaxInt64), "-9223372036854775808": Int(math.MinInt64),
		"10.333333333333334": Float(31.0 / 3), "0.0000001": Float(1e-7), "2": Float(2), "100000000000000000000": Float(1e20),
	} {
		b, err := json.Marshal(n)
		require.NoError(t, err)
		require.Equal(t, text, string(b))
		var back Number
		require.NoError(t, json.Unmarshal(b, &back))
		require.True(t, n == back, text)
	}
}

// TestNoNumber: none is left out of a document, and what is no number is an error.
func TestNoNumber(t *testing.T) {
	b, err := json.Marshal(struct {
		A Number `json:"a,omitzero"`
		B Number `json:"b,omitzero"`
	}{B: Int(0)})
	require.NoError(t, err)
	require.JSONEq(t, `{"b":0}`, string(b))
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.False(t, Float(f).Known())
	}
	for _, text := range []string{`"1"`, `{}`, `1e999`, `true`} {
		require.Error(t, json.Unmarshal([]byte(text), &Number{}), text)
	}
}
