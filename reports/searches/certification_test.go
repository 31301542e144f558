package searches

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
)

// On a terminal every line of prose fits, and a command that is to be copied stays in one line.
func TestCertificationFitsTheTerminal(t *testing.T) {
	c := &Certification{Scenario: "s", About: strings.Repeat("word ", 30), Model: "m", Property: "p",
		Assumptions: []string{strings.Repeat("each message ", 10)}, Edges: []Edge{{Path: "faults.0.for", HoldsNS: 60, FromNS: 63, EndNS: 70, Known: true}},
		Replay: "simctl replay " + strings.Repeat("x", 80)}
	c.Decide(Proven, false)
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, layout.Style{Width: 50}))
	assert.Contains(t, b.String(), "\n            word")
	assert.Contains(t, b.String(), "\n    message")
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "  replay: "+c.Replay) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 50, line)
		}
	}
	assert.Contains(t, b.String(), "\n  replay: "+c.Replay+"\n")
}

// Where a limit was reached it is not said what holds, nor that no run violates it in between.
func TestEdgeThatIsNotKnown(t *testing.T) {
	for want, e := range map[string]Edge{
		"": {HoldsNS: -1, EndNS: 70},
		"; the certified part ends at 60ns at the latest; a failing run exists at 63ns": {HoldsNS: -1, AtMostNS: 60, FromNS: 63, EndNS: 70},
	} {
		e.Path = "p"
		assert.Equal(t, "p: a limit was reached before it was known"+want, e.text())
		e.Stopped = true
		assert.Equal(t, "p: interrupted before it was known"+want, e.text())
	}
}

// An edge below the shortest pause of a range says so, and does not say that no pause is needed.
func TestEdgeBelowTheRange(t *testing.T) {
	for want, e := range map[string]Edge{
		"p: certified for no pause of the range; a failing run exists at 15s": {Path: "p", HoldsNS: -1, FromNS: 15_000_000_000, Known: true},
		"p: violated without any pause":                                       {Path: "p", HoldsNS: -1, Known: true},
	} {
		assert.Equal(t, want, e.text())
	}
}

// A fault of one size has no range that begins there, and what would find the edge is said.
func TestEdgeOfOneSize(t *testing.T) {
	e := Edge{Path: "faults.0.for", Known: true, HoldsNS: -1, FromNS: 15e9, EndNS: 15e9}
	assert.Equal(t, "faults.0.for: violated with a pause of 15s; --over faults.0.for=0s..15s looks for the edge", e.text())
	e.EndNS++
	assert.Equal(t, "faults.0.for: certified for no pause of the range; a failing run exists at 15s", e.text())
}

// Between what is certified and the run nothing is claimed.
func TestBetweenAProofAndARunNothingIsKnown(t *testing.T) {
	for want, e := range map[string]Edge{
		"p: safe for every pause up to 60ns; a failing run exists at 61ns":                        {HoldsNS: 60, FromNS: 61},
		"p: safe for every pause up to 60ns; a failing run exists at 120ns; not known in between": {HoldsNS: 60, FromNS: 120},
	} {
		e.Path, e.Known, e.EndNS = "p", true, 200
		assert.Equal(t, want, e.text())
	}
}
