package format_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/clocklog"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/scenarios/record"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// clockCSV is a clock that is 10 ms ahead, is slewed for 10 s, jumps, and is stepped back.
const clockCSV = "seconds,offset_ms\n0,10\n10,0\n20,2000\n30,0\n"

// withClockLogs is the shelf with some logs of clocks.
func withClockLogs(text string) fstest.MapFS {
	fsys := fake.Shelf(text)
	for name, data := range map[string]string{
		"clock.csv":    clockCSV,
		"tracking.log": "2021-12-19 05:00:00 PPS 1 4 1 1e-6 N\n2021-12-19 05:00:16 PPS 1 4 1 -1e-6 N\n",
		"back.csv":     "seconds,offset_ms\n10,0\n9,0\n",
		"nan.csv":      "seconds,offset_ms\n0,0\n1,nan\n2,inf\n",
		"instant.csv":  "seconds,offset_ms\n1,0\n1,5\n",
		"other.log":    "nothing that is a clock\n",
	} {
		fsys["fake/"+name] = &fstest.MapFile{Data: []byte(data)}
	}
	fsys["redlock/logs/chrony-step.log"] = &fstest.MapFile{Data: []byte("a log that ships, beside another scenario\n")}
	return fsys
}

func loadClock(fault string, sets ...result.Setting) (*format.Scenario, error) {
	return fake.LoadFrom(withClockLogs(fake.Minimal+"faults:\n  - {"+fault+"}\n"), format.Options{Sets: sets}, fake.Models)
}

func TestFollowLog(t *testing.T) {
	const us, s = time.Microsecond, time.Second
	change := func(at time.Duration, rate sim.PPB, step time.Duration) sim.ClockChange {
		return sim.ClockChange{At: at, Rate: rate, Step: step}
	}
	whole := []sim.ClockChange{change(0, -1_000_000, 10*ms), change(10*s, 0, 2*s), change(20*s, 0, -2*s), change(30*s, 0, 0)}
	tracked := []sim.ClockChange{change(0, -125, us), change(16*s, 0, 0)}
	for text, want := range map[string]sim.Fault{
		"follow-log: redis-1, log: clock.csv":                               {Changes: whole},
		"follow-log: redis-1, log: {file: clock.csv}":                       {Changes: whole},
		"follow-log: redis-1, log: {file: clock.csv, format: csv}, at: 2s":  {Changes: whole, Name: "follow-log redis-1 at 2s", When: sim.When{At: sim.Time(2 * s)}},
		"follow-log: redis-1, log: {file: clock.csv, step: 2s}, name: mine": {Changes: whole, Name: "mine"},
		"follow-log: redis-1, log: {file: clock.csv, from: 5s}": {Changes: []sim.ClockChange{
			change(0, -1_000_000, 5*ms), change(5*s, 0, 2*s), change(15*s, 0, -2*s), change(25*s, 0, 0)}},
		"follow-log: redis-1, log: {file: clock.csv, step: 5s}": {Changes: []sim.ClockChange{ // slewed as fast as it says it was
			change(0, -1_000_000, 10*ms), change(10*s, 0, 2*s), change(20*s, 0, -2*s), change(30*s, 0, 0)}},
		"follow-log: redis-1, log: tracking.log":                                         {Changes: tracked},
		`follow-log: redis-1, log: {file: tracking.log, from: "2021-12-19 05:00:08"}`:    {Changes: []sim.ClockChange{change(0, -125, 0), change(8*s, 0, 0)}},
		"follow-log: redis-1, log: {file: tracking.log, step: 1us, from: 15999999999ns}": {Changes: []sim.ClockChange{change(0, -62, -992), change(2001, 0, us)}},
	} {
		loaded, err := loadClock(text)
		require.NoError(t, err, text)
		want.Do, want.Node = sim.FollowLog, 3
		if want.Name == "" {
			want.Name = "follow-log redis-1"
		}
		require.Equal(t, []sim.Fault{want}, loaded.Config.Faults, text)
		w, err := loaded.Program.NewWorld(loaded.Config)
		require.NoError(t, err)
		assert.Positive(t, w.Run(1).Faults[0].Count, text)
	}
	loaded, err := loadClock("follow-log: redis-1, log: clock.csv")
	require.NoError(t, err)
	require.Equal(t, []result.Input{{Path: "fake/clock.csv", Summary: "clock.csv: csv: 4 points over 30s, at most 10s apart, error at most 2s, 1 step"}}, loaded.Inputs)
}

func TestFollowLogProblems(t *testing.T) {
	for text, want := range map[string]string{
		"follow-log: redis-1":                                                         `4:5: follow-log needs "log", as in log: tracking.log (at faults.0)`,
		"follow-lgo: redis-1, log: clock.csv":                                         `4:6: unknown key "follow-lgo"; did you mean "follow-log"? (at faults.0)`,
		"follow-log: redis-1, lgo: clock.csv":                                         `4:27: unknown key "lgo"; did you mean "log"? (at faults.0)`,
		"follow-log: rdis-1, log: clock.csv":                                          `4:18: there is no node "rdis-1"; did you mean "redis-1"? (at faults.0.follow-log)`,
		"follow-log: redis-1, log: clock.csv, for: 1s":                                `4:43: "for" does not belong to follow-log: that takes name, log, at (at faults.0)`,
		"follow-log: redis-1, log: clock.csv, on: checked":                            `4:43: "on" does not belong to follow-log: that takes name, log, at (at faults.0)`,
		"follow-log: redis-1, log: clock.csv, at: 60s":                                `4:47: the fault begins at 1m0s, after the run, which ends at 1m0s (at faults.0.at)`,
		"set-rate: redis-1, to: 1ppm, at: 1s, log: clock.csv":                         `4:43: "log" does not belong to set-rate: that takes name, to, at, after, on, before, by, nth, for (at faults.0)`,
		"follow-log: redis-1, log: [clock.csv]":                                       `4:32: a list is not a text: want a word or a quoted text (at faults.0.log)`,
		"follow-log: redis-1, log: {}":                                                `4:32: key "file" is missing (at faults.0.log)`,
		"follow-log: redis-1, log: {fiel: clock.csv}":                                 `4:33: unknown key "fiel"; did you mean "file"? (at faults.0.log)`,
		"follow-log: redis-1, log: {file: clock.csv, format: chrony}":                 `4:58: "chrony" is not a valid word; want one of chrony-tracking, chrony-measurements, loopstats, ptp4l, csv (at faults.0.log.format)`,
		"follow-log: redis-1, log: {file: clock.csv, format: ptp4}":                   `4:58: "ptp4" is not a valid word; did you mean "ptp4l"? (at faults.0.log.format)`,
		"follow-log: redis-1, log: {file: clock.csv, format: ptp4l}":                  `4:39: fake/clock.csv: 5 of 5 lines cannot be read: (at faults.0.log.file)`,
		"follow-log: redis-1, log: {file: clock.csv, step: 1}":                        `4:56: "1" is not a duration: want a unit, as in 1ms or 1s (at faults.0.log.step)`,
		"follow-log: redis-1, log: {file: clock.csv, step: 0s}":                       `4:56: a step of 0 would be at every line: want the error from which on the clock is stepped, such as 128ms (at faults.0.log.step)`,
		"follow-log: redis-1, log: {file: clock.csv, source: master}":                 `4:39: fake/clock.csv: source: a log of csv is of one clock, and names no sources (at faults.0.log.file)`,
		"follow-log: redis-1, log: {file: clock.csv, from: noon}":                     `4:56: "noon" is no place in a log: want "2021-12-21 14:00:00", which is UTC, or a length since it began, such as 90s (at faults.0.log.from)`,
		"follow-log: redis-1, log: {file: clock.csv, from: 30s}":                      `4:56: the log is 30s long: want a place in it (at faults.0.log.from)`,
		`follow-log: redis-1, log: {file: clock.csv, from: "2021-12-19 05:00:00"}`:    `4:56: the log has no dates: want a length since it began, such as 90s (at faults.0.log.from)`,
		`follow-log: redis-1, log: {file: tracking.log, from: "2021-12-19 06:00:00"}`: `4:59: the log goes from 2021-12-19 05:00:00 to 2021-12-19 05:00:16 (at faults.0.log.from)`,
		"follow-log: redis-1, log: gone.csv":                                          `4:32: there is no file fake/gone.csv (at faults.0.log)`,
		"follow-log: redis-1, log: chrony-step.log":                                   `4:32: there is no file fake/chrony-step.log: simctl has that log for its built-in scenario, by its name only (at faults.0.log)`,
		"follow-log: redis-1, log: empty.log":                                         `4:32: fake/empty.log: the log is empty (at faults.0.log)`,
		"follow-log: redis-1, log: binary.log":                                        `4:32: fake/binary.log: line 1: zero byte: the file is binary, or was truncated while the process wrote it (at faults.0.log)`,
		"follow-log: redis-1, log: instant.csv":                                       `4:32: fake/instant.csv: the log is of one instant (at faults.0.log)`,
		"follow-log: redis-1, log: back.csv":                                          `4:32: fake/back.csv: line 3: the time goes back by 1s from line 2: the clock was set, which this log does not tell, or there are two logs in one file (at faults.0.log)`,
		"follow-log: redis-1, log: nan.csv":                                           `4:32: fake/nan.csv: 2 of 4 lines cannot be read: (at faults.0.log)`,
		"follow-log: redis-1, log: other.log":                                         `4:32: fake/other.log: line 1 is of no known format: "nothing that is a clock". Tried were (at faults.0.log)`,
	} {
		_, err := loadClock(text)
		require.Error(t, err, text)
		assert.Equal(t, []string{want}, fake.LinesOf(err), text)
	}
	_, err := loadClock("follow-log: redis-1, log: nan.csv")
	require.ErrorContains(t, err, `line 3: offset "nan": not a decimal number: "1,nan"`, "the lines are named as well")
	require.ErrorContains(t, err, `line 4: offset "inf": not a decimal number: "2,inf"`)
}

// TestFollowLogCannotBeWritten: a fault that follows a log has no text of its own.
func TestFollowLogCannotBeWritten(t *testing.T) {
	p := fake.Program()
	_, err := format.WriteFault(p, &sim.Fault{Name: "x", Do: sim.FollowLog, Node: 1, Changes: []sim.ClockChange{{Step: 1}}})
	require.EqualError(t, err, `fault "x": it follows a log, which is in a file: the scenario has to name that`)
}

// TestFollowLogIsRecorded: the replay file of a violation that a log brought about holds
// the log, and plays the same anywhere. Shrinking leaves of three logs those that matter.
func TestFollowLogIsRecorded(t *testing.T) {
	s, err := scenarios.Load("redlock/clock-log", format.Options{})
	require.NoError(t, err)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	res := w.Run(s.Seed)
	i := indexOf(t, s.Program.Properties, "mutual-exclusion")
	require.Equal(t, sim.Violated, res.Properties[i].Verdict)
	f := &explore.Failure{Schedule: explore.Schedule{Seed: s.Seed, Faults: s.Config.Faults}, Property: i, Finding: res.Properties[i], Steps: res.Steps, Digest: res.Digest}
	small, err := explore.Shrink(context.Background(), explore.Subject{Program: s.Program, Config: s.Config}, f, nil)
	require.NoError(t, err)
	require.Len(t, small.Faults, 3, "a majority has to be wrong")

	r, err := record.New(s, &small.Failure, record.Options{})
	require.NoError(t, err)
	require.Len(t, r.Files, 1)
	require.Contains(t, r.Files[0].Text, "-1.174e+01")
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	back, err := record.Read(&b)
	require.NoError(t, err)
	got, err := back.Replay(scenarios.Models())
	require.NoError(t, err)
	assert.True(t, got.Reproduced)
	assert.True(t, got.Same)

	// With a fault that the file does not have, the list is written anew, and the log with it.
	more := *f
	more.Faults = append([]sim.Fault{{Do: sim.Pause, Node: 1, For: sim.Constant(ms), When: sim.When{At: sim.Time(ms)}}}, s.Config.Faults...)
	require.NoError(t, w.Vary(sim.Variation{Faults: more.Faults}))
	res = w.Run(s.Seed)
	more.Steps, more.Digest, more.Finding = res.Steps, res.Digest, res.Properties[i]
	r, err = record.New(s, &more, record.Options{})
	require.NoError(t, err)
	require.Len(t, r.Settings, 1)
	require.Contains(t, r.Settings[0].Value, "{follow-log: redis-3, log: logs/chrony-step.log, name: follow-log redis-3}")
	got, err = r.Replay(scenarios.Models())
	require.NoError(t, err)
	assert.True(t, got.Same)

	back.Files[0].Text = strings.Replace(back.Files[0].Text, "-1.174e+01", "-1.175e+01", 1)
	_, err = back.Replay(scenarios.Models())
	assert.ErrorContains(t, err, "checksum mismatch")
}

func indexOf(t *testing.T, list []string, name string) int {
	for i, n := range list {
		if n == name {
			return i
		}
	}
	t.Fatalf("there is no %s", name)
	return -1
}

// TestShippedClockLogs: those that simctl brings along are made in the form of real ones,
// say whose figures they have, and are the same where two models have them.
func TestShippedClockLogs(t *testing.T) {
	for path, want := range map[string]string{
		"../clock/logs/chrony-step.log":    "chrony-tracking: 55 points over 17m26s, at most 2m11.74s apart, error at most 11.74s, 2 steps; lines of a clock that is not synchronised left out: 3",
		"../redlock/logs/chrony-step.log":  "chrony-tracking: 55 points over 17m26s, at most 2m11.74s apart, error at most 11.74s, 2 steps; lines of a clock that is not synchronised left out: 3",
		"../clock/logs/ptp-cold-start.log": "ptp4l of master: 42 points over 41s, at most 1s apart, error at most 453.555µs, 1 step",
	} {
		l, err := clocklog.ReadFile(path, clocklog.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, l.Summary())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, string(text), "All else is made up.")
	}
	a, err := os.ReadFile("../clock/logs/chrony-step.log")
	require.NoError(t, err)
	b, err := os.ReadFile("../redlock/logs/chrony-step.log")
	require.NoError(t, err)
	assert.Equal(t, string(a), string(b))
}

// realClockLog is the path of a log of shared/data/clocks, "" in a clone without it.
func realClockLog(t *testing.T, name string) string {
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "data", "clocks", name))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// realSteps is a scenario in which A has the clock of the real host from 14:30:41 on.
const realSteps = `model: clock
until: 17m
params:
  clock: wall
  granule: 10ms
  script: |
    A: a1@31s a2@41s a3@163s a4@165s a5@868s a6@872s a7@949s a8@951s
faults:
  - follow-log: A
    log: {file: %s, from: "2021-12-21 14:30:41"}
expect:
  orders-causally: violated
`

// TestRealSteps: in a run the wall clock of a node really jumps where that of the host
// did: "the steps of -11.74 s and -10.81 s must show".
func TestRealSteps(t *testing.T) {
	path := realClockLog(t, "chrony_tracking_gps_step.log")
	if path == "" {
		return
	}
	s, err := scenarios.Load(fake.WriteFile(t, t.TempDir(), "real.yaml", fmt.Sprintf(realSteps, path)), format.Options{})
	require.NoError(t, err)
	require.Contains(t, s.Inputs[0].Summary, "5197 points")
	require.Contains(t, s.Inputs[0].Summary, "error at most 11.74s, 2 steps; lines of a clock that is not synchronised left out: 3")
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	var told []string
	w.Watch(sim.Watch{Moments: func(m sim.Moment) {
		if strings.Contains(m.Text, "stepped") {
			told = append(told, m.At.String()+" "+m.Text)
		}
	}})
	res := w.Run(1)
	require.Equal(t, sim.Violated, res.Properties[indexOf(t, s.Program.Properties, "orders-causally")].Verdict)
	require.Greater(t, res.Faults[0].Count, 50, "each line is another rate")
	assert.Equal(t, []string{
		"33.000s A has its wall clock stepped by -11.74s, as its log says",
		"163.740s A has its wall clock stepped by 11.74s, as its log says",
		"870.000s A has its wall clock stepped by -10.81s, as its log says",
		"949.810s A has its wall clock stepped by 10.81s, as its log says"}, told)
}

// BenchmarkFollowLog is the same run with the whole real log, of 5197 points over 58 h, or
// else one of our own as long, and without it.
func BenchmarkFollowLog(b *testing.B) {
	var text strings.Builder
	text.WriteString("seconds,offset_ns\n")
	for i := range 5200 {
		fmt.Fprintf(&text, "%d,%d\n", i*16, i*i%3001-1500)
	}
	log := fake.WriteFile(b, b.TempDir(), "log.csv", text.String())
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("log=%v", with), func(b *testing.B) {
			s, err := scenarios.Load("redlock/clock-log", format.Options{NoFaults: !with, Sets: []result.Setting{{Path: "until", Value: "24h"}, {Path: "params.rounds", Value: "0"}, {Path: "params.work", Value: "10s"}, {Path: "params.start", Value: "[1s, 6s]"}, {Path: "params.think", Value: "20s"},
				{Path: "faults", Value: "[{follow-log: redis-1, log: {file: " + log + ", format: csv}}]"}}})
			require.NoError(b, err)
			w, err := s.Program.NewWorld(s.Config)
			require.NoError(b, err)
			var steps uint64
			b.ReportAllocs()
			for b.Loop() {
				steps = w.Run(1).Steps
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
