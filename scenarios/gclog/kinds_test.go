package gclog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stop that lasted longer than one of its lengths says counts with the longer, and is told.
func TestDoubtfulStops(t *testing.T) {
	log, err := read(
		"1.5: [GC (A) 1K->1K(2K), 0.10 secs] [Times: user=0.10 sys=0.00, real=0.10 secs]",
		"3.5: [GC (A) 1K->1K(2K), 0.50 secs] [Times: user=0.10 sys=0.00, real=9.25 secs]", // it swaps
		"20.5: [GC pause (G1 Evacuation Pause) (young), 0.20 secs]",
		"   [Parallel Time: 1.1 ms, GC Workers: 4]",
		" [Times: user=0.10 sys=0.00, real=4.00 secs]",
		"30.5: [GC pause (G1 Evacuation Pause) (young), 0.20 secs]",
		" [Times: user=0.10 sys=0.00, real=0.21 secs]",
	)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{100 * ms, 9250 * ms, 4 * time.Second, 200 * ms}, lengths(log))
	assert.Zero(t, log.Bad)
	assert.Equal(t, "2 pauses with two lengths, secs and real=, that differ by more than a tenth, the first in line 2: the longer counts", log.Doubts())

	log, err = ReadFile("testdata/cases/go1.19.txt")
	require.NoError(t, err)
	s := log.Summary()
	assert.Equal(t, 76, s.Count)
	assert.Equal(t, 4300*time.Microsecond, s.Max)
	assert.Equal(t, 6850*time.Microsecond, s.Total)
	assert.Empty(t, log.Doubts())
}

// One strange line does not speak against a short log, and is told.
func TestShortLogs(t *testing.T) {
	good, strange := "1.5: [GC (A) 1K->1K(2K), 0.1 secs]", "1.5: [GC (A) 1K->1K(2K), 60 secs]"
	log, err := read(good, good, strange, good)
	require.NoError(t, err)
	assert.Equal(t, 1, log.Bad)
	assert.Equal(t, 3, log.Problems[0].Line)
	_, err = read(good, strange)
	assert.ErrorContains(t, err, "1 of 2 lines with a pause of series gc cannot be read:\n  line 2: ")
}

// Formats that are not read are refused with what is read instead.
func TestRefusedFormats(t *testing.T) {
	for file, lines := range map[string]string{"f4-openj9.xml": "13", "f5-v8-trace-gc.txt": "5"} {
		_, err := ReadFile("testdata/cases/" + file)
		assert.ErrorContains(t, err, file+": no pauses in "+lines+" lines. Lines with a pause look like")
		assert.ErrorContains(t, err, "or give a CSV with a column pause_ms")
	}
	_, err := read("1.5: [GC (A) 1K->1K(2K), 0.1 secs]", "gc 1 @0.058s 0%: 0.01+1.9+0.02 ms clock, 4 P")
	assert.ErrorContains(t, err, "two formats in one log: line 1 is jdk8 (")
	assert.ErrorContains(t, err, "line 2 is gctrace (")
}
