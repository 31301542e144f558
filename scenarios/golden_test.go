package scenarios_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/digest"
	"fencepost/scenarios/format"
)

var every = flag.Bool("every", false, "run every scenario for its digest, as on a processor on which cmd/simctl/internal/shipped is not tested")

// TestGoldenDigests compares the digests of scenarios that ship with testdata/digests.txt: the same scenario and seed
// give the same run on every operating system, processor and Go release. With -every it runs all, as CI does on other
// processors, without it one of 64: TestGoldenDigests of cmd/simctl/internal/shipped, which runs them all anyway, compares them.
func TestGoldenDigests(t *testing.T) {
	const file = "testdata/digests.txt"
	update := os.Getenv("UPDATE_GOLDEN") != ""
	var fresh []string
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := slices.Collect(strings.Lines(string(kept)))
	for i, name := range scenarios.Names() {
		if update || *every || i%64 == 0 {
			fresh = append(fresh, lineOf(t, name))
			continue
		}
		require.Less(t, i, len(lines))
		require.Equal(t, name, strings.Fields(lines[i])[0])
		fresh = append(fresh, lines[i])
	}
	if update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(fresh, "")), 0o644))
		return
	}
	require.Equal(t, string(kept), strings.Join(fresh, ""), "digests changed; if that is meant, run with UPDATE_GOLDEN=1 and say why")
}

// lineOf runs a scenario, as far as its line goes.
func lineOf(t *testing.T, name string) string {
	t.Helper()
	s, err := scenarios.Load(name, format.Options{})
	require.NoError(t, err)
	var sum digest.Sum
	for i, one := range points(s) {
		w, err := one.Program.NewWorld(one.Config)
		require.NoError(t, err)
		for run := range min(one.Runs, digest.Runs) {
			r := w.Run(one.Seed + uint64(run))
			require.Nil(t, r.Panic, name)
			sum.Add(i, r)
		}
	}
	return sum.Line(name)
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
