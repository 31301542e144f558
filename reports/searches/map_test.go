package searches

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
)

// A run that violates a property where it is certified makes the map a contradiction, at the edge too.
func TestAViolationInsideIsAContradiction(t *testing.T) {
	m := &Map{Property: "p", X: Ranged{"x", 1, 2}, Y: Ranged{"y", 0, 20}, Complete: true}
	m.Add(&Column{XNS: 1, Edge: Edge{HoldsNS: 10, EndNS: 20, Known: true}, Samples: []Sample{{YNS: 10, Runs: 5}, {YNS: 11, Runs: 5, Violated: 1}}})
	assert.True(t, m.OK)
	assert.Equal(t, 1, m.Violating)
	text := func() string {
		var b bytes.Buffer
		require.NoError(t, m.WriteText(&b, layout.Style{}))
		return b.String()
	}
	assert.Contains(t, text(), "MAPPED: p at 1 point of x; runs violate it with 1 of 2 pauses, none of them where it is certified\n")
	m.Add(&Column{XNS: 2, Edge: Edge{HoldsNS: 10, EndNS: 20, Known: true}, Samples: []Sample{{YNS: 10, Runs: 5, Violated: 2}}})
	assert.False(t, m.OK)
	assert.Contains(t, text(), "CONTRADICTION: p at 2 points of x; runs violate it with 2 of 3 pauses, 1 of them where it is certified: the proof, or the engine, is wrong\n")
	var svg bytes.Buffer
	require.NoError(t, m.Figure().WriteSVG(&svg))
	assert.Contains(t, svg.String(), "1 of them below the line")
}

// What is not known, or holds nowhere or everywhere, is said so, and drawn nowhere below the line.
func TestMapColumns(t *testing.T) {
	m := &Map{X: Ranged{"x", 1, 3}, Y: Ranged{"y", 0, 20}, Complete: true}
	for i, e := range []Edge{{HoldsNS: -1}, {HoldsNS: -1, Known: true}, {HoldsNS: 20, EndNS: 20, Known: true}} {
		m.Add(&Column{XNS: int64(i + 1), Edge: e})
	}
	assert.False(t, m.OK)
	var b bytes.Buffer
	require.NoError(t, (&Map{Stopped: "stopped"}).WriteText(&b, layout.Style{}))
	assert.NotContains(t, b.String(), "certified up to", "there is no table of no columns")
	require.NoError(t, m.WriteText(&b, layout.Style{}))
	for _, want := range []string{"1ns        not known", "2ns         no pause", "3ns        20ns, all", "UNKNOWN: a limit was reached at 1 point"} {
		assert.True(t, strings.Contains(b.String(), want), "%s\n%s", want, b.String())
	}
}
