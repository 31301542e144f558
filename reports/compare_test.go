package reports

import (
	"bytes"
	"strings"
	"testing"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"

	"github.com/stretchr/testify/require"
)

// candidates is a comparison of candidates with these names; the second is worse.
func candidates(names ...string) *Compare {
	c := &Compare{Subject: "compare " + strings.Join(names, " "), Seed: 1, Runs: 10, Shared: []string{"safe", "cost"}, Baseline: names[0]}
	for i, name := range names {
		c.Candidates = append(c.Candidates, Candidate{Name: name, UntilNS: 1e9,
			Unsafe:     Unsafe{Runs: i, Share: &Share{float64(i) / 10, 0, 0.5}},
			Properties: []Property{{Name: "safe", Verdict: "holds", Runs: 10, Violated: i, Share: &Share{float64(i) / 10, 0, 0.5}}},
			Metrics:    Metrics{{Name: "cost", Unit: Count, Value: result.Int(7)}},
		})
	}
	return c
}

// TestCompareOddNames keeps a candidate on one line, whatever it is called.
func TestCompareOddNames(t *testing.T) {
	c := candidates("plain", "a|<b>\n\x1b[31m\tc", strings.Repeat("ä", 10_000))
	c.Sort()
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, layout.Style{}))
	require.Contains(t, b.String(), "\n a|<b>??[31m?c ")
	require.Contains(t, b.String(), strings.Repeat("ä", 20)+"..."+strings.Repeat("ä", 21)+" ")
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), layout.TextWidth, line)
	}
}

// gridOf is a comparison of the points of two axes; the last column is safe.
func gridOf(rows, columns []string) *Compare {
	c := candidates("first")
	c.Axes = []GridAxis{{"down", rows}, {"across", columns}}
	one := c.Candidates[0]
	c.Candidates = nil
	for _, row := range rows {
		for j, column := range columns {
			k := one
			k.Name, k.Settings = row+column, []result.Setting{{Path: "down", Value: row}, {Path: "across", Value: column}}
			p := k.Properties[0]
			if p.Violated = len(columns) - 1 - j; p.Violated == 0 {
				p.Share = &Share{}
			} else {
				p.Share = &Share{float64(p.Violated) / 10, 0, 1}
			}
			k.Properties = []Property{p}
			c.Candidates = append(c.Candidates, k)
		}
	}
	return c
}

// TestGridFits: every point has its cell, in as many tables as it takes, whatever the names.
func TestGridFits(t *testing.T) {
	var long []string
	for i := range 11 {
		long = append(long, strings.Repeat("name ", i)+strings.Repeat("x", i)+"."+string(rune('a'+i)))
	}
	for _, s := range []layout.Style{{}, {Width: 80}, {Color: true}} {
		var b bytes.Buffer
		c := gridOf(long[:3], long)
		require.NoError(t, c.WriteText(&b, s))
		for line := range strings.Lines(b.String()) {
			require.LessOrEqual(t, len([]rune(layout.Unpainted(strings.TrimSuffix(line, "\n")))), s.Widest(gridWidth), line)
		}
		text := layout.Unpainted(b.String())
		require.Equal(t, 3, strings.Count(text, "p < 30%"), "of the safe column")
		text = strings.ReplaceAll(text, "p < 30%", "safe")
		for violated := 1; violated <= 10; violated++ {
			require.Equal(t, 3, strings.Count(text, units.Percent(float64(violated)/10)))
		}
		require.Contains(t, text, "NOTHING IS VIOLATED for across ")
	}
}

// TestEvenly: columns that take two tables are halved, and those that fit stay.
func TestEvenly(t *testing.T) {
	var list []layout.Cells
	for range 6 {
		list = append(list, layout.Cells{Column: layout.TextColumn(strings.Repeat("x", 8))})
	}
	require.Equal(t, 30, evenly(list, 55))
	require.Equal(t, 60, evenly(list, 70))
	require.Equal(t, 20, evenly(list, 29), "three tables of two")
}

// TestFolded breaks a name between words only.
func TestFolded(t *testing.T) {
	require.Equal(t, "S1 as coded\n(timestamp key)", folded("S1 as coded (timestamp key)", 16))
	require.Equal(t, "S1 as\ncoded\n(timestamp\nkey)", folded("S1 as coded (timestamp key)", 8))
	require.Equal(t, "", folded("", 8))
}

// TestCompareSort puts first who loses no data, then who keeps exclusion, then progress, then what is cheap: a fence moves a
// lock up, though exclusion is violated as before.
func TestCompareSort(t *testing.T) {
	lock := func(name string, data, exclusion, liveness int, cost int64) Candidate {
		return Candidate{Name: name, Properties: []Property{
			{Name: "mutual-exclusion", Class: "exclusion", Runs: 10, Violated: exclusion}, {Name: "no-lost-update", Class: "data", Runs: 10, Violated: data},
			{Name: "deadlock-free", Class: "liveness", Runs: 10, Violated: liveness},
		}, Metrics: Metrics{{Name: "messages", Value: result.Int(cost)}}}
	}
	c := &Compare{Runs: 10, Asked: []string{"messages"}, Candidates: []Candidate{
		lock("unfenced", 3, 3, 0, 1), lock("fenced", 0, 10, 0, 1), lock("dear", 0, 2, 0, 9), lock("cheap", 0, 2, 0, 2), lock("stuck", 0, 2, 1, 2), lock("safe", 0, 0, 0, 99),
	}}
	c.Required = []string{"no-lost-update"}
	c.Sort()
	c.Decide()
	var names []string
	for i := range c.Candidates {
		names = append(names, c.Candidates[i].Name)
	}
	require.Equal(t, []string{"safe", "cheap", "dear", "stuck", "fenced", "unfenced"}, names)
	require.Equal(t, "VIOLATED: at 1 of 6 candidates, first at unfenced: no-lost-update in 3 of 10 runs", c.Verdict.String())
	require.Equal(t, 3, c.Exit)
	var b strings.Builder
	require.NoError(t, c.WriteVerdict(&b, layout.Style{}))
	require.Equal(t, c.Verdict.String()+`
DATA IS KEPT by 5 of 6: safe; cheap; dear; stuck; fenced
EXCLUSION IS KEPT by 1 of 6: safe
PROGRESS IS KEPT by 5 of 6: safe; cheap; dear; fenced; unfenced
`, b.String())
	c.Required = []string{"deadlock-free"}
	c.Candidates[5].Properties[2].Runs = 0
	c.Decide()
	require.Equal(t, "VIOLATED: at 1 of 6 candidates, first at stuck: deadlock-free in 1 of 10 runs", c.Verdict.String())
	c.Candidates[3].Properties[2].Violated = 0
	c.Decide()
	require.Equal(t, "NOT EXERCISED: at 1 of 6 candidates, first at unfenced: deadlock-free had nothing to check", c.Verdict.String())
}

// TestCompareCells are differences as they stand in a table.
func TestCompareCells(t *testing.T) {
	for want, d := range map[string]*Difference{
		"not measured":       nil,
		"too few pairs":      {Unit: Count, Pairs: 1, Differ: 1, Value: result.Int(1)},
		"same":               {Unit: Count, Pairs: 9, Low: result.Int(0), High: result.Int(0)},
		"no difference seen": {Unit: Count, Pairs: 9, Differ: 2, Low: result.Int(-1), High: result.Int(1)},
		"+1.5 to +2":         {Unit: Count, Pairs: 9, Differ: 2, Low: result.Float(1.5), High: result.Int(2), Seen: true},
		"+4":                 {Unit: Count, Pairs: 9, Differ: 9, Low: result.Int(4), High: result.Int(4), Seen: true},
		"-2ms to -500µs":     {Unit: Nanoseconds, Pairs: 9, Differ: 2, Low: result.Int(-2000000), High: result.Int(-500000), Seen: true},
		"-2.9% to -0.12%":    {Unit: Proportion, Pairs: 9, Differ: 2, Low: result.Float(-0.029), High: result.Float(-0.0012), Seen: true},
		"0% to +20%":         {Unit: Proportion, Pairs: 9, Differ: 2, Low: result.Int(0), High: result.Float(0.2), Seen: true},
	} {
		require.Equal(t, want, d.text())
	}
}

// TestFitting keeps the columns of one measure together.
func TestFitting(t *testing.T) {
	column := func(width int, with bool) layout.Cells {
		return layout.Cells{Column: layout.TextColumn(strings.Repeat("x", width-2)), With: with}
	}
	for _, c := range []struct {
		room, want int
		columns    []layout.Cells
	}{
		{30, 2, []layout.Cells{column(10, false), column(20, false), column(10, false)}},
		{30, 1, []layout.Cells{column(10, false), column(10, false), column(20, true)}},
		{30, 1, []layout.Cells{column(50, false), column(10, false)}},
		{30, 2, []layout.Cells{column(20, false), column(20, true), column(1+2, false)}},
		{99, 3, []layout.Cells{column(10, false), column(20, false), column(10, true)}},
	} {
		require.Equal(t, c.want, layout.Fitting(c.columns, c.room))
	}
}

// What was left out of a file stands in the line of verdict of a comparison as in that of
// a run, and the file is named once however many read it.
func TestCompareSaysWhatWasLeftOut(t *testing.T) {
	c := &Compare{Candidates: []Candidate{{Name: "a", UntilNS: 1}}, Runs: 1}
	for range 2 {
		c.Read(result.Input{Path: "logs/gc.log", Summary: "gc.log: 106 pauses", Lines: 110, LeftOut: 4})
	}
	require.Len(t, c.Inputs, 1)
	var line, text strings.Builder
	require.NoError(t, c.WriteVerdict(&line, layout.Style{}))
	require.Contains(t, strings.Join(strings.Fields(line.String()), " "), "4 of 110 lines of gc.log left out (3.6%)")
	require.NoError(t, c.WriteText(&text, layout.Style{}))
	require.Contains(t, text.String(), "input     gc.log: 106 pauses")
}
