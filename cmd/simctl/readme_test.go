package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
)

// pages have transcripts of simctl, and so many at least.
var pages = map[string]int{"README.md": 8, "docs/ratelimit.md": 4, "docs/clocks.md": 17, "docs/compare.md": 3, "docs/advise.md": 3, "docs/flows.md": 5, "docs/idempotency.md": 6, "docs/search.md": 3, "docs/locks.md": 1, "docs/kv.md": 3}

// transcript is a command of a page and the output that follows it.
type transcript struct {
	args []string
	want []string
	code int // as go run says: "exit status 3"
}

// transcripts are the indented blocks of a page that begin with a call of simctl.
func transcripts(t *testing.T, page string) (list []transcript) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	const call = "    $ go run ./cmd/simctl "
	var now *transcript
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, call):
			list = append(list, transcript{args: strings.Fields(line[len(call):])})
			now = &list[len(list)-1]
		case now != nil && strings.HasPrefix(line, "    exit status "):
			now.code, err = strconv.Atoi(strings.TrimPrefix(line, "    exit status "))
			require.NoError(t, err)
		case now != nil && strings.HasPrefix(line, "    "):
			now.want = append(now.want, strings.TrimPrefix(line, "    "))
		case line != "":
			now = nil
		}
	}
	return list
}

// TestPages runs every command of the pages and finds its output there, line by line;
// [...] stands for lines that are left out.
func TestPages(t *testing.T) {
	t.Chdir("../..") // which is where a reader is
	for page, least := range pages {
		list := transcripts(t, page)
		require.GreaterOrEqual(t, len(list), least, page)
		for _, v := range list {
			if testing.Short() && strings.Contains(strings.Join(v.args, " "), "under-gc") {
				continue // tens of thousands of runs
			}
			t.Run(strings.Join(v.args, " "), v.check)
		}
	}
}

// check runs a command and compares.
func (v *transcript) check(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, v.code, run(v.args, &stdout, &stderr), stderr.String())
	rest := strings.Split(stdout.String(), "\n")
	skip := false
	for _, want := range v.want {
		if want == "[...]" {
			skip = true
			continue
		}
		for skip && len(rest) > 0 && strings.TrimRight(rest[0], " ") != want {
			rest = rest[1:]
		}
		for len(rest) > 0 && rest[0] == "" && want != "" { // empty lines end no block
			rest = rest[1:]
		}
		require.NotEmpty(t, rest, "the output has no line %q", want)
		require.Equal(t, want, strings.TrimRight(rest[0], " "))
		rest, skip = rest[1:], false
	}
}

// TestREADMEModel finds the model that the README shows in the engine's example,
// which is compiled and run.
func TestREADMEModel(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	model, _, _ := strings.Cut(rest, "```")
	example, err := os.ReadFile("../../sim/example_test.go")
	require.NoError(t, err)
	require.Contains(t, string(example), model)
}

// TestSourcesCommands: the commands that docs/sources.md names parse. (T9)
func TestSourcesCommands(t *testing.T) {
	page, err := os.ReadFile("../../docs/sources.md")
	require.NoError(t, err)
	commands := regexp.MustCompile("`simctl ([^`]+)`").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(commands), 3)
	for _, m := range commands {
		args := strings.Fields(m[1])
		cmd, rest, err := newRootCmd(&app{}).Find(args)
		require.NoError(t, err, m[0])
		require.Equal(t, args[0], cmd.Name(), m[0])
		require.NoError(t, cmd.ParseFlags(rest), m[0])
	}
}

// TestFlowsPage: the scenarios that docs/flows.md shows are the files beside it, and each
// flow that it shows can be run.
func TestFlowsPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/flows.md")
	require.NoError(t, err)
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	file, err := os.ReadFile("../../docs/flows/webhook.yaml")
	require.NoError(t, err)
	require.True(t, strings.Contains(page, "```yaml\n"+string(file)+"```"), "the page shows the file as it is")
	_, tables, _ := strings.Cut(string(file), "program: |\n")
	tables, _, _ = strings.Cut(tables, "\n\n")
	fixed, err := os.ReadFile("../../docs/flows/webhook-fixed.yaml")
	require.NoError(t, err)

	shown := regexp.MustCompile("(?s)```flow\n(.*?)```").FindAllStringSubmatch(page, -1)
	require.Len(t, shown, 2)
	require.Contains(t, strings.ReplaceAll(string(fixed), "\n    ", "\n"), shown[0][1], "the fix is the one of the file")
	for _, m := range []string{tables + shown[0][1], shown[1][1]} {
		program, err := flow.Parse("docs/flows.md", m)
		require.NoError(t, err)
		require.NotEmpty(t, program.Effects)
	}
}

// TestFlowsPageErrors: what docs/flows.md says of mistakes is what simctl says.
func TestFlowsPageErrors(t *testing.T) {
	t.Chdir("../..")
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run([]string{"validate", "docs/flows/mistakes.yaml"}, &stdout, &stderr))
	page, err := os.ReadFile("docs/flows.md")
	require.NoError(t, err)
	shown := strings.ReplaceAll("\n"+strings.TrimRight(stderr.String(), "\n"), "\n", "\n    ")
	require.True(t, strings.Contains(string(page), "    $ simctl validate docs/flows/mistakes.yaml"+shown+"\n"), shown)
}
