package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/golden"
	"fencepost/reports/layout"
	"fencepost/reports/verdict"
	"fencepost/result"
)

// hostile are names that mean something in one of the forms.
var hostile = []string{
	`a,b`, `say "hello"`, "two\nlines", `x|y`, `<script>alert(1)</script>`, `a & b`, "back`tick`", `*star* _under_`, `[link](http://x)`, `\|`,
	"- item", "tab\there", "=1+1", strings.Repeat("long ", 2000), "\x1b[31mred", "",
}

// hostileGrid has them everywhere.
func hostileGrid(name string) *Run {
	r := grid()
	r.Scenario, r.About, r.Reproduce = name, name, "simctl run '"+name+"'"
	for i := range r.Variants {
		v := &r.Variants[i]
		v.Settings[0] = result.Setting{Path: "params." + name, Value: name}
		v.Properties[0].Name, v.Metrics[0].Name = name, name
		v.Expectations[0].Name, v.Expectations[0].Got = name, name
		v.Reproduce = r.Reproduce
	}
	return r
}

func TestOutputs(t *testing.T) {
	done := grid()
	done.PointsWanted = 12
	list := []*Run{done, paused(), vacuous(), interrupted()}
	for ending, write := range map[string]func(*bytes.Buffer) error{
		"csv": func(b *bytes.Buffer) error { return WriteCSV(b, list) },
		"xml": func(b *bytes.Buffer) error { return WriteJUnit(b, list) },
		"md":  func(b *bytes.Buffer) error { return WriteMarkdown(b, list) },
	} {
		t.Run(ending, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, write(&b))
			golden.Require(t, b.String(), "."+ending)
			require.NotContains(t, b.String(), "\x1b")
		})
	}
}

// TestCSVReadsBack: whatever the names are, each cell is read as it was, but for the mark before a formula.
func TestCSVReadsBack(t *testing.T) {
	for _, name := range hostile {
		var b bytes.Buffer
		require.NoError(t, WriteCSV(&b, []*Run{hostileGrid(name), paused()}))
		rows, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 5)
		at := map[string]int{}
		for i, column := range rows[0] {
			require.NotContains(t, at, column, "two columns of one name")
			at[column] = i
		}
		require.Equal(t, inert(name), rows[1][at["scenario"]])
		require.Equal(t, inert(name), rows[1][at[inert("params."+name)]])
		require.Equal(t, "true", rows[2][at["as_expected"]])
		require.Equal(t, "0.058", rows[2][at[inert(name)+".share"]])
		require.Equal(t, "0.25", rows[1][at[inert(name)+".value"]])
		require.Equal(t, "0.125", rows[1][at[inert(name)+".low"]])
		require.Equal(t, []string{"10020000000", "4000000"}, []string{rows[4][at["wait.p99_ns"]], rows[4][at["wait.p50_low_ns"]]})
		require.Equal(t, "redlock/gc-pause", rows[4][at["scenario"]])
		require.Equal(t, "10s", rows[4][at["params.ttl"]], "what is set for the whole run is a column as well")
	}
}

// TestJUnitReadsBack: the document is well-formed, and counts what is in it.
func TestJUnitReadsBack(t *testing.T) {
	for _, name := range hostile {
		var b bytes.Buffer
		require.NoError(t, WriteJUnit(&b, []*Run{hostileGrid(name), vacuous()}))
		var all junitSuites
		require.NoError(t, xml.Unmarshal(b.Bytes(), &all))
		require.Len(t, all.Suites, 2)
		cases, failures := 0, 0
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				cases++
				if c.Failure != nil {
					failures++
					require.Contains(t, c.Failure.Text, "reproduce: simctl run")
				}
			}
		}
		require.Equal(t, []int{all.Tests, all.Failures, all.Errors}, []int{cases, failures, 0})
		require.Equal(t, 8, failures)
		if !strings.ContainsAny(name, "\x1b") {
			require.Equal(t, name, all.Suites[0].Name)
		}
	}
}

// TestMarkdownKeepsItsTables: nothing in a name ends a cell or a row, or is markup.
func TestMarkdownKeepsItsTables(t *testing.T) {
	for _, name := range hostile {
		var b bytes.Buffer
		require.NoError(t, WriteMarkdown(&b, []*Run{hostileGrid(name)}))
		rows, bars := 0, 0
		for line := range strings.Lines(b.String()) {
			if !strings.HasPrefix(line, "|") {
				continue
			}
			plain := strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, "")
			if rows++; rows == 1 {
				bars = strings.Count(plain, "|")
			}
			require.Equal(t, bars, strings.Count(plain, "|"), line)
			require.NotContains(t, line, "<")
		}
		require.Equal(t, 5, rows, "heading, line and three points")
		heading, _, _ := strings.Cut(b.String(), "\n")
		require.NotContains(t, heading, "<")
		require.NotContains(t, b.String(), "\x1b")
	}
	require.Equal(t, `a\|b &lt;i&gt; \*x\* c d ?`, markdown("a|b <i> *x*\nc\r\n\td \x00"))
	require.Equal(t, `\- item - x`, markdown("- item - x"))
}

// TestCSVOfNothing has the one row that says so.
func TestCSVOfNothing(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteCSV(&b, []*Run{{Scenario: "x", Seed: 1, Runs: 1, Outcome: Outcome{OK: true, Digest: "00"}}}))
	require.Equal(t, "scenario,mode,seed,runs,as_expected,verdict,exit,panics,events,digest,reproduce\nx,,1,1,true,,0,0,0,00,\n", b.String())
}

// TestATabDoesNotDependOnTheFolder: the library looks for .editorconfig, go.mod and *.py around the program to tell how wide a tab is.
func TestATabDoesNotDependOnTheFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	var b strings.Builder
	require.NoError(t, layout.Table(&b, []layout.Column{layout.TextColumn("a"), layout.TextColumn("b")}, [][]string{{"x\ty", "z"}}))
	assert.Equal(t, " a       b\n───────────\n x    y  z\n", b.String())
}

// TestATableIsAsItsRowsAreWhateverCameBefore is two tables in turn.
func TestATableIsAsItsRowsAreWhateverCameBefore(t *testing.T) {
	for range 2 {
		var b strings.Builder
		require.NoError(t, layout.Table(&b, []layout.Column{layout.TextColumn("name"), layout.NumberColumn("n")}, [][]string{{"a", "1"}, {"bb", "22"}}))
		require.NoError(t, layout.Table(&b, []layout.Column{layout.NumberColumn("n"), layout.TextColumn("name"), layout.TextColumn("x")}, [][]string{{"1", "a", ""}}))
		assert.Equal(t, " name   n\n──────────\n a      1\n bb    22\n n  name  x\n────────────\n 1  a\n", b.String())
	}
}

// TestJUnitIsRedWhereTheExitCodeIsNotZero: a limit that a proof reached is no violation, and a build must not pass.
func TestJUnitIsRedWhereTheExitCodeIsNotZero(t *testing.T) {
	for _, v := range []verdict.Word{verdict.Held, verdict.Reproduced, verdict.Unknown, verdict.NotExercised, verdict.NotReproduced, verdict.Violated, verdict.Panicked} {
		r := &Run{Scenario: "x", Runs: 1, Outcome: Outcome{Verdict: verdict.Of(v, "s")}}
		var b bytes.Buffer
		require.NoError(t, WriteJUnit(&b, []*Run{r}))
		require.Equal(t, r.Exit != 0, strings.Contains(b.String(), "<failure"), v)
	}
}
