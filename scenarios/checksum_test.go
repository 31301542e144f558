package scenarios

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecksum: it is another one where anything is that results depend on.
func TestChecksum(t *testing.T) {
	const text = minimal + "faults: [{pause: client-1, on: checked, for: {csv: stops.csv}}]\nvary: {params.ttl: [1s, 2s]}\n"
	dir := t.TempDir()
	table := write(t, dir, "stops.csv", "1s\n2s\n")
	sum := func(text string, change func(*Scenario), o Options) string {
		s, err := load(write(t, dir, "x.yaml", text), o, embedded, fakeModels)
		require.NoError(t, err)
		change(s)
		return s.Checksum()
	}
	nothing := func(*Scenario) {}
	sums := []string{
		sum(text, nothing, Options{}),
		sum(text+"# a comment\n", nothing, Options{}),
		sum(text, nothing, Options{NoFaults: true}),
		sum(text, nothing, Options{Sets: []Setting{{"params.clients", "3"}}}),
		sum(text, func(s *Scenario) { s.Seed = 7 }, Options{}),
		sum(text, func(s *Scenario) { s.Variants[1].Scenario.Seed = 7 }, Options{}),
		sum(text, func(s *Scenario) { s.Variants[1].Scenario.Runs = 7 }, Options{}),
		sum(text, func(s *Scenario) { s.Variants = s.Variants[:1] }, Options{}),
	}
	require.NoError(t, os.WriteFile(filepath.Clean(table), []byte("1s\n3s\n"), 0o644))
	sums = append(sums, sum(text, nothing, Options{}))
	seen := map[string]int{}
	for i, s := range sums {
		require.NotContains(t, seen, s, "%d", i)
		seen[s] = i
	}
	require.NoError(t, os.WriteFile(filepath.Clean(table), []byte("1s\n2s\n"), 0o644))
	require.Equal(t, sums[0], sum(text, nothing, Options{}))
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", (&Scenario{}).Checksum())
}
