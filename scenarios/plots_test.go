package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const aGrid = "vary: {params.ttl: [1s, 2s]}\nplots:\n  - "

// TestPlots reads one with everything.
func TestPlots(t *testing.T) {
	s := good(t, minimal+`vary: {params.ttl: [1s, 2s], seed: [1, 2]}
plots:
  - title: " It grows "
    file: it-grows
    kind: points
    x: params.ttl
    x-label: TTL
    y: [writes, P(on-time)]
    y-label: times
    unit: count
    series: seed
    names: [one, two]
    log: xy
    limit: 5
    laws: {half: x/2}
  - {title: Later, file: later, x: time, y: writes, series: params.ttl, within: 90s, kind: multiples}
`)
	assert.Equal(t, []Plot{
		{
			File: "it-grows", Title: "It grows", Kind: "points", X: "params.ttl", XLabel: "TTL", Y: []string{"writes", "P(on-time)"}, YLabel: "times",
			Unit: "count", Series: "seed", Names: []string{"one", "two"}, Log: "xy", Limit: "5", Laws: []Law{{"half", "x/2"}},
		},
		{File: "later", Title: "Later", Kind: "multiples", X: "time", Y: []string{"writes"}, Series: "params.ttl", Within: "1m30s"},
	}, s.Plots)
	assert.False(t, s.Plots[0].Timed())
	assert.True(t, s.Plots[1].Timed())
	writes := s.Plots[1].Measures(&s.Program)
	require.Len(t, writes, 1)
	assert.Equal(t, "writes", s.Program.Measures[writes[0]].Name)
	assert.Equal(t, writes, s.Plots[0].Measures(&s.Program), "a property is no measure")
}

// TestWrongPlots: each mistake is found where it is, and the nearest word is named.
func TestWrongPlots(t *testing.T) {
	const rest = ", title: T, file: f}"
	checkProblems(t, map[string]string{
		aGrid + "{x: params.tll, y: writes" + rest:                                                  `5:9: the grid has no axis "params.tll"; did you mean "params.ttl"? (at plots.0.x)`,
		aGrid + "{x: params.ttl, y: wirtes" + rest:                                                  `5:24: there is no measure "wirtes"; did you mean "writes"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: p98 of writes" + rest:                                           `5:24: there is no statistic "p98"; did you mean "p99"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: P(in-time)" + rest:                                              `5:24: there is no property "in-time"; did you mean "on-time"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: writes, kind: pie" + rest:                                       `5:38: "pie" is not a valid word; want one of line, step, points, bar, heat, cdf, multiples (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, series: params.ttl" + rest:                              `5:40: x and series are the same: want another path (at plots.0.series)`,
		aGrid + "{x: params.ttl, y: writes, within: 5s" + rest:                                      `5:40: only over time is there a sum of so long: want x: time (at plots.0.within)`,
		aGrid + "{x: time, y: writes, kind: bar" + rest:                                             `5:32: over time: want line, step, points or multiples (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, kind: heat" + rest:                                      `5:38: a heat map is of one measure by x and series: want one y, and series (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: y^2}" + rest:                                  `5:39: "y" in the formula: want numbers, durations such as 8060ms, x, + - * /, parentheses, and exp, log, sqrt, min or max (at plots.0.laws)`,
		aGrid + "{y: writes" + rest:                                                                 `5:5: the plot has no x: want a path of vary, or time (at plots.0)`,
		aGrid + "{x: params.ttl, y: [], title: T, file: f}":                                         `5:24: 0 measures: want 1 to 8 (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: writes, title: T, file: ../f}":                                  `5:48: want a name of small letters, digits and -, without a folder and an ending (at plots.0.file)`,
		aGrid + `{x: params.ttl, y: writes, title: " ", file: f}`:                                   `5:39: the title is empty: want the finding in a sentence (at plots.0.title)`,
		"plots: [{x: time, y: writes, title: T, file: f}, {x: time, y: writes, title: T, file: f}]": `3:87: another plot has this file (at plots.1.file)`,
	})
}
