package format_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

// TestFaults has a fault in each text, and what it comes to.
func TestFaults(t *testing.T) {
	const s = time.Second
	exp := sim.Exponential(30 * s)
	dur := sim.Constant
	stops, err := sim.Empirical([]time.Duration{100 * ms, 200 * ms, 300 * ms})
	require.NoError(t, err)
	checked, applied := fake.Checked, fake.Applied
	for text, want := range map[string]sim.Fault{
		"pause: client-1, at: 100ms, for: 15s": {
			Name: "pause client-1 at 100ms", When: sim.When{At: sim.Time(100 * ms)}, Node: 1, For: dur(15 * s)},
		"pause: client-1, on: checked, for: {exp: 30s}": {
			Name: "pause client-1 on checked", When: sim.When{Note: checked}, Node: 1, For: exp},
		"pause: client-1, on: applied, by: store, nth: 2, for: 1s": {
			Name: "pause client-1 on applied nth 2 by store", When: sim.When{Note: applied, By: 5, Nth: 2}, Node: 1, For: dur(s)},
		"pause: client-1, on: {note: applied, by: store, nth: 2}, for: 1s": {
			Name: "pause client-1 on applied nth 2 by store", When: sim.When{Note: applied, By: 5, Nth: 2}, Node: 1, For: dur(s)},
		"pause: client-1, on: checked, by: client-1, for: 1s": {
			Name: "pause client-1 on checked", When: sim.When{Note: checked}, Node: 1, For: dur(s)},
		"pause: client-2, every: {exp: 30s}, for: {gclog: gc.log}": {
			Name: "pause client-2 every {exp: 30s}", When: sim.When{Every: exp}, Node: 2, For: stops},
		"pause: client-2, for: {gclog: gc.log}": {
			Name: "pause client-2 as its log says", Node: 2, When: sim.When{Span: 2500 * ms, Replay: []sim.Stop{
				{At: 400 * ms, For: 100 * ms}, {At: 1300 * ms, For: 200 * ms}, {At: 2200 * ms, For: 300 * ms}}}},
		"pause: client-2, at: 3s, for: {gclog: {file: gc.log, series: gc}}": {
			Name: "pause client-2 at 3s", When: sim.When{At: sim.Time(3 * s)}, Node: 2, For: stops},
		"suspend: redis-1, at: 0s, for: 1s": {
			Name: "suspend redis-1 at 0s", Do: sim.Suspend, Node: 3, For: dur(s)},
		"crash: redis-1, at: 1s": {
			Name: "crash redis-1 at 1s", Do: sim.Crash, When: sim.When{At: sim.Time(s)}, Node: 3, Forever: true},
		"crash: redis-1, every: {exp: 30s}, for: 0s, name: flaky": {
			Name: "flaky", Do: sim.Crash, When: sim.When{Every: exp}, Node: 3},
		"step-clock: redis-1, by: -3s, at: 1s": {
			Name: "step-clock redis-1 by -3s at 1s", Do: sim.StepClock, When: sim.When{At: sim.Time(s)}, Node: 3, By: -3 * s},
		"step-clock: redis-1, by: 10s, on: {note: checked, by: client-1}": {
			Name: "step-clock redis-1 by 10s on checked by client-1", Do: sim.StepClock, When: sim.When{Note: checked, By: 1}, Node: 3, By: 10 * s},
		"step-clock: client-1, by: 10s, before: write, nth: 2": {
			Name: "step-clock client-1 by 10s before write nth 2", Do: sim.StepClock, When: sim.When{Before: fake.Write, Nth: 2}, Node: 1, By: 10 * s},
		"step-clock: redis-1, by: 10s, before: {effect: write, by: client-1, nth: 2}": {
			Name: "step-clock redis-1 by 10s before write nth 2 by client-1", Do: sim.StepClock, When: sim.When{Before: fake.Write, By: 1, Nth: 2}, Node: 3, By: 10 * s},
		"suspend: client-1, before: {effect: write}, for: 1s": {
			Name: "suspend client-1 before write", Do: sim.Suspend, When: sim.When{Before: fake.Write}, Node: 1, For: dur(s)},
		"set-rate: client-1, to: 5ppm, before: write, by: client-2": {
			Name: "set-rate client-1 to +5ppm before write by client-2", Do: sim.SetRate, When: sim.When{Before: fake.Write, By: 2}, Node: 1, Rate: 5000, Forever: true},
		"set-rate: client-1, to: -500ppm, at: 1s": {
			Name: "set-rate client-1 to -500ppm at 1s", Do: sim.SetRate, When: sim.When{At: sim.Time(s)}, Node: 1, Rate: -500_000, Forever: true},
		"set-rate: client-1, to: 8.3%, on: checked, for: 1s": {
			Name: "set-rate client-1 to +83000ppm on checked", Do: sim.SetRate, When: sim.When{Note: checked}, Node: 1, Rate: 83_000_000, For: dur(s)},
		"cut: {between: [client-1, [redis-1, redis-2], store]}": {
			Name: "cut client-1 | redis-1, redis-2 | store", Do: sim.Cut, Forever: true, Sides: [][]sim.NodeID{{1}, {3, 4}, {5}}},
		"cut: {from: client-1, to: redis-*, one-way: true}, at: 1s, for: 5s": {
			Name: "cut client-1 -> redis-1, redis-2 at 1s", Do: sim.Cut, When: sim.When{At: sim.Time(s)}, For: dur(5 * s),
			Sides: [][]sim.NodeID{{1}, {3, 4}}, OneWay: true},
		"hold: {from: store}, every: {exp: 30s}, for: 5s": {
			Name: "hold store | client-1, client-2, redis-1, redis-2 every {exp: 30s}", Do: sim.Hold, When: sim.When{Every: exp}, For: dur(5 * s),
			Sides: [][]sim.NodeID{{5}, {1, 2, 3, 4}}},
		"hold: {to: store}, on: checked, by: client-1, for: 5s": {
			Name: "hold client-1, client-2, redis-1, redis-2 | store on checked by client-1", Do: sim.Hold,
			When: sim.When{Note: checked, By: 1}, For: dur(5 * s), Sides: [][]sim.NodeID{{1, 2, 3, 4}, {5}}},
		"delay: {kind: write, from: client-1, to: store, nth: 1}, for: 7s": {
			Name: "delay write nth 1 from client-1 to store", Do: sim.Delay, For: dur(7 * s), Msg: sim.MsgChoice{Kind: fake.Write, From: 1, To: 5, Nth: 1}},
		"lose: {kind: ack}, at: 2s": {
			Name: "lose ack at 2s", Do: sim.Lose, When: sim.When{At: sim.Time(2 * s)}, Msg: sim.MsgChoice{Kind: fake.Ack}},
		"duplicate: {kind: ack}": {
			Name: "duplicate ack", Do: sim.Duplicate, For: dur(5 * ms), Msg: sim.MsgChoice{Kind: fake.Ack}},
		"duplicate: {kind: ack}, for: {uniform: [0s, 9s]}": {
			Name: "duplicate ack", Do: sim.Duplicate, For: sim.Uniform(0, 9*s), Msg: sim.MsgChoice{Kind: fake.Ack}},
	} {
		loaded := fake.Good(t, fake.Minimal+"network: {delay: 5ms}\nfaults:\n  - {"+text+"}\n")
		if want.When.Replay == nil {
			require.Equal(t, []sim.Fault{want}, loaded.Config.Faults, text)
		} else {
			require.Equal(t, want.When, loaded.Config.Faults[0].When)
			require.Equal(t, want.Name, loaded.Config.Faults[0].Name)
		}
		w, err := loaded.Program.NewWorld(loaded.Config)
		require.NoError(t, err, text)
		w.Run(1)
	}
}

func TestFaultNames(t *testing.T) {
	s := fake.Good(t, fake.Minimal+`faults:
  - {crash: client-1, at: 1s}
  - {crash: client-1, at: 1s, for: 1s}
  - {crash: client-1, at: 1s, name: "crash client-1 at 1s #2"}
  - {crash: client-1, at: 1000ms}
`)
	var names []string
	for _, f := range s.Config.Faults {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"crash client-1 at 1s", "crash client-1 at 1s #3", "crash client-1 at 1s #2", "crash client-1 at 1s #4"}, names)
}

// TestFaultProblems has one mistake in each fault, which stands behind "- {" in
// line 4.
func TestFaultProblems(t *testing.T) {
	for text, want := range map[string]string{
		"puase: client-1, at: 1s, for: 1s":                          `4:6: unknown key "puase"; did you mean "pause"? (at faults.0)`,
		"at: 1s, for: 1s":                                           `4:5: a fault needs a verb, as in pause: client-1; want one of ` + allVerbs() + ` (at faults.0)`,
		"pause: client-1, crash: client-1, at: 1s":                  `4:23: a fault has one verb, and this one has "pause" already (at faults.0)`,
		"pause: client-1, at: 1s, form: 1s, for: 1s":                `4:31: unknown key "form"; did you mean "for"? (at faults.0)`,
		"pause: client-1, at: 1s, fro: 1s":                          `4:31: unknown key "fro"; did you mean "for"? (at faults.0)`,
		"pause: clinet-1, at: 1s, for: 1s":                          `4:13: there is no node "clinet-1"; did you mean "client-1"? (at faults.0.pause)`,
		"pause: client-*, at: 1s, for: 1s":                          `4:13: "client-*" is a pattern, and here stands one node: want an entry for each of client-1, client-2 (at faults.0.pause)`,
		"pause: [client-1], at: 1s, for: 1s":                        `4:13: a list is not a text: want a word or a quoted text (at faults.0.pause)`,
		"pause: client-1, at: 1s, name: '', for: 1s":                `4:37: the name is empty: want one, or leave it out (at faults.0.name)`,
		`pause: client-1, at: 1s, name: "a\nb", for: 1s`:            `4:37: the name has several lines: want one (at faults.0.name)`,
		"pause: client-1, at: 1s":                                   `4:5: pause needs "for", as in for: 15s (at faults.0)`,
		"pause: client-1, for: 1s":                                  `4:5: pause needs a trigger: at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE, before: MESSAGE, every: {exp: 30s}, or the schedule of a log by for: {gclog: FILE} (at faults.0)`,
		"crash: client-1, for: {gclog: gc.log}":                     `4:5: crash needs a trigger: at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE, before: MESSAGE or every: {exp: 30s} (at faults.0)`,
		"step-clock: client-1, by: 1s":                              `4:5: step-clock needs a trigger: at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE or before: MESSAGE (at faults.0)`,
		"pause: client-1, at: 1s, on: checked, for: 1s":             `4:31: a fault has one trigger, and this one has "at" already (at faults.0)`,
		"pause: client-1, at: 1s, for: 0s":                          `4:36: a length of 0 has no effect: want one above 0 (at faults.0.for)`,
		"pause: client-1, at: 1s, for: {csv: zeros.csv}":            `4:36: a length of 0 has no effect: want one above 0 (at faults.0.for)`,
		"pause: client-1, at: 60s, for: 1s":                         `4:27: the fault begins at 1m0s, after the run, which ends at 1m0s (at faults.0.at)`,
		"pause: client-1, every: 70s, for: 1s":                      `4:30: the fault begins at 1m10s, after the run, which ends at 1m0s (at faults.0.every)`,
		"pause: client-1, every: 0s, for: 1s":                       `4:30: every 0 would never end: want a length of time, such as 30s or {exp: 30s} (at faults.0.every)`,
		"pause: client-1, at: 1, for: 1s":                           `4:27: "1" is not a duration: want a unit, as in 1ms or 1s (at faults.0.at)`,
		"pause: client-1, at: 1s, for: 1":                           `4:36: "1" is not a duration: want a unit, as in 1ms or 1s (at faults.0.for)`,
		"pause: client-1, at: 1s, for: [1s]":                        `4:36: a list is not a duration: want 5ms, {exp: 5ms}, {uniform: [1ms, 9ms]}, {lognormal: {median: 1ms, p99: 20ms}}, {pareto: {least: 1ms, alpha: 1.5}}, {mix: [...]} or {csv: FILE} (at faults.0.for)`,
		"pause: client-1, at: 1s, for: {gc: x}":                     `4:37: unknown key "gc"; want one of exp, uniform, lognormal, pareto, mix, csv, gclog (at faults.0.for)`,
		"pause: client-1, on: chekced, for: 1s":                     `4:27: no node ever notes "chekced"; did you mean "checked"? (at faults.0.on)`,
		"pause: client-1, on: write, for: 1s":                       `4:27: no node ever notes "write"; want one of checked, applied (at faults.0.on)`,
		"pause: client-1, on: checked, nth: 0, for: 1s":             `4:41: nth is 0: want 1 to 1000000000 (at faults.0.nth)`,
		"pause: client-1, on: checked, by: x, for: 1s":              `4:40: there is no node "x"; want one of client-1, client-2, redis-1, redis-2, store (at faults.0.by)`,
		"pause: client-1, on: {nte: checked}, for: 1s":              `4:28: unknown key "nte"; did you mean "note"? (at faults.0.on)`,
		"pause: client-1, on: {note: checked}, nth: 1, for: 1s":     `4:44: "nth" stands inside of "on" here (at faults.0)`,
		"pause: client-1, on: {note: checked}, by: store, for: 1s":  `4:44: "by" stands inside of "on" here (at faults.0)`,
		"pause: client-1, before: {efect: write}, for: 1s":          `4:32: unknown key "efect"; did you mean "effect"? (at faults.0.before)`,
		"pause: client-1, before: {effect: write}, nth: 1, for: 1s": `4:48: "nth" stands inside of "before" here (at faults.0)`,
		"crash: client-1, before: {effect: write}, by: store":       `4:48: "by" stands inside of "before" here (at faults.0)`,
		"step-clock: client-1, by: 1s, before: wirte":               `4:44: there is no kind of message "wirte"; did you mean "write"? (at faults.0.before)`,
		"pause: client-1, at: 1s, nth: 2, for: 1s":                  `4:31: "nth" counts notes: want "on" as well (at faults.0)`,
		"pause: client-1, at: 1s, by: client-2, for: 1s":            `4:31: "by" says who notes: want "on" as well (at faults.0)`,
		"pause: client-1, at: 1s, to: 5ppm, for: 1s":                `4:31: "to" does not belong to pause: that takes name, at, after, on, before, by, nth, every, for (at faults.0)`,
		"lose: {kind: write}, for: 1s":                              `4:27: "for" does not belong to lose: that takes name, at, after (at faults.0)`,
		"step-clock: redis-1, by: 1s, at: 1s, for: 1s":              `4:43: "for" does not belong to step-clock: that takes name, by, at, after, on, before, nth (at faults.0)`,
		"step-clock: redis-1, at: 1s":                               `4:5: step-clock needs "by", as in by: 10s or by: -3s (at faults.0)`,
		"step-clock: redis-1, by: 0s, at: 1s":                       `4:31: a step of 0 moves nothing (at faults.0.by)`,
		"step-clock: redis-1, by: 10, at: 1s":                       `4:31: "10" is not a duration: want a unit, as in 10ms or 10s (at faults.0.by)`,
		"set-rate: redis-1, at: 1s":                                 `4:5: set-rate needs "to", as in to: -500ppm (at faults.0)`,
		"set-rate: redis-1, to: 60%, at: 1s":                        `4:29: a clock error of +600000ppm is out of range: want -500000ppm to +500000ppm (at faults.0.to)`,
		"set-rate: redis-1, to: 3s, at: 1s":                         `4:29: "3s" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock (at faults.0.to)`,
		"crash: redis-1, every: 3s":                                 `4:29: what lasts forever is not injected again: want "for" as well (at faults.0.every)`,
		"cut: client-1":                                             `4:11: "client-1" is not a mapping: want keys such as between, from, to (at faults.0.cut)`,
		"cut: {}":                                                   `4:11: cut needs the sides, as in {between: [[a], [b, c]]} or {from: a, to: [b, c]} (at faults.0.cut)`,
		"cut: {between: [store]}":                                   `4:21: 1 groups: want 2 to 200 (at faults.0.cut.between)`,
		"cut: {between: [store, client-1], from: store}":            `4:21: between stands alone: want it, or from and to (at faults.0.cut.between)`,
		"cut: {between: [store, [client-1, store]]}":                `4:29: store is on two sides (at faults.0.cut.between.1)`,
		"cut: {from: store, to: '*'}":                               `4:29: store is on two sides (at faults.0.cut.to)`,
		"cut: {from: '*'}":                                          `4:11: no node is left for the other side (at faults.0.cut)`,
		"cut: {from: store, to: clinet-1}":                          `4:29: there is no node "clinet-1"; did you mean "client-1"? (at faults.0.cut.to)`,
		"cut: {from: store}, on: checked":                           `4:30: cut is done to no node of its own: want "by" as well, for who notes it (at faults.0.on)`,
		"hold: {from: store}, at: 70s, for: 1s":                     `4:31: the fault begins at 1m10s, after the run, which ends at 1m0s (at faults.0.at)`,
		"delay: {kind: wirte}, for: 1s":                             `4:20: there is no kind of message "wirte"; did you mean "write"? (at faults.0.delay.kind)`,
		"delay: {kind: start}, for: 1s":                             `4:20: there is no kind of message "start"; want one of write, ack, worked (at faults.0.delay.kind)`,
		"delay: {kind: write}":                                      `4:5: delay needs "for", as in for: 15s (at faults.0)`,
		"delay: {from: store}, for: 1s":                             `4:13: key "kind" is missing (at faults.0.delay)`,
		"lose: {kind: write, nth: -1}":                              `4:31: nth is -1: want 1 to 1000000000 (at faults.0.lose.nth)`,
		"lose: {kind: write, to: stroe}":                            `4:30: there is no node "stroe"; did you mean "store"? (at faults.0.lose.to)`,
		"lose: {kind: write}, on: checked":                          `4:27: "on" does not belong to lose: that takes name, at, after (at faults.0)`,
	} {
		assert.Equal(t, []string{want}, fake.Lines(fake.Minimal+"faults:\n  - {"+text+"}\n"), text)
	}
	require.Equal(t, []string{`4:34: another fault is named "a" (at faults.1.name)`},
		fake.Lines(fake.Minimal+"faults: [{crash: client-1, at: 1s, name: a},\n {crash: client-1, at: 1s, name: a}]\n"))
}

// A pause before an effect is the boundary that no note marks.
func TestBefore(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: "faults.0", Value: "{pause: client-1, before: write, nth: 1, for: 15s}"}}})
	require.NoError(t, err)
	f := s.Config.Faults[0]
	assert.Equal(t, s.Program.Kind("write"), f.When.Before)
	assert.Equal(t, 1, f.When.Nth)
	assert.Equal(t, "pause client-1 before write nth 1", f.Name)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	assert.Equal(t, 1, w.Run(1).Faults[0].Count)
	_, err = scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: "faults.0", Value: "{pause: client-1, before: wirte, for: 15s}"}}})
	assert.ErrorContains(t, err, `did you mean "write"`)
}

// A misspelt verb hides no other mistake of its fault.
func TestMisspeltVerb(t *testing.T) {
	_, err := scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: "faults.0", Value: "{puase: clinet-1, on: cheked, for: 15 sec}"}}})
	for _, want := range []string{`did you mean "pause"`, `did you mean "client-1"`, `did you mean "checked"`, `"15 sec" is not a duration`} {
		assert.ErrorContains(t, err, want)
	}
}

// allVerbs are the words of all kinds of fault, as an error offers them.
func allVerbs() string {
	var words []string
	for _, do := range sim.Actions() {
		words = append(words, do.String())
	}
	return strings.Join(words, ", ")
}
