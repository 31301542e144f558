package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"fencepost/reports/golden"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/stats"
)

const second = 1_000_000_000

func at(seconds float64) *int64 {
	ns := int64(seconds * second)
	return &ns
}

// paused is one run, violated as expected.
func paused() *Run {
	return decided(&Run{
		Schema: RunSchema, Scenario: "redlock/gc-pause", Model: "lock",
		About:  "A client is paused between its validity check and its write.",
		Source: "Kleppmann 2016, How to do distributed locking",
		Seed:   1, Runs: 1, UntilNS: 60 * second,
		Settings: []result.Setting{{Path: "params.ttl", Value: "10s"}},
		Inputs:   []result.Input{{Path: "g1.log", Summary: "g1.log: unified logging, safepoints: 103 stops, p50 1.2ms, max 12ms"}},
		Outcome: Outcome{
			Events: 1214, Digest: "3f2a91c04be7d516", OK: true,
			Faults: []Fault{
				{Fault: "pause client-1", Injected: 1, Runs: 1, FirstAtNS: at(0.1)},
				{Fault: "crash redis-2", Drawn: true},
			},
			Properties: []Property{
				{Name: "mutual-exclusion", Verdict: "violated", Runs: 1, Violated: 1, Violations: 2,
					First: &First{Run: 1, Seed: 1, AtNS: *at(10.02), Nodes: []string{"client-2", "client-1"},
						Why: "client-2 acquired at 10.020s while client-1, paused since 0.100s, still believed it held the lock"}},
				{Name: "no-lost-update", Verdict: "violated", Runs: 1, Violated: 1, Violations: 1,
					First: &First{Run: 1, Seed: 1, AtNS: *at(15.105), Nodes: []string{}, Why: "client-1 overwrote 7, written by client-2"}},
				{Name: "bounded-wait", Verdict: "holds", Runs: 1},
				{Name: "no-deadlock", Verdict: NotExercised, NotExercised: 1},
			},
			Metrics: Metrics{
				{Name: "lost-updates", Unit: Count, Value: result.Int(1)},
				{Name: "messages-per-acquire", Unit: Count, Value: result.Float(10.333333333333334)},
				{Name: "wait", Unit: Nanoseconds, Count: 12, Mean: result.Int(6940000000), P50: result.Int(5000000), P99: result.Int(10020000000), Max: result.Int(10020000000), P50Low: result.Int(4000000), P50High: result.Int(6000000)},
				{Name: "hold", Unit: Nanoseconds},
				{Name: "worst", Unit: Count, Count: 1, Mean: result.Int(7), P50: result.Int(7), P99: result.Int(7), Max: result.Int(7)},
				{Name: "stale-reads", Unit: Count, Value: result.Int(0)},
			},
			Expectations: []Expectation{
				{Name: "mutual-exclusion", Kind: Violated, Want: "violated at 10.020s", Got: "violated at 10.020s", Met: true},
				{Name: "no-lost-update", Kind: Violated, Want: "violated", Got: "violated at 15.105s", Met: true},
				{Name: "lost-updates", Kind: Measured, Want: "1", Got: "1", Met: true},
			},
		},
		Logs: []Log{{Run: 1, Seed: 1, Moments: []sim.Moment{
			{At: sim.Time(*at(0.1)), Text: "client-1 paused for 15s"},
			{At: sim.Time(*at(10.02)), Text: "client-2 acquired while client-1, paused since 0.100s, still believes it holds the lock"},
			{At: sim.Time(*at(15.105)), Text: "client-1 wrote 8 over 7"},
		}}},
	})
}

// decided is a run with its verdict.
func decided(r *Run) *Run {
	r.Decide()
	return r
}

// swept is many runs, and every property of them holds.
func swept() *Run {
	r := paused()
	r.Runs, r.Settings, r.Inputs, r.Logs = 1000, nil, nil, nil
	r.Faults[0] = Fault{Fault: "pause client-1", Injected: 2104, Runs: 993, FirstAtNS: at(0.1)}
	for i := range r.Properties[:3] {
		p := &r.Properties[i]
		w := stats.Wilson(0, 1000)
		*p = Property{Name: p.Name, Verdict: "holds", Runs: 1000, Share: &Share{0, w.Low, w.High}}
	}
	r.Properties[3].NotExercised = 1000
	r.Metrics[0] = Metric{Name: "lost-updates", Unit: Count, Value: result.Float(0.25), Low: result.Float(0.125), High: result.Float(0.375)}
	r.Expectations = []Expectation{{Name: "mutual-exclusion", Kind: Holds, Want: "holds", Got: "holds in 1000 runs", Met: true}}
	return decided(r)
}

// sometimes is many runs of which some are violated.
func sometimes() *Run {
	r := swept()
	w := stats.Wilson(58, 1000)
	r.Properties[0] = Property{Name: "mutual-exclusion", Verdict: "violated", Runs: 1000, Violated: 58, Violations: 70, Share: &Share{0.058, w.Low, w.High},
		First: &First{Run: 17, Seed: 17, AtNS: *at(10.02), Nodes: []string{"client-2", "client-1"}, Why: "client-2 acquired at 10.020s"}}
	r.Expectations = []Expectation{{Name: "mutual-exclusion", Kind: Violated, Want: "violated in 5% to 7% of the runs", Got: "in 58 of 1000 runs, 5.8%", Met: true}}
	r.Logs = []Log{{Run: 17, Seed: 17}}
	for i := range 75 {
		r.Logs[0].Moments = append(r.Logs[0].Moments, sim.Moment{At: sim.Time(i) * second / 10, Text: fmt.Sprintf("moment %d", i+1)})
	}
	return decided(r)
}

// vacuous is a run that shows nothing, and panics.
func vacuous() *Run {
	r := paused()
	r.OK, r.Logs = false, nil
	r.Faults[0] = Fault{Fault: "pause client-1"}
	for i := range r.Properties {
		r.Properties[i] = Property{Name: r.Properties[i].Name, Verdict: NotExercised, NotExercised: 1}
	}
	r.Expectations = []Expectation{
		{Name: "mutual-exclusion", Kind: Violated, Want: "violated", Got: "not exercised"},
		{Name: "pause client-1", Want: "injected", Got: "never injected", Implied: true},
		{Name: "no-panic", Want: "no panic", Got: "a panic in 1 run", Implied: true},
	}
	r.Panic = &Panic{Runs: 1, Run: 1, Seed: 1, AtNS: *at(0.05), Node: "redis-1", Message: "set c1#1", Value: "lock: server got ok"}
	r.Reproduce = "simctl run redlock/gc-pause --seed 1"
	return decided(r)
}

// grid is a scenario that varies two values.
func grid() *Run {
	r := swept()
	whole := Run{Schema: RunSchema, Scenario: r.Scenario, About: r.About, Model: r.Model, Seed: 1, Runs: 1000, UntilNS: r.UntilNS,
		Outcome: Outcome{Events: 4856000, Digest: "0123456789abcdef", Reproduce: "simctl run redlock/gc-pause --seed 17 --runs 1 --set params.ttl=10s"}}
	for i, o := range []Outcome{swept().Outcome, sometimes().Outcome, vacuous().Outcome} {
		o.Panic, o.Reproduce = nil, ""
		o.Expectations = append(o.Expectations, Expectation{Name: "lost-updates", Kind: Measured, Want: "at most 3", Got: "0 to 2", Met: true})
		o.Decide(nil, 1000, "")
		whole.Variants = append(whole.Variants, Variant{
			Settings: []result.Setting{{Path: "params.ttl", Value: []string{"5s", "10s", "30s"}[i]}, {Path: "network.delay", Value: "5ms"}},
			Seed:     1, Runs: 1000, Outcome: o})
	}
	return decided(&whole)
}

func interrupted() *Run {
	r := swept()
	r.RunsWanted = 1_000_000
	return decided(r)
}

// What was left out of a file, and what else makes a result worth less, is in the line of
// verdict (R4, R5).
func TestVerdictSaysWhatIsLeftOut(t *testing.T) {
	r := Run{Inputs: []result.Input{{Path: "dir/a.log", Lines: 3000, LeftOut: 290}, {Path: "b.log", Lines: 5}, {Path: "c.log", Caution: "all 7 requests are of one client"}}}
	r.OK, r.Digest, r.Seed, r.Runs = true, "d", 1, 1
	r.Properties = []Property{{Name: "p", Verdict: Holds, Runs: 1}}
	require.Equal(t, "HELD: p; seed 1, digest d; 290 of "+units.Plural(3000, "line")+" of a.log left out ("+units.Percent(290.0/3000)+"); all 7 requests are of one client", decided(&r).Line(layout.Style{}))
}

func TestText(t *testing.T) {
	for name, r := range map[string]*Run{
		"paused": paused(), "swept": swept(), "sometimes": sometimes(), "vacuous": vacuous(), "grid": grid(), "interrupted": interrupted(),
	} {
		t.Run(name, func(t *testing.T) {
			var plain, colored bytes.Buffer
			require.NoError(t, r.WriteText(&plain, layout.Style{}))
			golden.Require(t, plain.String(), ".txt")
			require.NotContains(t, plain.String(), "\x1b")
			for line := range strings.Lines(plain.String()) {
				require.NotRegexp(t, ` \n$`, line, "a space at the end of a line")
			}
			require.NoError(t, r.WriteText(&colored, layout.Style{Color: true}))
			require.Contains(t, colored.String(), "\x1b[1;")
			require.Equal(t, plain.String(), uncolored(colored.String()), "colour alone says something")
		})
	}
}

func uncolored(s string) string {
	for _, code := range []string{"\x1b[0m", "\x1b[1;" + layout.Red + "m", "\x1b[1;" + layout.Green + "m", "\x1b[1;" + layout.Yellow + "m"} {
		s = strings.ReplaceAll(s, code, "")
	}
	return s
}

// A text is the same wherever it is written: what a library reads of the environment as it starts counts as well, so that the
// test starts itself in others.
func TestTextDoesNotDependOnTheEnvironment(t *testing.T) {
	const inside = "FENCEPOST_WRITES_TEXTS"
	if os.Getenv(inside) != "" {
		for _, r := range []*Run{paused(), sometimes(), vacuous(), grid()} {
			require.NoError(t, r.WriteText(os.Stdout, layout.Style{}))
		}
		return
	}
	written := func(env ...string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTextDoesNotDependOnTheEnvironment$")
		cmd.Env = append(os.Environ(), append(env, inside+"=1")...)
		text, err := cmd.Output()
		require.NoError(t, err)
		require.Contains(t, string(text), "mutual-exclusion")
		return string(text)
	}
	want := written("LANG=C", "TERM=xterm", "COLUMNS=80")
	require.Equal(t, want, written("LANG=zh_CN.UTF-8", "LC_ALL=zh_CN.UTF-8", "TERM=dumb", "RUNEWIDTH_EASTASIAN=1", "COLUMNS=20", "NO_COLOR=1", "TZ=Asia/Tokyo"))
}

func TestJSON(t *testing.T) {
	for name, r := range map[string]*Run{"paused": paused(), "sometimes": sometimes(), "vacuous": vacuous(), "grid": grid()} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, WriteJSON(&b, r))
			require.True(t, json.Valid(b.Bytes()))
			golden.Require(t, b.String(), ".json")
		})
	}
}

// TestGridShowsWhatIsAsked: that a property is violated at no point is the answer to
// how often it is, and has the bound that the runs show.
func TestGridShowsWhatIsAsked(t *testing.T) {
	r := grid()
	for i := range r.Variants {
		r.Variants[i].Outcome = swept().Outcome
		r.Variants[i].Expectations = []Expectation{{Name: "mutual-exclusion", Kind: Violated, Want: "violated in 0% to 1% of the runs", Met: true}}
	}
	var b strings.Builder
	require.NoError(t, r.writeGrid(&b, layout.Style{}))
	require.Equal(t, 3, strings.Count(b.String(), "holds, p < 0.3%"), b.String())
	_, rest, _ := strings.Cut(b.String(), "violated at no point: ")
	require.NotContains(t, rest, "mutual-exclusion")
}

func TestVerdictOfInterruptedGrid(t *testing.T) {
	r := grid()
	r.PointsWanted, r.Variants = 12, r.Variants[:1]
	r.Decide()
	require.Equal(t, "INTERRUPTED: with 11 of 12 points missing: no violation so far that the scenario does not predict; seeds 1 to 1000, digest 0123456789abcdef", r.Line(layout.Style{}))
}

func TestVerdictOfNothing(t *testing.T) {
	r := Run{Seed: 1, Runs: 1, Outcome: Outcome{OK: true, Digest: "00"}}
	require.Equal(t, "NOT EXERCISED: no property had anything to check; seed 1, digest 00", decided(&r).Line(layout.Style{}))
}

func TestBound(t *testing.T) {
	require.Equal(t, []string{"0 of 3", "p < 30%", "p < 0.3%"}, []string{Bound(3), Bound(10), Bound(1000)})
}

// TestHeaderOnLines: a text of several lines stays below its beginning, with a terminal and
// without one.
func TestHeaderOnLines(t *testing.T) {
	r := paused()
	r.About, r.Source = "A client is paused between its validity check and\nits write, and nobody tells it.\n", "one\ntwo"
	var b strings.Builder
	require.NoError(t, r.writeHeader(&b, layout.Style{}))
	require.Contains(t, b.String(), "\n  about     A client is paused between its validity check and its write, and nobody tells it.\n  source    one two\n")
	b.Reset()
	require.NoError(t, r.writeHeader(&b, layout.Style{Width: 60}))
	require.Contains(t, b.String(), "\n  about     A client is paused between its validity check\n            and its write, and nobody tells it.\n")
}

// TestIdle: a property that checks nothing says why, if it can.
func TestIdle(t *testing.T) {
	p := &sim.Program{Properties: []string{"quorum-read", "linearizable"}, Bounds: []sim.Bound{{Idle: "R + W = 2 is not more than N = 3"}}}
	tally := stats.NewTally(p, 0)
	tally.Add(&sim.Result{Properties: make([]sim.Finding, 2)})
	r := Run{Runs: 1, Outcome: Collect(p, &sim.Config{}, tally)}
	var b strings.Builder
	require.NoError(t, r.writeProperties(&b, layout.Style{}))
	require.Equal(t, " not exercised: quorum-read, linearizable\n quorum-read checks nothing: R + W = 2 is not more than N = 3\n", b.String())
}

// TestFittedToATerminal: a grid that is too wide has several tables, each with the axes; no
// line of it or of the header is wider than the terminal. Without one there is one table.
func TestFittedToATerminal(t *testing.T) {
	r := grid()
	r.About = strings.Repeat("what happens, ", 20)
	of := func(width int) string {
		var b strings.Builder
		require.NoError(t, r.writeHeader(&b, layout.Style{Width: width}))
		require.NoError(t, r.writeGrid(&b, layout.Style{Width: width}))
		return b.String()
	}
	wide := of(0)
	require.Contains(t, wide, strings.TrimSpace(r.About), "one line")
	for _, width := range []int{60, 80} {
		narrow := of(width)
		require.NotEqual(t, wide, narrow)
		for line := range strings.Lines(narrow) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
		}
		require.ElementsMatch(t, strings.Fields(strings.ReplaceAll(wide, "─", "")), unique(strings.Fields(strings.ReplaceAll(narrow, "─", "")), wide))
	}
}

// unique leaves out of words what there is more of than in a text: axes that come again.
func unique(words []string, text string) (list []string) {
	left := map[string]int{}
	for _, w := range strings.Fields(strings.ReplaceAll(text, "─", "")) {
		left[w]++
	}
	for _, w := range words {
		if left[w]--; left[w] >= 0 {
			list = append(list, w)
		}
	}
	return list
}

// TestFewerRunsAreNoFix: what is changed of the runs that are looked at is no cause that was taken away.
func TestFewerRunsAreNoFix(t *testing.T) {
	for change, want := range map[string]bool{"seed 7": true, "1 run": true, "5 runs": true, "until=9s": true, "seed=7": true, "runs=5": true, "ttl=30s": false, "no faults": false, "its control": false} {
		require.Equal(t, want, sampling(change), change)
	}
}
