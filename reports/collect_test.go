package reports

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestMeansHaveIntervals: a ratio and a total, over two runs or more, in every form; of one
// run they have none.
func TestMeansHaveIntervals(t *testing.T) {
	p := &sim.Program{Measures: []sim.Measure{
		{Name: "messages", Total: true},
		{Name: "bytes-per-message", Per: "messages"},
		{Name: "waited-per-message", Per: "messages", Unit: sim.Duration},
	}}
	tally := sim.NewTally(p, 0)
	add := func(messages, bytes, waited int64) {
		tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: messages}, {Measure: 1, Value: bytes}, {Measure: 2, Value: waited}}})
	}
	add(1, 1, 10)
	one := Collect(p, &sim.Config{}, tally)
	for _, m := range one.Metrics {
		require.Equal(t, []string{"", ""}, []string{string(m.Low), string(m.High)}, m.Name)
	}
	add(2, 3, 10)
	r := &Run{Schema: RunSchema, Scenario: "fake/x", Model: "fake", Seed: 1, Runs: 2, Outcome: Collect(p, &sim.Config{}, tally)}
	// 1.5 ± 12.706*0.5, 4/3 ± 2.8236 and 20/3 ± 28.236; nothing that is counted is below 0 in the mean.
	for i, want := range []string{"0 to 7.853", "0 to 4.157", "0s to 35ns"} {
		require.Equal(t, want, r.Metrics[i].total(true)[2], r.Metrics[i].Name)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"1.333 (0 to 4.157)":     func(b *bytes.Buffer) error { return WriteMarkdown(b, []*Run{r}) },
		"bytes-per-message.high": func(b *bytes.Buffer) error { return WriteCSV(b, []*Run{r}) },
		`"high": 4.15`:           func(b *bytes.Buffer) error { return WriteJSON(b, r) },
		"1.333  0 to 4.157":      func(b *bytes.Buffer) error { return r.WriteText(b, Style{}) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		require.Contains(t, b.String(), name)
	}
}
