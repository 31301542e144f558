package execute

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/clock/eventlog"
	"fencepost/reports/page"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// exports are, of the page of a scenario and of each of its exports, read back, how many events they have of
// the kind that the ShiViz log has: those of the model's own, or of a model without any those of its nodes.
func exports(t *testing.T, s *format.Scenario) map[string]int {
	t.Helper()
	r, err := Page(t.Context(), s, "", page.MaxEvents)
	require.NoError(t, err)
	counts := map[string]int{}
	for e := range r.All() {
		if s.Program.Ordered && e.Name != "" || !s.Program.Ordered && e.Node > 0 && e.To == 0 {
			counts["page"]++
		}
	}
	var log, table, trace, diagram bytes.Buffer
	require.NoError(t, Export(s, ShiVizLog, &log))
	counts[ShiVizLog] = len(readBack(t, log.String()))
	require.NoError(t, Export(s, CSV, &table))
	rows, err := csv.NewReader(&table).ReadAll()
	require.NoError(t, err)
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		became := row[column["to"]] != "" && row[column["to"]] != row[column["node"]] // of a message
		if s.Program.Ordered && row[column["name"]] != "" || !s.Program.Ordered && row[column["node"]] != "network" && !became {
			counts[CSV]++
		}
	}
	require.NoError(t, Export(s, Perfetto, &trace))
	var events struct {
		TraceEvents []struct {
			Cat  string
			TID  int
			Args map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(trace.Bytes(), &events))
	for _, e := range events.TraceEvents {
		_, event := e.Args["event"]
		_, named := e.Args["name"]
		if event && (s.Program.Ordered && named || !s.Program.Ordered && e.TID > 0 && e.Cat != "lost" && e.Cat != "buffered") {
			counts[Perfetto]++
		}
	}
	if require.NoError(t, Export(s, Mermaid, &diagram)); r.Events.Count > page.MaxMermaid {
		counts[Mermaid] = counts["page"] // it is bounded, and says so
		require.Contains(t, diagram.String(), "are left out")
		return counts
	}
	for line := range strings.Lines(diagram.String()) {
		for e := range r.All() {
			if e.Name != "" && strings.Contains(line, "s "+strings.Split(e.Told[0], "[")[0]) {
				counts[Mermaid]++
				break
			}
		}
	}
	return counts
}

// TestExportsHaveTheSameEvents: the page and every export have each event of a model's own that its ShiViz log has,
// none of them merged with another of the same step.
func TestExportsHaveTheSameEvents(t *testing.T) {
	for _, name := range []string{"clock/vector-concurrent", "clock/gossip-lossy", "clock/hlc-restart", "clock/bytes-pruned", "clock/happens-before", "redlock/gc-pause"} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.Load(name, format.Options{})
			require.NoError(t, err)
			if len(s.Variants) > 0 {
				s = s.Variants[0].Scenario
			}
			shorten(t, s, 2000)
			counts := exports(t, s)
			require.Positive(t, counts[ShiVizLog])
			for format, n := range counts {
				require.Equal(t, counts[ShiVizLog], n, format)
			}
		})
	}
}

// TestPageHasTheOrderOfTheModel: of each two events of the model's own the causes on the page say the same as the
// vector clocks of the ShiViz log.
func TestPageHasTheOrderOfTheModel(t *testing.T) {
	for _, name := range []string{"clock/vector-concurrent", "clock/gossip-lossy", "clock/lamport-concurrent"} {
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		if len(s.Variants) > 0 {
			s = s.Variants[0].Scenario
		}
		shorten(t, s, 300)
		var b bytes.Buffer
		require.NoError(t, ShiViz(s, &b))
		log, err := eventlog.Read(bytes.NewReader(b.Bytes()), eventlog.Options{})
		require.NoError(t, err)
		r, err := Page(t.Context(), s, "", page.MaxEvents)
		require.NoError(t, err)
		past, number, last := [][]bool{}, map[int]int{}, map[int]int{}
		for e := range r.All() {
			if e.Name == "" {
				continue
			}
			n := len(past)
			before := make([]bool, n+1)
			for _, c := range []int{number[e.Cause] - 1, last[e.Node] - 1} {
				if c >= 0 {
					before[c] = true
					for i, is := range past[c] {
						before[i] = before[i] || is
					}
				}
			}
			past, number[e.Number], last[e.Node] = append(past, before), n+1, n+1
		}
		require.Len(t, log.Events, len(past))
		for b := range past {
			for a := range b {
				require.Equal(t, log.Relation(a, b) == clock.Before, past[b][a], "%s: events %d and %d", name, a, b)
			}
		}
	}
}
