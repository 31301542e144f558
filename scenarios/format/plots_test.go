package format_test

import (
	"strings"
	"testing"

	"fencepost/result"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const aGrid = "vary: {params.ttl: [1s, 2s]}\nplots:\n  - "

// TestPlots reads one with everything.
func TestPlots(t *testing.T) {
	s := fake.Good(t, fake.Minimal+`vary: {params.ttl: [1s, 2s], params.clients: [1, 2]}
plots:
  - title: " It grows "
    file: it-grows
    kind: points
    x: params.ttl
    x-label: TTL
    y: [writes, P(on-time)]
    y-label: times
    unit: count
    series: params.clients
    names: [one, two]
    log: xy
    limit: 5
    laws: {half: x/2}
  - {title: Later, file: later, x: time, y: writes, series: params.ttl, within: 90s, kind: multiples}
`, result.Setting{Path: "params.clients", Value: "2"})
	assert.Equal(t, []result.Plot{
		{
			File: "it-grows", Title: "It grows", Kind: "points", X: "params.ttl", XLabel: "TTL", Y: []string{"writes", "P(on-time)"}, YLabel: "times",
			Unit: "count", Series: "params.clients", Names: []string{"two"}, Log: "xy", Limit: "5", Laws: []result.Law{{Name: "half", Formula: "x/2"}},
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
	fake.Check(t, map[string]string{
		aGrid + "{x: params.tll, y: writes" + rest:                                                  `5:9: the grid has no axis "params.tll"; did you mean "params.ttl"? (at plots.0.x)`,
		aGrid + "{x: params.ttl, y: wirtes" + rest:                                                  `5:24: there is no measure "wirtes"; did you mean "writes"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: p98 of writes" + rest:                                           `5:24: there is no statistic "p98"; did you mean "p99"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: P(in-time)" + rest:                                              `5:24: there is no property "in-time"; did you mean "on-time"? (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: writes, kind: pie" + rest:                                       `5:38: "pie" is not a valid word; want one of line, step, points, bar, heat, cdf, multiples, timeline, matrix (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, series: params.ttl" + rest:                              `5:40: x and series are the same: want another axis (at plots.0.series)`,
		aGrid + "{x: params.ttl, y: writes, within: 5s" + rest:                                      `5:40: only over time is there a sum of the last values: want x: time (at plots.0.within)`,
		aGrid + "{x: time, y: writes, within: 5s, windows: 5s" + rest:                               `5:47: windows are of the sum of one measure over time: want kind: step, x: time, within, one y and no series (at plots.0.windows)`,
		aGrid + "{x: time, y: writes, kind: bar" + rest:                                             `5:32: over time: want line, step, points or multiples (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, kind: heat" + rest:                                      `5:38: a heat map is of one measure by x and series: want one y, and series (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: y^2}" + rest:                                  `5:39: "y" in the formula: want numbers, durations such as 8060ms, x, + - * /, parentheses, and exp, log, sqrt, min, max or floor (at plots.0.laws)`,
		aGrid + "{y: writes" + rest:                                                                 `5:5: the plot has no x: want an axis of vary, or time (at plots.0)`,
		aGrid + "{x: params.ttl, y: [], title: T, file: f}":                                         `5:24: 0 measures: want 1 to 8 (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: writes, title: T, file: ../f}":                                  `5:48: want a name of small letters, digits and -, at most 100, without a folder and an ending (at plots.0.file)`,
		aGrid + `{x: params.ttl, y: writes, title: T, file: "-"}`:                                   `5:48: the name begins with -: want a letter or a digit first (at plots.0.file)`,
		aGrid + "{x: params.ttl, y: writes, title: T, file: -a}":                                    `5:48: the name begins with -: want a letter or a digit first (at plots.0.file)`,
		aGrid + "{x: params.ttl, y: [writes, writes]" + rest:                                        `5:33: "writes" is a y already: want each once (at plots.0.y.1)`,
		aGrid + "{x: params.ttl, y: writes, kind: multiples" + rest:                                 `5:38: multiples are a panel for each of the series: want series, or several y (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, title: T, file: con}":                                   `5:48: Windows reserves the name for a device: want another, as in con-figure (at plots.0.file)`, // F12
		aGrid + "{x: params.ttl, y: writes, title: T, file: lpt1}":                                  `5:48: Windows reserves the name for a device: want another, as in lpt1-figure (at plots.0.file)`,
		aGrid + `{x: params.ttl, y: writes, title: " ", file: f}`:                                   `5:39: the title is empty: want the finding in a sentence (at plots.0.title)`,
		"plots: [{x: time, y: writes, title: T, file: f}, {x: time, y: writes, title: T, file: f}]": `3:87: another plot has this file (at plots.1.file)`,
	})
}

// TestPlotsThatCannotBeDrawn: what the grid makes impossible is found before the run.
func TestPlotsThatCannotBeDrawn(t *testing.T) {
	const rest = ", title: T, file: f}"
	grid := func(vary string) string { return "vary: {" + vary + "}\nplots:\n  - " }
	modes, zero := grid("params.mode: [calm, wild]"), grid("params.work: [0s, 1s]")
	fake.Check(t, map[string]string{
		aGrid + "{x: params.ttl, kind: bar, y: writes, names: [a]" + rest:                                                                   `5:50: 1 names for 2 values of params.ttl: want as many (at plots.0.names)`,
		aGrid + "{x: params.ttl, y: [P(on-time), writes], unit: count, names: [a]" + rest:                                                   `5:66: 1 names for 2 measures: want as many (at plots.0.names)`,
		aGrid + "{x: params.ttl, y: writes, names: [a, b]" + rest:                                                                           `5:39: there is nothing to name: want series, several measures, or kind bar (at plots.0.names)`,
		grid("params.ttl: [1s, 2s], params.clients: [1, 2]") + "{x: params.ttl, series: params.clients, y: writes, names: [a, b, c]" + rest: `5:63: 3 names for 2 values of params.clients: want as many (at plots.0.names)`,
		grid("params.ttl: [1s, 2s], params.clients: [1, 2]") + "{x: params.ttl, y: writes" + rest:                                           `5:5: the grid has the axis "params.clients" as well: want it as x or series, or no such axis (at plots.0)`,
		aGrid + "{x: time, y: writes" + rest:                                                                                                `5:5: the grid has the axis "params.ttl" as well: want it as x or series, or no such axis (at plots.0)`,
		aGrid + "{kind: cdf, y: latency" + rest:                                                                                             `5:5: the grid has the axis "params.ttl" as well: want it as x or series, or no such axis (at plots.0)`,
		modes + "{x: params.mode, y: writes" + rest:                                                                                         `5:9: "calm", a value of params.mode, is no number: want kind bar, or heat (at plots.0.x)`,
		grid("params.work: [1s, {uniform: [1s, 2s]}]") + "{x: params.work, kind: step, y: writes" + rest:                                    `5:9: "{uniform: [1s, 2s]}", a value of params.work, is no number: want kind bar, or heat (at plots.0.x)`,
		zero + "{x: params.work, log: x, y: writes" + rest:                                                                                  `5:27: 0s, a value of params.work, has no place on a logarithmic axis: want values above 0 (at plots.0.log)`,
		modes + "{x: params.mode, kind: bar, log: xy, y: writes" + rest:                                                                     `5:38: the x of a bar has no numbers: want log: y, or none (at plots.0.log)`,
		"plots: [{kind: cdf, log: y, y: latency" + rest + "]":                                                                               `3:26: the y of a cdf is the share of its values: want log: x, or none (at plots.0.log)`,
		"plots: [{x: time, log: x, y: latency" + rest + "]":                                                                                 `3:24: time begins at 0, for which a logarithmic axis has no place (at plots.0.log)`,
		"plots: [{x: time, y: P(on-time)" + rest + "]":                                                                                      `3:22: P(on-time) is the share of some runs, and this is about one: want a measure (at plots.0.y)`,
		"plots: [{x: time, y: p99 of latency" + rest + "]":                                                                                  `3:22: each value of latency is drawn: want it without a statistic (at plots.0.y)`,
		"plots: [{x: time, y: writes, laws: {a: x}" + rest + "]":                                                                            `3:36: over time there is no law: want an axis of the grid as x (at plots.0.laws)`,
		aGrid + "{x: params.ttl, y: [writes, latency]" + rest:                                                                               `5:24: "writes" has numbers, and "latency" durations: want a plot for each (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: [writes, latency], unit: count" + rest:                                                                  `5:24: "writes" has numbers, and "latency" durations: want a plot for each (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: [writes, P(on-time)]" + rest:                                                                            `5:24: "writes" has numbers, and "P(on-time)" shares: want a plot for each (at plots.0.y)`,
		aGrid + "{x: params.ttl, y: writes, limit: 5s" + rest:                                                                               `5:39: "5s" is no limit of writes: want a number such as 100 (at plots.0.limit)`,
		aGrid + "{x: params.ttl, y: latency, limit: 5" + rest:                                                                               `5:40: "5" is no limit of latency: want a duration such as 50ms (at plots.0.limit)`,
		aGrid + "{x: params.ttl, y: P(on-time), limit: much" + rest:                                                                         `5:43: "much" is no limit of P(on-time): want a share such as 5% or 0.05 (at plots.0.limit)`,
		aGrid + "{x: params.ttl, y: writes, log: y, limit: 0" + rest:                                                                        `5:47: 0 has no place on a logarithmic axis: want more than 0 (at plots.0.limit)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: 1/(x - 1s)}" + rest:                                                                   `5:39: the law cannot be drawn: 1/(x - 1s) is +Inf at 1e+09; x is from 1s to 2s (at plots.0.laws)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: exp(300*x/1s)}" + rest:                                                                `5:39: the law cannot be drawn: exp(300*x/1s) is 1.94e+130 at 1e+09: want at most 1e+100; x is from 1s to 2s (at plots.0.laws)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: 0-exp(300*x/1s)}" + rest:                                                              `5:39: the law cannot be drawn: 0-exp(300*x/1s) is -1.94e+130 at 1e+09: want at most 1e+100; x is from 1s to 2s (at plots.0.laws)`,
		aGrid + "{x: params.ttl, y: writes, limit: 1e101" + rest:                                                                            `5:39: 1e101 cannot be drawn: want at most 1e+100 (at plots.0.limit)`,
		aGrid + "{x: params.ttl, y: writes, limit: -1e101" + rest:                                                                           `5:39: -1e101 cannot be drawn: want at most 1e+100 (at plots.0.limit)`,
		aGrid + "{kind: matrix" + rest:                                                                                                      `5:12: a matrix is of the events of a model that has some of its own: want one whose events clocks stamp, as clock (at plots.0.kind)`,
		aGrid + "{kind: timeline" + rest:                                                                                                    `5:12: nothing to draw: the model shows no states of its nodes, and there are no faults: want faults, or another kind (at plots.0.kind)`,
		aGrid + "{x: params.ttl, y: writes, laws: {a: log(0-x)}" + rest:                                                                     `5:39: the law cannot be drawn: log(0-x) is NaN at 1e+09; x is from 1s to 2s (at plots.0.laws)`,
		"faults: [{crash: store, at: 1s}]\n" + grid("params.ttl: [1s, 2s, 3s, 4s, 5s, 6s, 7s]") + "{kind: timeline" + rest:                  `6:12: a timeline of each of 7 points: want at most 6 (at plots.0.kind)`,
		"plots: [{kind: cdf, y: latency, title: T, file: " + strings.Repeat("f", 101) + "}]":                                                `3:49: want a name of small letters, digits and -, at most 100, without a folder and an ending (at plots.0.file)`,
		"plots: [5]": `3:9: "5" is not a mapping: want keys such as title, file, kind (at plots.0)`,
		"plots: 5":   `3:8: "5" is not a list: want [a, b] or lines with "- " (at plots)`,
		"plots: [{x: time, y: writes, titel: T, file: f}]": `3:30: unknown key "titel"; did you mean "title"? (at plots.0)`,
	})
	require.Equal(t, []string{
		`3:9: key "title" is missing (at plots.0)`, `3:9: key "file" is missing (at plots.0)`,
		`3:9: the plot has no x: want an axis of vary, or time (at plots.0)`, `3:9: key "y" is missing (at plots.0)`,
	}, fake.Lines(fake.Minimal+"plots: [{}]\n"), "each fact once")
}

// TestPlotsThatCanBeDrawn: what is just allowed.
func TestPlotsThatCanBeDrawn(t *testing.T) {
	const rest = ", title: T, file: 0-}"
	for _, text := range []string{
		aGrid + "{x: params.ttl, y: [writes, P(on-time)], unit: count" + rest,
		aGrid + "{x: params.ttl, y: [p50 of latency, latency], kind: multiples" + rest,
		aGrid + "{x: params.ttl, y: writes, laws: {a: exp(115*x/1s)}" + rest,
		"faults: [{crash: store, at: 1s}]\nplots: [{kind: timeline" + rest + "]",
		"vary: {faults.0: [{crash: store, at: 1s}, {crash: store, at: 2s}]}\nplots: [{kind: timeline" + rest + "]",
		"vary: {a: {b: {}, c: {faults: [{crash: store, at: 1s}]}}}\nplots: [{kind: timeline" + rest + "]",
	} {
		require.Len(t, fake.Good(t, fake.Minimal+text+"\n").Plots, 1, text)
	}
}

// TestNamesFollowThePick: the value that --set picks keeps its name, at the point itself
// as well.
func TestNamesFollowThePick(t *testing.T) {
	const bar = fake.Minimal + "vary: {params.mode: [calm, wild], store: {near: {}, far: {costs.store: 1ms}}}\nplots:\n" +
		"  - {kind: bar, x: params.mode, series: store, y: writes, names: [next door, at sea], title: T, file: f}\n" +
		"  - {kind: heat, x: store, series: params.mode, y: writes, names: [slow, fast], title: T, file: g}\n"
	names := func(sets ...result.Setting) (list [][]string) {
		s := fake.Good(t, bar, sets...)
		for _, p := range s.Plots {
			list = append(list, p.Names)
		}
		for _, v := range s.Variants {
			require.Equal(t, s.Plots, v.Scenario.Plots)
		}
		return list
	}
	require.Equal(t, [][]string{{"next door", "at sea"}, {"slow", "fast"}}, names())
	require.Equal(t, [][]string{{"at sea"}, {"slow", "fast"}}, names(result.Setting{Path: "store", Value: "far"}))
	require.Equal(t, [][]string{{"next door"}, {"fast"}}, names(result.Setting{Path: "store", Value: "near"}, result.Setting{Path: "params.mode", Value: "wild"}))
}
