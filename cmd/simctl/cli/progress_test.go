package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim/explore"
)

// TestSearching is the line that a terminal shows during a search.
func TestSearching(t *testing.T) {
	r := &explore.Report{Runs: 2500, Faulty: 1875, Points: 305, States: 12_345}
	for want, o := range map[string]exploreOptions{
		"2,500 of 10,000 runs, 1,250/s, 6s left, faults in 75% of them at 305 places":  {Runs: 10_000},
		"2,500 runs, 1,250/s, 28s left, faults in 75% of them at 305 places":           {For: 30 * time.Second},
		"2,500 of 10,000 runs, 1,250/s, 28s left, faults in 75% of them at 305 places": {For: 30 * time.Second, Runs: 10_000},
		"2,500 runs, 1,250/s, 58s left, 12,345 states, 6,172/s":                        {For: time.Minute, Mode: explore.Exhaustive},
		"2,500 of 2,500 runs, 1,250/s, faults in 75% of them at 305 places":            {Runs: 2500},
	} {
		require.Equal(t, want, searching(r, &o, 2*time.Second))
	}
	require.Equal(t, "0 runs, 0/s, 30s left", searching(&explore.Report{}, &exploreOptions{For: 30 * time.Second}, 0))
}
