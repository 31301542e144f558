package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/histories"
	"fencepost/internal/printable"
	"fencepost/sim/linear"
)

// linearize runs the command by itself.
func linearize(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	o := cli.NewOutput(&out)
	a := &app{&cli.App{Catalog: fakeCatalog(), Out: o, ErrOut: printable.NewWriter(&errOut), Getenv: func(string) string { return "" }}}
	cmd := newLinearizeCmd(a, nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{}, args...)) // nil would be those of the test
	cmd.SetOut(o)
	cmd.SetErr(&errOut)
	err := cmd.ExecuteContext(ctx)
	require.NoError(t, o.Flush())
	code = cli.ExitCode(err, &errOut)
	return code, out.String(), errOut.String()
}

// history is the path of a history that the package ships.
func history(name string) string {
	return filepath.Join("..", "..", "..", "sim", "linear", "testdata", name)
}

// hard writes a history that no search decides soon.
func hard(t *testing.T) string {
	h := &linear.History{Model: linear.Register}
	for i := range 40 {
		h.Ops = append(h.Ops, linear.Op{Client: i, Kind: linear.Write, Value: strconv.Itoa(i / 2), Call: 1, Return: 100})
	}
	h.Ops = append(h.Ops, linear.Op{Client: 40, Kind: linear.Read, Value: "none", Call: 101, Return: 102})
	var b bytes.Buffer
	require.NoError(t, linear.WriteJSON(&b, h))
	file := filepath.Join(t.TempDir(), "hard.json")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

func TestLinearizeExitCodes(t *testing.T) {
	good, bad, unknown, missing := history("handover.json"), history("stale-read.log"), hard(t), "no-such-file.log"
	for _, c := range []struct {
		want int
		args []string
	}{
		{cli.ExitOK, []string{good}},
		{cli.ExitOK, []string{good, history("open-write.log"), "--json"}},
		{cli.ExitOK, []string{history("touching.json"), "--format", "json", "--model", "register"}},
		{cli.ExitOK, []string{good, "--timeout", "0"}},
		{cli.ExitOK, []string{"--help"}},
		{cli.ExitNotExpected, []string{bad}},
		{cli.ExitNotExpected, []string{good, bad, good}},
		{cli.ExitNotExpected, []string{missing, bad, missing}},
		{cli.ExitError, []string{missing, good}},
		{cli.ExitError, []string{unknown, "--steps", "1000"}},
		{cli.ExitError, []string{unknown, "--memory", "1"}},
		{cli.ExitError, []string{unknown, "--timeout", "1ns"}},
		{cli.ExitError, []string{good, "--model", "kv"}},
		{cli.ExitError, []string{good, "--format", "jepsen"}},
		{cli.ExitUsage, nil},
		{cli.ExitOK, []string{history("refused-cas.log")}}, // finding R2
		{cli.ExitNotExpected, []string{history("refused-cas.log"), "--failed-cas", "mismatch"}},
		{cli.ExitUsage, []string{good, "--failed-cas", "maybe"}},
		{cli.ExitUsage, []string{good, "--format", "xml"}},
		{cli.ExitUsage, []string{good, "--model", "stack"}},
		{cli.ExitUsage, []string{good, "--timeout", "-1s"}},
		{cli.ExitUsage, []string{good, "--steps", "0"}},
		{cli.ExitUsage, []string{good, "--memory", "0"}},
		{cli.ExitUsage, []string{good, "--memory", "9999999"}},
		{cli.ExitUsage, []string{good, "--jsno"}},
	} {
		code, stdout, stderr := linearize(t, context.Background(), c.args...)
		require.Equal(t, c.want, code, "%v: %s%s", c.args, stdout, stderr)
		if code == cli.ExitUsage {
			require.Empty(t, stdout)
			require.Contains(t, stderr, "simctl: ")
		}
	}
}

func TestLinearizeText(t *testing.T) {
	file := hard(t)
	_, stdout, stderr := linearize(t, context.Background(), history("handover.json"), history("open-write.log"),
		history("lost-append.edn"), file, "missing", "--steps", "1000")
	require.Equal(t, history("handover.json")+": linearizable (lock, 6 operations, 1 without an outcome)\n"+
		history("open-write.log")+": linearizable (register, 5 operations, 2 without an outcome, 2 records not of an operation)\n"+
		history("lost-append.edn")+": not linearizable (kv, 4 operations, 2 keys)\n"+
		"  key \"x\": there is an order of all that returned before the read of a by client 1 at [7, 8], and none with it\n"+
		file+": unknown (register, 41 operations)\n"+
		"  1000 steps did not suffice; see --timeout, --steps and --memory\n", stdout)
	require.Contains(t, stderr, "simctl: open missing: ")
}

// A history that reads nothing is linearizable whatever happened: nothing was put to the test.
func TestLinearizeNothingToTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "writes.edn")
	require.NoError(t, os.WriteFile(file, []byte("{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}\n"), 0o600))
	code, stdout, _ := linearize(t, context.Background(), file)
	require.Equal(t, cli.ExitNotExpected, code)
	require.Equal(t, file+": not exercised (register, 1 operation)\n"+
		"  no operation returned anything that an order could contradict: a read or a cas has to return\n", stdout)
	code, stdout, _ = linearize(t, context.Background(), file, history("handover.json"), "--json")
	require.Equal(t, cli.ExitNotExpected, code)
	require.Contains(t, stdout, `"verdict": "not exercised"`)
	require.Contains(t, stdout, `"not_exercised_because": "no operation`)

	code, _, stderr := linearize(t, context.Background(), history("refused/f7-list-append.edn"))
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "f7-list-append.edn:1:32: want an operation (read, write, cas, ")
}

func TestLinearizeJSON(t *testing.T) {
	_, stdout, stderr := linearize(t, context.Background(), history("stale-read.log"), history("lost-cas.log"), "missing", "--json")
	require.Empty(t, stderr)
	var doc linearizeDoc
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	require.Equal(t, "fencepost/linearize/v1", doc.Schema)
	require.False(t, doc.OK)
	require.Len(t, doc.Files, 3)
	require.Contains(t, doc.Files[0].Why, "the read of 1 by client 0 at [7, 8] returned a value overwritten by 2: ")
	doc.Files[0].Why = ""
	require.Equal(t, &histories.Result{File: history("stale-read.log"), Verdict: "not linearizable", Format: "jepsen",
		Model: "register", Operations: 4, Keys: 1, Method: "zones"}, doc.Files[0])
	require.Equal(t, "search", doc.Files[1].Method)
	require.Positive(t, doc.Files[1].Steps)
	require.NotEmpty(t, doc.Files[2].Error)

	_, stdout, _ = linearize(t, context.Background(), history("touching.json"), "--json")
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	require.True(t, doc.OK)
}

func TestLinearizeInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, stdout, stderr := linearize(t, ctx, history("handover.json"))
	require.Equal(t, cli.ExitInterrupted, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "interrupted")
}

func TestLinearizeOptions(t *testing.T) {
	var got *linearizeOptions
	cmd := newLinearizeCmd(&app{&cli.App{Out: cli.NewOutput(io.Discard), ErrOut: printable.NewWriter(io.Discard)}}, func(_ context.Context, o *linearizeOptions) error {
		got = o
		return nil
	})
	cmd.SetArgs(split("a b --format edn --model kv --failed-cas mismatch --independent --timeout 3s --steps 5 --memory 2 --json"))
	require.NoError(t, cmd.Execute())
	require.Equal(t, &linearizeOptions{Files: []string{"a", "b"}, JSON: true, Options: histories.Options{
		Read:   linear.Options{Format: linear.EDN, Model: linear.KV, Mismatch: true, Independent: true},
		Limits: linear.Limits{Steps: 5, Memory: 2 << 20}, Timeout: 3 * time.Second}}, got)
}
