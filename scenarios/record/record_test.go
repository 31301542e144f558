package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/scenarios/smaller"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// failureOf is the failure that a scenario is, in its first run: of its first property
// that is violated.
func failureOf(t *testing.T, s *format.Scenario) *explore.Failure {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r := w.Run(s.Seed)
	f := &explore.Failure{Schedule: explore.Schedule{Seed: s.Seed, Faults: s.Config.Faults, Overrides: s.Config.Overrides, Minimal: s.Config.Minimal},
		Run: 1, Property: explore.NoProperty, Panic: r.Panic, Steps: r.Steps, Digest: r.Digest}
	for i := range r.Properties {
		if r.Panic == nil && r.Properties[i].Verdict == sim.Violated {
			f.Property, f.Finding = i, r.Properties[i]
			return f
		}
	}
	return f
}

// late is a scenario of the fake model in which a pause makes a write late.
const late = fake.Minimal + "network: {delay: 5ms}\nfaults: [{pause: client-1, on: checked, for: 15s}]\nvary: {params.ttl: [1s]}\nexpect: {on-time: holds, writes: 7}\n"

func written(t testing.TB, r *Record) []byte {
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	return b.Bytes()
}

// recordOf is the record of a text of the fake model that fails, and the same as a file.
func recordOf(t *testing.T, text string, sets ...result.Setting) (*Record, string) {
	t.Helper()
	s := fake.Good(t, text, sets...)
	r, err := New(s, failureOf(t, s), Options{Version: "v1.2", Command: "simctl explore \"x\""})
	require.NoError(t, err)
	return r, string(written(t, r))
}

func TestRecord(t *testing.T) {
	r, text := recordOf(t, late)
	at := sim.Time(16*time.Second + 5*time.Millisecond)
	require.Equal(t, Broken{Property: "on-time", AtNS: int64(at), Nodes: []string{"store"}, Why: "late"}, r.Verdict)
	require.Equal(t, []string{"fake/x", late, "v1.2", `simctl explore "x"`}, []string{r.Scenario, r.Source, r.Version, r.Command})
	require.Empty(t, r.Settings, "the faults are those of the file")
	require.Equal(t, sim.DigestVersion, r.Digests)
	require.NotEmpty(t, r.Trail)
	require.Equal(t, "16.005s store: from client-1: write; notes applied; sends client-1: ack", r.Trail[len(r.Trail)-1])

	back, err := Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, text, string(written(t, back)), "the same bytes")
	s, err := back.Load(fake.Models)
	require.NoError(t, err)
	require.Equal(t, []format.Expectation{{Property: "on-time", Verdict: sim.Violated, At: &at, Nodes: []string{"store"}}}, s.Expect)
	require.Equal(t, 1, s.Runs)
	require.Nil(t, s.Variants)
	require.Equal(t, "fake/x", s.Name)
	got, err := back.Replay(fake.Models)
	require.NoError(t, err)
	require.True(t, got.Reproduced && got.Same)
	require.Nil(t, got.Parting)
	require.Equal(t, r.Verdict, got.Verdict)

	again, err := New(s, failureOf(t, s), Options{Version: "v1.2", Command: "simctl explore \"x\""})
	require.NoError(t, err)
	require.Equal(t, text, string(written(t, again)), "a record of what a record holds is the same")
}

// TestRecordOfOtherFaults: faults that the file does not have, draws and settings.
func TestRecordOfOtherFaults(t *testing.T) {
	s, err := fake.LoadText(fake.Minimal+"params: {work: {exp: 1s}}\nnetwork: {delay: {exp: 5ms}}\nfaults: [{crash: store, at: 1s}]\n",
		format.Options{NoFaults: true, Sets: []result.Setting{{Path: "faults.0.at", Value: "2s"}, {Path: "seed", Value: "5"}}})
	require.NoError(t, err)
	s.Config.Faults = []sim.Fault{
		{Do: sim.Pause, Node: 1, When: sim.When{Before: fake.Write, By: 1, Nth: 1}, For: sim.Constant(20 * time.Second)},
		{Name: "mine", Do: sim.Pause, Node: 2, For: sim.Exponential(time.Second)},
	}
	s.Certified = []string{s.Program.Properties[0]} // which is of the scenario, and not of this run
	s.Config.Minimal = true
	s.Config.Overrides = []sim.Override{
		{Draw: sim.Draw{Purpose: sim.Timers, From: 1, Index: 0}, Value: 1 << 63},
		{Draw: sim.Draw{Purpose: sim.Delays, From: 1, To: 5, Index: 0}, Value: 3},
		{Draw: sim.Draw{Purpose: sim.Faults, Name: sim.Hash("mine")}, Value: 1<<64 - 1},
		{Draw: sim.Draw{Purpose: sim.Faults, Name: sim.Hash("of another fault")}, Value: 1},
	}
	r, err := New(s, failureOf(t, s), Options{})
	require.NoError(t, err)
	require.Equal(t, []result.Setting{{Path: "seed", Value: "5"},
		{Path: "faults", Value: "[{pause: client-1, before: write, nth: 1, for: 20s}, {pause: client-2, at: 0s, for: {exp: 1s}, name: mine}]"},
		{Path: "expect." + s.Program.Properties[0], Value: "holds"}}, r.Settings)
	require.Equal(t, []Drawn{
		{Purpose: "timer", From: "client-1", Value: "0x8000000000000000"},
		{Purpose: "delay", From: "client-1", To: "store", Value: "0x0000000000000003"},
		{Purpose: "fault", Fault: "mine", Value: "0xffffffffffffffff"},
	}, r.Draws)
	back, err := Read(bytes.NewReader(written(t, r)))
	require.NoError(t, err)
	loaded, err := back.Load(fake.Models)
	require.NoError(t, err)
	require.True(t, loaded.Config.Minimal)
	require.Equal(t, s.Config.Overrides[:3], loaded.Config.Overrides)
	require.Len(t, loaded.Config.Faults, 2)
	got, err := back.Replay(fake.Models)
	require.NoError(t, err)
	require.True(t, got.Reproduced && got.Same)
}

// TestRecordKeepsFiles: a record with a log is replayed where there is no log, whether the
// file or a setting names it, and also when its fault stands among new ones.
func TestRecordKeepsFiles(t *testing.T) {
	text := fake.Minimal + "network: {delay: {csv: rtt.csv}}\nfaults: [{pause: client-1, on: checked, for: {gclog: gc.log}}, {pause: client-2, on: checked, for: 15s}]\n"
	dir := t.TempDir()
	t.Chdir(dir)
	fake.WriteFile(t, dir, "mine.log", strings.ReplaceAll(fake.GCLog, "\n", "\r\n"))
	for _, sets := range [][]result.Setting{nil, {{Path: "faults.0.for.gclog", Value: "mine.log"}}, {{Path: "faults.2", Value: "{pause: store, for: {gclog: mine.log}}"}}} {
		s := fake.Good(t, text, sets...)
		f := failureOf(t, s)
		f.Faults = append(f.Faults[:len(f.Faults):len(f.Faults)], sim.Fault{Do: sim.Crash, Node: 3, When: sim.When{At: 1}, Forever: true})
		s.Config.Faults = f.Faults
		r, err := New(s, failureOf(t, s), Options{})
		require.NoError(t, err)
		back, err := Read(bytes.NewReader(written(t, r)))
		require.NoError(t, err)
		require.Len(t, back.Files, 2+max(len(sets)-1, 0)+map[bool]int{true: 1}[len(sets) > 0 && sets[0].Path == "faults.2"])
		got, err := back.Replay(fake.Models)
		require.NoError(t, err)
		require.True(t, got.Reproduced && got.Same)

		back.Files[0].SHA256 = "sha256:" + strings.Repeat("0", 64)
		_, err = back.Load(fake.Models)
		require.ErrorContains(t, err, "is not the file that the record was made with: checksum mismatch")
		back.Files = nil
		_, err = back.Load(fake.Models)
		require.ErrorContains(t, err, "the record does not hold the file rtt.csv")
	}
}

// TestRecordNamesLargeFiles: a file that is too large for a record has to be there.
func TestRecordNamesLargeFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	fake.WriteFile(t, dir, "rtt.csv", "5ms\n"+strings.Repeat("# many lines\n", (1<<20)/10))
	s, err := fake.LoadPath(fake.WriteFile(t, dir, "a.yaml", fake.Minimal+"network: {delay: {csv: rtt.csv}}\nparams: {ttl: 1ns}\n"), format.Options{})
	require.NoError(t, err)
	r, err := New(s, failureOf(t, s), Options{})
	require.NoError(t, err)
	require.Empty(t, r.Files[0].Text+r.Files[0].Base64)
	got, err := r.Replay(fake.Models)
	require.NoError(t, err)
	require.True(t, got.Same)
	fake.WriteFile(t, dir, "rtt.csv", "6ms\n")
	_, err = r.Load(fake.Models)
	require.ErrorContains(t, err, "rtt.csv is not the file that the record was made with")
	r.Files[0].Path = filepath.Join(dir, "gone.csv")
	_, err = r.Load(fake.Models)
	require.ErrorContains(t, err, "gone.csv, which was too large to be put into it: there is no such file here")
}

// TestRecordOfPanic: a step that panics is a finding, too.
func TestRecordOfPanic(t *testing.T) {
	s := fake.Good(t, late)
	f := failureOf(t, s)
	f.Property, f.Panic = explore.NoProperty, &sim.Panic{At: 1, Node: 1, Name: "client-1", Value: "a\nb\x1b"}
	r, err := New(s, f, Options{})
	require.NoError(t, err)
	require.Equal(t, Broken{Panic: true, AtNS: 1, Nodes: []string{"client-1"}, Why: "a b?"}, r.Verdict)
	got, err := r.Replay(fake.Models)
	require.NoError(t, err)
	require.False(t, got.Reproduced, "it was made up")
	require.Nil(t, got.Scenario.Expect)
}

func TestRecordRefuses(t *testing.T) {
	s := fake.Good(t, late)
	f := failureOf(t, s)
	_, err := New(&format.Scenario{}, f, Options{})
	require.EqualError(t, err, "a record is of a scenario that was loaded")
	wrong := *f
	wrong.Digest++
	_, err = New(s, &wrong, Options{})
	require.ErrorContains(t, err, "fake/x: the replayed run differs from that which was found: digest ")
	wrong = *f
	wrong.Faults = []sim.Fault{{Node: 1, For: sim.Exponential(1)}}
	_, err = New(s, &wrong, Options{})
	require.ErrorContains(t, err, "draws, and has no name to draw by")
	wrong = *f
	wrong.Overrides = make([]sim.Override, maxDraws+1)
	for i := range wrong.Overrides {
		wrong.Overrides[i].Draw = sim.Draw{Purpose: sim.Timers, From: 1, Index: uint64(i)}
	}
	_, err = New(s, &wrong, Options{})
	require.ErrorContains(t, err, "20001 draws are too many for a record")
}

// TestReadRecord has one mistake in each text.
func TestReadRecord(t *testing.T) {
	_, text := recordOf(t, late)
	change := func(old, new string) string {
		require.Contains(t, text, old)
		return strings.Replace(text, old, new, 1)
	}
	for _, c := range []struct{ text, want string }{
		{"", "replay file: the file is empty"},
		{"model: lock\nuntil: 60s\n", "replay file:1:1: not valid JSON: invalid character 'm' looking for beginning of value"},
		{text[:len(text)/2], "the file ends in the middle: it was cut off"},
		{text[:len(text)-3], "the file ends in the middle: it was cut off"},
		{text + text, "a second value behind the first"},
		{"{}", `replay file:1:1: this is no replay file: want "format": "fencepost/replay/v1"`},
		{"[]", `replay file:1:1: a list is not a mapping: want keys such as format, fencepost, digest_version`},
		{change("replay/v1", "replay/v12"), `replay file:2:13: this file is of a newer fencepost, in format 12: this one reads format 1 (at format)`},
		{change("fencepost/replay/v1", "fencepost/run/v1"), `replay file:2:13: "fencepost/run/v1" is not the format of a replay file: want "fencepost/replay/v1" (at format)`},
		{change(`"seed": 1`, `"sede": 1`), `unknown key "sede"; did you mean "seed"?`},
		{change(`"seed": 1`, `"seed": "1"`), `"1" is a text: want an integer without quotes (at seed)`},
		{change(`"seed": 1`, `"seed": 1.5`), `"1.5" is not an integer: want digits such as 3 (at seed)`},
		{change(`"steps": `, `"steps": -`), `is out of range: want 0 to 18446744073709551615 (at steps)`},
		{change(`"at_ns": 1`, `"at_ns": -1`), `must not be negative, got -1`},
		{change(`"property": "on-time"`, `"panic": false`), `want either "property" or "panic": true (at verdict)`},
		{change(`"property"`, `"panic": true, "property"`), `want either "property" or "panic": true (at verdict)`},
		{change(`"digest": "`, `"digest": "x`), `want 16 hexadecimal digits (at digest)`},
		{change(`"calm": false`, `"calm": null`), `no value is given: want one, or leave the entry out (at calm)`},
		{change(`"calm": false`, `"calm": false, "calm": false`), `duplicate key "calm"`},
		{change(`"calm": false`, `"calm": false, "trail_truncated": -1`), `must not be negative, got -1 (at trail_truncated)`},
		{change(`"calm": false`, `"calm": false, "draws": [{"purpose": "delays", "value": "0x1"}]`), `"delays" is not a valid word; did you mean "delay"? (at draws.0.purpose)`},
		{change(`"calm": false`, `"calm": false, "draws": [{"purpose": "timer", "value": "0x1"}]`), `a draw of purpose timer needs "from" (at draws.0)`},
		{change(`"calm": false`, `"calm": false, "draws": [{"purpose": "fault", "fault": "x", "to": "y", "value": "1"}]`), `a draw of purpose fault has no "to" (at draws.0.to)`},
		{change(`"calm": false`, `"calm": false, "draws": [{"purpose": "timer", "from": "x", "value": "-1"}]`), `"-1" is not a draw: want 1 to 16 hexadecimal digits, as in "0x8000000000000000" (at draws.0.value)`},
		{change(`"calm": false`, `"calm": false, "draws": [`+strings.Repeat(`{"purpose":"timer","from":"x","value":"1"},`, maxDraws)+`{"purpose":"timer","from":"x","value":"1"}]`), `20001 entries: want at most 20000 (at draws)`},
		{change(`"calm": false`, `"calm": false, "files": [{"name": "a", "path": "a", "sha256": "x", "text": "a", "base64": "YQ=="}]`), `want one of "text" and "base64" (at files.0)`},
		{change(`"trail": [`, `"trail": ["a\nb", `), `want one line of at most 16 KiB (at trail.0)`},
		{change(`"trail": [`, `"trail": ["`+strings.Repeat("x", maxLine+1)+`", `), `want one line of at most 16 KiB (at trail.0)`},
		{change(`"fencepost": "v1.2"`, `"fencepost": 1.2`), `"1.2" is not a text: want one in quotes (at fencepost)`},
		{change(`"why": "late"`, `"why": "\u001b[31m"`), `control character '\x1b' in a text: want it left out`},
		{strings.Repeat("[", 1000), `nested deeper than 64 levels`},
		{"[" + strings.Repeat("1,", maxValuesIn+1), `too many values`},
		{strings.Repeat(" ", MaxSize+1), `replay file: the file is too large: want at most 16 MiB`},
	} {
		r, err := Read(strings.NewReader(c.text))
		require.Nil(t, r)
		require.ErrorContains(t, err, c.want)
		require.IsType(t, &format.Invalid{}, err)
		require.Less(t, len(err.Error()), 4000)
	}
}

// TestEditedRecord: what somebody has changed is said, and can be replayed all the same;
// how the file is laid out does not count.
func TestEditedRecord(t *testing.T) {
	_, text := recordOf(t, late)
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(text)))
	_, err := Read(&b)
	require.NoError(t, err)
	for _, edited := range []string{
		strings.Replace(text, "for: 15s", "for: 16s", 1),
		strings.Replace(text, `"checksum": "sha256:`, `"checksum": "sha256:0`, 1),
		text[:strings.LastIndex(text, ",")] + "}",
	} {
		r, err := Read(strings.NewReader(edited))
		require.ErrorIs(t, err, ErrEdited)
		require.EqualError(t, err, "replay file: the file was changed after it was written, so what it tells need not be what was found; --force replays it all the same")
		require.NotNil(t, r)
		got, err := r.Replay(fake.Models)
		require.NoError(t, err)
		require.Equal(t, edited != strings.Replace(text, "for: 15s", "for: 16s", 1), got.Same)
	}
}

// TestParting: a run that differs says where.
func TestParting(t *testing.T) {
	_, text := recordOf(t, late)
	r, err := Read(strings.NewReader(strings.Replace(text, "for: 15s", "for: 16s", 1)))
	require.ErrorIs(t, err, ErrEdited)
	got, err := r.Replay(fake.Models)
	require.NoError(t, err)
	require.False(t, got.Same || got.Reproduced)
	require.Equal(t, int64(17*time.Second+5*time.Millisecond), got.Verdict.AtNS)
	last := len(r.Trail)
	require.Equal(t, &result.Parting{Step: last, Recorded: r.Trail[last-1]}, got.Parting)

	r.Digests++ // of another fencepost, whose digests mean something else
	got, err = r.Replay(fake.Models)
	require.NoError(t, err)
	require.Equal(t, last, got.Parting.Step)
	require.Equal(t, &result.Parting{Step: 2, Recorded: "b", Replayed: "c"}, (&Record{Trail: []string{"a", "b"}}).Part([]string{"a", "c"}))
	require.Equal(t, &result.Parting{Step: 2, Replayed: "c"}, (&Record{Trail: []string{"a"}}).Part([]string{"a", "c"}))
	require.Nil(t, (&Record{Trail: []string{"a"}, Omitted: 1}).Part([]string{"a", "c"}))
}

// TestLoadRecordRefuses: what this fencepost does not have is named.
func TestLoadRecordRefuses(t *testing.T) {
	for want, change := range map[string]func(*Record){
		`record: unknown model: the record is of "kv", and this fencepost knows fake, lock`: func(r *Record) { r.Source = "model: kv\nuntil: 1s\n" },
		`record: there is no property "on-tiem"; did you mean "on-time"?`:                   func(r *Record) { r.Verdict.Property = "on-tiem" },
		`record: there is no node "stroe"; did you mean "store"?`:                           func(r *Record) { r.Verdict.Nodes = []string{"stroe"} },
		`record: there is no node "x"; want one of client-1, client-2`:                      func(r *Record) { r.Draws = []Drawn{{Purpose: "timer", From: "x"}} },
		`record: the violation, at 61.000s, is not in the run, which ends at 60.000s`:       func(r *Record) { r.Verdict.AtNS = int64(61 * time.Second) },
		`fake/x.yaml:3:1: unknown key "netwrok"; did you mean "network"?`:                   func(r *Record) { r.Source = strings.Replace(r.Source, "network", "netwrok", 1) },
		`--set params.tll=3s: unknown key "tll"; did you mean "ttl"?`:                       func(r *Record) { r.Settings = []result.Setting{{Path: "params.tll", Value: "3s"}} },
		`--set a..b=3: "a..b" is not a path`:                                                func(r *Record) { r.Settings = []result.Setting{{Path: "a..b", Value: "3"}} },
		`fake/x.yaml: the file is empty`:                                                    func(r *Record) { r.Source = "" },
	} {
		r, _ := recordOf(t, late)
		change(r)
		_, err := r.Load(fake.Models)
		require.ErrorContains(t, err, want)
		require.IsType(t, &format.Invalid{}, err)
	}
}

// TestRecordsOfShipped: the first run of every scenario that ships, where something is
// violated, as a record: it is replayed without the scenario. With -whole all of them, without it one of four.
func TestRecordsOfShipped(t *testing.T) {
	records := 0
	for i, name := range scenarios.Names() {
		if n := map[bool]int{true: 16, false: 12}[testing.Short()]; !whole.Takes(i, n) {
			continue // they are many, and some are long
		}
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		f := failureOf(t, s)
		if f.Property == explore.NoProperty {
			continue
		}
		r, err := New(s, f, Options{})
		require.NoError(t, err, name)
		back, err := Read(bytes.NewReader(written(t, r)))
		require.NoError(t, err)
		got, err := back.Replay(scenarios.Models())
		require.NoError(t, err)
		assert.True(t, got.Reproduced && got.Same, name)
		records++
	}
	require.Greater(t, records, 10)
}

// TestRecordOfSearch: found, made small and written down.
func TestRecordOfSearch(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{NoFaults: true, Sets: []result.Setting{{Path: "params.clients", Value: "3"}}})
	require.NoError(t, err)
	rep, err := explore.Find(context.Background(), explore.Search{Program: s.Program, Config: s.Config, Budget: explore.Budget{Pauses: 2}, Seed: 1, Runs: 20_000})
	require.NoError(t, err)
	require.NotNil(t, rep.Found)
	whole, err := New(s, rep.Found, Options{})
	require.NoError(t, err)
	small := map[string]*format.Scenario{}
	var subject func(s *format.Scenario) explore.Subject
	subject = func(s *format.Scenario) explore.Subject {
		small[strings.Join(texts(s.Sets), " ")] = s
		return explore.Subject{Program: s.Program, Config: s.Config, Label: strings.Join(texts(s.Sets), " "), Smaller: func() (list []explore.Subject) {
			for _, x := range smaller.Of(s) {
				list = append(list, subject(x))
			}
			return list
		}}
	}
	shrunk, err := explore.Shrink(context.Background(), subject(s), rep.Found, nil)
	require.NoError(t, err)
	r, err := New(small[shrunk.Subject.Label], &shrunk.Failure, Options{})
	require.NoError(t, err)
	require.Equal(t, whole.Verdict.Property, r.Verdict.Property)
	require.Equal(t, whole.Verdict.Nodes, r.Verdict.Nodes)
	require.Less(t, len(shrunk.Subject.Program.Nodes), len(s.Program.Nodes))
	got, err := r.Replay(scenarios.Models())
	require.NoError(t, err)
	require.True(t, got.Reproduced && got.Same)
}

func texts(sets []result.Setting) (list []string) {
	for _, s := range sets {
		list = append(list, s.Path+"="+s.Value)
	}
	return list
}

// FuzzReadRecord: whatever stands in a file, it is read or refused in printable words;
// what is read is written and read again as the same.
func FuzzReadRecord(f *testing.F) {
	s, err := fake.LoadText(late, format.Options{})
	require.NoError(f, err)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(f, err)
	res := w.Run(1)
	r, err := New(s, &explore.Failure{Schedule: explore.Schedule{Seed: 1, Faults: s.Config.Faults}, Steps: res.Steps, Digest: res.Digest, Finding: res.Properties[0]}, Options{})
	require.NoError(f, err)
	f.Add(written(f, r))
	r.Draws = []Drawn{{Purpose: "timer", From: "client-1", Value: "0x1"}, {Purpose: "fault", Fault: "x", Value: "0x1"}}
	r.Files = []Kept{{Name: "a", Path: "b", SHA256: "sha256:" + strings.Repeat("0", 64), Base64: "YQ=="}}
	r.Settings = []result.Setting{{Path: "until", Value: "1ms"}, {Path: "faults", Value: "[]"}}
	f.Add(written(f, r))
	f.Add([]byte(`{"format": "fencepost/replay/v2"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if r == nil {
			e, ok := err.(*format.Invalid)
			require.True(t, ok && len(e.Problems) > 0 && utf8.ValidString(e.Error()), "%v", err)
			return
		}
		require.True(t, err == nil || errors.Is(err, ErrEdited))
		first := written(t, r)
		again, err := Read(bytes.NewReader(first))
		require.NoError(t, err)
		require.Equal(t, first, written(t, again))
		s, err := r.Load(fake.Models)
		if err == nil {
			fake.Run(t, s)
		}
	})
}

// FuzzRecordFields: whatever a record says, it is loaded or refused, and what is loaded
// can be run.
func FuzzRecordFields(f *testing.F) {
	f.Add(late, "params.clients", "1", "timer", "client-1", "", uint64(0), "on-time", int64(1))
	f.Add(fake.Minimal, "faults", "[{pause: client-1, at: 0s, for: {exp: 1s}, name: x}]", "fault", "", "x", uint64(0), "", int64(-1))
	f.Add("model: kv\n\xff\ufffd", "a\xff", "\xff", "timer", "\xff", "", uint64(0), "\xff", int64(1))
	f.Add("model: kv\n", "a..b", "[", "delay", "nobody", "", uint64(1<<63), "x", int64(1<<62))
	f.Add(fake.Minimal, "network.delay", "{csv: a}", "", "", "", uint64(0), "on-time", int64(0))
	f.Fuzz(func(t *testing.T, source, path, value, purpose, from, fault string, index uint64, property string, at int64) {
		r := &Record{Format: Format, Version: "v1", Digests: 1, Scenario: "fake/x", Source: source, Digest: digest(index), Steps: index,
			Settings: []result.Setting{{Path: path, Value: value}, {Path: "until", Value: "50us"}}, Draws: []Drawn{{purpose, from, "", fault, index, digest(index)}},
			Files:   []Kept{{Name: "a", Path: "a", SHA256: "sha256:" + strings.Repeat("0", 64), Text: value}},
			Verdict: Broken{Property: property, Panic: property == "", AtNS: at}}
		back, err := Read(bytes.NewReader(written(t, r)))
		if err != nil {
			require.IsType(t, &format.Invalid{}, err)
			back = r // as somebody might make it
		}
		got, err := back.Replay(fake.Models)
		if err != nil {
			require.IsType(t, &format.Invalid{}, err)
			return
		}
		require.NotNil(t, got.Scenario)
	})
}

// TestRecordOfCase: a replay file holds the name of the case, and replays its changes.
func TestRecordOfCase(t *testing.T) {
	s := fake.Good(t, fake.TwoCases).Variants[2].Scenario
	f := failureOf(t, s)
	r, err := New(s, f, Options{})
	require.NoError(t, err)
	require.Equal(t, s.Sets, r.Settings)
	back, err := Read(strings.NewReader(string(written(t, r))))
	require.NoError(t, err)
	again, err := back.Replay(fake.Models)
	require.NoError(t, err)
	require.True(t, again.Reproduced && again.Same)
}
