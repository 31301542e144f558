package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/selection"
	"fencepost/internal/whole"
	"fencepost/models/idempotency/flows"
	"fencepost/reports/golden"
	"fencepost/scenarios"
)

// run is simctl with what ships.
func run(args []string, stdout, stderr io.Writer) int {
	return runOf(scenarios.Catalog(), fencepost.Sources, args, stdout, stderr)
}

// real runs a command line with the scenarios that ship.
func real(t *testing.T, line ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(line, &out, &err)
	return code, out.String(), err.String()
}

// longest is the longest line of a text, in characters.
func longest(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return most
}

func TestShowText(t *testing.T) {
	for _, name := range fakeNames {
		t.Run(strings.TrimPrefix(name, "fake/"), func(t *testing.T) {
			_, stdout, stderr := call(t, "show", name)
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".txt")
		})
	}
	for _, name := range []string{"redlock/gc-pause", "policy/rules-reload-two-versions"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			_, stdout, stderr := real(t, "show", name)
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".txt")
		})
	}
}

// TestShowTrials: a run of trials has no length.
func TestShowTrials(t *testing.T) {
	_, stdout, stderr := real(t, "show", "kv/pbs-n")
	require.Empty(t, stderr)
	require.Contains(t, stdout, "\n  runs      10 runs, seeds 1 to 10\n")
}

// TestShowEvery: each scenario can be shown, in lines that fit.
func TestShowEvery(t *testing.T) {
	for i, name := range scenarios.Names() {
		if !whole.Takes(i, 8) {
			continue
		}
		code, stdout, stderr := real(t, "show", name)
		require.Equal(t, cli.ExitOK, code, stderr)
		require.True(t, strings.HasPrefix(stdout, name+"\n"), name)
		texts := regexp.MustCompile(`(?m)^ {6}.*$`) // those of a parameter of several lines stay as they are
		assert.LessOrEqual(t, longest(texts.ReplaceAllString(stdout, "")), cli.LineWidth, name)
	}
}

// TestShowFile prints the file byte for byte.
// A flow that ships is printed as it is, so that one's own can begin with it.
func TestShowFlow(t *testing.T) {
	code, stdout, stderr := real(t, "show", "--flow", "reference")
	text, ok := flows.Text("reference")
	require.True(t, ok)
	assert.Zero(t, code, stderr)
	assert.Equal(t, text, stdout)
	for want, line := range map[string][]string{
		`no flow is called "referense"; did you mean "reference"?`: {"show", "--flow", "referense"},
		`want one of add, `:            {"show", "--flow", "../x"},
		"leave the scenario out":       {"show", "--flow", "reference", "lock/compare"},
		"want the name or the file of": {"show"},
	} {
		code, stdout, stderr := real(t, line...)
		assert.Equal(t, cli.ExitUsage, code)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, want)
	}
}

func TestShowFile(t *testing.T) {
	want, err := os.ReadFile("../../../scenarios/redlock/gc-pause.yaml")
	require.NoError(t, err)
	_, stdout, _ := real(t, "show", "redlock/gc-pause", "--file")
	require.Equal(t, string(want), stdout)
}

// TestListByFolder: every scenario is on one line of its own, below its folder, and where
// there is no terminal it is whole.
func TestListByFolder(t *testing.T) {
	_, stdout, _ := real(t, "list")
	require.NotContains(t, stdout, "…")
	var names []string
	folder := ""
	for line := range strings.Lines(stdout) {
		name, indented := strings.CutPrefix(line, "  ")
		if !indented {
			folder, _, _ = strings.Cut(line, ":")
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		if folder == selection.Start {
			require.Contains(t, scenarios.Catalog().Start, name)
			continue // which is below its own folder as well
		}
		names = append(names, name)
		h, ok := scenarios.Catalog().HeadlineOf(name)
		require.True(t, ok, name)
		require.Equal(t, path.Dir(name), folder)
		require.Contains(t, line, strings.Join(strings.Fields(h.About), " "))
		require.Contains(t, line, strings.Join(strings.Fields(h.Source), " "))
	}
	require.ElementsMatch(t, scenarios.Names(), names)
}

// TestNew: the scenario of each model runs, as it says, and so does its control.
func TestNew(t *testing.T) {
	causes := regexp.MustCompile(`(?m)^(faults|control):`)
	smaller := map[string][2]string{"pbs": {"trials: 100000", "trials: 10000"}}
	for _, m := range scenarios.Models() {
		t.Run(m.Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "my.yaml")
			code, stdout, stderr := real(t, "new", m.Name, file)
			require.Equal(t, cli.ExitOK, code, stderr)
			require.Equal(t, "run it: simctl run "+file+"\n", stdout)
			before, err := os.ReadFile(file)
			require.NoError(t, err)
			if less := smaller[m.Name]; less[0] != "" {
				require.Contains(t, string(before), less[0])
				before = []byte(strings.Replace(string(before), less[0], less[1], 1))
				require.NoError(t, os.WriteFile(file, before, 0o644))
			}
			lines := [][]string{{"run", file, "--quiet"}}
			if causes.Match(before) { // else it is the same without
				lines = append(lines, []string{"run", file, "--quiet", "--control"})
			}
			for _, line := range lines {
				code, stdout, stderr = real(t, line...)
				require.Equal(t, cli.ExitOK, code, stdout+stderr)
			}
			code, _, stderr = real(t, "new", "lock", file)
			require.Equal(t, cli.ExitUsage, code)
			require.Contains(t, stderr, "is there already")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

func TestSchema(t *testing.T) {
	_, stdout, _ := real(t, "schema")
	var schema struct {
		Schema     string `json:"$schema"`
		Properties map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &schema))
	require.Equal(t, "http://json-schema.org/draft-07/schema#", schema.Schema)
	require.Contains(t, schema.Properties, "faults")
}
