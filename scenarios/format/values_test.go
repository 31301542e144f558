package format_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// TestValues are those of the file with the settings in place, without what is about
// the file.
// A file has the value that it has when the value is written otherwise: as in a list of one line, or in a block.
func TestSays(t *testing.T) {
	s := &format.Scenario{Name: "a.yaml", Text: "until: 60s\nparams:\n  work: [90ms, 2s]\nfaults:\n  - pause: client-1\n    for: 15s\nruns: 3\n"}
	for set, says := range map[result.Setting]bool{
		{Path: "until", Value: "60s"}:                 true,
		{Path: "until", Value: "61s"}:                 false,
		{Path: "params.work", Value: "[90ms,   2s]"}:  true,
		{Path: "params.work.1", Value: "2s"}:          true,
		{Path: "params.work.1", Value: "3s"}:          false,
		{Path: "params.hold", Value: "0s"}:            false, // as by default, which the file does not say
		{Path: "faults.0.for", Value: "15s"}:          true,
		{Path: "faults.0.at", Value: "1s"}:            false,
		{Path: "runs", Value: "3"}:                    false, // it is seen by its number
		{Path: "vary.params.work", Value: "[1s, 2s]"}: false,
	} {
		assert.Equal(t, says, s.Says(set), set)
	}
}

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
