package execute

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// logOf is what the report of a scenario with other faults tells of its run.
func logOf(t *testing.T, name, faults string) (text string, r *reports.Run) {
	t.Helper()
	s, err := scenarios.Load(name, format.Options{Sets: []result.Setting{{Path: "faults", Value: faults}}})
	require.NoError(t, err)
	r, err = Run(context.Background(), &Plan{Scenario: s})
	require.NoError(t, err)
	b := &strings.Builder{}
	require.NoError(t, r.WriteText(b, layout.Style{}))
	_, text, _ = strings.Cut(b.String(), "what happened\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return text, r
}

// TestLogOfABusyRun: T8, the log of a run in which a client is paused now and then was
// of little else than its pauses.
func TestLogOfABusyRun(t *testing.T) {
	text, r := logOf(t, "redis/gc-pause", "[{pause: client-1, every: {exp: 1s}, for: {exp: 200ms}}]")
	assert.Equal(t, 48, r.Faults[0].Injected)
	assert.Equal(t, 3, strings.Count(text, "client-1 is paused"), text)
	assert.Equal(t, 3, strings.Count(text, "client-1 resumes"), text)
	assert.Contains(t, text, " and 45 more pauses of client-1 until 59.798050881s\n")
	assert.Contains(t, text, " client-2 releases the lock")
	assert.NotContains(t, text, "--trace shows all")
}

// TestLogKeepsTheViolation: the pause that violates a property and the last ones before
// are told, whatever number came before.
func TestLogKeepsTheViolation(t *testing.T) {
	text, r := logOf(t, "redis/gc-pause",
		"[{pause: client-1, on: checked, for: 15s}, {pause: client-2, every: {exp: 300ms}, for: {exp: 50ms}}, {pause: client-1, every: 100ms, for: 1ms}]")
	require.Len(t, r.Logs, 1)
	require.Len(t, r.Logs[0].Decisive, 2, "mutual-exclusion and no-lost-update")
	for _, want := range []string{"client-1 is paused for 15s\n", "still believes it holds the lock\n", "over a write of client-2: 1 increment lost\n"} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 2, strings.Count(text, " more pauses of client-"), text)
}
