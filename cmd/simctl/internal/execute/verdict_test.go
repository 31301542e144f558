package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/verdict"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// ran is what comes out of an embedded scenario.
func ran(t *testing.T, name, mode string, o format.Options) *reports.Run {
	t.Helper()
	s, err := scenarios.Load(name, o)
	require.NoError(t, err)
	r, err := Run(t.Context(), &Plan{Scenario: s, Mode: mode, Jobs: 1})
	require.NoError(t, err)
	return r
}

func property(t *testing.T, r *reports.Run, name string) *reports.Property {
	t.Helper()
	for i := range r.Properties {
		if r.Properties[i].Name == name {
			return &r.Properties[i]
		}
	}
	t.Fatalf("%s has no property %s", r.Scenario, name)
	return nil
}

// T1: window-limit held with 19 in a window at a limit of 10, and nothing said that
// the file allows 19.
func TestBoundBesideVerdict(t *testing.T) {
	r := ran(t, "limiter/token-bucket-restarts-full", reports.NoFaults, format.Options{NoFaults: true})
	p := property(t, r, "window-limit")
	require.Equal(t, "at most 19 in any 2s; the limit is 10", p.Bound)
	require.True(t, p.Loose)
	require.EqualValues(t, 19, *p.Worst)
	text := &bytes.Buffer{}
	require.NoError(t, r.WriteText(text, layout.Style{}))
	require.Contains(t, text.String(), "window-limit (at most 19 in any 2s; the limit is 10; worst seen 19)", "in the line of the verdict")
	require.Regexp(t, `(?m)^ window-limit +holds +at most 19 in any 2s; the limit is 10; worst seen 19$`, text.String())

	exact := ran(t, "limiter/sliding-log-recovers", "", format.Options{})
	p = property(t, exact, "window-limit")
	require.False(t, p.Loose, "the limit itself: %s", p.Bound)
	require.NotContains(t, exact.Line(layout.Style{}), "at most")
}

// What a control takes away is no failure: it is skipped in JUnit, and the verdict says what no longer occurs.
func TestControlSaysWhatItTakesAway(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{NoFaults: true})
	require.NoError(t, err)
	r, err := Run(t.Context(), &Plan{Scenario: s, Mode: reports.NoFaults, Jobs: 1})
	require.NoError(t, err)
	require.Equal(t, "HELD: with no faults the violation no longer occurs: mutual-exclusion, no-lost-update, fenced-order", r.Verdict.String())
	require.Zero(t, r.Exit)
	junit, text := &bytes.Buffer{}, &bytes.Buffer{}
	require.NoError(t, reports.WriteJUnit(junit, []*reports.Run{r}))
	require.Contains(t, junit.String(), `<skipped message="after a change by the command: no faults`)
	require.NotContains(t, junit.String(), "<failure")
	require.NoError(t, r.WriteText(text, layout.Style{}))
	require.Regexp(t, `(?m)^ lost-updates +1 +0 +no longer$`, text.String())
}

// TestAViolationThatIsShownIsAViolation: "HELD in 20 runs" stood over total data loss, since the file named it under show.
func TestAViolationThatIsShownIsAViolation(t *testing.T) {
	const file = `model: ratelimit
until: 2m
params: {algorithm: fixed-window, limit: 5, clients: [{phases: [{at: 59s, burst: 5}, {at: 60s, burst: 5}]}]}
`
	for _, text := range []string{file, file + "show: [window-limit, worst-window]\n"} {
		path := filepath.Join(t.TempDir(), "burst.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		r := ran(t, path, "", format.Options{})
		require.Equal(t, verdict.Violated, r.Word)
		require.Equal(t, 3, r.Exit)
		require.False(t, r.OK)
		require.Contains(t, r.Line(layout.Style{}), "VIOLATED: window-limit at 60.000s")
		junit := &bytes.Buffer{}
		require.NoError(t, reports.WriteJUnit(junit, []*reports.Run{r}))
		require.Contains(t, junit.String(), `<testcase classname="`+path+`" name="verdict">`)
		require.Contains(t, junit.String(), `<failure message="VIOLATED: window-limit`)
	}
}

// T2: every point of a grid has an expectation of its own, and it can fail.
func TestExpectationOfAPoint(t *testing.T) {
	const grid = `model: ratelimit
until: 2m
params: {limit: 5, clients: [{phases: [{at: 59s, burst: 5}, {at: 60s, burst: 5}]}]}
vary: {params.algorithm: [fixed-window, sliding-log]}
expect-at:
  - {at: {params.algorithm: fixed-window}, window-limit: violated, worst-window: 10}
  - {at: {params.algorithm: sliding-log}, window-limit: holds, worst-window: WORST}
`
	for worst, ok := range map[string]bool{"5": true, "6": false} {
		path := filepath.Join(t.TempDir(), "grid.yaml")
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(grid, "WORST", worst, 1)), 0o644))
		r := ran(t, path, "", format.Options{})
		require.True(t, r.Variants[0].OK)
		require.Equal(t, ok, r.Variants[1].OK, worst)
	}
}
