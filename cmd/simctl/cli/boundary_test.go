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
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports/golden"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// holdCatalog is the fake catalog, in which params.hold is how long client-1 holds the
// lock: more than 10 ms violates the exclusion. In fake/drawn it is a mean.
// From 30 ms to 35 ms client-1 is well-behaved in fake/band; at 40 ms it panics in
// fake/panic.
func holdCatalog() cli.Catalog {
	c := fakeCatalog()
	load := c.Load
	c.Load = func(name string, o format.Options) (*format.Scenario, error) {
		known := name
		if name == "fake/band" {
			known = "fake/calm"
		}
		s, err := load(known, o)
		if err != nil {
			return s, err
		}
		s.Name = name
		for _, set := range o.Sets {
			if set.Path != "params.hold" && set.Path != "vary.params.hold" {
				continue
			}
			d, err := time.ParseDuration(strings.Trim(set.Value, "[]"))
			if err != nil || d < 0 || d%time.Millisecond != 0 {
				return nil, &format.Invalid{Problems: []format.Problem{{File: name, Set: set.Path + "=" + set.Value, Message: "want whole milliseconds"}}}
			}
			hold := sim.Constant(d)
			switch {
			case name == "fake/drawn":
				hold = sim.Exponential(d)
			case name == "fake/band" && d >= 30*time.Millisecond && d <= 35*time.Millisecond:
				hold = sim.Constant(0)
			}
			s.Program = fakeProgram(hold, name == "fake/panic" && d > 40*time.Millisecond)
			s.Variants = nil
		}
		return s, nil
	}
	return c
}

// callOn runs a command line on a catalog.
func callOn(t *testing.T, ctx context.Context, c cli.Catalog, line ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "")
	var out, err bytes.Buffer
	code = simctl(ctx, c, line, &out, &err)
	return code, out.String(), err.String()
}

func bound(t *testing.T, line string) (code int, stdout, stderr string) {
	t.Helper()
	return callOn(t, context.Background(), holdCatalog(), append([]string{"boundary"}, split("%s", line)...)...)
}

const between = " --vary params.hold --property mutual-exclusion --from "

func TestBoundaryText(t *testing.T) {
	for name, line := range map[string]string{
		"found":     "fake/calm" + between + "1ms --to 20ms --step 1ms",
		"downwards": "fake/calm" + between + "20ms --to 1ms --step 1ms",
		"drawn":     "fake/drawn" + between + "1ms --to 40ms --probability 0.3",
		"several":   "fake/band" + between + "1ms --to 40ms",
		"none":      "fake/calm" + between + "11ms --to 40ms",
		"vacuous":   "fake/calm --vary params.hold --property fairness --from 1ms --to 40ms",
		"grid":      "fake/grid" + between + "1ms --to 100ms --runs 200 --probability 60% --seed 7",
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := bound(t, line)
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".txt")
			require.Equal(t, name == "none" || name == "vacuous", code == cli.ExitNotExpected)
			_, again, _ := bound(t, line+" --jobs 3")
			require.Equal(t, stdout, again)
		})
	}
}

// The neighbours are what they are said to be.
func TestBoundaryReproduces(t *testing.T) {
	_, stdout, _ := bound(t, "fake/calm"+between+"1ms --to 20ms --json")
	var doc struct {
		OK         bool
		Neighbours []struct{ Value, Verdict, Reproduce string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	require.True(t, doc.OK)
	require.Equal(t, "9ms", doc.Neighbours[0].Value)
	for _, n := range doc.Neighbours {
		_, stdout, _ := callOn(t, context.Background(), holdCatalog(), append(strings.Fields(n.Reproduce)[1:], "--json")...)
		require.Contains(t, stdout, `"name": "mutual-exclusion",
      "verdict": "`+n.Verdict+`"`)
	}
}

func TestBoundaryExitCodes(t *testing.T) {
	for line, want := range map[string]struct {
		code int
		said string
	}{
		"":                                       {cli.ExitUsage, "want the name or the file of one scenario, got 0"},
		"fake/calm fake/pause":                   {cli.ExitUsage, "got 2"},
		"fake/calm":                              {cli.ExitUsage, "want --vary as well"},
		"fake/calm" + between + "1ms":            {cli.ExitUsage, "want --to as well"},
		"fake/calm" + between + "1ms --to 1ms":   {cli.ExitUsage, "the range from 1ms to 1ms is empty"},
		"fake/calm" + between + "1ms --to 5":     {cli.ExitUsage, "want both of one kind"},
		"fake/calm" + between + "1ms --to later": {cli.ExitUsage, `--to: "later"`},
		"fake/calm" + between + "1ms --to 5ms --step 0s":                       {cli.ExitUsage, "the step: want more than 0"},
		"fake/calm" + between + "1ms --to 5ms --step x":                        {cli.ExitUsage, `--step: "x"`},
		"fake/calm" + between + "1ms --to 5ms --runs 0":                        {cli.ExitUsage, "--runs: want 1 to 1000000000, got 0"},
		"fake/calm" + between + "1ms --to 5ms --jobs 10000":                    {cli.ExitUsage, "--jobs: want 0 to 4096"},
		"fake/calm" + between + "1ms --to 5ms --probability 2":                 {cli.ExitUsage, "--probability: want a share above 0"},
		"fake/calm" + between + "1ms --to 5ms --probability 0.5":               {cli.ExitUsage, "want --runs as well"},
		"fake/calm" + between + "1ms --to 5ms --json --quiet":                  {cli.ExitUsage, "not both"},
		"fake/calm" + between + "1ms --to 5ms --out=":                          {cli.ExitUsage, "--out: the path is empty"},
		"fake/calm" + between + "1ms --to 5ms --color blue":                    {cli.ExitUsage, "--color: want"},
		"fake/calm" + between + "1ms --to 5ms --out /dev/null/x":               {cli.ExitError, "--out: "},
		"fake/calm" + between + "1ms --to 5ms --step 300us":                    {cli.ExitUsage, "want whole milliseconds"},
		"fake/none" + between + "1ms --to 5ms":                                 {cli.ExitUsage, "no scenario has this name"},
		"fake/panic" + between + "1ms --to 50ms":                               {cli.ExitError, "the model panics: lock: who asks?"},
		"fake/calm --vary expect.x --from 1 --to 2 --property fairness":        {cli.ExitUsage, `"expect" is no part of the system`},
		"fake/calm --vary params.hold --from 1ms --to 2ms --property fairnes":  {cli.ExitUsage, `did you mean "fairness"?`},
		"fake/calm --vary params.hold --from 1ms --to 2ms --property zzzzzzz":  {cli.ExitUsage, "want one of mutual-exclusion, fairness"},
		"fake/calm --vary params.hold=1ms..2ms --from 1ms --property fairness": {cli.ExitUsage, "--vary has a range: want no --from and no --to as well"},
		"fake/calm --vary params.hold=1ms --property fairness":                 {cli.ExitUsage, `--vary: want PATH=A..B, as in faults.0.for=1s..20s, got "params.hold=1ms"`},
		"fake/calm --vary params.hold=1ms.. --property fairness":               {cli.ExitUsage, "--vary: want PATH=A..B"},
		"fake/grid --vary params.x --from 1ms --to 2ms --property fairness":    {cli.ExitUsage, "pick it with --set params.hold=2ms"},
	} {
		code, _, stderr := bound(t, line)
		require.Equal(t, want.code, code, "%s: %s", line, stderr)
		require.Contains(t, stderr, want.said, line)
	}
}

func TestBoundaryOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "edge")
	code, stdout, stderr := bound(t, "fake/calm"+between+"1ms --to 20ms --out "+dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, []string{"boundary.json", "boundary.txt"}, under(t, dir))
	text, err := os.ReadFile(filepath.Join(dir, "boundary.txt"))
	require.NoError(t, err)
	require.Equal(t, stdout, string(text))
}

// An interrupt leaves what is done, and files that are whole.
func TestBoundaryInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	c := holdCatalog()
	load, loaded := c.Load, 0
	c.Load = func(name string, o format.Options) (*format.Scenario, error) {
		if loaded++; loaded == 8 {
			stop()
		}
		return load(name, o)
	}
	dir := filepath.Join(t.TempDir(), "edge")
	code, stdout, stderr := callOn(t, ctx, c, append([]string{"boundary"}, split("fake/calm"+between+"1ms --to 20ms --out %s", dir)...)...)
	require.Equal(t, cli.ExitInterrupted, code)
	require.Contains(t, stdout, "INTERRUPTED after ")
	require.Contains(t, stderr, "interrupted; what was done until then is reported")
	require.Equal(t, []string{"boundary.json", "boundary.txt"}, under(t, dir))
}

func TestBoundaryCompletion(t *testing.T) {
	_, stdout, _ := call(t, "__complete", "boundary", "")
	require.Contains(t, stdout, "fake/calm\n")
	_, stdout, _ = call(t, "__complete", "boundary", "fake/calm", "")
	require.NotContains(t, stdout, "fake/calm\n")
	_, stdout, _ = call(t, "__complete", "boundary", "fake/calm", "--property", "")
	require.Contains(t, stdout, "mutual-exclusion\n")
}

// TestBoundaryOfScenarios finds the known thresholds, in the scenarios that ship.
func TestBoundaryOfScenarios(t *testing.T) {
	for _, v := range []struct{ id, line, holds, violated string }{
		{"L-21", "redis/gc-pause --vary faults.0.for --from 1s --to 20s --property mutual-exclusion", "8.060s", "8.061s"},
		{"L-21", "redis/gc-pause --vary faults.0.for --from 20s --to 1s --property mutual-exclusion", "8.060s", "8.061s"},
		{"L-11", "redlock/clock-jump --vary faults.2.by --from 1s --to 20s --property entitled-exclusion", "8s", "8.001s"},
	} {
		t.Run(v.id, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"boundary", "--quiet"}, strings.Fields(v.line)...)
			require.Equal(t, cli.ExitOK, run(args, &stdout, &stderr), stderr.String())
			sides := []string{"holds at " + v.holds, "violated at " + v.violated}
			line, _, _ := strings.Cut(stdout.String(), "\n")
			if strings.Contains(v.line, "--from 20s") {
				slices.Reverse(sides)
			}
			require.Contains(t, line, strings.Join(sides, ", "))
		})
	}
}

// A range is written as certify has it, or by --from and --to: both say the same.
func TestBoundaryTakesARange(t *testing.T) {
	code, one, stderr := bound(t, "fake/pause --vary faults.0.for=1ms..1s --property mutual-exclusion")
	other, two, _ := bound(t, "fake/pause --vary faults.0.for --from 1ms --to 1s --property mutual-exclusion")
	require.Empty(t, stderr)
	require.Equal(t, code, other)
	require.Equal(t, two, one)
}
