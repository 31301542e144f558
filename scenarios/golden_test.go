package scenarios_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// TestGoldenDigests runs every scenario that ships and compares its digest with
// testdata/digests.txt: the same scenario and seed give the same run on every
// operating system, processor and Go release.
func TestGoldenDigests(t *testing.T) {
	var b strings.Builder
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		digest, steps := uint64(0), uint64(0)
		for i, one := range points(s) {
			w, err := one.Program.NewWorld(one.Config)
			require.NoError(t, err)
			for run := range min(one.Runs, 3) {
				r := w.Run(one.Seed + uint64(run))
				require.Nil(t, r.Panic, name)
				digest = digest*31 + r.Digest + uint64(i)
				steps += r.Steps
			}
		}
		fmt.Fprintf(&b, "%-52s %016x %d steps\n", name, digest, steps)
	}
	const file = "testdata/digests.txt"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "digests changed; if that is meant, run with UPDATE_GOLDEN=1 and say why")
}

// points are the points of a scenario's grid, or the scenario itself.
func points(s *format.Scenario) []*format.Scenario {
	if s.Variants == nil {
		return []*format.Scenario{s}
	}
	var list []*format.Scenario
	for _, v := range s.Variants {
		list = append(list, v.Scenario)
	}
	return list
}
