package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/comments"
	"fencepost/scenarios/internal/fake"
)

// source are the comments of the types, each package of which is read once.
var source = &comments.Source{FS: os.DirFS("../../.."), Module: "fencepost"}

// described is what go generate would write.
func described(t *testing.T) (text, page string) {
	schema, reference, err := schemaAndReference(source.Of)
	require.NoError(t, err)
	require.NoError(t, source.Err())
	return string(schema), string(reference)
}

// TestSchemaIsFresh: the files are those that the types and their comments give.
func TestSchemaIsFresh(t *testing.T) {
	text, page := described(t)
	require.True(t, text == string(scenarios.Catalog().Schema()), "scenarios/scenario.schema.json is stale: run go generate ./scenarios")
	bare, err := fileSchema(source.Of)
	require.NoError(t, err)
	kept, err := os.ReadFile("../../catalog/file.schema.json")
	require.NoError(t, err)
	require.True(t, string(bare) == string(kept), "scenarios/catalog/file.schema.json is stale: run go generate ./scenarios")
	kept, err = os.ReadFile("../../../docs/scenarios.md")
	require.NoError(t, err)
	require.True(t, page == strings.ReplaceAll(string(kept), "\r\n", "\n"), "docs/scenarios.md is stale: run go generate ./scenarios")
}

// TestPropertiesPageIsFresh: each property and measure that any scenario has is defined, and docs/properties.md has
// the definition.
func TestPropertiesPageIsFresh(t *testing.T) {
	page, err := propertiesPage(source.Of)
	require.NoError(t, err)
	require.NoError(t, source.Err())
	kept, err := os.ReadFile("../../../docs/properties.md")
	require.NoError(t, err)
	require.True(t, string(page) == strings.ReplaceAll(string(kept), "\r\n", "\n"), "docs/properties.md is stale: run go generate ./scenarios")
}

// TestSchemaHoldsForWhatLoads: every scenario that ships.
func TestSchemaHoldsForWhatLoads(t *testing.T) {
	v := newValidator(t, scenarios.Catalog().Schema())
	for _, name := range scenarios.Names() {
		text, err := scenarios.Source(name)
		require.NoError(t, err)
		assert.Empty(t, v.check(asJSON(t, string(text))), name)
	}
}

// judged is what decoder and schema say of a text.
func judged(t *testing.T, v *validator, dir, text string) (schema string, decoder error) {
	_, decoder = scenarios.Load(fake.WriteFile(t, dir, "judged.yaml", text), format.Options{})
	return v.check(asJSON(t, text)), decoder
}

const (
	aLock  = "model: lock\nuntil: 60s\n"
	aFault = aLock + "faults:\n  - "
	aPlot  = aLock + "vary: {params.ttl: [5s, 10s]}\nplots: ["
)

// casesText is an axis of so many cases of so many changes.
func casesText(cases, changes int) string {
	var list, one []string
	for i := range changes {
		one = append(one, fmt.Sprintf("clocks.c%d.offset: 1s", i))
	}
	for i := range cases {
		list = append(list, fmt.Sprintf("c%d: {%s}", i, strings.Join(one, ", ")))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// goods are texts that both take.
var goods = []string{
	aLock,
	"about: 5\nsource: no\n" + aLock + "seed: 18446744073709551615\nruns: 1000000000\n",
	aLock + "network: {delay: 5ms, loss: 1%, duplicate: 0.001, order: free, links: [{from: client-1, to: [redis-1, redis-2], loss: 0.5 %}, {to: redis-*}]}\n",
	aLock + "network: {delay: {exp: 5ms}}\n", aLock + "network: {delay: {uniform: [1ms, 9ms]}}\n",
	aLock + "network: {delay: {pareto: {least: 1.05ms, alpha: 1.51}}}\n", aLock + "network: {delay: {pareto: {least: 1ms, alpha: \"2\"}}}\n",
	aLock + "network: {delay: {mix: [{share: 38%, of: {pareto: {least: 1.05ms, alpha: 1.51}}}, {share: 0.62, of: 5ms}]}}\n",
	aLock + "network: {delay: {lognormal: {median: 1ms, p99: 20ms}}}\n", aLock + "network: {delay: {csv: rtt.csv}}\n",
	aLock + "network: {delay: 1h30m, loss: \"0.5\"}\n", aLock + "network: {delay: 1.5s200ms3us}\n",
	aLock + "clocks: {redis-3: {drift: 100ppm, offset: -3s}, redis-*: {drift: -0.01%}}\ncosts: {client-1: 1ms, redis-*: {exp: 100us}}\nresume: messages-first\n",
	aLock + "params: {service: redlock, ttl: 10s, retry: {uniform: [0s, 200ms]}, start: [0s, 5s], work: 3s, tries: 3, check: false}\n",
	aFault + "{pause: client-1, on: checked, for: 15s, name: x}\n", aFault + "{suspend: client-2, at: 20s, for: {exp: 10s}}\n",
	aFault + "{pause: client-1, on: {note: checked, by: client-2, nth: 1}, for: 15s}\n",
	aFault + "{pause: client-1, before: write, by: client-2, nth: 2, for: 15s}\n",
	aFault + "{pause: client-1, for: {gclog: gc.log}}\n", aFault + "{pause: client-1, for: {gclog: {file: gc.log, series: safepoint}}, at: 1s}\n",
	aFault + "{crash: redis-3, every: {exp: 30s}, for: 100ms}\n", aFault + "{crash: redis-3, at: 1s}\n",
	aFault + "{step-clock: redis-3, by: -10s, at: 1s}\n", aFault + "{step-clock: redis-3, by: 1s, before: {effect: write, by: client-1, nth: 2}}\n",
	aFault + "{set-rate: client-1, to: -500ppm, at: 5s, for: 10s}\n",
	aFault + "{cut: {between: [[client-1], [redis-4, redis-5]]}, at: 3s, for: 5s}\n",
	aFault + "{hold: {from: client-1, to: redis-*, one-way: true}}\n", aFault + "{cut: {to: store}, on: checked, by: client-1}\n",
	aFault + "{delay: {kind: write, from: client-1, to: store, nth: 1}, for: 7s}\n", aFault + "{lose: {kind: set-reply}, at: 40s}\n",
	aFault + "{duplicate: {kind: write}}\n", aFault + "{follow-log: redis-2, log: tracking.log}\n",
	aFault + "{follow-log: redis-2, log: {file: tracking.log, format: chrony-tracking, from: 90s, step: 500ms}, at: 0s}\n",
	aLock + "budget: {pauses: 2, pause-for: [1s, 15s], late: 1, late-by: {exp: 5s}, clock-steps: 1, step-by: -10s, loss: 1%, nodes: [client-1, redis-*]}\n",
	aLock + "expect: {mutual-exclusion: holds, fenced-order: {violated: {at: 15105ms, nodes: client-1}}, no-lost-update: {share: [0.1, 30%]}}\n",
	aLock + "expect: {lost-updates: 1, overlap: {least: 1s, most: 5s}, refused-validity: -5109ms, client-2-acquisitions: {most: 3}}\n",
	aLock + "control: {params.work: 3s, network.delay: {exp: 1ms}}\nvary: {params.ttl: [5s, 10s], faults.0: [{crash: redis-1, at: 1s}]}\n",
	aLock + "vary: {params.ttl: {from: 5s, to: 10s, step: 1s}, params.clients: {from: 1, to: 9, points: 3}}\n",
	aLock + "vary: {network.delay: {from: 1ms, to: 1s, points: 4, log: true}, params.ttl: {from: 1s, to: 9s, points: 5, round: 1ms}, network.loss: {from: 0%, to: 1%, step: 0.5%}}\n",
	aLock + "vary: {protection: {no check: {params.check: false}, check: {}, check and fence: {params.fencing: lex, params.tokens: counter}}, params.ttl: [5s, 10s]}\n",
	aLock + "vary: {1: {2: {faults.0: {crash: redis-1, at: 1s}, network.delay: {exp: 1ms}}}}\n",
	aPlot + "{title: T, file: a-1, x: params.ttl, y: overlap}]\n", aPlot + "{title: 5, file: 6, x: params.ttl, y: P(no-lost-update), kind: bar, names: [a, 7]}]\n",
	aPlot + "{title: T, file: a, kind: step, x: params.ttl, x-label: TTL, y: [p99 of acquire-latency, max of acquire-latency], y-label: late, names: [a, b], log: xy, limit: 5s, laws: {half: x/2, none: 0}}]\n",
	aPlot + "{title: T, file: a, kind: points, x: params.ttl, y: lost-updates, unit: ratio, limit: 100}]\n",
	aLock + "plots: [{title: T, file: a, x: time, y: overlap, within: 90s}, {title: T, file: b, kind: cdf, y: overlap, log: x}, {title: T, file: c, kind: timeline}]\n",
	aLock + "vary: {a: {b: {params.check: false}, c: {}}, params.ttl: [5s, 10s]}\nplots: [{title: T, file: a, kind: heat, x: a, series: params.ttl, y: overlap}, {title: T, file: b, x: params.ttl, series: a, y: overlap, names: [d, e]}]\n",
	"model: broadcast\nuntil: 60s\nplots: [{title: T, file: a, kind: timeline}]\n", "model: adaptive\nuntil: 60s\nfaults: [{crash: plant, at: 1s}]\nplots: [{title: T, file: a, kind: timeline}]\n",
	aPlot + "{title: T, file: a, kind: multiples, x: params.ttl, y: [overlap, max of acquire-latency]}]\n",
	"model: compare\nuntil: 60s\nparams: {limit: 5}\n",
	"model: backpressure\nuntil: 60s\nparams: {clients: 2, rate: 100/min, limiter: {shed: {}}, class: [critical, get]}\n",
	"model: versions\nuntil: 60s\nparams: {clients: [{steps: [read a, write a x]}]}\n",
}

// bads are texts that both refuse.
var bads = []string{
	"until: 60s\n", "model: lock\n", "model: lokc\nuntil: 60s\n", "model: lock\nuntil: 60\n", "model: lock\nuntil: 3 sec\n", "model: lock\nuntil: 1s1m\n",
	"[model, lock]\n", aLock + "rnus: 3\n", aLock + "runs: 0\n", aLock + "runs: 1.5\n", aLock + "runs: many\n", aLock + "runs: \"3\"\n", aLock + "seed: -1\n",
	aLock + "about: [a]\n", aLock + "about: null\n", aLock + "resume: later\n", aLock + "params: 5\n", aLock + "params: {tll: 1s}\n",
	aLock + "params: {ttl: 5}\n", aLock + "params: {ttl: -5s}\n", aLock + "params: {service: raft}\n", aLock + "params: {check: maybe}\n",
	aLock + "params: {start: [0s, soon]}\n", aLock + "params: {clients: two}\n", aLock + "params: {retry: {expo: 1s}}\n",
	"model: mutex\nuntil: 60s\nparams: {ttl: 5s}\n",
	aLock + "network: 5ms\n", aLock + "network: {dealy: 5ms}\n", aLock + "network: {loss: 2}\n", aLock + "network: {loss: -1%}\n", aLock + "network: {loss: much}\n",
	aLock + "network: {order: lifo}\n", aLock + "network: {links: {to: redis-1}}\n", aLock + "network: {links: [{to: []}]}\n",
	aLock + "network: {delay: {exp: 5ms, csv: a.csv}}\n", aLock + "network: {delay: {uniform: [1ms]}}\n", aLock + "network: {delay: {lognormal: {median: 1ms}}}\n",
	aLock + "network: {delay: {pareto: {least: 1ms}}}\n", aLock + "network: {delay: {pareto: {least: 1ms, alpha: 0.5}}}\n",
	aLock + "network: {delay: {mix: [{share: 1%, of: 1ms}]}}\n", aLock + "network: {delay: {mix: [{share: 50%, of: 1ms}, {share: 50%, of: {ex: 1s}}]}}\n",
	aLock + "network: {delay: {gclog: gc.log}}\n", aLock + "clocks: {redis-3: 5ppm}\n", aLock + "clocks: {redis-3: {drift: 5}}\n", aLock + "costs: [1ms]\n",
	aFault + "{at: 1s}\n", aFault + "{pause: client-1, crash: client-1, at: 1s, for: 1s}\n", aFault + "{puase: client-1, at: 1s, for: 1s}\n",
	aFault + "{pause: client-1, for: 1s}\n", aFault + "{pause: client-1, at: 1s}\n", aFault + "{pause: client-1, at: 1s, on: checked, for: 1s}\n",
	aFault + "{pause: client-1, at: 1s, for: 1s, to: 5ppm}\n", aFault + "{pause: client-1, on: chekced, for: 1s}\n", aFault + "{pause: client-1, before: wriet, for: 1s}\n",
	aFault + "{pause: client-1, at: 1s, nth: 2, for: 1s}\n", aFault + "{pause: client-1, at: 1s, by: client-2, for: 1s}\n", aFault + "{pause: client-1, on: checked, nth: 0, for: 1s}\n",
	aFault + "{pause: [client-1], at: 1s, for: 1s}\n", aFault + "{crash: redis-1}\n", aFault + "{crash: redis-1, every: 5s}\n",
	aFault + "{step-clock: redis-1, at: 1s}\n", aFault + "{step-clock: redis-1, at: 1s, by: client-1}\n", aFault + "{set-rate: redis-1, at: 1s}\n",
	aFault + "{set-rate: redis-1, at: 1s, to: 5s}\n", aFault + "{cut: client-1}\n", aFault + "{cut: {}}\n", aFault + "{cut: {between: [client-1]}}\n",
	aFault + "{cut: {between: [client-1, store], to: redis-1}}\n", aFault + "{delay: {kind: write}}\n", aFault + "{lose: {from: store}}\n", aFault + "{lose: {kind: wirte}}\n",
	aFault + "{lose: {kind: write}, for: 1s}\n", aFault + "{follow-log: redis-1}\n", aFault + "{follow-log: redis-1, log: {format: csv}}\n",
	aFault + "{follow-log: redis-2, log: {file: tracking.log, format: ntpq}}\n", aFault + "pause\n", aLock + "faults: {pause: client-1}\n",
	aLock + "budget: {pauses: 65}\n", aLock + "budget: {puases: 1}\n", aLock + "budget: {pause-for: 1s}\n", aLock + "budget: {pauses: 1, pause-for: []}\n",
	aLock + "budget: {clock-steps: 1, step-by: 5}\n", aLock + "budget: 3\n", aLock + "budget: {pauses: 1, nodes: []}\n",
	aLock + "expect: {mutual-exclusion: broken}\n", aLock + "expect: {mutual-exclusion: 5}\n", aLock + "expect: {mutual-exclusion: {share: [1%]}}\n",
	aLock + "expect: {mutual-exclusion: {violated: {when: 5s}}}\n", aLock + "expect: {mutual-exclusion: {holds: true}}\n", aLock + "expect: {mutual-exclsuion: holds}\n",
	aLock + "expect: {overlap: holds}\n", aLock + "expect: {overlap: 5}\n", aLock + "expect: {overlap: {}}\n", aLock + "expect: {lost-updates: 1s}\n",
	aLock + "expect: {lost-updates: {least: 1, must: 3}}\n", aLock + "expect:\n  overlap: {least: 1s, most: }\n", aLock + "expect: {client-2-acquisitions: 1s}\n",
	aLock + "control: [params.ttl]\n", aLock + "control: {params.ttl: 5}\n", aLock + "vary: {params.ttl: 5s}\n", aLock + "vary: {params.ttl: []}\n", aLock + "vary: {params.ttl: {from: 5s}}\n", aLock + "vary: {params.ttl: {from: 5s, to: 9s, steps: 2}}\n", aLock + "vary: {params.ttl: [5s, 7]}\n",
	aLock + "vary: {params.ttl: {from: 5s, to: 9s, points: 0}}\n", aLock + "vary: {params.ttl: {from: 5s, to: 9s, points: 3, log: yes}}\n", aLock + "vary: {params.ttl: {to: 9s, points: 3}}\n",
	aLock + "vary: [params.ttl]\n", aLock + "vary: {a: {}}\n", aLock + "vary: {a: {b: {}, c: 5}}\n", aLock + "vary: {a: {b: [params.ttl]}}\n", aLock + "vary: {a: {b: {}, c: }}\n",
	aLock + "vary: {a: {b: {params.ttl: 5}}}\n", aLock + "vary: {a: {b: {}, c: {params.fencing: fence}}}\n", aLock + "vary: {a: " + casesText(101, 1) + "}\n", aLock + "vary: {a: " + casesText(1, 51) + "}\n",
	aLock + "vary: {params.ttl: {a: {params.check: true}}}\n",
	aLock + "plots: {title: T}\n", aLock + "plots: [T]\n", aLock + "plots: [{}]\n", aPlot + "{file: a, x: params.ttl, y: overlap}]\n", aPlot + "{title: T, x: params.ttl, y: overlap}]\n",
	aPlot + "{title: T, file: a, y: overlap}]\n", aPlot + "{title: T, file: a, x: params.ttl}]\n", aPlot + "{title: T, file: a.svg, x: params.ttl, y: overlap}]\n", aPlot + "{title: T, file: ../a, x: params.ttl, y: overlap}]\n",
	aPlot + "{title: T, file: " + strings.Repeat("a", 101) + ", x: params.ttl, y: overlap}]\n", aPlot + "{title: [T], file: a, x: params.ttl, y: overlap}]\n",
	aPlot + "{title: T, file: a, x: params.ttl, y: overlap, kind: pie}]\n", aPlot + "{title: T, file: a, x: [params.ttl], y: overlap}]\n", aPlot + "{title: T, file: a, x: params.ttl, y: {of: overlap}}]\n",
	aPlot + "{title: T, file: a, x: params.ttl, y: overlap, log: z}]\n", aPlot + "{title: T, file: a, x: params.ttl, y: overlap, unit: s}]\n", aPlot + "{title: T, file: a, x: params.ttl, y: overlap, laws: [x]}]\n",
	aPlot + "{title: T, file: a, x: params.ttl, y: overlap, names: a}]\n", aLock + "plots: [{title: T, file: a, x: time, y: overlap, within: 5}]\n", aPlot + "{title: T, file: a, x: params.ttl, y: overlap, colour: red}]\n",
	aLock + "vary: {seed: [1, 100]}\n", aLock + "vary: {params.ttl: [5s], runs: {from: 1, to: 3, step: 1}}\n", aLock + "vary: {a: {b: {seed: 3}, c: {}}}\n", aLock + "vary: {a: {b: {model: mutex}}}\n",
	aLock + "control: {runs: 3}\n", aLock + "control: {about: x}\n", aLock + "vary: {source: [x, y]}\n", aLock + "vary: {vary.a: [1s]}\n", aLock + "control: {plots.0.title: T}\n",
	aPlot + "{title: T, file: \"-\", x: params.ttl, y: overlap}]\n", aPlot + "{title: T, file: -a, x: params.ttl, y: overlap}]\n", aPlot + "{title: T, file: a, kind: multiples, x: params.ttl, y: overlap}]\n",
	"model: compare\nuntil: 60s\nnetwork: {delay: 5ms}\n", "model: backpressure\nuntil: 60s\nparams: {rate: 100}\n",
	"model: backpressure\nuntil: 60s\nparams: {class: put}\n", "model: versions\nuntil: 60s\nparams: {clients: [{name: a}]}\n",
}

// weaker are texts that only the decoder refuses, by why the schema cannot.
var weaker = map[string]string{
	"a rule of the model":                    aLock + "params: {ttl: 0s}\n",
	"a rule of two parameters":               aLock + "params: {clients: 1, start: [0s, 1s]}\n",
	"the nodes follow from the parameters":   aFault + "{pause: client-3, at: 1s, for: 1s}\n",
	"a pattern where one node stands":        aFault + "{pause: client-*, at: 1s, for: 1s}\n",
	"a node on two sides":                    aFault + "{cut: {between: [client-1, client-*]}}\n",
	"a node twice":                           aFault + "{cut: {to: [store, store]}}\n",
	"two values compared":                    aLock + "network: {delay: {uniform: [9ms, 1ms]}}\n",
	"two quantiles too far apart":            aLock + "network: {delay: {lognormal: {median: 20ms, p99: 1ms}}}\n",
	"an instant after the end":               aFault + "{pause: client-1, at: 61s, for: 1s}\n",
	"a length of 0":                          aFault + "{pause: client-1, at: 1s, for: 0s}\n",
	"a step of 0":                            aFault + "{step-clock: redis-1, at: 1s, by: 0s}\n",
	"a run of 0":                             "model: lock\nuntil: 0s\n",
	"a number that does not fit":             "model: lock\nuntil: 99999999999h\n",
	"a number that is finer than it may be":  "model: lock\nuntil: 0.1ns\n",
	"a rate that no clock has":               aLock + "clocks: {redis-1: {drift: 90%}}\n",
	"a share above 1 with a unit":            aLock + "network: {loss: 101%}\n",
	"a number that is written oddly":         aLock + "runs: 1e3\n",
	"an integer beyond 64 bits":              aLock + "seed: 99999999999999999999\n",
	"a file that is not there":               aLock + "network: {delay: {csv: no.csv}}\n",
	"a log shorter than the run":             "model: lock\nuntil: 1ms\nfaults: [{pause: client-1, for: {gclog: gc.log}}]\n",
	"two faults of a name":                   aLock + "faults: [{crash: redis-1, at: 1s, name: x}, {crash: redis-2, at: 1s, name: x}]\n",
	"an empty name":                          aFault + "{crash: redis-1, at: 1s, name: \"\"}\n",
	"who notes it is inside the trigger":     aFault + "{pause: client-1, on: {note: checked}, by: client-2, for: 1s}\n",
	"a cut is of no node that could note":    aFault + "{cut: {to: store}, on: checked}\n",
	"a sum of a budget":                      aLock + "budget: {pauses: 60, crashes: 60}\n",
	"a count of 0 that something is about":   aLock + "budget: {pauses: 0, pause-for: 1s}\n",
	"a budget that allows nothing":           aLock + "budget: {}\n",
	"a measure that there is not":            aLock + "expect: {lost-updaets: 3}\n",
	"a measure of a node that there is not":  aLock + "expect: {client-7-acquisitions: 1}\n",
	"three nodes of a violation":             aLock + "expect: {mutual-exclusion: {violated: {nodes: [client-1, client-2, store]}}}\n",
	"bounds that are the wrong way round":    aLock + "expect: {overlap: {least: 5s, most: 1s}}\n",
	"what a path of the control leads to":    aLock + "control: {netwrok.delay: 5ms}\n",
	"a point of a grid that is not possible": aLock + "vary: {params.ttl: [5s, 0s]}\n",
	"a grid that is too large":               aLock + "vary: {params.ttl: {from: 1s, to: 99s, step: 1s}, params.clients: {from: 1, to: 16, step: 1}}\n",
	"a range that ends before its start":     aLock + "vary: {params.ttl: {from: 9s, to: 5s, points: 3}}\n",
	"a range with step and points":           aLock + "vary: {params.ttl: {from: 5s, to: 9s, points: 3, step: 1s}}\n",
	"a path of a case":                       aLock + "vary: {a: {b: {params.tll: 5s}}}\n",
	"the name of an axis of cases":           aLock + "vary: {A: {b: {}}}\n",
	"the name of a case":                     aLock + "vary: {a: {\" b\": {}}}\n",
	"two axes that change the same":          aLock + "vary: {a: {b: {params.ttl: 5s}}, params.ttl: [5s, 10s]}\n",
	"an axis that there is not":              aPlot + "{title: T, file: a, x: params.tll, y: overlap}]\n",
	"a measure of a plot that there is not":  aPlot + "{title: T, file: a, x: params.ttl, y: overlpa}]\n",
	"names that are too few":                 aPlot + "{title: T, file: a, kind: bar, x: params.ttl, y: overlap, names: [a]}]\n",
	"a limit of another kind":                aPlot + "{title: T, file: a, x: params.ttl, y: overlap, limit: 5}]\n",
	"a law that is no formula":               aPlot + "{title: T, file: a, x: params.ttl, y: overlap, laws: {a: y}}]\n",
	"a law without a value":                  aPlot + "{title: T, file: a, x: params.ttl, y: overlap, laws: {a: 1/(x-x)}}]\n",
	"what the kinds of plots take":           aLock + "plots: [{title: T, file: c, kind: timeline, log: x}]\n",
	"a y that is there twice":                aPlot + "{title: T, file: a, x: params.ttl, y: [overlap, overlap]}]\n",
	"a law beyond what can be drawn":         aPlot + "{title: T, file: a, x: params.ttl, y: overlap, laws: {a: exp(700*x/10s)}}]\n",
	"a timeline of which there is nothing":   "model: adaptive\nuntil: 60s\nplots: [{title: T, file: a, kind: timeline}]\n",
	"two plots of a file":                    aLock + "plots: [{title: T, file: c, kind: timeline}, {title: T, file: c, kind: timeline}]\n",
	"the form of a step":                     "model: versions\nuntil: 60s\nparams: {clients: [{steps: [reed a]}]}\n",
	"a word of a list that the model checks": "model: compare\nuntil: 60s\nparams: {algorithms: [gcra, gcar]}\n",
	"what is YAML, and read differently":     aLock + "params: &a {ttl: 5s}\n",
	"a text with control characters":         aLock + "about: \"\\e[31m\"\n",
	"two documents, of which one is read":    aLock + "---\nmodel: lock\n",
	"a number with a leading zero":           aLock + "params: {clients: 010}\n",
}

// TestSchemaAgreesWithTheDecoder: what one takes the other takes, but for what is listed.
func TestSchemaAgreesWithTheDecoder(t *testing.T) {
	v := newValidator(t, scenarios.Catalog().Schema())
	dir := t.TempDir()
	for name, from := range map[string]string{"gc.log": "../../redlock/gc/g1-small-heap.log", "tracking.log": "../../redlock/logs/chrony-step.log"} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		fake.WriteFile(t, dir, name, string(text))
	}
	fake.WriteFile(t, dir, "rtt.csv", "delay_ms\n1\n2\n")
	for _, text := range goods {
		schema, decoder := judged(t, v, dir, text)
		assert.NoError(t, decoder, text)
		assert.Empty(t, schema, text)
	}
	for _, text := range bads {
		schema, decoder := judged(t, v, dir, text)
		assert.Error(t, decoder, text)
		assert.NotEmpty(t, schema, text)
	}
	for why, text := range weaker {
		schema, decoder := judged(t, v, dir, text)
		assert.Error(t, decoder, why)
		assert.Empty(t, schema, why+": the schema knows it after all")
	}
	// Here the schema is the stricter one, for the sake of what editors say: null stands
	// for what is left out, and so it can be left out.
	schema, decoder := judged(t, v, dir, aLock+"params: {ttl: null}\n")
	assert.NoError(t, decoder)
	assert.NotEmpty(t, schema)
}
