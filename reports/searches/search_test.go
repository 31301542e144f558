package searches

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/golden"
	"fencepost/reports/layout"
	"fencepost/reports/verdict"
	"fencepost/result"
	"fencepost/sim"
)

// told is a explanation, or a curve, that is there already.
type told string

func (s told) Write(w io.Writer) error {
	_, err := io.WriteString(w, string(s)+"\n")
	return err
}

func (s told) Sentence() string { return "P is " + string(s) }

func exploration() *Exploration {
	return &Exploration{
		Schema: ExploreSchema, Scenario: "lock/x", About: "About it.", Source: "A paper", Model: "lock", Mode: reports.NoFaults,
		Settings: []result.Setting{{Path: "params.ttl", Value: "5s"}}, Search: "random", Budget: "at most 1 pause", Wanted: []string{"no-lost-update"},
		Seed: 3, RunsWanted: 10_000, ForNS: 30e9, UntilNS: 60e9, Runs: 10_000, Events: 1_234_567, Faulty: 7500, Points: 305,
		Bound: "runs", NotExercised: []string{"fairness"},
		Properties: []reports.Property{
			{Name: "no-lost-update", Verdict: reports.Holds, Runs: 9997, NotExercised: 3, Share: &reports.Share{Value: 0, Low: 0, High: 0.00038}},
			{Name: "no-orphan", Verdict: reports.Violated, Runs: 10_000, Violated: 25, Share: &reports.Share{Value: 0.0025, Low: 0.0017, High: 0.0037}},
			{Name: "fairness", Verdict: reports.NotExercised, NotExercised: 10_000},
		},
	}
}

func TestExploration(t *testing.T) {
	for name, change := range map[string]func(e *Exploration){
		"held":        func(*Exploration) {},
		"interrupted": func(e *Exploration) { e.Runs, e.Bound = 128, "time" },
		"vacuous":     func(e *Exploration) { e.Wanted = []string{"fairness"} },
		"no-run":      func(e *Exploration) { e.Runs, e.ForNS, e.Bound = 0, 1, "time" },
		"only-run":    func(e *Exploration) { e.Runs, e.Wanted = 1, []string{"fairness"} },
		"notInjected": func(e *Exploration) { e.Faulty = 0 },
		"nowhere":     func(e *Exploration) { e.Faulty, e.Points = 0, 0 },
		"pct": func(e *Exploration) {
			e.Search, e.Guarantee = "pct", &Guarantee{Depth: 2, PerRun: 0.00035, InAll: 0.97}
		},
		"exhausted": func(e *Exploration) {
			e.Search, e.States, e.Exhausted = "exhaustive", 136_954, true
		},
		"stopped": func(e *Exploration) {
			e.Search, e.States, e.Bound, e.Wanted, e.Properties[1] = "exhaustive", 136_954, "memory", nil, reports.Property{Name: "no-orphan", Verdict: reports.Holds, Runs: 10_000}
		},
		"found": func(e *Exploration) {
			e.Runs, e.Scripted, e.Mode = 1, 2, ""
			e.Found = &Found{Run: 1, Seed: 3, Property: "no-lost-update", Faults: []string{"a", "b", "c"}, Why: "it was so",
				Shrunk: &Shrunk{Tries: 84, Smaller: "params.clients=2"}, Explanation: told("The explanation."), Reproduce: "simctl run lock/x",
				Case: Case{Seed: 3, Faults: []string{"client-1 is paused"}, Draws: []string{"delay 3"}, AtNS: 12_001_000_000, Nodes: []string{"client-1"}, Digest: "0123456789abcdef"}}
		},
		"many": func(e *Exploration) {
			e.Runs = 53
			e.Found = &Found{Run: 53, Seed: 55, Reproduce: "simctl run lock/x", Redrawn: true, Property: "no-lost-update", Faults: slices.Repeat([]string{"a"}, 50), Shrunk: &Shrunk{Tries: 1},
				Case: Case{Minimal: true, Faults: slices.Repeat([]string{"a"}, 49), Digest: "0123456789abcdef"}}
		},
		"kept": func(e *Exploration) {
			e.Runs = 53
			e.Found = &Found{Run: 53, Seed: 55, Panic: &reports.Panic{AtNS: 5e9, Node: "client-1", Message: "start", Value: "oh"}, Replay: "simctl replay o/x.replay.json",
				Case: Case{Minimal: true, Digest: "0123456789abcdef"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := exploration()
			change(e)
			e.Decide(name == "interrupted")
			var b bytes.Buffer
			require.NoError(t, e.WriteText(&b, layout.Style{}))
			golden.Require(t, b.String(), ".txt")
			b.Reset()
			require.NoError(t, e.WriteText(&b, layout.Style{Color: true}))
			require.Contains(t, b.String(), "\x1b[1;")
			b.Reset()
			require.NoError(t, reports.WriteJSON(&b, e))
			require.True(t, json.Valid(b.Bytes()))
		})
	}
}

func TestExplanation(t *testing.T) {
	e := &Explanation{Schema: ExplainSchema, Scenario: "lock/x", Replay: "x.replay.json", Model: "lock", UntilNS: 60e9, Seed: 1, Runs: 10,
		Wanted: []string{"no-lost-update"}, Others: []string{"fenced-order"}, OK: true,
		Found: &Explained{Run: 3, Property: "no-lost-update", Explanation: told("The explanation."), Curve: told("0.5 until then"),
			Case: Case{Seed: 3, Minimal: true, Faults: []string{"one", "two"}, Draws: []string{"delay 3", "loss 1"}, AtNS: 12e9, Nodes: []string{"client-1", "client-2"}, Events: 78}}}
	var b bytes.Buffer
	require.NoError(t, e.WriteText(&b, layout.Style{}))
	require.NoError(t, e.WriteVerdict(&b, layout.Style{}))
	e.Found = nil
	require.NoError(t, e.WriteText(&b, layout.Style{}))
	golden.Require(t, b.String(), ".txt")
}

func TestReplay(t *testing.T) {
	side := Side{Property: "no-lost-update", Violated: true, AtNS: 12e9, Nodes: []string{"client-1", "client-2"}, Why: "It was so.", Events: 78, Digest: "aaaa"}
	other := Side{Property: "no-lost-update", Violated: true, AtNS: 13e9, Nodes: []string{"client-1", "client-2"}, Events: 79, Digest: "bbbb"}
	gone := Side{Property: "no-lost-update", Events: 79, Digest: "bbbb"}
	var b bytes.Buffer
	for _, r := range []*Replay{
		{OK: true, Same: true, Recorded: side, Replayed: side, Minimal: true, Faults: []string{"one", "two"}, Draws: []string{"delay 3"}},
		{OK: true, Recorded: side, Replayed: side, Seed: 7, Edited: true, Command: "simctl explore lock/x"},
		{OK: true, OtherDigests: true, Recorded: side, Replayed: other, Parting: &result.Parting{Step: 17, Recorded: "this", Replayed: "that"}},
		{Recorded: side, Replayed: Side{Property: "no-lost-update", Events: 78, Digest: "aaaa"}, Edited: true},
		{Recorded: side, Replayed: gone, Parting: &result.Parting{Step: 17, Recorded: "this", Replayed: ""}},
		{Recorded: side, Replayed: Side{Panic: true, Violated: true, AtNS: 1e9, Nodes: []string{"client-1"}, Digest: "bbbb"}, Parting: &result.Parting{Step: 17, Recorded: "", Replayed: "that"}},
	} {
		r.Schema, r.File, r.Scenario, r.Model, r.Version = ReplaySchema, "x.replay.json", "lock/x", "lock", "(devel)"
		r.Decide()
		require.NoError(t, r.WriteText(&b, layout.Style{}))
		b.WriteString(r.Short(layout.Style{}) + "\n")
		require.Equal(t, r.OK, r.Word == verdict.Reproduced)
	}
	golden.Require(t, b.String(), ".txt")
}

func TestBoundary(t *testing.T) {
	point := func(value string, bad bool) BoundaryPoint {
		p := reports.Property{Name: "p", Verdict: reports.Holds, Runs: 1}
		if bad {
			p.Verdict, p.Violated, p.First = reports.Violated, 1, &reports.First{AtNS: 5e9, Nodes: []string{"client-1"}}
		}
		return BoundaryPoint{value, bad, p}
	}
	b := &Boundary{Schema: BoundarySchema, Scenario: "lock/x", Model: "lock", Property: "p", Path: "faults.0.for", From: "1s", To: "2s", Step: "1ms",
		Seed: 1, Runs: 1, UntilNS: 60e9, OK: true, Monotone: true, Points: []BoundaryPoint{point("1s", false), point("1.500s", false), point("1.501s", true), point("2s", true)},
		Neighbours: []*Neighbour{{BoundaryPoint: point("1.500s", false), Reproduce: "simctl run a", Logs: []reports.Log{{Moments: []sim.Moment{{At: 1e9, Text: "One."}}}}},
			{BoundaryPoint: point("1.501s", true), Reproduce: "simctl run b", Logs: []reports.Log{{Moments: []sim.Moment{{At: 2e9, Text: "Two."}}}}}}}
	var text bytes.Buffer
	require.NoError(t, b.WriteText(&text, layout.Style{}))
	none := &Boundary{Scenario: "lock/x", Property: "p", Path: "x", From: "1", To: "3", Step: "1", Runs: 1,
		Points: []BoundaryPoint{point("1", true), point("2", false), point("3", true)}, Odd: &Odd{"2"}}
	require.NoError(t, none.WriteVerdict(&text, layout.Style{}))
	none.Interrupted = true
	require.NoError(t, none.WriteVerdict(&text, layout.Style{}))
	golden.Require(t, text.String(), ".txt")
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestReportsPassErrorsOn(t *testing.T) {
	require.Error(t, exploration().WriteText(full{}, layout.Style{}))
	require.Error(t, (&Explanation{}).WriteText(full{}, layout.Style{}))
	require.Error(t, (&Replay{}).WriteText(full{}, layout.Style{}))
	require.Error(t, (&Boundary{}).WriteText(full{}, layout.Style{}))
}
