package shipped

import (
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// What a search for two faults finds, and in how many runs. The flags make a measurement of it; docs/search.md has the numbers.
var (
	meetOnly  = flag.String("meet", "", "only the searches whose name contains it")
	meetSeeds = flag.Int("meet-seeds", 1, "how often each question about a leader is searched")
	meetHits  = flag.Int("meet-hits", 2, "after how many failing runs a share is known well enough")
	meetRuns  = flag.Int("meet-runs", 1600, "after how many runs a search ends")
)

// A question is a property of a scenario, and the budget of the search for a violation.
type question struct{ scenario, sets, property, budget string }

func (q question) name() string {
	return strings.TrimSpace(q.scenario+" "+q.sets) + " " + q.property + " " + q.budget
}

// search is the search of a question, with one budget and the k-th seed.
func (q question) search(t *testing.T, budget string, k int) explore.Search {
	var sets []result.Setting
	for _, set := range strings.Fields(q.sets) {
		path, value, _ := strings.Cut(set, "=")
		sets = append(sets, result.Setting{Path: path, Value: strings.ReplaceAll(value, ":", ": ")})
	}
	s, err := scenarios.Load(q.scenario, format.Options{Sets: sets, NoFaults: true})
	require.NoError(t, err)
	if len(s.Variants) > 0 {
		s = s.Variants[0].Scenario
	}
	b, err := format.ParseBudget(budget, &s.Program, sim.Time(s.Until))
	require.NoError(t, err)
	targets := execute.TargetsOf(&s.Program, []string{q.property})
	require.Len(t, targets, 1, q.property)
	return explore.Search{Program: s.Program, Config: s.Config, Budget: b, Targets: targets, Seed: sim.Hash(fmt.Sprint("meet", k)) >> 8, Jobs: 1}
}

// first is the run in which a search finds a violation, one more than runs if it does not.
func (q question) first(t *testing.T, budget string, k, runs int) int {
	s := q.search(t, budget, k)
	s.Runs = runs
	r, err := explore.Find(t.Context(), s)
	require.NoError(t, err)
	if r.Found == nil {
		return runs + 1
	}
	return r.Found.Run
}

// share counts the runs of a search that fail, over eight seeds: each surveys other runs for places of faults.
func (q question) share(t *testing.T) (failed, done int) {
	const seeds = 8
	for k := range seeds {
		s := q.search(t, q.budget, k)
		for from, end := 1, *meetRuns/seeds; from < end && failed < *meetHits*(k+1)/seeds; {
			part, err := s.Part(t.Context(), from, end)
			require.NoError(t, err)
			if done, from = done+part.Runs, from+part.Runs; part.Found {
				failed++
			}
		}
	}
	t.Logf("%s: %d of %d, one in %.1f +-%.0f%%", q.name(), failed, done, float64(done)/float64(max(failed, 1)), 100/math.Sqrt(float64(max(failed, 1))))
	return failed, done
}

// Pairs are failures that need two faults.
var pairs = []question{
	{"redlock/crash-restart", "", "mutual-exclusion", "cuts=1,crashes=1"},
	{"redlock/crash-restart-delayed-expired", "", "quorum-behind-holder", "cuts=1,crashes=1"},
	{"redlock/pause-during-acquire-wall-clock", "", "entitled-exclusion", "pauses=1,clock-steps=1"},
	{"fencing/volatile-fence", "", "fenced-order", "pauses=1,crashes=1"},
	{"zookeeper/lost-wall-clock", "", "mutual-exclusion", "cuts=1,clock-steps=1"},
	{"redlock/clock-jump", "", "mutual-exclusion", "cuts=1,clock-steps=1"},
	{"redlock/crash-restart", "params.instances=3 faults=[]", "mutual-exclusion", "crashes=2"},
	{"redlock/clock-jump", "params.instances=3 faults=[]", "mutual-exclusion", "clock-steps=2"},
	{"election/k8s-pause", "", "takeover-bound", "crashes=2"},
	{"election/k8s-slow-hook-short", "", "takeover-bound", "cuts=1,crashes=1"},
}

// Singles are failures that need one fault, searched for with two kinds.
var singles = []question{
	{"redlock/gc-pause", "", "mutual-exclusion", "pauses=1,crashes=1"},
	{"redis/unsafe-release", "", "owner-release", "pauses=1,crashes=1"},
	{"idempotency/partial-failure-no-transaction", "", "at-most-once", "pauses=1,crashes=1"},
	{"idempotency/outbox-watermark", "", "exactly-once-fold", "pauses=1,crashes=1"},
	{"idempotency/zombie", "", "at-most-once", "pauses=1,crashes=1"},
	{"kv/dot-reuse", "", "no-lost-write", "cuts=1,crashes=1"},
	{"kv/find-sloppy-quorum", "", "quorum-read", "cuts=1,crashes=1"},
	{"zookeeper/pause", "", "mutual-exclusion", "pauses=1,cuts=1"},
	{"redis/watchdog-renewal-timeout", "", "mutual-exclusion", "pauses=1,cuts=1"},
	{"store/clock-jump-back", "", "no-false-rejection", "pauses=1,clock-steps=1"},
	{"etcd/late-answer", "", "mutual-exclusion", "pauses=1,cuts=1"},
}

// No pair is found with either of its faults alone.
func TestPairsNeedBothFaults(t *testing.T) {
	kind := regexp.MustCompile(`[a-z-]+=\d`)
	for _, q := range pairs {
		if !strings.Contains(q.name(), *meetOnly) {
			continue
		}
		for _, alone := range kind.FindAllString(q.budget, -1) {
			assert.Greater(t, q.first(t, strings.ReplaceAll(alone, "2", "1"), 0, *meetRuns), *meetRuns, "%s: %s", q.name(), alone)
		}
		q.share(t)
	}
}

// A failure that needs one fault is found with a budget of two kinds as well.
func TestOneFaultIsFoundAmongTwo(t *testing.T) {
	for _, q := range singles {
		if strings.Contains(q.name(), *meetOnly) {
			failed, done := q.share(t)
			assert.NotZero(t, failed, "%s: in %d runs", q.name(), done)
		}
	}
}

// A budget of one fault draws as it did before faults met: what was found then is found in the same run.
func TestOneFaultIsDrawnAsBefore(t *testing.T) {
	for name, want := range oneFault {
		scenario, rest, _ := strings.Cut(name, " ")
		property, budget, _ := strings.Cut(rest, " ")
		q := question{scenario, "", property, budget}
		assert.Equal(t, want, []int{q.first(t, budget, 0, 2000), q.first(t, budget, 1, 2000), q.first(t, budget, 2, 2000)}, name)
	}
}

// oneFault is the run in which each of three seeds found it on 27 Nov 2026, before faults met.
var oneFault = map[string][]int{
	"idempotency/partial-failure-no-transaction at-most-once crashes=1,down-for=1s": {6, 2, 16},
	"idempotency/zombie at-most-once pauses=1":                                      {33, 25, 78},
	"kv/dot-reuse no-lost-write crashes=1":                                          {104, 64, 101},
	"kv/find-sloppy-quorum quorum-read cuts=1":                                      {6, 26, 43},
	"redis/watchdog-renewal-timeout mutual-exclusion pauses=1":                      {2, 35, 22},
	"redlock/gc-pause mutual-exclusion pauses=1":                                    {7, 29, 16},
	"redlock/gc-pause mutual-exclusion pauses=1,pause-for=15s":                      {2, 29, 16},
	"store/clock-jump-back no-false-rejection clock-steps=1":                        {16, 121, 179},
}

// A leader is paused, and the API server is down or out of reach, both for less than the lease bears alone: two leaders act. The
// nodes of the faults are named, as by who asks this.
func TestTheLeaderQuestion(t *testing.T) {
	for _, c := range []struct{ settings, pause, outage string }{
		{"lease:15s,renew:10s,retry:2s", "12s", "20s"}, {"lease:21s,renew:14s,retry:3s", "17s", "26s"}, {"lease:30s,renew:20s,retry:5s", "24s", "30s"},
		{"lease:9s,renew:6s,retry:1s", "8s", "10s"}, {"lease:12s,renew:8s,retry:2s", "10s", "15s"}, {"lease:40s,renew:27s,retry:6s", "32s", "45s"},
	} {
		for kind, median := range map[string]int{"crashes=1,down-for=": 2000, "cuts=1,cut-for=": 200} {
			q := question{"testdata/leader.yaml", "params.kubernetes={" + c.settings + "}", "entitled-exclusion",
				"pauses=1,pause-for=" + c.pause + "," + kind + c.outage + ",nodes=client-1|api-server"}
			var found []int
			for k := range *meetSeeds {
				found = append(found, q.first(t, q.budget, k, 5*median))
			}
			slices.Sort(found)
			t.Log(c.settings, kind+c.outage, found)
			assert.LessOrEqual(t, found[(len(found)-1)/2], median, "%s, %s", c.settings, kind)
		}
	}
}
