package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/require"
)

// TestChecksum: it is another one where anything is that results depend on.
func TestChecksum(t *testing.T) {
	const text = fake.Minimal + "faults: [{pause: client-1, on: checked, for: {csv: stops.csv}}]\nvary: {params.ttl: [1s, 2s]}\n"
	dir := t.TempDir()
	table := fake.WriteFile(t, dir, "stops.csv", "1s\n2s\n")
	sum := func(text string, change func(*format.Scenario), o format.Options) string {
		s, err := fake.LoadPath(fake.WriteFile(t, dir, "x.yaml", text), o)
		require.NoError(t, err)
		change(s)
		return s.Checksum()
	}
	nothing := func(*format.Scenario) {}
	sums := []string{
		sum(text, nothing, format.Options{}),
		sum(text+"# a comment\n", nothing, format.Options{}),
		sum(text, nothing, format.Options{NoFaults: true}),
		sum(text, nothing, format.Options{Sets: []result.Setting{{Path: "params.clients", Value: "3"}}}),
		sum(text, func(s *format.Scenario) { s.Seed = 7 }, format.Options{}),
		sum(text, func(s *format.Scenario) { s.Variants[1].Scenario.Seed = 7 }, format.Options{}),
		sum(text, func(s *format.Scenario) { s.Variants[1].Scenario.Runs = 7 }, format.Options{}),
		sum(text, func(s *format.Scenario) { s.Variants = s.Variants[:1] }, format.Options{}),
	}
	require.NoError(t, os.WriteFile(filepath.Clean(table), []byte("1s\n3s\n"), 0o644))
	sums = append(sums, sum(text, nothing, format.Options{}))
	seen := map[string]int{}
	for i, s := range sums {
		require.NotContains(t, seen, s, "%d", i)
		seen[s] = i
	}
	require.NoError(t, os.WriteFile(filepath.Clean(table), []byte("1s\n2s\n"), 0o644))
	require.Equal(t, sums[0], sum(text, nothing, format.Options{}))
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", (&format.Scenario{}).Checksum())
}
