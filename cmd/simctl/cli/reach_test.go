package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/states"
)

// Exit codes: exhausted, violated, a limit, usage with the nearest word.
func TestReachExitCodes(t *testing.T) {
	for _, c := range []struct {
		line   string
		code   int
		stdout string
		stderr string
	}{
		{"reach", cli.ExitOK, "mutex/ricart-agrawala", ""},
		{"reach lock/lease --set fence=1 --property no-stale-write --jobs 2", cli.ExitOK, "no-stale-write: exhausted: no state violates it\n2,200 states", ""},
		{"reach lock/lease --property no-stale-write", cli.ExitNotExpected, "no-stale-write: violated", ""},
		{"reach mutex/lamport", cli.ExitOK, "1,931 states", ""},
		{"reach mutex/lamport --states 100", cli.ExitError, "unknown: stopped at 100 states\n100 states", "not every state was visited"},
		{"reach mutex/lamport --memory 1MiB", cli.ExitError, "unknown: stopped at 1MiB of memory", "not every state was visited"},
		{"reach mutex/lamport --set processes=3 --for 1ms", cli.ExitError, "unknown: stopped at 1ms", "not every state was visited"},
		{"reach lock/leese", cli.ExitUsage, "", `did you mean "lock/lease"?`},
		{"reach lock/lease --set fense=1", cli.ExitUsage, "", `did you mean "fence"?`},
		{"reach lock/lease --set fence", cli.ExitUsage, "", "want NAME=N"},
		{"reach lock/lease --set fence=yes", cli.ExitUsage, "", "want a whole number"},
		{"reach lock/lease --set fence=2", cli.ExitUsage, "", "--set fence: must be 0 to 1, got 2"},
		{"reach mutex/lamport --set processes=4", cli.ExitUsage, "", "must be 2 to 3, got 4: a state of four takes more than 128 bits"},
		{"reach lock/lease --property no-stale-writes", cli.ExitUsage, "", `did you mean "no-stale-write"?`},
		{"reach lock/lease --crashes 256", cli.ExitUsage, "", "--crashes: want 0 to 255"},
		{"reach lock/lease --memory much", cli.ExitUsage, "", "--memory: want a size"},
		{"reach lock/lease --jobs -1", cli.ExitUsage, "", "--jobs: want 0 to"},
		{"reach --crashes 1", cli.ExitUsage, "", "want a model: one of lock/lease, mutex/lamport"},
		{"reach a b", cli.ExitUsage, "", "want one model, got 2"},
	} {
		code, stdout, stderr := call(t, strings.Fields(c.line)...)
		assert.Equal(t, c.code, code, "%s\n%s%s", c.line, stdout, stderr)
		assert.Contains(t, stdout, c.stdout, c.line)
		assert.Contains(t, stderr, c.stderr, c.line)
	}
}

// The document says the same whatever --jobs, and has a move for each line of the way.
func TestReachJSON(t *testing.T) {
	line := strings.Fields("reach mutex/lamport --losses 1 --property liveness --json --jobs")
	_, one, _ := call(t, append(line, "1")...)
	code, two, _ := call(t, append(line, "2")...)
	assert.Equal(t, cli.ExitNotExpected, code)
	assert.Equal(t, one, two)

	var d states.Report
	require.NoError(t, json.Unmarshal([]byte(one), &d))
	assert.Equal(t, "violated", d.Verdict)
	assert.False(t, d.OK)
	assert.Equal(t, map[string]int{"processes": 2, "rounds": 2, "overtake": 0}, d.Params)
	assert.Equal(t, "liveness", d.Violation.Property)
	assert.Len(t, d.Violation.Moves, d.Depth)
	lost := 0
	for _, m := range d.Violation.Moves {
		if m.What == "lose" {
			lost++
		}
	}
	assert.Equal(t, 1, lost)

	code, list, _ := call(t, "reach", "--json")
	assert.Equal(t, cli.ExitOK, code)
	var l states.List
	require.NoError(t, json.Unmarshal([]byte(list), &l))
	assert.Len(t, l.Models, len(states.Models()))
}

// After Ctrl-C what was visited until then is reported.
func TestReachInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	code := simctl(ctx, fakeCatalog(), strings.Fields("reach lock/lease"), &out, io.Discard)
	assert.Equal(t, cli.ExitInterrupted, code)
	assert.Contains(t, out.String(), "unknown: stopped at Ctrl-C")
}

// Names of models, properties and parameters are completed.
func TestReachCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"__complete reach l":                         "lock/lease\nmutex/lamport\n",
		"__complete reach lock/lease --property no":  "no-stale-write\nmutual-exclusion\n",
		"__complete reach mutex/lamport --set round": "processes=\nrounds=\novertake=\n",
	} {
		_, stdout, _ := call(t, strings.Fields(line)...)
		assert.Contains(t, stdout, want, line)
	}
}

// Every model has what a reader needs, and every property of one can be violated: a
// checker that cannot fail is a defect.
func TestReachModels(t *testing.T) {
	violated := map[string]string{
		"lock/lease no-stale-write":              "",
		"lock/lease mutual-exclusion":            "",
		"mutex/lamport mutual-exclusion":         "--set overtake=1",
		"mutex/lamport order":                    "--set overtake=1 --set processes=3 --set rounds=1",
		"mutex/lamport liveness":                 "--losses 1",
		"mutex/ricart-agrawala mutual-exclusion": "--duplicates 1",
		"mutex/ricart-agrawala order":            "--duplicates 1",
		"mutex/ricart-agrawala liveness":         "--losses 1",
	}
	for _, m := range states.Models() {
		assert.NotEmpty(t, m.About+m.Source)
		for _, p := range m.Properties {
			how, known := violated[m.Name+" "+p.Name]
			require.True(t, known, "%s %s", m.Name, p.Name)
			code, stdout, _ := call(t, strings.Fields("reach "+m.Name+" --property "+p.Name+" "+how)...)
			assert.Equal(t, cli.ExitNotExpected, code, "%s %s", m.Name, p.Name)
			assert.Contains(t, stdout, p.Name+": violated: ")
		}
	}
}
