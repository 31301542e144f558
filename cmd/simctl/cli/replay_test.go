package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/result"
	"fencepost/scenarios/record"
)

const shippedFolder = "../../../scenarios"

// replayFiles lists the replay files that ship.
func replayFiles(t *testing.T) []string {
	list, err := filepath.Glob(shippedFolder + "/*/replays/*" + record.Suffix)
	require.NoError(t, err)
	return list
}

// TestEveryReplay replays one of eight of them, step by step; CI replays all. That each is the violation of its
// scenario is in internal/shipped/replays.
func TestEveryReplay(t *testing.T) {
	all := replayFiles(t)
	require.Greater(t, len(all), 40)
	var files []string
	for i := 0; i < len(all); i += 8 {
		files = append(files, all[i])
	}
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitOK, run(append([]string{"replay"}, files...), &stdout, &stderr), stdout.String()+stderr.String())
	require.Equal(t, len(files), strings.Count(stdout.String(), ", every step as recorded, digest "))
}

// play runs a command line on the scenarios that ship.
func play(t *testing.T, line ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "")
	var out, err bytes.Buffer
	code = run(line, &out, &err)
	return code, out.String(), err.String()
}

// edited is a replay file that ships, changed and with a checksum that fits again, or
// with none that does.
func edited(t *testing.T, fits bool, change func(r *record.Record)) string {
	r, _, err := cli.ReadRecord(t.Context(), shippedFolder+"/redlock/replays/gc-pause.no-lost-update.replay.json", false)
	require.NoError(t, err)
	if fits {
		change(r)
	}
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	text := b.String()
	if !fits {
		change(r)
		b.Reset()
		require.NoError(t, r.Write(&b))
		sum := func(s string) string { return s[strings.Index(s, `"checksum"`):] }
		text = strings.Replace(b.String(), sum(b.String()), sum(text), 1)
	}
	file := filepath.Join(t.TempDir(), "x.replay.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// found is the setting of a record that holds its faults.
func faultsOf(r *record.Record) *string {
	i := slices.IndexFunc(r.Settings, func(s result.Setting) bool { return s.Path == "faults" })
	return &r.Settings[i].Value
}

func TestReplayOfAnotherRun(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *record.Record)
		code   int
		want   []string
	}{
		"as recorded": {func(*record.Record) {}, cli.ExitOK, []string{"REPRODUCED: no-lost-update at 12.001s (client-1, client-2), every step as recorded, digest "}},
		"later": {func(r *record.Record) { *faultsOf(r) = strings.Replace(*faultsOf(r), "11.896s", "12s", 1) }, cli.ExitOK,
			[]string{"REPRODUCED: no-lost-update at 12.105s (client-1, client-2) instead of 12.001s: the run differs from step ", " as recorded: 12.001s store: from client-1: ", " as replayed: (nothing more, up to the violation that was recorded)"}},
		"other nodes": {func(r *record.Record) { *faultsOf(r) = strings.Replace(*faultsOf(r), "11.896s", "11.895s", 1) }, cli.ExitNotExpected,
			[]string{"NOT REPRODUCED: no-lost-update at 12.001s (client-1, client-2) was recorded, and now instead no-lost-update at 12.000s (client-2, client-1); the run differs from step "}},
		"gone": {func(r *record.Record) { *faultsOf(r) = "[]" }, cli.ExitNotExpected,
			[]string{"NOT REPRODUCED: ", "was recorded, and now it is not violated; the run differs from step "}},
		"digest": {func(r *record.Record) { r.Digest = "0123456789abcdef" }, cli.ExitOK,
			[]string{"but the run differs, in what the file does not tell, digest ", " instead of 0123456789abcdef"}},
		"other digests": {func(r *record.Record) { r.Digests, r.Digest = 99, "0123456789abcdef" }, cli.ExitOK, []string{"REPRODUCED: "}},
		"shorter":       {func(r *record.Record) { r.Trail, r.Digest = r.Trail[:5], "0123456789abcdef" }, cli.ExitOK, []string{"step 6 as recorded: (nothing more, up to the violation that was recorded)\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := edited(t, true, c.change)
			code, stdout, stderr := play(t, "replay", file)
			require.Equal(t, c.code, code, stdout+stderr)
			require.Empty(t, stderr)
			for _, want := range c.want {
				require.Contains(t, stdout, want)
			}
			_, document, _ := play(t, "replay", file, "--json")
			var doc struct{ OK, Same bool }
			require.NoError(t, json.Unmarshal([]byte(document), &doc))
			require.Equal(t, c.code == cli.ExitOK, doc.OK)
			require.Equal(t, name == "as recorded" || name == "other digests", doc.Same)
		})
	}
}

func TestReplayRefuses(t *testing.T) {
	good, err := os.ReadFile(edited(t, true, func(*record.Record) {}))
	require.NoError(t, err)
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "x.replay.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	for name, c := range map[string]struct{ file, said string }{
		"cut off":       {write(string(good[:len(good)/2])), "cut off"},
		"empty":         {write(""), "cannot be replayed; nothing was run"},
		"edited":        {edited(t, false, func(r *record.Record) { r.Seed++ }), "the file was changed after it was written"},
		"newer":         {write(strings.Replace(string(good), "replay/v1", "replay/v2", 1)), "of a newer fencepost"},
		"unknown model": {edited(t, true, func(r *record.Record) { r.Source = strings.Replace(r.Source, "model: lock", "model: sundial", 1) }), "unknown model"},
		"no such node":  {edited(t, true, func(r *record.Record) { r.Verdict.Nodes[0] = "client-9" }), `there is no node "client-9"`},
		"no such file":  {filepath.Join(t.TempDir(), "none"), "no such file"},
		"a folder":      {t.TempDir(), "is a directory"},
		"a scenario":    {shippedFolder + "/redis/lua-release.yaml", "nothing was run"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := play(t, "replay", c.file)
			require.Equal(t, cli.ExitUsage, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, c.said)
			code, stdout, _ = play(t, "replay", c.file, "--json")
			require.Equal(t, cli.ExitUsage, code)
			require.True(t, json.Valid([]byte(stdout)))
			code, _, stderr = play(t, "explain", c.file)
			require.Contains(t, []int{cli.ExitUsage, cli.ExitOK}, code, stderr) // a scenario can be explained
		})
	}
	file := edited(t, false, func(r *record.Record) { r.Seed++ })
	code, stdout, _ := play(t, "replay", file, "--force")
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "  edited    the file was changed after it was written")
}

func TestReplayUsage(t *testing.T) {
	file := edited(t, true, func(*record.Record) {})
	for line, said := range map[string]string{
		"replay":                                   "want a replay file",
		"replay " + file + " --trace --json":       "not both",
		"replay " + file + " " + file + " --trace": "--trace is for one file",
		"replay " + file + " --color blue":         "--color: want",
		"run " + file:                              "is no scenario: simctl replay and simctl explain take replay files",
		"boundary " + file + " --vary seed --from 1 --to 2 --property mutual-exclusion": "is no scenario",
		"validate " + file:                              "is no scenario",
		"explore " + file + " --budget pauses=1":        "is no scenario",
		"explain " + file + " --set params.ttl=5s":      "a replay file says all of its run",
		"explain " + file + " --property no-lost-updat": `did you mean "no-lost-update"?`,
	} {
		code, stdout, stderr := play(t, strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, line)
		require.Contains(t, stderr, said)
		require.Empty(t, stdout)
	}
}

func TestReplaySeveral(t *testing.T) {
	good := edited(t, true, func(*record.Record) {})
	bad := edited(t, true, func(r *record.Record) { *faultsOf(r) = "[]" })
	code, stdout, _ := play(t, "replay", good, bad)
	require.Equal(t, cli.ExitNotExpected, code)
	require.Contains(t, stdout, "ok    "+good+": REPRODUCED: ")
	require.Contains(t, stdout, "FAIL  "+bad+": NOT REPRODUCED: ")
	require.Contains(t, stdout, "\n\n2 files, 1 reproduced, 1 not\n")
	_, document, _ := play(t, "replay", good, bad, "--json")
	var doc struct {
		OK    bool
		Files []struct{ OK bool }
	}
	require.NoError(t, json.Unmarshal([]byte(document), &doc))
	require.False(t, doc.OK)
	require.Len(t, doc.Files, 2)
}

func TestReplayTrace(t *testing.T) {
	_, stdout, _ := play(t, "replay", "--trace", edited(t, true, func(*record.Record) {}))
	trace, verdict, ok := strings.Cut(stdout, "\n\n")
	require.True(t, ok)
	require.Contains(t, trace, "client-1")
	require.True(t, strings.HasPrefix(verdict, "redlock/gc-pause\n"), verdict)
}

func TestReplayInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, stdout, stderr := callOn(t, ctx, fakeCatalog(), "replay", replayFiles(t)[0])
	require.Equal(t, cli.ExitInterrupted, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "interrupted")
}

// TestExploreExplainReplay goes all the way: search, replay what was found, explain it.
func TestExploreExplainReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	code, stdout, stderr := play(t, split("explore redlock/crash-restart --no-faults --property entitled-exclusion --budget crashes=1,lost=2 --runs 100000 --out %s", dir)...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Equal(t, []string{"crash-restart-entitled-exclusion.replay.json", "explanation.txt", "explore.json", "explore.txt"}, under(t, dir))
	file := filepath.Join(dir, "crash-restart-entitled-exclusion.replay.json")
	require.Contains(t, stdout, "  replay: simctl replay "+file+"\n")
	_, command, ok := strings.Cut(stdout, "  reproduce: simctl run ")
	require.True(t, ok)

	code, stdout, stderr = play(t, "replay", file)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "REPRODUCED: entitled-exclusion at ")
	require.Contains(t, stdout, "found by  simctl explore redlock/crash-restart --seed 1 --no-faults --mode random --budget crashes=1,lost=2 --property entitled-exclusion --runs 100000\n")

	code, stdout, stderr = play(t, "explain", file, "--redraws", "50")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "  replay    "+file+"\n")
	require.Contains(t, stdout, "P(entitled-exclusion is violated) ")

	line, _, _ := strings.Cut(command, "\n")
	line, faults, _ := strings.Cut(line, " --set ")
	_, stdout, _ = play(t, append(strings.Fields("run "+line), "--set", strings.Trim(faults, "'"))...)
	require.Regexp(t, ` entitled-exclusion +VIOLATED `, stdout)
}
