package plot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/result"
)

// three is an order of three events on two nodes, of which Lamport's clock orders two that
// are concurrent.
func three() *reports.Run {
	return &reports.Run{Scenario: "s", Model: "clock", Runs: 1, Seed: 1, Outcome: reports.Outcome{Order: &reports.EventOrder{
		Clock: "lamport", Total: 3, Ordered: 1, Concurrent: 2, Comparisons: 3,
		Events: []reports.StampedEvent{{Name: "b", Node: "B", Stamp: "1"}, {Name: "a1", Node: "A", Stamp: "1"}, {Name: "a2", Node: "A", Stamp: "2"}},
		Pairs: []reports.StampedPair{{A: "a2", B: "b", Relation: "||", Stamps: ">"}, {A: "a1", B: "b", Relation: "||", Stamps: "="},
			{A: "a1", B: "a2", Relation: "<", Stamps: "<"}},
	}}}
}

// TestMatrix: the events stand by node, the colours are what happened, the signs what the
// stamps say.
func TestMatrix(t *testing.T) {
	p := result.Plot{Title: "T", File: "f", Kind: "matrix"}
	f, err := Figure(three(), &p)
	require.NoError(t, err)
	m := f.Panels[0].Plot.(figure.Matrix)
	require.Equal(t, []string{"a1", "a2", "b"}, m.Names)
	require.Equal(t, []string{"a1: 1", "a2: 2", "b: 1"}, m.Stamps)
	require.Equal(t, []int{2}, m.Groups)
	require.Equal(t, [][]int{{-1, 0, 1}, {2, -1, 1}, {1, 1, -1}}, m.Kind)
	require.Equal(t, [][]string{{"", "<", "="}, {">", "", ">"}, {"=", "<", ""}}, m.Sign)
	require.Equal(t, matrixCaption, f.Caption)

	r := three()
	r.Order.Total = 65
	_, err = Figure(r, &p)
	require.ErrorContains(t, err, "a matrix of 65 events: want at most 64")
	r.Order = nil
	_, err = Figure(r, &p)
	require.ErrorContains(t, err, "the document has no order of events")
	p.X = "time"
	_, err = Figure(three(), &p)
	require.ErrorContains(t, err, "want no x, y or series")
}
