package execute

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

func outcome(t *testing.T, name string, without bool, sets ...result.Setting) (*reports.Run, error) {
	t.Helper()
	s, err := scenarios.Load(name, format.Options{Sets: sets})
	require.NoError(t, err)
	if without {
		s.Plots = nil
	}
	return Run(t.Context(), &Plan{Scenario: s, Jobs: 1})
}

// TestTimeline is Kleppmann's schedule, and that looking at it changes nothing.
func TestTimeline(t *testing.T) {
	r, err := outcome(t, "redlock/gc-pause", false)
	require.NoError(t, err)
	line := r.Timeline
	require.Equal(t, []string{"client-1", "client-2", "store"}, line.Nodes)
	require.Equal(t, []string{"believes it holds the lock", "its lease is valid", "paused", "down"}, line.States)
	require.Equal(t, []string{"believes it holds the lock"}, line.Exclusive)
	require.Equal(t, reports.Span{Node: "client-1", State: "paused", FromNS: 100e6, ToNS: 15_100e6}, line.Spans[2])
	require.Equal(t, reports.Instant{Node: "store", By: "client-1", What: "write applied", AtNS: 15_105e6}, line.Instants[1])
	require.Contains(t, line.Violations, reports.Violation{Property: "mutual-exclusion", Nodes: []string{"client-2", "client-1"}, AtNS: 10_020e6})
	require.Contains(t, line.Violations, reports.Violation{Property: "no-lost-update", Nodes: []string{"client-1", "client-2"}, AtNS: 15_105e6})
	require.EqualValues(t, 60e9, line.EndNS)

	plain, err := outcome(t, "redlock/gc-pause", true)
	require.NoError(t, err)
	require.Nil(t, plain.Timeline)
	r.Timeline = nil
	require.Equal(t, plain.Outcome, r.Outcome)
}

// TestTimelineTooLong: what would not be read is refused, and not cut in silence.
func TestTimelineTooLong(t *testing.T) {
	_, err := outcome(t, "ordering/mutex-pause", false, result.Setting{Path: "params.rounds", Value: "0"},
		result.Setting{Path: "params.work", Value: "1ms"}, result.Setting{Path: "until", Value: "10m"}, result.Setting{Path: "params.algorithm", Value: "lamport"})
	require.ErrorContains(t, err, "the timeline is of more than 20000 spans and instants: want a shorter run, or fewer nodes")
}
