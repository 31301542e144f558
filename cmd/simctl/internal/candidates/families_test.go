package candidates

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/pages"
	"fencepost/internal/whole"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// familyMembers loads what a family compares.
func familyMembers(t *testing.T, name string) map[string]*format.Scenario {
	c := cli.Catalog{Catalog: scenarios.Catalog(), Names: scenarios.Names, Load: scenarios.Load}
	list, err := Load(&c, &Query{Names: []string{name}})
	require.NoError(t, err)
	m := map[string]*format.Scenario{}
	for _, c := range list {
		m[c.Name] = c.Scenario
	}
	require.Len(t, m, len(list))
	return m
}

// namedDraw is a draw by the names of the nodes, whatever their numbers are.
type namedDraw struct {
	purpose  sim.Purpose
	from, to string
	fault    uint64
	index    uint64
}

func draws(t *testing.T, s *format.Scenario, seed uint64) map[namedDraw]uint64 {
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	name := func(id sim.NodeID) string {
		if id == sim.None {
			return ""
		}
		return s.Program.Nodes[id-1]
	}
	all := map[namedDraw]uint64{}
	w.Watch(sim.Watch{Draws: func(d sim.Draw, v uint64) { all[namedDraw{d.Purpose, name(d.From), name(d.To), d.Name, d.Index}] = v }})
	w.Run(seed)
	return all
}

// TestFamiliesShareTheirDraws: under each algorithm of a family, links, clients and
// faults draw the same from the same seed. So all are on the same workload.
func TestFamiliesShareTheirDraws(t *testing.T) {
	want := map[string][]sim.Purpose{
		"lock":      {sim.Faults}, // each has servers of its own
		"ratelimit": {sim.Timers},
		"clock":     {sim.Delays, sim.Timers},
		// Nothing is drawn for idempotency: its numbers are exact.
	}
	for _, f := range Families {
		t.Run(f.Name, func(t *testing.T) {
			members := familyMembers(t, f.Name)
			require.GreaterOrEqual(t, len(members), 5)
			shareDraws(t, members, want[f.Name])
		})
	}
	t.Run("locks that ask the first Redis again and again", func(t *testing.T) {
		members := familyMembers(t, "lock")
		maps.DeleteFunc(members, func(name string, _ *format.Scenario) bool {
			service, _, _ := strings.Cut(name, " ")
			return !slices.Contains([]string{"redis", "redlock", "redlock,", "redsync", "node-redlock", "naive", "naive,"}, service)
		})
		require.Len(t, members, 14)
		shareDraws(t, members, []sim.Purpose{sim.Delays, sim.Timers, sim.Faults})
	})
}

// shareDraws: what two of them draw, they draw the same, and that is some of each purpose.
func shareDraws(t *testing.T, members map[string]*format.Scenario, want []sim.Purpose) {
	first := ""
	var base map[namedDraw]uint64
	for _, name := range slices.Sorted(maps.Keys(members)) {
		got := draws(t, members[name], 7)
		if base == nil {
			first, base = name, got
			continue
		}
		shared := map[sim.Purpose]int{}
		for d, v := range got {
			if other, ok := base[d]; ok {
				require.Equal(t, other, v, "%s and %s: %+v", first, name, d)
				shared[d.purpose]++
			}
		}
		for _, p := range want {
			require.Greater(t, shared[p], 5, "%s and %s share draws", first, name)
		}
	}
}

// compared is the comparison of a family.
type compared struct {
	text string
	*reports.Compare
}

// violated is in how many runs of one of a family a property is violated.
func (c *compared) violated(t *testing.T, name, property string) int {
	for i := range c.Candidates {
		for _, p := range c.Candidates[i].Properties {
			if c.Candidates[i].Name == name && p.Name == property {
				return p.Violated
			}
		}
	}
	t.Fatalf("no %s of %s", property, name)
	return 0
}

// comparisons are those of the families: each is compared once, whatever number of tests is about it.
var comparisons = map[string]*compared{}

// fewer is one of how many runs of a family is done without -whole: they are a quarter of the steps of all comparisons.
var fewer = map[string]int{"lock": 8, "ratelimit": 4, "kv": 5}

func comparedFamily(t *testing.T, name string) *compared {
	t.Helper()
	if comparisons[name] == nil {
		comparisons[name] = compareFamily(t, &Query{Names: []string{name}}, fewer[name])
	}
	return comparisons[name]
}

// compareFamily is what simctl compare prints, of a part of the runs if fewer is not 0.
func compareFamily(t *testing.T, q *Query, fewer int) *compared {
	t.Helper()
	list, err := Load(&cli.Catalog{Catalog: scenarios.Catalog(), Names: scenarios.Names, Load: scenarios.Load}, q)
	require.NoError(t, err)
	c, r, err := q.Comparison(list)
	require.NoError(t, err)
	if fewer > 0 && !whole.Tests() {
		c.Runs /= fewer
	}
	r, err = execute.Compare(t.Context(), c, r)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text, layout.Style{}))
	return &compared{text.String(), r}
}

// TestPagesOfFamilies finds in the pages what the families that they compare result in, of all runs.
func TestPagesOfFamilies(t *testing.T) {
	list, err := pages.All("../../../..")
	require.NoError(t, err)
	found := 0
	for _, v := range list {
		name := v.Family()
		if name == "" {
			continue
		}
		found++
		if fewer[name] > 0 && !whole.Tests() {
			continue
		}
		t.Run(name, func(t *testing.T) { require.NoError(t, v.Check(comparedFamily(t, name).text)) })
	}
	require.Equal(t, 3, found)
}

// TestFamilies finds in the comparison of each family what it is there to show.
func TestFamilies(t *testing.T) {
	lock := comparedFamily(t, "lock")
	require.Len(t, lock.Candidates, 23)
	for _, name := range []string{"redlock, fenced", "redis script, fenced", "redis get-del, fenced", "redis del, fenced", "naive, fenced", "etcd, fenced", "zookeeper, fenced", "k8s-lease, fenced"} {
		require.Zero(t, lock.violated(t, name, "no-lost-update"), name)
		require.Positive(t, lock.violated(t, name, "mutual-exclusion"), name)
	}
	require.Positive(t, lock.violated(t, "redlock, no check", "no-lost-update"))
	require.Positive(t, lock.violated(t, "redis del", "owner-release"))
	require.Zero(t, lock.violated(t, "redis script", "owner-release"))
	require.Positive(t, lock.violated(t, "naive", "no-orphan"))

	limiters := comparedFamily(t, "ratelimit")
	require.Len(t, limiters.Candidates, 10)
	require.Equal(t, "sliding-log", limiters.Candidates[0].Name, "the best is first")
	require.Equal(t, limiters.Runs, limiters.violated(t, "fixed-window", "window-limit"))
	for _, c := range limiters.Candidates {
		for _, d := range c.Differences {
			if d.Name == "asked" {
				require.Zero(t, d.Differ, "all get the same requests")
			}
		}
	}
	clocks := comparedFamily(t, "clock")
	require.Equal(t, "vector", clocks.Candidates[0].Name)
	require.Zero(t, clocks.violated(t, "lamport", "orders-causally"))
	require.Equal(t, clocks.Runs, clocks.violated(t, "wall", "orders-causally"))

	orders := comparedFamily(t, "idempotency")
	require.Len(t, orders.Candidates, 63)
	const pause = "situation=pause beyond the lease, strategy="
	require.Zero(t, orders.violated(t, pause+"reference", "at-most-once"))
	require.Equal(t, 1, orders.violated(t, pause+"3: cache alone", "at-most-once"))
}

// TestFamiliesDoNotDependOnJobs: four runs are four batches of work. Without -whole it takes one of two families.
func TestFamiliesDoNotDependOnJobs(t *testing.T) {
	for i, f := range Families {
		if !whole.Takes(i, 2) {
			continue
		}
		runs, texts := whole.Of(2, 4), [2]string{}
		for jobs := range texts {
			texts[jobs] = compareFamily(t, &Query{Names: []string{f.Name}, Runs: &runs, Jobs: 1 + jobs}, 0).text
		}
		require.Equal(t, texts[0], texts[1], f.Name)
	}
}

// TestFamiliesFit: no table is wider than a hundred columns, or 120 if it is of two axes.
func TestFamiliesFit(t *testing.T) {
	for _, f := range Families {
		text := comparedFamily(t, f.Name).text
		most := 100
		if strings.Contains(text, " across\n") {
			most = 120
		}
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "   simctl run ") {
				require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), most, line)
			}
		}
	}
}
