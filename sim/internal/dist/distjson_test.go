package dist

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDistJSON(t *testing.T) {
	narrow, err := LogNormal(ms, ms)
	require.NoError(t, err)
	wide, err := LogNormal(3*ms, 2999*ms)
	require.NoError(t, err)
	recorded, err := Empirical([]time.Duration{9, 0, 5, 5})
	require.NoError(t, err)
	for _, d := range []Dist{{}, Constant(15 * ms), Constant(math.MaxInt64), Uniform(1, 1), Uniform(ms, 9*ms),
		Uniform(5, math.MaxInt64), Exponential(0), Exponential(ms), narrow, wide, recorded} {
		text, err := json.Marshal(d)
		require.NoError(t, err)
		var back Dist
		require.NoError(t, json.Unmarshal(text, &back), string(text))
		require.Equal(t, d, back, string(text))
	}
	text, err := json.Marshal(Uniform(ms, 9*ms))
	require.NoError(t, err)
	require.Equal(t, `{"uniform":[1000000,8000000]}`, string(text))
}

func TestDistJSONRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`-1`:                                  "a length is negative: -1",
		`1.5`:                                 "want a number of nanoseconds or one shape",
		`"1s"`:                                "want a number of nanoseconds or one shape",
		`{}`:                                  "want a number of nanoseconds or one shape",
		`{"uniform":[1,2],"exponential":[1]}`: "want a number of nanoseconds or one shape",
		`{"normal":[1,2]}`:                    `there is no such distribution: {"normal":[1,2]}`,
		`{"":[1]}`:                            "there is no such distribution",
		`{"uniform":[1]}`:                     "uniform: the numbers are too few, too many or negative: [1]",
		`{"uniform":[1,-1]}`:                  "too few, too many or negative",
		`{"uniform":[1,9223372036854775807]}`: "uniform: the numbers are out of range",
		`{"exponential":[]}`:                  "too few, too many or negative",
		`{"lognormal":[0,1]}`:                 "lognormal: the numbers are out of range",
		`{"lognormal":[1,99999999999999]}`:    "lognormal: the numbers are out of range",
		`{"empirical":[]}`:                    "too few, too many or negative",
		`{"empirical":[3,-3]}`:                "too few, too many or negative",
	} {
		var d Dist
		assert.ErrorContains(t, json.Unmarshal([]byte(text), &d), want, text)
	}
}
