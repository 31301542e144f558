package execute

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
)

func TestAbandon(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	quick := func() (*reports.Run, error) { return &reports.Run{Runs: 7}, nil }
	r, err := abandon(ctx, "x", time.Hour, quick)
	require.NoError(t, err)
	require.Equal(t, 7, r.Runs)

	stop()
	r, err = abandon(ctx, "x", time.Hour, quick)
	require.NoError(t, err)
	require.Equal(t, 7, r.Runs, "what is done at an interrupt is reported")

	end := make(chan bool)
	defer close(end)
	r, err = abandon(ctx, "x", time.Millisecond, func() (*reports.Run, error) { <-end; return nil, nil })
	require.ErrorIs(t, err, ErrNoEnd)
	require.EqualError(t, err, "x: interrupted; the work under way did not stop within 5s, and nothing of it is reported")
	require.Nil(t, r)
}
