package format_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

const ms = time.Millisecond

func TestWholeFile(t *testing.T) {
	s := fake.Good(t, `
about: why
source: where
model: fake
seed: 18446744073709551615
until: 1m
runs: 3
params: {clients: 3, ttl: 5s, mode: wild, again: true, work: {exp: 2s}, retry: 3s, start: 1s}
network:
  delay: {uniform: [1ms, 9ms]}
  loss: 1%
  duplicate: 0.001
  order: free
  links:
    - {from: client-1, to: ["redis-*", store], delay: {csv: rtt.csv}}
    - {to: client-*, loss: 0%}
clocks:
  client-1: {drift: -100ppm, offset: -3s}
  "client-*": {drift: 7ppm}
costs: {"*": 1ms, store: {lognormal: {median: 1ms, p99: 20ms}}}
resume: messages-first
faults: [{pause: client-1, on: checked, for: 15s}]
expect: {on-time: violated, writes: 3}
`)
	require.Equal(t, "why", s.About)
	require.Equal(t, "where", s.Source)
	require.Equal(t, "fake/x", s.Name)
	require.Equal(t, "fake", s.Model)
	require.Equal(t, uint64(1<<64-1), s.Seed)
	require.Equal(t, 3, s.Runs)
	require.Equal(t, time.Minute, s.Until)
	require.Equal(t, []string{"client-1", "client-2", "client-3", "redis-1", "redis-2", "store"}, s.Program.Nodes)
	c := s.Config
	require.Equal(t, sim.Time(time.Minute), c.Until)
	def := sim.Link{Delay: sim.Uniform(ms, 9*ms), Loss: 10_000_000, Duplicate: 1_000_000}
	rtt, err := sim.Empirical([]time.Duration{1500 * time.Microsecond, 2250 * time.Microsecond, 123456})
	require.NoError(t, err)
	require.Equal(t, sim.Network{Default: def, Order: sim.Free, Rules: []sim.LinkRule{
		{From: []sim.NodeID{1}, To: []sim.NodeID{4, 5, 6}, Link: sim.Link{Delay: rtt, Loss: def.Loss, Duplicate: def.Duplicate}},
		{To: []sim.NodeID{1, 2, 3}, Link: sim.Link{Delay: def.Delay, Duplicate: def.Duplicate}},
	}}, c.Network)
	require.Equal(t, []sim.Clock{{Rate: -100_000, Offset: -3 * time.Second}, {Rate: 7000}, {Rate: 7000}, {}, {}, {}}, c.Clocks)
	slow, err := sim.LogNormal(ms, 20*ms)
	require.NoError(t, err)
	one := sim.Constant(ms)
	require.Equal(t, []sim.Dist{one, one, one, one, one, slow}, c.Costs)
	require.Equal(t, sim.MessagesFirst, c.Resume)
	require.Equal(t, []result.Input{{Path: "fake/rtt.csv", Summary: "rtt.csv: 3 durations, p50 1.5ms, p99 2.25ms, max 2.25ms"}}, s.Inputs)
	_, err = s.Program.NewWorld(c)
	require.NoError(t, err)
}

func TestDefaults(t *testing.T) {
	s := fake.Good(t, fake.Minimal)
	require.Equal(t, sim.Config{Until: sim.Time(time.Minute)}, s.Config)
	require.Equal(t, uint64(1), s.Seed)
	require.Equal(t, 1, s.Runs)
	require.Nil(t, s.Expect)
	require.Nil(t, s.Control)
	require.Nil(t, s.Variants)
	require.Nil(t, s.Inputs)
}

// TestRun runs what was loaded: the pause is injected between the note and the write.
func TestRun(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"network: {delay: 5ms}\nfaults: [{pause: client-1, on: checked, for: 15s}]\n")
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r := w.Run(s.Seed)
	require.Equal(t, 1, r.Faults[0].Count)
	require.Equal(t, sim.Violated, r.Properties[0].Verdict)
	require.Equal(t, sim.Time(16*time.Second+5*ms), r.Properties[0].First)
}

// TestCutFromTheStart: a cut at 0 is there before anything is sent.
func TestCutFromTheStart(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"params: {work: 0s}\nfaults: [{cut: {from: client-*}}, {lose: {kind: ack}}]\n")
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	require.Equal(t, 2, w.Run(1).Faults[0].Count)
}

func TestSets(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"faults: [{pause: client-1, at: 1s, for: 1s}]\n",
		result.Setting{Path: "faults.0.for", Value: "8061ms"}, result.Setting{Path: "params.clients", Value: "3"},
		result.Setting{Path: "faults.1", Value: "{crash: client-3, at: 5s}"}, result.Setting{Path: "network.delay", Value: "{exp: 3ms}"},
		result.Setting{Path: "expect.on-time", Value: "holds"}, result.Setting{Path: "seed", Value: "7"})
	require.Equal(t, sim.Constant(8061*ms), s.Config.Faults[0].For)
	require.Equal(t, sim.NodeID(3), s.Config.Faults[1].Node)
	require.Equal(t, sim.Exponential(3*ms), s.Config.Network.Default.Delay)
	require.Equal(t, []format.Expectation{{Property: "on-time", Verdict: sim.Holds}}, s.Expect)
	require.Equal(t, uint64(7), s.Seed)
}

// TestSetNamesAFileHere: what --set names is looked up in the working directory,
// also for an embedded scenario.
func TestSetNamesAFileHere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	fake.WriteFile(t, dir, "mine.log", fake.GCLog)
	text := fake.Minimal + "faults: [{pause: client-1, at: 1s, for: {gclog: gc.log}}]\n"
	s := fake.Good(t, text, result.Setting{Path: "faults.0.for.gclog", Value: "mine.log"})
	require.Equal(t, "mine.log", s.Inputs[0].Path)
	s = fake.Good(t, text, result.Setting{Path: "faults.0.for", Value: "{gclog: " + filepath.ToSlash(filepath.Join(dir, "mine.log")) + "}"})
	require.Len(t, s.Inputs, 1)
	s = fake.Good(t, fake.Minimal+"faults: [{pause: client-1, at: 1s, for: 3s}]\n", result.Setting{Path: "faults.0.for.gclog", Value: "mine.log"})
	require.Equal(t, "mine.log", s.Inputs[0].Path, "a text on the way becomes a mapping")
	require.Equal(t, []string{`--set faults.0.for.gclog=gc.log: there is no file gc.log`},
		fake.Lines(text, result.Setting{Path: "faults.0.for.gclog", Value: "gc.log"}))
}

// TestFilesBesideTheScenario: what a file names is looked up beside it, and on the
// disk anywhere.
func TestFilesBesideTheScenario(t *testing.T) {
	dir := t.TempDir()
	log := fake.WriteFile(t, dir, "logs/gc.log", fake.GCLog)
	for _, name := range []string{"../logs/gc.log", filepath.ToSlash(log)} {
		path := fake.WriteFile(t, dir, "mine/a.yaml", fake.Minimal+"faults: [{pause: client-1, at: 1s, for: {gclog: "+name+"}}]\n")
		s, err := fake.LoadPath(path, format.Options{})
		require.NoError(t, err)
		require.Equal(t, filepath.ToSlash(log), s.Inputs[0].Path)
	}
	for name, want := range map[string]string{
		"../fake/gc.log": `../fake/gc.log is not beside this scenario: want a path below its folder, or give the file with --set`,
		"/etc/passwd":    `/etc/passwd is not beside this scenario: want a path below its folder, or give the file with --set`,
		"sub/gc.log":     `there is no file fake/sub/gc.log`,
		".":              `fake is a directory: want a file`,
		"''":             `the path is empty: want that of a file`,
	} {
		got := fake.Lines(fake.Minimal + "faults: [{pause: client-1, at: 1s, for: {gclog: " + name + "}}]\n")
		require.Equal(t, []string{"3:49: " + want + " (at faults.0.for.gclog)"}, got)
	}
}

func TestNoFaults(t *testing.T) {
	text := fake.Minimal + "faults: [{pause: client-1, on: checked, for: 15s}]\nexpect: {on-time: violated, writes: 2}\ncontrol: {params.ttl: 20s}\nvary: {params.clients: [1, 2]}\n"
	s, err := fake.LoadText(text, format.Options{NoFaults: true})
	require.NoError(t, err)
	for _, s := range []*format.Scenario{s, s.Variants[0].Scenario, s.Variants[1].Scenario} {
		require.Nil(t, s.Config.Faults)
		require.Equal(t, sim.Violated, s.Expect[0].Verdict, "as the file says, for the verdict to say what no longer occurs")
	}
	_, err = fake.LoadText(text+"costs: {client-1: 5}\n", format.Options{NoFaults: true})
	require.Error(t, err)
	_, err = fake.LoadText(fake.Minimal+"faults: [{pause: clinet-1, at: 1s, for: 1s}]\n", format.Options{NoFaults: true})
	require.Error(t, err, "what is dropped is checked")
}

func TestControl(t *testing.T) {
	text := fake.Minimal + "faults: [{pause: client-1, on: checked, for: 15s}]\nexpect: {on-time: violated}\ncontrol: {params.ttl: 20s, network.delay: {exp: 1ms}}\nvary: {params.clients: [1, 2]}\n"
	s, err := fake.LoadText(text, format.Options{Control: true})
	require.NoError(t, err)
	require.Equal(t, []result.Setting{{Path: "params.ttl", Value: "20s"}, {Path: "network.delay", Value: "{exp: 1ms}"}}, s.Control)
	require.Equal(t, sim.Exponential(ms), s.Config.Network.Default.Delay)
	require.Len(t, s.Config.Faults, 1)
	require.Equal(t, []format.Expectation{{Property: "on-time", Verdict: sim.Violated}}, s.Expect)
	v := s.Variants[1]
	require.Equal(t, sim.Exponential(ms), v.Scenario.Config.Network.Default.Delay)
	require.Equal(t, s.Control, v.Scenario.Control)
	require.Equal(t, result.Setting{Path: "params.clients", Value: "2"}, v.Settings[0])

	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	require.Equal(t, sim.Holds, w.Run(1).Properties[0].Verdict)

	_, err = fake.LoadText(fake.Minimal, format.Options{Control: true})
	require.Equal(t, []string{"1:1: the scenario has no control block: its control is the run without faults (at control)"}, fake.LinesOf(err))
}
