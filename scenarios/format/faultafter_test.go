package format_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
	"fencepost/sim/explain"
)

// A fault after one with an instant and a fixed length is a fault at an instant: the run is the same.
func TestAfterIsAnInstant(t *testing.T) {
	for after, at := range map[string]string{
		"{pause: client-1, at: 2s, for: 8s, name: a}, {crash: store, after: {fault: a, end: 2.1s}, for: {exp: 1s}}":                                                                 "{pause: client-1, at: 2s, for: 8s, name: a}, {crash: store, at: 12.1s, for: {exp: 1s}}",
		"{pause: client-1, at: 2s, for: 8s, name: a}, {crash: store, after: {fault: a, begin: 2.1s}, for: {exp: 1s}}":                                                               "{pause: client-1, at: 2s, for: 8s, name: a}, {crash: store, at: 4.1s, for: {exp: 1s}}",
		"{cut: {from: store}, for: 1s, name: a}, {lose: {kind: ack}, after: {fault: a, end: 0s}}":                                                                                   "{cut: {from: store}, for: 1s, name: a}, {lose: {kind: ack}, at: 1s}",
		"{crash: store, at: 3ms, for: 1s, name: a}, {step-clock: store, by: 1s, after: {fault: a, end: 1s}, name: b}, {hold: {from: store}, after: {fault: b, begin: 1s}, for: 1s}": "{crash: store, at: 3ms, for: 1s, name: a}, {step-clock: store, by: 1s, at: 2003ms, name: b}, {hold: {from: store}, at: 3003ms, for: 1s}",
		"{crash: store, at: 1s, for: {exp: 1s}, name: a}, {set-rate: store, to: 5%, after: {fault: a, begin: 1s}}":                                                                  "{crash: store, at: 1s, for: {exp: 1s}, name: a}, {set-rate: store, to: 5%, at: 2s}",
	} {
		s := fake.Good(t, fake.Minimal+"faults: ["+after+"]\n")
		other := fake.Good(t, fake.Minimal+"faults: ["+at+"]\n")
		require.Equal(t, other.Config.Faults, s.Config.Faults, after)
	}
}

// A fault after one whose start or end the run decides waits for it, and can be written.
func TestAfterIsDecidedByTheRun(t *testing.T) {
	for text, phrase := range map[string]string{
		"{pause: client-1, before: write, nth: 1, for: 8s, name: a}, {crash: store, after: {fault: a, end: 2.1s}, for: 1s}":                   `store crashes 2.1s after fault "a" ends, and restarts after 1s`,
		"{pause: client-1, at: 1s, for: {exp: 8s}, name: \"a b\"}, {cut: {between: [[store], [client-1]]}, after: {fault: \"a b\", end: 0s}}": `the network is cut, from when fault "a b" ends on: store | client-1`,
		"{pause: client-1, every: {exp: 8s}, for: 1s, name: a}, {lose: {kind: ack}, after: {fault: a, begin: 1s}}":                            `each ack from 1s after fault "a" begins on is lost`,
	} {
		s := fake.Good(t, fake.Minimal+"faults: ["+text+"]\n")
		f := s.Config.Faults
		require.Len(t, f, 2)
		assert.NotEmpty(t, f[1].When.After)
		assert.Equal(t, phrase, explain.Phrase(&s.Program, &f[1]))
		written, err := format.WriteFaults(&s.Program, f)
		require.NoError(t, err)
		again := fake.Good(t, fake.Minimal+"faults: "+written+"\n")
		for i := range f {
			require.Equal(t, format.Normal(&f[i]).When, format.Normal(&again.Config.Faults[i]).When, written)
		}
		w, err := s.Program.NewWorld(s.Config)
		require.NoError(t, err)
		w.Run(1)
	}
	s := fake.Good(t, fake.Minimal+"faults: [{pause: client-1, on: checked, for: 8s, name: a}, {pause: client-2, after: {fault: a, end: 1s}, for: 1s}]\n")
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r := w.Run(1)
	require.Equal(t, 1, r.Faults[1].Count)
	assert.Equal(t, r.Faults[0].First.Add(9*time.Second), r.Faults[1].First)
	assert.Equal(t, sim.Time(time.Second), s.Config.Faults[1].When.At)
}

func TestAfterRefuses(t *testing.T) {
	assert.NotContains(t, format.KeyNames(format.Verbs[sim.FollowLog].Keys), "after", "a log begins once, at an instant")
	const gc = "{pause: client-1, at: 1s, for: 1s, name: gc}"
	for text, want := range map[string]string{
		gc + ", {crash: store, after: {fault: gcc, end: 1s}}":                                      `no earlier fault is named "gcc"; did you mean "gc"?`,
		gc + ", {crash: store, after: {fault: x, end: 1s}}":                                        `no earlier fault is named "x"; want gc`,
		"{crash: store, after: {fault: x, end: 1s}}":                                               `no earlier fault has a name: give the one that is meant name: x`,
		"{crash: store, after: {fault: x, end: 1s}, name: x}":                                      `a fault cannot come after itself: want the name of an earlier fault`,
		"{crash: store, after: {fault: gc, end: 1s}}, " + gc:                                       `fault "gc" stands below: move it above this fault`,
		gc + ", {crash: store, after: gc}":                                                         `"gc" is not a mapping: want keys such as fault, begin, end`,
		gc + ", {crash: store, after: {fault: gc}}":                                                `after needs either begin or end, as in {fault: NAME, end: 2.1s}`,
		gc + ", {crash: store, after: {fault: gc, begin: 1s, end: 1s}}":                            `after needs either begin or end, as in {fault: NAME, end: 2.1s}`,
		gc + ", {crash: store, after: {end: 1s}}":                                                  `key "fault" is missing`,
		gc + ", {crash: store, after: {fault: gc, edn: 1s}}":                                       `unknown key "edn"; did you mean "end"?`,
		gc + ", {crash: store, after: {fault: gc, end: -1s}}":                                      `"-1s" has a sign: want a duration of 0 or more`,
		gc + ", {crash: store, after: {fault: gc, end: 1}}":                                        `"1" is not a duration: want a unit, as in 1ms or 1s`,
		gc + ", {crash: store, after: {fault: gc, end: 58s}}":                                      `the fault begins at 1m0s, after the run, which ends at 1m0s`,
		gc + ", {crash: store, after: {fault: gc, end: 1s}, at: 1s}":                               `a fault has one trigger, and this one has "after" already`,
		gc + ", {crash: store, after: {fault: gc, end: 1s}, nth: 2}":                               `"nth" counts notes: want "on" as well`,
		"{crash: store, at: 1s, name: a}, {crash: store, after: {fault: a, end: 1s}}":              `crash "a" has no end: want begin`,
		"{step-clock: store, by: 1s, at: 1s, name: a}, {crash: store, after: {fault: a, end: 1s}}": `step-clock "a" has no end: want begin`,
		"{lose: {kind: ack}, name: a}, {crash: store, after: {fault: a, end: 1s}}":                 `lose "a" has no end: want begin`,
		"{crash: store, before: write, name: a}, {crash: store, after: {fault: a, end: 1s}}":       `crash "a" has no end: want begin`,
	} {
		lines := fake.Lines(fake.Minimal + "faults:\n  [" + text + "]\n")
		require.NotEmpty(t, lines, text)
		assert.Contains(t, lines[0], want, text)
		assert.Regexp(t, `^4:\d+: `, lines[0], text)
	}
}
