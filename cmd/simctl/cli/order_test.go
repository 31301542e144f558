package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/printable"
	"fencepost/models/clock/eventlog"
	"fencepost/reports/eventorder"
	"fencepost/reports/golden"
)

// eventLog is the path of a log that the package ships.
func eventLog(name string) string {
	return filepath.Join("..", "..", "..", "models", "clock", "eventlog", "testdata", name)
}

func TestOrderExitCodes(t *testing.T) {
	good, bad, two, script := eventLog("consistent.log"), eventLog("not-sent.log"), eventLog("executions.log"), eventLog("source-004.script")
	malformed := filepath.Join(t.TempDir(), "malformed.log")
	require.NoError(t, os.WriteFile(malformed, []byte("x\na {\"a\":-1}\ny\nb {\"b\":}\n"), 0o600))
	twoWays := filepath.Join(t.TempDir(), "two-ways.log")
	require.NoError(t, os.WriteFile(twoWays, []byte("my run\na {\"a\":1}\nx\n"), 0o600))
	for _, c := range []struct {
		want int
		args []string
		says string
	}{
		{cli.ExitOK, []string{good}, ""},
		{cli.ExitOK, []string{good, "--json"}, ""},
		{cli.ExitOK, []string{good, "--format", "shiviz", "--between", "alice:1,bob:2"}, ""},
		{cli.ExitOK, []string{script, "--format", "script", "--between", "a,f"}, ""},
		{cli.ExitOK, []string{two, "--execution", "the message is lost"}, ""},
		{cli.ExitOK, []string{two, "--execution", "1"}, ""},
		{cli.ExitOK, []string{two, "--regex", eventlog.EventFirst, "--delimiter", "^===.*$", "--execution", "#2"}, ""},
		{cli.ExitOK, []string{"--help"}, ""},
		{cli.ExitNotExpected, []string{bad}, ""},
		{cli.ExitNotExpected, []string{bad, "--json"}, ""},
		{cli.ExitError, []string{"no-such-file"}, "simctl: open no-such-file: "},
		{cli.ExitError, []string{"."}, "simctl: "},
		{cli.ExitError, []string{malformed}, "simctl: " + malformed + ":2:8: the counter -1 is negative\n" + malformed + ":4:8: expected a counter, got \"}\"\n"},
		{cli.ExitError, []string{good, "--format", "script"}, "consistent.log:1:1: want PROCESS: EVENT EVENT..."},
		{cli.ExitError, []string{script, "--format", "shiviz"}, "source-004.script: there is no event in it"},
		{cli.ExitError, []string{good, "--between", "alice:1,bob:99"}, `--between: there is no event "bob:99": want a host and its counter, as in alice:1`},
		{cli.ExitError, []string{good, "--between", "x,bob:1"}, `--between: there is no event "x"`},
		{cli.ExitError, []string{script, "--between", "a,z"}, `there is no event "z": want an event of the script`},
		{cli.ExitError, []string{good, "--execution", "x"}, "has no delimiter"},
		{cli.ExitUsage, []string{two}, `--execution: 2 executions: want one of "all goes well", "the message is lost"`},
		{cli.ExitUsage, []string{two, "--execution", "x"}, `there is no execution "x"`},
		{cli.ExitUsage, []string{eventLog("x3-several-executions.log")}, `--execution: 2 executions: every host counts from 1 again, first in line 35: want one of "#1", "#2", or a delimiter`},
		{cli.ExitOK, []string{eventLog("x3-several-executions.log"), "--execution", "#2"}, ""},
		{cli.ExitOK, []string{eventLog("x4-heading-line.log")}, ""},
		{cli.ExitUsage, []string{twoWays}, `--regex: the text of an event may stand before or behind its clock, and both fit equally well: `},
		{cli.ExitOK, []string{twoWays, "--regex", eventlog.HostFirst}, ""},
		{cli.ExitError, []string{eventLog("f1-tlc-shiviz.log")}, "want an expression that says where they are"},
		{cli.ExitUsage, nil, "want one file"},
		{cli.ExitUsage, []string{good, bad}, "want one file"},
		{cli.ExitUsage, []string{good, "--format", "xml"}, "--format"},
		{cli.ExitUsage, []string{good, "--regex", "("}, "missing closing )"},
		{cli.ExitUsage, []string{good, "--regex", "(?<host>(?=x))(?<clock>)(?<event>)"}, "lookahead"},
		{cli.ExitUsage, []string{good, "--delimiter", "["}, "the delimiter"},
		{cli.ExitUsage, []string{script, "--format", "script", "--execution", "1"}, "--format script"},
		{cli.ExitUsage, []string{good, "--between", "alice:1"}, "--between: want two events, as A,B"},
		{cli.ExitUsage, []string{good, "--limit", "0"}, "--limit: want 1 to 1000000, got 0"},
		{cli.ExitUsage, []string{good, "--limit", "1000001"}, "--limit"},
		{cli.ExitUsage, []string{good, "--color", "blue"}, "--color"},
		{cli.ExitUsage, []string{good, "--jsno"}, "did you mean --json?"},
	} {
		code, stdout, stderr := call(t, append([]string{"order"}, c.args...)...)
		require.Equal(t, c.want, code, "%v: %s%s", c.args, stdout, stderr)
		require.Contains(t, stderr, c.says, "%v", c.args)
		if code == cli.ExitError || code == cli.ExitUsage {
			require.Empty(t, stdout)
			require.Contains(t, stderr, "simctl: ")
		} else {
			require.Empty(t, stderr)
		}
	}
}

// The texts are of files in a folder of their own, so that no path is in them.
func TestOrderText(t *testing.T) {
	for name, line := range map[string]string{
		"consistent":   "consistent.log --pairs --between alice:2,carol:2",
		"limited":      "consistent.log --pairs --limit 2 --between alice:1,alice:1",
		"script":       "source-004.script --between b,f",
		"circle":       "circle.log --pairs --between bob:1,carol:1",
		"equal-clocks": "equal-clocks.log --between alice:1,bob:1",
		"missing":      "missing.log --limit 1",
		"colour":       "backwards.log --color always",
		"execution":    "executions.log --execution 2",
		"heading":      "x4-heading-line.log",
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(eventLog("."))
			_, stdout, stderr := call(t, append([]string{"order"}, strings.Fields(line)...)...)
			require.Empty(t, stderr)
			t.Chdir(filepath.Join("..", "..", "..", "..", "cmd", "simctl", "cli"))
			golden.Require(t, stdout, ".txt")
		})
	}
}

func TestOrderJSON(t *testing.T) {
	read := func(code int, args ...string) (doc eventorder.Order) {
		got, stdout, stderr := call(t, append([]string{"order", "--json"}, args...)...)
		require.Equal(t, code, got, stderr)
		d := json.NewDecoder(strings.NewReader(stdout))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&doc))
		require.Equal(t, eventorder.OrderSchema, doc.Schema)
		return doc
	}
	// C-01 of S4, section 9.2.
	doc := read(cli.ExitOK, eventLog("source-004.script"), "--between", "b,d")
	require.Equal(t, &eventorder.OrderPairs{Ordered: 10, Concurrent: 5, Told: 3}, doc.Pairs)
	require.Equal(t, []eventorder.OrderedPair{
		{A: "a", B: "d", AClock: "{P:1}", BClock: "{Q:1}", Stamps: "||"}, {A: "b", B: "d", AClock: "{P:2}", BClock: "{Q:1}", Stamps: "||"},
		{A: "c", B: "d", AClock: "{P:3}", BClock: "{Q:1}", Stamps: "||"}, {A: "c", B: "e", AClock: "{P:3}", BClock: "{P:2,Q:2}", Stamps: "||"},
		{A: "c", B: "f", AClock: "{P:3}", BClock: "{P:2,Q:3}", Stamps: "||"}}, doc.Concurrent)
	require.True(t, *doc.AllListed)
	require.Equal(t, "||", doc.Between.Relation)
	require.Equal(t, eventorder.OrderedEvent{Name: "e", Host: "Q", Line: 3, Lamport: 3, Clock: "{P:2,Q:2}"}, doc.Order[4])

	doc = read(cli.ExitNotExpected, eventLog("circle.log"), "--limit", "2")
	require.False(t, doc.OK)
	require.Nil(t, doc.Pairs)
	require.Nil(t, doc.AllListed)
	require.Equal(t, []eventorder.OrderKind{{Kind: "not-passed-on", Count: 3}, {Kind: "circle", Count: 1}}, doc.Kinds)
	require.Equal(t, 4, doc.Inconsistent)
	require.Len(t, doc.Found, 2)
	require.Len(t, doc.Circle, 2)
	require.Equal(t, 3, doc.CircleLength)
	require.Empty(t, doc.Order)
}

// stdin gives a command an input of its own.
func TestOrderStandardInput(t *testing.T) {
	f, err := os.Open(eventLog("consistent.log"))
	require.NoError(t, err)
	defer f.Close()
	was := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = was }()
	code, stdout, _ := call(t, "order", "-")
	require.Equal(t, cli.ExitOK, code)
	require.True(t, strings.HasPrefix(stdout, "-\n  format    shiviz"), stdout)
}

// What a log says is shown, and not done, by the terminal; long names are cut.
func TestOrderOfStrangers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	name := "\x1b[2J" + strings.Repeat("n", 100)
	key, err := json.Marshal(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte("\x1b]0;title\a\xff\n"+name+" {"+string(key)+":1,\"x\":7}\n"), 0o600))
	code, stdout, _ := call(t, "order", file, "--pairs", "--between", name+":1,"+name+":1")
	require.Equal(t, cli.ExitNotExpected, code)
	require.NotContains(t, stdout, "\x1b")
	require.NotContains(t, stdout, "\a")
	require.NotContains(t, stdout, strings.Repeat("n", 60))
	require.Contains(t, stdout, "?[2Jnnnnnnnnnnnnnnnnn...")
}

func TestOrderInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var errOut bytes.Buffer
	a := &app{&cli.App{Catalog: fakeCatalog(), Out: cli.NewOutput(io.Discard), ErrOut: printable.NewWriter(&errOut), Getenv: func(string) string { return "" }}}
	cmd := newOrderCmd(a, nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{eventLog("consistent.log")})
	require.Equal(t, cli.ExitInterrupted, cli.ExitCode(cmd.ExecuteContext(ctx), &errOut))
	require.Contains(t, errOut.String(), "interrupted")
}

func TestOrderOptions(t *testing.T) {
	var got *orderOptions
	cmd := newOrderCmd(&app{&cli.App{Out: cli.NewOutput(io.Discard), ErrOut: printable.NewWriter(io.Discard), Getenv: func(string) string { return "" }}}, func(_ context.Context, o *orderOptions) error {
		got = o
		return nil
	})
	cmd.SetArgs(split("f --format shiviz --regex (?<host>h)(?<clock>c)(?<event>e) --delimiter d --execution 2 --pairs --between a,b --limit 7 --json --color always"))
	require.NoError(t, cmd.Execute())
	require.Equal(t, &orderOptions{File: "f", Read: eventlog.Options{Format: "shiviz", Expression: "(?<host>h)(?<clock>c)(?<event>e)", Delimiter: "d", Execution: "2"},
		Pairs: true, Between: "a,b", Limit: 7, JSON: true, Color: true}, got)
}
