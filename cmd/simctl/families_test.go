package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/candidates"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// familyMembers loads what a family compares.
func familyMembers(t *testing.T, name string) map[string]*format.Scenario {
	c := cli.Catalog{Names: scenarios.Names, Load: scenarios.Load}
	list, err := candidates.Load(&c, &candidates.Query{Names: []string{name}})
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
	for _, f := range candidates.Families {
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

// comparedAs is what comes out of the comparison of a family, without a flag.
type comparedAs struct {
	text        string
	Runs        int
	Contestants []comparedOne
}

type comparedOne struct {
	Name       string
	Properties []struct {
		Name     string
		Violated int
	}
	Differences []struct {
		Name   string
		Differ int
	}
}

// violated is in how many runs of one of a family a property is violated.
func (c *comparedAs) violated(t *testing.T, name, property string) int {
	for _, one := range c.Contestants {
		for _, p := range one.Properties {
			if one.Name == name && p.Name == property {
				return p.Violated
			}
		}
	}
	t.Fatalf("no %s of %s", property, name)
	return 0
}

// familyComparisons are those of the families that were compared: each once, whatever number of tests is about it.
var familyComparisons = map[string]*comparedAs{}

func comparedFamily(t *testing.T, name string) *comparedAs {
	t.Helper()
	if familyComparisons[name] == nil {
		dir := filepath.Join(t.TempDir(), "out")
		var stdout, stderr bytes.Buffer
		require.Equal(t, cli.ExitOK, run(split("compare %s --out %s", name, dir), &stdout, &stderr), stderr.String())
		document, err := os.ReadFile(filepath.Join(dir, "report.json"))
		require.NoError(t, err)
		c := &comparedAs{text: stdout.String()}
		require.NoError(t, json.Unmarshal(document, c))
		familyComparisons[name] = c
	}
	return familyComparisons[name]
}

// TestFamilies finds in the comparison of each family what it is there to show.
func TestFamilies(t *testing.T) {
	lock := comparedFamily(t, "lock")
	require.Len(t, lock.Contestants, 23)
	for _, name := range []string{"redlock, fenced", "redis script, fenced", "redis get-del, fenced", "redis del, fenced", "naive, fenced", "etcd, fenced", "zookeeper, fenced", "k8s-lease, fenced"} {
		require.Zero(t, lock.violated(t, name, "no-lost-update"), name)
		require.Positive(t, lock.violated(t, name, "mutual-exclusion"), name)
	}
	require.Positive(t, lock.violated(t, "redlock, no check", "no-lost-update"))
	require.Positive(t, lock.violated(t, "redis del", "owner-release"))
	require.Zero(t, lock.violated(t, "redis script", "owner-release"))
	require.Positive(t, lock.violated(t, "naive", "no-orphan"))

	limiters := comparedFamily(t, "ratelimit")
	require.Len(t, limiters.Contestants, 10)
	require.Equal(t, "sliding-log", limiters.Contestants[9].Name, "the worst is first")
	require.Equal(t, limiters.Runs, limiters.violated(t, "fixed-window", "window-limit"))
	for _, c := range limiters.Contestants {
		for _, d := range c.Differences {
			if d.Name == "asked" {
				require.Zero(t, d.Differ, "all get the same requests")
			}
		}
	}
	clocks := comparedFamily(t, "clock")
	require.Equal(t, "vector", clocks.Contestants[4].Name)
	require.Zero(t, clocks.violated(t, "lamport", "orders-causally"))
	require.Equal(t, clocks.Runs, clocks.violated(t, "wall", "orders-causally"))

	orders := comparedFamily(t, "idempotency")
	require.Len(t, orders.Contestants, 63)
	const pause = "situation=pause beyond the lease, strategy="
	require.Zero(t, orders.violated(t, pause+"reference", "at-most-once"))
	require.Equal(t, 1, orders.violated(t, pause+"3: cache alone", "at-most-once"))
}

// TestFamiliesDoNotDependOnJobs: four runs are four batches of work.
func TestFamiliesDoNotDependOnJobs(t *testing.T) {
	for _, f := range candidates.Families {
		one, two := "", ""
		for jobs, text := range map[string]*string{"1": &one, "2": &two} {
			var stdout, stderr bytes.Buffer
			require.Equal(t, cli.ExitOK, run(split("compare %s --runs 4 --json --jobs %s", f.Name, jobs), &stdout, &stderr), stderr.String())
			*text = stdout.String()
		}
		require.Equal(t, one, two, f.Name)
	}
}

// TestFamiliesFit: no table is wider than a hundred columns, or 120 if it is of two axes.
func TestFamiliesFit(t *testing.T) {
	for _, f := range candidates.Families {
		text := comparedFamily(t, f.Name).text
		most := 100
		if strings.HasSuffix(strings.SplitN(text, "\n", 2)[0], " across") {
			most = 120
		}
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "   simctl run ") {
				require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), most, line)
			}
		}
	}
}
