package execute

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports/page"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// TestPageChangesNoRun: what is written down for a page changes no digest, and what the holder believes
// stands beside what stopped it.
func TestPageChangesNoRun(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	r, err := Page(t.Context(), s, "again", page.MaxEvents)
	require.NoError(t, err)
	require.Equal(t, "779f8f9d983207ad", r.Digest)
	in := map[string]int{}
	for _, span := range r.Spans {
		in[r.Nodes[span.Node-1]+" "+r.States[span.State]]++
	}
	require.Equal(t, map[string]int{"client-1 believes it holds the lock": 1, "client-2 believes it holds the lock": 1, "client-1 its lease is valid": 1,
		"client-2 its lease is valid": 1, "client-1 paused": 1}, in)
	for _, v := range r.Violations {
		require.GreaterOrEqual(t, v.Event, 0, v.Property)
	}
	again, err := Page(t.Context(), s, "again", page.MaxEvents)
	require.NoError(t, err)
	require.Equal(t, r, again)
}

// TestPageIsInterrupted: Ctrl-C ends a page of many runs after the one that is on its way.
func TestPageIsInterrupted(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r, err := Page(ctx, s, "again", page.MaxEvents)
	require.ErrorContains(t, err, "interrupted, and no page is written")
	require.Nil(t, r)
}
