package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/models/clock/eventlog"
	"fencepost/reports"
	"fencepost/reports/eventorder"
	"fencepost/reports/searches"
)

// documented is the document that a command prints with --json.
func documented[D any](t *testing.T, line ...string) (doc D) {
	t.Helper()
	code, stdout, stderr := play(t, append(line, "--json")...)
	require.Contains(t, []int{cli.ExitOK, cli.ExitNotExpected}, code, stderr)
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&doc))
	return doc
}

// The reproduction of vector clocks, and row 1 of the coverage: a run prints which events
// are concurrent, with their stamps, and how many pairs were compared.
func TestRunTellsConcurrentPairs(t *testing.T) {
	_, stdout, _ := play(t, "run", "clock/vector-source")
	for _, want := range []string{
		"pairs of events: 36 compared, by what caused what and by their stamps (vector)\n",
		"  26 happened before: the stamps say 26 before\n",
		"  10 concurrent: the stamps say 10 concurrent; Lamport stamps order 6 of them\n",
		" b2 || c2    [2,2,0] || [0,0,2]  3 > 2\n",
		" a2 -> b2         [2,0,0] < [2,2,0]  2 < 3\n",
		" and 16 more; --json lists 26\n",
	} {
		require.Contains(t, stdout, want)
	}
	o := documented[reports.Run](t, "run", "clock/vector-source").Order
	require.Equal(t, []any{"vector", 9, uint64(26), uint64(10), uint64(36), uint64(6), uint64(0)},
		[]any{o.Clock, o.Total, o.Ordered, o.Concurrent, o.Comparisons, o.Told, o.LeftOut})
	require.Len(t, o.Pairs, 36)
	require.Contains(t, o.Pairs, reports.StampedPair{A: "b2", B: "c2", Relation: "||", Stamps: "||"})
	require.Equal(t, reports.StampedEvent{Name: "b2", Node: "B", AtNS: 5e6, Stamp: "[2,2,0]", Lamport: 3, Receives: "a2"}, o.Events[5])
}

// Lamport's clock and the hybrid one order what is concurrent, and the run says which.
func TestRunTellsWhatStampsOrder(t *testing.T) {
	_, stdout, _ := play(t, "run", "clock/lamport-concurrent")
	require.Contains(t, stdout, "  30 concurrent: the stamps say 21 ordered, 9 equal\n")
	require.Contains(t, stdout, " a4 || c3    6 > 3\n")
	o := documented[reports.Run](t, "run", "clock/lamport-concurrent", "--set", "params.clock=hlc").Order
	require.Equal(t, []reports.StampsSay{{Relation: "<", Stamps: "<", Pairs: 36}}, o.Says[:1])
	require.Equal(t, "<", o.Says[1].Stamps, "a hybrid clock orders concurrent events, too")
	_, stdout, _ = play(t, "run", "clock/bytes-pruned", "--set", "params.processes=16", "--set", "until=200ms")
	require.Contains(t, stdout, "pairs of events: ")
	_, stdout, _ = play(t, "run", "redlock/gc-pause")
	require.NotContains(t, stdout, "pairs of events")
}

// A long run has its counts, and no pairs.
func TestRunTooLongForPairs(t *testing.T) {
	line := []string{"run", "clock/clocks-compared", "--set", "params.clock=vector", "--set", "params.events=500"}
	_, stdout, _ := play(t, line...)
	require.Contains(t, stdout, "pairs of events: not listed of 5")
	o := documented[reports.Run](t, line...).Order
	require.Equal(t, []any{5959, 0, 0}, []any{o.Total, len(o.Events), len(o.Pairs)})
	o = documented[reports.Run](t, "run", "clock/clocks-compared", "--set", "params.clock=vector", "--set", "params.events=12").Order
	require.Len(t, o.Pairs, 2016)
	require.Equal(t, o.Comparisons, uint64(len(o.Pairs))+o.LeftOut)
}

func TestExplainBetween(t *testing.T) {
	for line, want := range map[string][]string{
		"clock/vector-source --between b2,c2": {
			"b2 || c2: neither happened before the other\n  b2  0.005s  B receives a2 of A: b2 is [2,2,0]\n  c2  0.000s  C sends c2: [0,0,2]\n",
			"  no chain of messages leads from b2 to c2: none from b2 reaches C\n",
			"  no chain of messages leads from c2 to b2: the first event of B that one reaches is b3, after b2\n",
			"  events known, by host: A 2 > 0, B 2 > 0, C 0 < 2: each has one that is larger, so they are concurrent\n",
			"  stamps (vector): [2,2,0] || [0,0,2]: right\n",
			"EXPLAINED: b2 || c2\n"},
		"clock/vector-source --between a3,c1": {
			"c1 -> a3: c1 happened before a3\n",
			"  because of 2 messages:\n    c1 -> c2  later on C\n    c2 -> b3  a message from C to B\n    b3 -> b4  later on B\n    b4 -> a3  a message from B to A\n",
			"none of the second is larger, so it is before\n", "[3,4,2] > [0,0,1]: right\n"},
		"clock/vector-source --between b1,b4":      {"  because both are of one host:\n    b1 -> b4  later on B\n"},
		"clock/lamport-concurrent --between c3,a4": {"  stamps (lamport): 3 < 6: an order that no message stands for\n"},
		"clock/wall-two-machines --between a,b":    {"  stamps (wall): 1s > 999ms: wrong\n"},
		"clock/vector-source":                      {"b2 || c1: neither", "b1 -> a3: b1", "EXPLAINED: b2 || c1, b1 -> a3; nothing is violated in 1 run, seed 1\n"},
	} {
		code, stdout, stderr := play(t, append([]string{"explain"}, strings.Fields(line)...)...)
		require.Equal(t, cli.ExitOK, code, stderr)
		for _, w := range want {
			require.Contains(t, stdout, w, line)
		}
	}
	p := documented[searches.Explanation](t, "explain", "clock/vector-source", "--between", "b1,a3").Pairs[0]
	require.Equal(t, []reports.ChainLink{{From: "b1", To: "b4", FromHost: "B", ToHost: "B"}, {From: "b4", To: "a3", FromHost: "B", ToHost: "A"}}, p.Chain)
	require.Equal(t, []reports.CounterPair{{Host: "A", A: 0, B: 3}, {Host: "B", A: 1, B: 4}, {Host: "C", A: 0, B: 2}}, p.Counters)
	for line, want := range map[string]string{
		"clock/vector-source --between b2":                "want two events, as A,B",
		"clock/vector-source --between b2,x":              `there is no event "x": want an event of the run, as a1`,
		"clock/vector-source --between b2,c2 --no-curve":  "is about two events",
		"redlock/gc-pause --between a,b":                  "the model lock has no events of its own that clocks stamp",
		"x.replay.json --between a,b":                     "is for scenarios",
		"clock/clocks-compared --between A:1,B:1":         "pick it with --set",
		"clock/vector-source --between b2,c2 --redraws 5": "is about two events",
	} {
		code, stdout, stderr := play(t, append([]string{"explain"}, strings.Fields(line)...)...)
		require.Contains(t, []int{cli.ExitError, cli.ExitUsage}, code, line)
		require.Contains(t, stderr, want)
		require.Empty(t, stdout)
	}
}

// order takes a scenario, by name or as a file, and compares its stamps with what happened.
func TestOrderOfScenario(t *testing.T) {
	doc := documented[eventorder.Order](t, "order", "clock/vector-source", "--between", "b2,c2")
	require.Equal(t, []any{"run", 9, 3, &eventorder.OrderPairs{Ordered: 26, Concurrent: 10, Told: 6}},
		[]any{doc.Format, doc.Events, doc.Messages, doc.Pairs})
	require.Equal(t, []reports.StampsSay{{Relation: "<", Stamps: "<", Pairs: 26}, {Relation: "||", Stamps: "||", Pairs: 10}}, doc.Stamps.Says)
	require.Equal(t, []string{"[2,2,0]", "[0,0,2]", "||", "b3"}, []string{doc.Between.A.Stamp, doc.Between.B.Stamp, doc.Between.Relation, doc.Between.BReaches})
	code, stdout, _ := play(t, "order", "clock/lamport-concurrent")
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "CONSISTENT: the lamport stamps put no event before what caused it\n")
	require.Contains(t, stdout, "  c3 || a4  3 < 6\n")
	code, stdout, _ = play(t, "order", "clock/vector-forgets")
	require.Equal(t, cli.ExitNotExpected, code)
	require.Contains(t, stdout, "  a2 -> a3  [2,0] > [1,0]\n  a3 || b1  [1,0] < [2,1]\n\nINCONSISTENT: the vector stamps of 3 pairs say what is not so\n")

	file := filepath.Join(t.TempDir(), "mine.yaml")
	_, text, _ := play(t, "show", "clock/vector-source", "--file")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	code, stdout, _ = play(t, "order", file)
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "26 ordered, 10 concurrent")
	for line, want := range map[string]string{
		"order redlock/gc-pause":                  "has no events of its own",
		"order clock/clocks-compared":             "grid of 5 points",
		"order clock/vector-source --execution x": "a scenario is run",
		"order no-such.yaml":                      "no-such.yaml",
		"order clock/vector-source --between x,":  `there is no event "x"`,
	} {
		code, stdout, stderr := play(t, strings.Fields(line)...)
		require.Contains(t, []int{cli.ExitError, cli.ExitUsage}, code, line)
		require.Contains(t, stderr, want)
		require.Empty(t, stdout)
	}
}

// R14: --export merged the events of a step, and 9 events were 6, 10 concurrent pairs 4.
// Now the log has one event for each, and says of each two what the run says.
func TestExportRoundTrip(t *testing.T) {
	for name, want := range map[string][3]uint64{
		"clock/vector-source": {9, 26, 10}, "clock/vector-concurrent": {12, 36, 30}, "clock/lamport-concurrent": {12, 36, 30}, "clock/hlc-random": {},
	} {
		_, log, _ := play(t, "run", name, "--export", "shiviz")
		l, err := eventlog.Read(strings.NewReader(log), eventlog.Options{})
		require.NoError(t, err)
		o := l.Order(10)
		require.True(t, o.Consistent())
		if want[0] > 0 {
			require.Equal(t, want, [3]uint64{uint64(len(l.Events)), o.Ordered, o.Concurrent}, name)
		}
		run := documented[reports.Run](t, "run", name, "--runs", "1", "--set", "until=100ms").Order
		_, log, _ = play(t, "run", name, "--runs", "1", "--set", "until=100ms", "--export", "shiviz")
		l, err = eventlog.Read(strings.NewReader(log), eventlog.Options{})
		require.NoError(t, err)
		require.Len(t, l.Events, len(run.Events))
		number := map[string]int{}
		for i, e := range run.Events {
			require.Equal(t, e.Node, l.Hosts[l.Events[i].Host])
			require.Contains(t, l.Events[i].Text, e.Stamp)
			number[e.Name] = i
		}
		for _, p := range run.Pairs {
			require.Equal(t, p.Relation, l.Relation(number[p.A], number[p.B]).String(), "%s: %s and %s", name, p.A, p.B)
		}
	}
}
