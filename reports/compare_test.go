package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contestants is a comparison of contestants with these names; the second is worse.
func contestants(names ...string) *Compare {
	c := &Compare{Subject: "compare " + strings.Join(names, " "), Seed: 1, Runs: 10, Shared: []string{"safe", "cost"}, Baseline: names[0]}
	for i, name := range names {
		c.Contestants = append(c.Contestants, Contestant{Name: name, UntilNS: 1e9,
			Unsafe:     Unsafe{Runs: i, Share: &Share{float64(i) / 10, 0, 0.5}},
			Properties: []Property{{Name: "safe", Verdict: "holds", Runs: 10, Violated: i, Share: &Share{float64(i) / 10, 0, 0.5}}},
			Metrics:    Metrics{{Name: "cost", Unit: Count, Value: json.Number("7")}},
		})
	}
	return c
}

// TestCompareOddNames keeps a contestant on one line, whatever it is called.
func TestCompareOddNames(t *testing.T) {
	c := contestants("plain", "a|<b>\n\x1b[31m\tc", strings.Repeat("ä", 10_000))
	c.Sort()
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, Style{}))
	require.Contains(t, b.String(), "\n a|<b>??[31m?c ")
	require.Contains(t, b.String(), strings.Repeat("ä", 20)+"..."+strings.Repeat("ä", 21)+" ")
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), compareWidth, line)
	}
}

// TestCompareSort puts the worst first, and leaves equals in their order.
func TestCompareSort(t *testing.T) {
	c := contestants("a", "b", "c", "d", "e")
	c.Contestants[1].Unsafe.Runs, c.Contestants[2].Unsafe.Runs = 2, 2 // 1 and 2 violations
	c.Contestants[3].Unsafe.Runs, c.Contestants[4].Unsafe.Runs = 0, 0
	c.Contestants[3].Properties[0].Violated, c.Contestants[4].Properties[0].Violated = 0, 0
	c.Contestants[4].Panic = &Panic{Runs: 1}
	c.Sort()
	var names []string
	for i := range c.Contestants {
		names = append(names, c.Contestants[i].Name)
	}
	require.Equal(t, []string{"c", "b", "e", "a", "d"}, names)
}

// TestCompareCells are differences as they stand in a table.
func TestCompareCells(t *testing.T) {
	for want, d := range map[string]*Difference{
		"not measured":       nil,
		"too few pairs":      {Unit: Count, Pairs: 1, Differ: 1, Value: "1"},
		"same":               {Unit: Count, Pairs: 9, Low: "0", High: "0"},
		"no difference seen": {Unit: Count, Pairs: 9, Differ: 2, Low: "-1", High: "1"},
		"+1.5 to +2":         {Unit: Count, Pairs: 9, Differ: 2, Low: "1.5", High: "2", Seen: true},
		"+4":                 {Unit: Count, Pairs: 9, Differ: 9, Low: "4", High: "4", Seen: true},
		"-2ms to -500µs":     {Unit: Nanoseconds, Pairs: 9, Differ: 2, Low: "-2000000", High: "-500000", Seen: true},
		"-2.9% to -0.12%":    {Unit: Proportion, Pairs: 9, Differ: 2, Low: "-0.029", High: "-0.0012", Seen: true},
		"0% to +20%":         {Unit: Proportion, Pairs: 9, Differ: 2, Low: "0", High: "0.2", Seen: true},
	} {
		require.Equal(t, want, d.text())
	}
}

// TestFitting keeps the columns of one measure together.
func TestFitting(t *testing.T) {
	column := func(width int, with bool) cells { return cells{column: text(strings.Repeat("x", width-2)), with: with} }
	for _, c := range []struct {
		room, want int
		columns    []cells
	}{
		{30, 2, []cells{column(10, false), column(20, false), column(10, false)}},
		{30, 1, []cells{column(10, false), column(10, false), column(20, true)}},
		{30, 1, []cells{column(50, false), column(10, false)}},
		{30, 2, []cells{column(20, false), column(20, true), column(1+2, false)}},
		{99, 3, []cells{column(10, false), column(20, false), column(10, true)}},
	} {
		require.Equal(t, c.want, fitting(c.columns, c.room))
	}
}

// What was left out of a file stands in the line of verdict of a comparison as in that of
// a run, and the file is named once however many read it.
func TestCompareSaysWhatWasLeftOut(t *testing.T) {
	c := &Compare{Contestants: []Contestant{{Name: "a", UntilNS: 1}}, Runs: 1}
	for range 2 {
		c.Read(Input{Path: "logs/gc.log", Summary: "gc.log: 106 pauses", Lines: 110, LeftOut: 4})
	}
	require.Len(t, c.Inputs, 1)
	var line, text strings.Builder
	require.NoError(t, c.WriteVerdict(&line, Style{}))
	require.Contains(t, strings.Join(strings.Fields(line.String()), " "), "; 4 of 110 lines of gc.log left out (3.6%)")
	require.NoError(t, c.WriteText(&text, Style{}))
	require.Contains(t, text.String(), "input     gc.log: 106 pauses")
}
