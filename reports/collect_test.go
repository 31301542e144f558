package reports

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// TestMeansHaveIntervals: a ratio and a total, over two runs or more, in every form; of one
// run they have none.
func TestMeansHaveIntervals(t *testing.T) {
	p := &sim.Program{Measures: []sim.Measure{
		{Name: "messages", Total: true},
		{Name: "bytes-per-message", Per: "messages"},
		{Name: "waited-per-message", Per: "messages", Unit: sim.Duration},
	}}
	tally := stats.NewTally(p, 0)
	add := func(messages, bytes, waited int64) {
		tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: messages}, {Measure: 1, Value: bytes}, {Measure: 2, Value: waited}}})
	}
	add(1, 1, 10)
	one := Collect(p, &sim.Config{}, tally)
	for _, m := range one.Metrics {
		require.Equal(t, []string{"", ""}, []string{m.Low.String(), m.High.String()}, m.Name)
	}
	add(2, 3, 10)
	r := &Run{Schema: RunSchema, Scenario: "fake/x", Model: "fake", Seed: 1, Runs: 2, Outcome: Collect(p, &sim.Config{}, tally)}
	// 1.5 ± 12.706*0.5, 4/3 ± 2.8236 and 20/3 ± 28.236; nothing that is counted is below 0 in the mean.
	for i, want := range []string{"0 to 7.853", "0 to 4.157", "0s to 35ns"} {
		require.Equal(t, want, r.Metrics[i].total(2)[2], r.Metrics[i].Name)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"1.333 (0 to 4.157)":     func(b *bytes.Buffer) error { return WriteMarkdown(b, []*Run{r}) },
		"bytes-per-message.high": func(b *bytes.Buffer) error { return WriteCSV(b, []*Run{r}) },
		`"high": 4.15`:           func(b *bytes.Buffer) error { return WriteJSON(b, r) },
		"1.333  0 to 4.157":      func(b *bytes.Buffer) error { return r.WriteText(b, layout.Style{}) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		require.Contains(t, b.String(), name)
	}
}

// TestCodesHaveNoMean: the status of an answer is counted in every form; where all runs have the same, it is a value. (B7:
// "answer-1 200.8".)
func TestCodesHaveNoMean(t *testing.T) {
	p := &sim.Program{Measures: []sim.Measure{{Name: "answer", Unit: sim.Code, Total: true}, {Name: "always", Unit: sim.Code, Total: true}}}
	tally := stats.NewTally(p, 0)
	for _, status := range []int64{201, 409, 201, 0} {
		tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: status}, {Measure: 1, Value: 422}}})
	}
	r := &Run{Schema: RunSchema, Scenario: "fake/x", Model: "fake", Seed: 1, Runs: 4, Outcome: Collect(p, &sim.Config{}, tally)}
	for want, write := range map[string]func(*bytes.Buffer) error{
		"0 in 1 run, 201 in 2 runs, 409 in 1 run": func(b *bytes.Buffer) error { return r.WriteText(b, layout.Style{}) },
		"answer.codes":         func(b *bytes.Buffer) error { return WriteCSV(b, []*Run{r}) },
		`"unit": "code"`:       func(b *bytes.Buffer) error { return WriteJSON(b, r) },
		"409 in 1 run":         func(b *bytes.Buffer) error { return WriteMarkdown(b, []*Run{r}) },
		"always           422": func(b *bytes.Buffer) error { return r.WriteText(b, layout.Style{}) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		require.Contains(t, b.String(), want)
		require.NotContains(t, b.String(), "202")
	}
}

// TestNoneOf: a count of 0 or 1 is a share of the runs, and none of N is the bound that it
// shows, in every table; of a length of time there is none.
func TestNoneOf(t *testing.T) {
	p := &sim.Program{Measures: []sim.Measure{{Name: "won", Total: true}, {Name: "overlap", Unit: sim.Duration, Total: true}}}
	outcome := func(total int64) Outcome {
		tally := stats.NewTally(p, 0)
		for range 10 {
			tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: total}, {Measure: 1, Value: total}}})
		}
		o := Collect(p, &sim.Config{}, tally)
		o.Expectations = []Expectation{{Name: "won"}, {Name: "overlap"}}
		return o
	}
	r := &Run{Schema: RunSchema, Scenario: "fake/x", Model: "fake", Seed: 1, Runs: 10, Outcome: outcome(0)}
	require.Equal(t, []string{"won", "0", "p < 30%"}, r.Metrics[0].total(10))
	require.Equal(t, []string{"overlap", "0s", "0s to 0s"}, r.Metrics[1].total(10))
	require.Equal(t, []string{"0, p < 30%", "0s"}, []string{r.Metrics[0].cell(10), r.Metrics[1].cell(10)})
	require.True(t, r.Metrics[0].nothing() && r.Metrics[1].nothing())
	require.Contains(t, r.metricCells(), []string{"won", "0, p < 30%"})

	all := outcome(1)
	require.Equal(t, "1 (0.7225 to 1)", all.Metrics[0].cell(10))
	require.False(t, all.Metrics[0].nothing())
}

// TestTails: of 1,000 values or more there is a 99.9th percentile, in every form; of fewer there
// is none, and no column for it.
func TestTails(t *testing.T) {
	p := &sim.Program{Measures: []sim.Measure{{Name: "latency"}, {Name: "wait"}}}
	run := func(latencies int64) *Run {
		tally := stats.NewTally(p, 0)
		r := &sim.Result{Samples: []sim.Sample{{Measure: 1, Value: 7}, {Measure: 1, Value: 8}}}
		for n := range latencies {
			r.Samples = append(r.Samples, sim.Sample{Measure: 0, Value: n%100 + n/998*10})
		}
		tally.Add(r)
		return &Run{Schema: RunSchema, Scenario: "fake/x", Model: "fake", Seed: 1, Runs: 1, Outcome: Collect(p, &sim.Config{}, tally)}
	}
	r := run(1000)
	require.Equal(t, "108", r.Metrics[0].P999.String())
	require.Empty(t, r.Metrics[1].P999)
	for text, write := range map[string]func(*bytes.Buffer) error{
		"latency.p99_9":          func(b *bytes.Buffer) error { return WriteCSV(b, []*Run{r}) },
		`"p99_9": 108`:           func(b *bytes.Buffer) error { return WriteJSON(b, r) },
		"p50  p99  p99.9  max\n": func(b *bytes.Buffer) error { return r.WriteText(b, layout.Style{}) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		require.Contains(t, b.String(), text)
	}
	var few bytes.Buffer
	require.NoError(t, run(999).WriteText(&few, layout.Style{}))
	require.NotContains(t, few.String(), "p99.9")
}

// A fault that comes after one that may not be injected may not be injected either.
func TestDrawn(t *testing.T) {
	faults := []sim.Fault{
		{Name: "often", When: sim.When{Every: sim.Exponential(time.Second)}}, {Name: "then", When: sim.When{After: "often"}}, {When: sim.When{After: "then"}},
		{Name: "once", When: sim.When{Before: 1}}, {When: sim.When{After: "once"}}, {When: sim.When{After: "none"}},
	}
	for i, want := range []bool{true, true, true, false, false, false} {
		assert.Equal(t, want, Drawn(faults, i), i)
	}
}
