package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
)

// TestHeaders: --headers shows what clients are sent, bounded, in text and in JSON
// (coverage row 6).
func TestHeaders(t *testing.T) {
	var out, errs bytes.Buffer
	require.Zero(t, run([]string{"run", "store/central-atomic", "--runs", "1", "--headers"}, &out, &errs), errs.String())
	require.Contains(t, out.String(), "what is sent, in the first run (seed 1)")
	require.Contains(t, out.String(), "RateLimit-Policy: \"default\";q=100;w=60")
	require.Equal(t, 10, strings.Count(out.String(), "X-RateLimit-Remaining: "))
	require.Contains(t, out.String(), "1,990 more, --json has 1000")

	out.Reset()
	require.Zero(t, run([]string{"run", "store/central-atomic", "--runs", "1", "--headers", "--json"}, &out, &errs), errs.String())
	var doc reports.Run
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc))
	require.Equal(t, 2000, doc.Sent.Total)
	require.Len(t, doc.Sent.Answers, reports.MostSent)
	require.Equal(t, "429", doc.Sent.Answers[999].Lines[0])

	for name, want := range map[string]string{
		"redis/gc-pause":                  "the model lock has no answers over HTTP",
		"limiter/boundary-all-algorithms": "--headers is for one point of the grid",
		"limiter/compare":                 "--headers",
	} {
		errs.Reset()
		require.Equal(t, 2, run([]string{"run", name, "--headers"}, &out, &errs), name)
		require.Contains(t, errs.String(), want)
	}
}
