package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// TestValues are those of the file with the settings in place, without what is about
// the file.
func TestValues(t *testing.T) {
	s, err := scenarios.Load("clock/compare", format.Options{Sets: []result.Setting{{Path: "params.gap.exp", Value: "1s"}, {Path: "seed", Value: "4"}}})
	require.NoError(t, err)
	values := map[string]string{}
	for _, v := range s.Variants[1].Scenario.Values() {
		values[v.Path] = v.Value
	}
	require.Equal(t, "pruned", values["params.clock"], "the point of the grid")
	require.Equal(t, "{exp: 1s}", values["params.gap"])
	require.Equal(t, "{delay: {uniform: [1ms, 9ms]}}", values["network"])
	require.Equal(t, "3s", values["until"])
	for _, path := range []string{"about", "source", "seed", "runs", "expect", "vary", "control", "params"} {
		require.NotContains(t, values, path)
	}
	require.Empty(t, (&format.Scenario{}).Values())
	require.Empty(t, (&format.Scenario{Text: "a: [", Name: "x"}).Values())
}
