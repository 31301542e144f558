package shipped

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
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

// largest are most of the steps of all scenarios: without -whole one of some runs of each of their points is run, and at least
// those of the digest. The intervals that are held against proofs are then wider, and the bytes of the figures are not compared.
var largest = map[string]int{
	"clock/compare": 10, "clock/gossip-lossy": 20, "election/failover": 20, "etcd/jepsen-locks-guarded": 10,
	"fleet/sync-overshoot-wso2": 10, "fleet/sync-overshoot-wso2-10ms": 10,
	"kv/compare": 10, "kv/consistency-spectrum": 10, "kv/figure-lost-by-skew": 10, "kv/jepsen-client-timestamps": 10, "kv/jepsen-lww-healthy": 10,
	"kv/jepsen-lww-lock-partition": 10, "kv/jepsen-lww-strict-concurrent": 10, "kv/jepsen-lww-strict-in-doubt": 10, "kv/jepsen-lww-strict-partition": 10,
	"kv/jepsen-set-partition": 10, "kv/leave": 10,
	"kv/pbs-exponential": 10, "kv/pbs-lnkd-disk": 10, "kv/pbs-lnkd-ssd": 10, "kv/pbs-n": 10, "kv/pbs-versions": 10, "kv/pbs-wan": 10, "kv/pbs-ymmr": 10,
	"limiter/cloudflare-sliding-counter": 10, "limiter/compare-algorithms": 20, "lock/compare": 20,
	"redis/figure-pause": 20, "redis/figure-renewal": 20, "redis/sentinel-lag": 10,
	"redlock/figure-gc-logs": 10, // of which more intervals than may miss with one of 20
	"redlock/figure-pauses":  10, "redlock/figure-split-votes": 10, "redlock/figure-takeover": 20, "redlock/under-gc": 20, "redlock/under-gc-service": 20,
}

// sampled says whether only some runs of a scenario are run.
func sampled(name string) bool { return !whole.Tests() && largest[name] > 0 }

// outcome is a scenario and the result of running it as its file says.
type outcome struct {
	original
	*reports.Run // without its logs, which are in the text alone, and up to half a million moments
	text         string
	digests      *recorder
	moved        *mutants
}

// outcomes are the scenarios that ran: each runs once, whatever number of tests is about it.
var outcomes sync.Map // by name: func() (outcome, error)

// loads are the scenarios that are loaded: each once.
var loads sync.Map // by name: func() (original, error)

// original is a scenario, and whether it is the same without its cause.
type original struct {
	*format.Scenario
	same bool
}

// loaded is a scenario; of those that are sampled the runs may be fewer.
func loaded(t *testing.T, name string) original {
	t.Helper()
	once, _ := loads.LoadOrStore(name, sync.OnceValues(func() (original, error) {
		s, err := scenarios.Load(name, format.Options{})
		if err != nil {
			return original{}, err
		}
		same, err := Same(s)
		return original{s, same}, err
	}))
	s, err := once.(func() (original, error))()
	require.NoError(t, err)
	return s
}

// outcomeOf runs a scenario, or returns the result of having run it.
func outcomeOf(t *testing.T, name string) outcome {
	t.Helper()
	once, _ := outcomes.LoadOrStore(name, sync.OnceValues(func() (outcome, error) {
		s := loaded(t, name)
		if sampled(name) {
			for _, p := range Points(s.Scenario) {
				p.Runs = max(p.Runs/largest[name], min(p.Runs, digest.Runs))
			}
		}
		digests := recordRuns(s.Scenario)
		moved := &mutants{loose: map[string]int{}}
		r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s.Scenario, Tallied: moved.move})
		if err != nil {
			return outcome{}, err
		}
		var text strings.Builder
		err = r.WriteText(&text, layout.Style{})
		r.Logs = nil
		return outcome{s, r, text.String(), digests, moved}, err
	}))
	o, err := once.(func() (outcome, error))()
	require.NoError(t, err)
	return o
}

// TestEveryScenario finds what each file expects, and can write the result in every form. Nothing is violated in a
// scenario that has no cause, which TestEveryControl therefore need not run.
// Short tests leave out those with tens of thousands of runs, and take one in four of the others.
func TestEveryScenario(t *testing.T) {
	for i, name := range scenarios.Names() {
		if testing.Short() && (i%4 != 0 || strings.Contains(name, "under-gc")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := outcomeOf(t, name)
			requireExpected(t, &o)
			if o.same {
				requireUnviolated(t, o.Run)
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

// byChance reports whether the share of violated runs may be what is expected of more runs: the interval of the one, with
// a confidence of 99.99 %, meets that of the other.
func byChance(o *reports.Outcome, e *reports.Expectation) bool {
	i := slices.IndexFunc(o.Properties, func(p reports.Property) bool { return p.Name == e.Name })
	if i < 0 || e.Low == nil || e.High == nil {
		return false
	}
	p := &o.Properties[i]
	const z = 3.9
	n := float64(p.Runs)
	share := float64(p.Violated) / n
	middle, width := (share+z*z/2/n)/(1+z*z/n), z*math.Sqrt(share*(1-share)/n+z*z/4/n/n)/(1+z*z/n)
	return middle-width <= *e.High && middle+width >= *e.Low
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

// requireExpected is for a result that is as its scenario expects. Of fewer runs than the scenario has, the share of
// violated ones may be outside of what is expected, as far as chance allows.
func requireExpected(t *testing.T, o *outcome) {
	t.Helper()
	if o.Exit != 0 && sampled(o.Run.Scenario) {
		for _, point := range outcomesIn(o.Run) {
			for i := range point.Expectations {
				e := &point.Expectations[i]
				require.True(t, e.Met || byChance(point, e), "%s: %s", e.Name, o.text)
			}
		}
	} else {
		require.Zero(t, o.Exit, o.text)
	}
	var text bytes.Buffer
	for _, write := range []func(io.Writer, []*reports.Run) error{reports.WriteCSV, reports.WriteJUnit, reports.WriteMarkdown} {
		text.Reset()
		require.NoError(t, write(&text, []*reports.Run{o.Run}))
		assert.NotZero(t, text.Len())
	}
}
