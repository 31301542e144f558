package gclog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goodLine = "[0.5s] GC(0) Pause Young 4M->1M(8M) 1.5ms\n"

func TestErrors(t *testing.T) {
	good := strings.Repeat(goodLine, 100)
	for _, test := range []struct {
		name, log string
		errors    []string
	}{
		{"empty", "", []string{"log is empty"}},
		{"blank", "\n \n", []string{"no pauses in 2 lines"}},
		{"no pauses", "hello\nworld\n", []string{"no pauses in 2 lines", "GC(0) Pause Young", "-Xlog:gc,safepoint:file=gc.log:uptime", "GODEBUG=gctrace=1", "pause_ms"}},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", []string{"line 1: zero byte", "binary"}},
		{"zero byte later", good + "\x00\n", []string{"line 101: zero byte"}},
		{"gzip", "\x1f\x8b\x08\x00", []string{"begins like a gzip, and is none"}},
		{"long line", "a\n" + strings.Repeat("x", MaxLine+1) + "\n", []string{"line 2: longer than 1024 KiB"}},
		{"mixed JVM and Go", goodLine + "a line\ngc 1 @0.1s 0%: 1+2+3 ms clock, x\n", []string{
			`two formats in one log: line 1 is unified ("[0.5s] GC(0) Pause`, `line 3 is gctrace ("gc 1 @0.1s`,
		}},
		{"mixed JVM 8 and 17", "1.5: [GC (A) 1K->1K(2K), 0.1 secs]\n" + goodLine, []string{"line 1 is jdk8", "line 2 is unified"}},
		{"mixed JVM and CSV", goodLine + "series,pause_ms\n", []string{"line 1 is unified", "line 2 is csv"}},
		{"mixed CSV and JVM", "series,pause_ms\ngc,1\n" + goodLine, []string{"line 1 is csv", "line 3 is unified"}},
		{"bad lines", good[:len(goodLine)*8] + strings.Repeat("[0.5s] GC(0) Pause Young 4M->1M(8M) -1.5ms\n", 6), []string{
			"6 of 14 lines with a pause of series gc cannot be read",
			`line 9: length "-1.5": not a decimal number: "[0.5s] GC(0) Pause Young 4M->1M(8M) -1.5ms"`,
			"line 13: ",
		}},
		{"every line bad, though collections could be read", good + `[1s] Safepoint "G1", Total: many ns` + "\n", []string{
			"1 of 1 lines with a pause of series safepoint", "not one Total in ns",
		}},
		{"only a cut pause", "1.5: [GC (Allocation Failure) 1K->", []string{"no pauses"}},
		{"CSV without units", "pause\n12\n13\n", []string{"2 of 2 lines", `length "12": no unit (ns, us, ms or s)`}},
		{"CSV with other columns", "series,pause_ms\ngc,1,2\n", []string{"no row of the table can be read", "line 2: has 3 columns, the first line has 2"}},
		{"CSV of several series", "series,pause_ms\na,1\nb,2\n", []string{"several series (a, b): ask for one"}},
		{"CSV of too many series", "series,pause_ms\n" + manySeries(), []string{"line 18: more than 16 series"}},
		{"CSV with a bad start", "t_s,pause_ms\nnoon,1\n", []string{`start "noon" is not a time since the process started`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, err := Read(strings.NewReader(test.log))
			assert.Nil(t, log)
			for _, part := range test.errors {
				assert.ErrorContains(t, err, part)
			}
		})
	}
}

func manySeries() string {
	var b strings.Builder
	for i := range maxSeries + 1 {
		fmt.Fprintf(&b, "s%d,1\n", i)
	}
	return b.String()
}

// The sixth reason is one too many.
func TestFiveProblemsAreKept(t *testing.T) {
	log, err := Read(strings.NewReader(strings.Repeat(goodLine, 60) + strings.Repeat("[1s] GC(1) Pause Remark 1M->1M(8M) 9999999.5ms\n", 6)))
	require.NoError(t, err)
	assert.Equal(t, 6, log.Bad)
	require.Len(t, log.Problems, 5)
	assert.Equal(t, Problem{Line: 61, Text: "[1s] GC(1) Pause Remark 1M->1M(8M) 9999999.5ms", Reason: `length "9999999.5": over 1h0m0s`}, log.Problems[0])
	assert.Equal(t, 65, log.Problems[4].Line)
}

// The limit is a tenth, and two lines of a short log: 2 of 11 passes, 3 of 12 does not.
func TestBadLinesUpToATenth(t *testing.T) {
	const bad = "[1s] GC(1) Pause Remark 1M->1M(8M) 15ms\n"
	log, err := Read(strings.NewReader(strings.Repeat(goodLine, 9) + bad))
	require.NoError(t, err)
	assert.Equal(t, []int{10, 9, 0, 1}, []int{log.Lines, log.Used, log.Ignored, log.Bad})

	log, err = Read(strings.NewReader(strings.Repeat(goodLine, 9) + bad + bad))
	require.NoError(t, err)
	assert.Equal(t, 2, log.Bad)
	_, err = Read(strings.NewReader(strings.Repeat(goodLine, 9) + bad + bad + bad))
	assert.ErrorContains(t, err, "3 of 12")
}

// However little of a log there is, a cut at its end is no reason to refuse it.
func TestCutLogs(t *testing.T) {
	for _, test := range []struct {
		log, reason string
		line        int
	}{
		{goodLine + "[0.9s] GC(1) Pause Young 4M->1M(8M) 1.", "the log is cut here: the line has no end", 2},
		{"1.5: [GC (A) 1K->1K(2K), 0.1 secs]\n2.5: [GC (A) 2.5: [ParNew: 1K->1", "the log is cut here: the line has no end", 2},
		{"1.5: [GC (A) 1K->1K(2K), 0.1 secs]\n2.5: [GC (A) 2.5: [ParNew\n- age 1:\n", "the log is cut inside this pause", 2},
		{"gc 1 @0.1s 0%: 1+2+3 ms clock, x\ngc 2 @0.2s 0%: 1+2", "the log is cut here: the line has no end", 2},
		{"series,t_s,pause_ms\ngc,1.5,2\nsafe", "the log is cut here: the line has no end", 3},
	} {
		log, err := Read(strings.NewReader(test.log))
		if !assert.NoError(t, err, test.log) {
			continue
		}
		assert.Equal(t, 1, log.Bad, test.log)
		assert.Equal(t, 1, log.Used, test.log)
		require.Len(t, log.Problems, 1, test.log)
		assert.Equal(t, test.reason, log.Problems[0].Reason)
		assert.Equal(t, test.line, log.Problems[0].Line)
	}
}

// A log that breaks off inside a pause and goes on (a restart, a full disk) loses
// that pause and no other.
func TestAPauseThatNeverEnds(t *testing.T) {
	lines := []string{"0.5: [GC (A) 0.5: [ParNew: 1K->"}
	for range 10 {
		lines = append(lines, "1.5: [GC (A) 1K->1K(2K), 0.1 secs]")
	}
	log, err := read(lines...)
	require.NoError(t, err)
	assert.Len(t, log.Pauses, 10)
	assert.Equal(t, []Problem{{Line: 1, Text: lines[0], Reason: "the pause is never closed"}}, log.Problems)
}

func TestSizeLimit(t *testing.T) {
	line := strings.NewReader(goodLine)
	blank := strings.Repeat(" ", 9_999) + "\n"
	filler := io.LimitReader(endless(blank), MaxSize-line.Size())
	log, err := Read(io.MultiReader(line, filler))
	require.NoError(t, err)
	assert.Len(t, log.Pauses, 1)

	_, err = Read(io.MultiReader(strings.NewReader(goodLine), endless(blank)))
	assert.EqualError(t, err, "the log is larger than 64 MiB: cut it at a line end")

	_, err = Read(io.MultiReader(strings.NewReader("pause_s\n"), endless("1\n")))
	assert.ErrorContains(t, err, "more than 2000000 pauses")
}

// endless is a line without end of repetition.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e) <= len(p) {
		n += copy(p[n:], e)
	}
	return max(n, copy(p, e)), nil
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadFile(dir)
	assert.EqualError(t, err, dir+": is a directory")

	missing := filepath.Join(dir, "gc.log")
	_, err = ReadFile(missing)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, missing)

	require.NoError(t, os.WriteFile(missing, nil, 0o600))
	_, err = ReadFile(missing)
	assert.EqualError(t, err, missing+": log is empty")

	broken := errors.New("disk on fire")
	_, err = Read(iotest.ErrReader(broken))
	assert.ErrorIs(t, err, broken)
}

// A line counts once: as used if one of its pauses could be read, else as bad.
func TestTwoPausesOnALine(t *testing.T) {
	const good, bad = "1.5: [GC (A) 1K->1K(2K), 0.1 secs]", "1.5: [GC (A) 1K->1K(2K), x secs]"
	for line, want := range map[string][2]int{ // used, bad
		good + good: {1, 0},
		good + bad:  {1, 0},
		bad + good:  {1, 0},
		bad + bad:   {0, 1},
	} {
		lines := []string{line}
		for range 20 {
			lines = append(lines, good)
		}
		log, err := read(lines...)
		require.NoError(t, err)
		assert.Equal(t, []int{21, 20 + want[0], 0, want[1]}, []int{log.Lines, log.Used, log.Ignored, log.Bad}, line)
		assert.Len(t, log.Problems, strings.Count(line, "x secs"), line)
	}
}

// A row without all its cells may be of any series.
func TestRowsOfAnUnknownSeriesAreBad(t *testing.T) {
	rows := "series,pause_ms\n" + strings.Repeat("gc,1\n", 10) + "gc\n" + "gc,1\n" + "gc,x\n" + strings.Repeat("gc,1\n", 10)
	log, err := Read(strings.NewReader(rows))
	require.NoError(t, err)
	assert.Equal(t, []int{24, 21, 1, 2}, []int{log.Lines, log.Used, log.Ignored, log.Bad})
	assert.Equal(t, []Problem{
		{Line: 12, Text: "gc", Reason: "has 1 columns, the first line has 2"},
		{Line: 14, Text: "gc,x", Reason: `length "x": not a decimal number`},
	}, log.Problems)
}

// A collection that is cut off is no bad line of another series.
func TestAnOpenCollectionIsOnlyOfItsSeries(t *testing.T) {
	log, err := read("1.5: Total time for which application threads were stopped: 0.1 seconds", "2.5: [GC (A) 2.5: [ParNew")
	require.NoError(t, err)
	assert.Equal(t, App, log.Series)
	assert.Zero(t, log.Bad)
}
