package execute

import (
	"context"
	"testing"
	"time"

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

// TestStateIsInTheWordsOfTheTrace: instants and readings in seconds, a grant as "1.1"; and a violation that the file
// expects is known for it.
func TestStateIsInTheWordsOfTheTrace(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	r, err := Page(t.Context(), s, "again", page.MaxEvents)
	require.NoError(t, err)
	kept := map[string]string{}
	for _, changes := range r.Events.State {
		for k := 0; k < len(changes); k += 2 {
			if name := r.Strings[changes[k]]; kept[name] == "" {
				kept[name] = r.Strings[changes[k+1]]
			}
		}
	}
	for name, want := range map[string]string{"hold.Until": "9.898s", "hold.Grant": "1.1", "hold.Value": "1.1", "owner": "1.1", "key.ExpireAt": "10.005s"} {
		require.Equal(t, want, kept[name], name)
	}
	require.Equal(t, "82 events: 80 steps of nodes, as simctl run counts them; 2 of faults", r.Counted)
	for _, v := range r.Violations {
		require.True(t, v.Expected, v.Property)
	}
	s.Expect = nil
	r, err = Page(t.Context(), s, "again", page.MaxEvents)
	require.NoError(t, err)
	require.Len(t, r.Violations, 3)
	for _, v := range r.Violations {
		require.False(t, v.Expected, v.Property)
	}
}

// A run that is too long for a page says which until would do.
func TestTooLongForAPage(t *testing.T) {
	for want, c := range map[string]struct {
		steps uint64
		until time.Duration
	}{
		"x: run too long for a page (3.4 M steps, limit 1 M). Try --set until=2s":     {3_419_991, 10 * time.Second},
		"x: run too long for a page (1.0 M steps, limit 1 M). Try --set until=50s":    {1_000_001, time.Minute},
		"x: run too long for a page (900.0 M steps, limit 1 M). Try --set until=10ms": {900_000_000, 10 * time.Second},
	} {
		require.EqualError(t, tooLong("x", c.steps, c.until), want)
	}
}
