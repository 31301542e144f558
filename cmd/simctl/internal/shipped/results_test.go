package shipped

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/whole"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/digest"
	"fencepost/scenarios/format"
)

// largest are most of the steps of all scenarios: without -whole one of ten runs of each of their points is run, and at least
// those of the digest. The intervals that are held against proofs are then wider, and the bytes of the figures are not compared.
var largest = []string{
	"clock/compare", "fleet/sync-overshoot-wso2", "fleet/sync-overshoot-wso2-10ms",
	"kv/figure-lost-by-skew", "kv/jepsen-client-timestamps", "kv/jepsen-lww-healthy", "kv/jepsen-lww-lock-partition", "kv/jepsen-lww-strict-concurrent",
	"kv/jepsen-lww-strict-in-doubt", "kv/jepsen-lww-strict-partition", "kv/jepsen-set-partition",
	"kv/pbs-exponential", "kv/pbs-lnkd-disk", "kv/pbs-lnkd-ssd", "kv/pbs-n", "kv/pbs-versions", "kv/pbs-wan", "kv/pbs-ymmr",
	"limiter/cloudflare-sliding-counter", "limiter/compare-algorithms", "lock/compare",
	"redis/figure-pause", "redis/figure-renewal", "redis/sentinel-lag", "redlock/figure-gc-logs", "redlock/figure-pauses",
	"redlock/figure-takeover", "redlock/under-gc", "redlock/under-gc-service",
}

// sampled says whether only some runs of a scenario are run.
func sampled(name string) bool { return !whole.Tests() && slices.Contains(largest, name) }

// outcome is a scenario and the result of running it as its file says.
type outcome struct {
	*format.Scenario
	*reports.Run
	digests *recorder
}

// outcomes are the scenarios that ran: each runs once, whatever number of tests is about it.
var outcomes sync.Map // by name: func() (outcome, error)

// loads are the scenarios that are loaded: each once.
var loads sync.Map // by name: func() (*format.Scenario, error)

// loaded is a scenario; of those that are sampled the runs may be fewer.
func loaded(t *testing.T, name string) *format.Scenario {
	t.Helper()
	once, _ := loads.LoadOrStore(name, sync.OnceValues(func() (*format.Scenario, error) { return scenarios.Load(name, format.Options{}) }))
	s, err := once.(func() (*format.Scenario, error))()
	require.NoError(t, err)
	return s
}

// outcomeOf runs a scenario, or returns the result of having run it.
func outcomeOf(t *testing.T, name string) outcome {
	t.Helper()
	once, _ := outcomes.LoadOrStore(name, sync.OnceValues(func() (outcome, error) {
		s := loaded(t, name)
		if sampled(name) {
			for _, p := range Points(s) {
				p.Runs = max(p.Runs/10, min(p.Runs, digest.Runs))
			}
		}
		digests := recordRuns(s)
		r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s})
		return outcome{s, r, digests}, err
	}))
	o, err := once.(func() (outcome, error))()
	require.NoError(t, err)
	return o
}

// TestEveryScenario finds what each file expects, and can write the result in every form. Nothing is violated in a
// scenario that has no cause, which package control therefore need not run.
// Short tests leave out those with tens of thousands of runs, and take one in four of the others.
func TestEveryScenario(t *testing.T) {
	for i, name := range scenarios.Names() {
		if testing.Short() && (i%4 != 0 || strings.Contains(name, "under-gc")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := outcomeOf(t, name).Run
			requireExpected(t, r)
			_, _, same, err := Control(name)
			require.NoError(t, err)
			if same {
				requireUnviolated(t, r)
			}
		})
	}
}

// TestMeasuresOfVersions: of the runs of a point in which a property about values is
// violated, the measure that counts what violates it is not 0, and where it holds in all
// it is. (T4: it was 0 beside VIOLATED where a later write had replaced the value.)
func TestMeasuresOfVersions(t *testing.T) {
	counts := map[string]string{"no-false-siblings": "false-siblings", "no-lost-value": "lost-values"}
	seen := map[string]int{}
	for _, name := range scenarios.Names() {
		if loaded(t, name).Model != "versions" {
			continue
		}
		o := outcomeOf(t, name)
		for i, point := range outcomesIn(o.Run) {
			for _, p := range point.Properties {
				j := slices.IndexFunc(point.Metrics, func(m reports.Metric) bool { return m.Name == counts[p.Name] })
				if j >= 0 && p.Runs > 0 {
					seen[fmt.Sprint(p.Name, p.Violated > 0)]++
					assert.Equal(t, p.Violated > 0, point.Metrics[j].Max != result.Int(0), "%s, point %d: %+v", name, i, p)
				}
			}
		}
	}
	for property := range counts {
		assert.Greater(t, seen[property+"true"], 4, "%v", seen)
		assert.Greater(t, seen[property+"false"], 4, "%v", seen)
	}
}

// outcomesIn are those of the points of a grid, or the one of what has none.
func outcomesIn(r *reports.Run) (list []*reports.Outcome) {
	if len(r.Variants) == 0 {
		return []*reports.Outcome{&r.Outcome}
	}
	for i := range r.Variants {
		list = append(list, &r.Variants[i].Outcome)
	}
	return list
}

// requireUnviolated is for a result in which nothing goes wrong at all.
func requireUnviolated(t *testing.T, r *reports.Run) {
	t.Helper()
	for i, o := range outcomesIn(r) {
		require.Nil(t, o.Panic, "point %d", i)
		for _, p := range o.Properties {
			require.Zero(t, p.Violated, "point %d: %s", i, p.Name)
		}
	}
}

// requireExpected is for a result that is as its scenario expects.
func requireExpected(t *testing.T, r *reports.Run) {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text, layout.Style{}))
	require.True(t, r.OK, text.String())
	for _, write := range []func(io.Writer, []*reports.Run) error{reports.WriteCSV, reports.WriteJUnit, reports.WriteMarkdown} {
		text.Reset()
		require.NoError(t, write(&text, []*reports.Run{r}))
		assert.NotZero(t, text.Len())
	}
}
