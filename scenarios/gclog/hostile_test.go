package gclog

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
)

// always are the variants that no reader of collector logs takes, with a part of the reason.
var always = map[string]string{
	"empty": "log is empty", "trailing-nuls": "zero byte", "leading-nuls": "zero byte", "binary": "zero byte",
	"gzip-cut": "the gzip is damaged or cut here", "long-line": "longer than 1024 KiB",
}

// Findings R6 and R8: of whatever becomes of a log on its way, each stop that is read has
// the length that it had; of stops that are lost the report says so, and more than a tenth
// of them are not lost.
func TestHostileLogs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.[lct]*")
	require.NoError(t, err)
	require.Len(t, files, 14)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		want, err := Read(bytes.NewReader(raw))
		require.NoError(t, err, file)
		lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(raw), "\r", ""), "\n"), "\n")
		for _, v := range hostile.Variants(lines) {
			t.Run(filepath.Base(file)+"/"+v.Name, func(t *testing.T) { hostileLog(t, v, want, len(lines)) })
		}
	}
}

func hostileLog(t *testing.T, v hostile.Variant, want *Log, lines int) {
	got, err := Read(bytes.NewReader(v.Data))
	if reason, ok := always[v.Name]; ok {
		assert.ErrorContains(t, err, reason)
		return
	}
	if err != nil {
		assert.False(t, v.Same, "%v", err)
		return
	}
	require.Equal(t, want.Series, got.Series)
	if v.Same {
		require.Equal(t, want.Pauses, got.Pauses)
	}
	missing := lengths(want)
	for _, d := range lengths(got) {
		i := slices.Index(missing, d)
		require.GreaterOrEqual(t, i, 0, "a stop of %v that the log does not have", d)
		missing = slices.Delete(missing, i, i+1)
	}
	if v.Kept == lines || v.Name == "begins-in-line" {
		require.LessOrEqual(t, len(missing), got.Bad)
		require.LessOrEqual(t, len(missing), 1, "only what is cut")
	}
}

func lengths(l *Log) (all []time.Duration) {
	for _, p := range l.Pauses {
		all = append(all, p.For)
	}
	return all
}

// Finding R8: a decimal comma is that of a locale; a number that another writer has broken
// up is no length. Of two lengths the longer counts.
func TestNumbersAreWholeAndPlausible(t *testing.T) {
	const good = "1.5: [GC (A) 1K->1K(2K), 0.1 secs] [Times: user=0.10 sys=0.00, real=0.10 secs]"
	for line, want := range map[string]string{ // a length, or why there is none
		"1,5: [GC (A) 1,5: [ParNew: 1K->1K(2K), 0,0000100 secs] 1K->1K(2K), 0,0000120 secs] [Times: user=0,00 sys=0,00, real=0,00 secs]": "12µs",
		"1.5: Total time for which application threads were stopped: 0,0000120 seconds, Stopping threads took: 0,0000002 seconds":        "12µs",
		"1.5: [GC (A) 1K->1K(2K), 60.0 secs] [Times: user=0.10 sys=0.00, real=60.31 secs]":                                               "1m0s",
		"1.5: [GC (A) 1K->1K(2K), 60.0 secs] [Times: user=0.10 sys=0.00, real=0.05 secs]":                                                "1m0s",
		"1.5: [GC (A) 1K->1K(2K), 0.05 secs] [Times: user=0.10 sys=0.00, real=60.00 secs]":                                               "1m0s",
		"1.5: [GC (A) 1K->1K(2K), 0.05[CMS-concurrent-mark: 0.1/0.1 secs]60 secs]":                                                       "no comma and length in secs before the closing bracket",
		"1.5: [GC (A) 1K->1K(2K), 60 secs]":                                      `length "60": want digits on both sides of a decimal point`,
		"1.5: [GC (A) 1K->1K(2K), .60 secs]":                                     `length ".60": want digits on both sides of a decimal point`,
		"1.5: [GC (A) 1K->1K(2K), 1.234,5 secs]":                                 `length "1.234,5": a decimal comma: want a decimal point`,
		"(A) 1K->1K(2K), 0.0532 secs]":                                           "a length without the start of its pause",
		"1.5: Total time for which application threads were stopped: 60 seconds": `length "60": want digits on both sides of a decimal point`,
	} {
		lines := slices.Repeat([]string{good}, 20)
		if strings.Contains(line, "stopped") {
			lines = slices.Repeat([]string{"1.5: Total time for which application threads were stopped: 0.1 seconds"}, 20)
		}
		log, err := read(append(lines, line)...)
		require.NoError(t, err, line)
		if d, err := time.ParseDuration(want); err == nil {
			assert.Zero(t, log.Bad, "%v", log.Problems)
			assert.Equal(t, d, log.Pauses[len(log.Pauses)-1].For, line)
			continue
		}
		require.Len(t, log.Problems, 1, line)
		assert.Equal(t, want, log.Problems[0].Reason)
		assert.Len(t, log.Pauses, 20, line)
	}
	unified := slices.Repeat([]string{strings.TrimSpace(goodLine)}, 20)
	for line, want := range map[string]string{
		"[0,5s] GC(0) Pause Young 4M->1M(8M) 1,500ms":                                      "1.5ms",
		"[0.5s] GC(0) Pause Young 4M->1M(8M) 895ms":                                        `length "895": want digits on both sides of a decimal point`,
		"[0.5s] GC(0) Pause Young 4M->1M(8M) 2.[0.6s] GC(1) Pause Remark 1M->1M(8M) 3.5ms": "another line inside this one",
	} {
		log, err := read(append(unified, line)...)
		require.NoError(t, err, line)
		if want == "1.5ms" {
			assert.Equal(t, Pause{At: 498500 * time.Microsecond, For: 1500 * time.Microsecond, Kind: "Pause Young"}, log.Pauses[20])
			continue
		}
		require.Len(t, log.Problems, 1, line)
		assert.Equal(t, want, log.Problems[0].Reason)
	}
}

// A table says what its rows are before they come.
func TestRowsAboveTheirHeader(t *testing.T) {
	_, err := read("gc,5", "gc,7", "series,pause_ms", "gc,1")
	assert.ErrorContains(t, err, "2 of 3 lines with a pause of series gc cannot be read:\n  line 3: a header below 2 other lines")
}
