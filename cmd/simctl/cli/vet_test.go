package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/determinism"
	"fencepost/internal/printable"
)

// The program of the test is the tool of go vet in TestGoVet.
func init() {
	if determinism.IsTool(os.Args[1:]) {
		determinism.RunTool(os.Args[1:])
	}
}

const vetData = "../../../sim/vet/testdata"

// vetIn carries out simctl vet in a folder.
func vetIn(t *testing.T, dir string, asJSON bool, patterns ...string) (code int, stdout, stderr string) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a third of the time went into collecting syntax trees that are all in use
	var printed, errs bytes.Buffer
	out := cli.NewOutput(&printed)
	err := (&app{&cli.App{Out: out, ErrOut: printable.NewWriter(&errs)}}).vet(context.Background(), dir, patterns, asJSON)
	require.NoError(t, out.Flush())
	return cli.ExitCode(err, &errs), printed.String(), errs.String()
}

// A model keeps the rules: one without tests, which import most of what there is to be loaded. CI looks through all models, and through the engine
// and its examples.
func TestModelsAreDeterministic(t *testing.T) {
	code, stdout, stderr := vetIn(t, "../../..", false, "./models/ratelimit/fleet/core")
	require.Equal(t, cli.ExitOK, code, stdout+stderr)
	require.Empty(t, stdout+stderr)
}

func TestVet(t *testing.T) {
	code, stdout, stderr := vetIn(t, vetData, false, "./near", "./entries") // and what is found is in the order of files
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Empty(t, stderr)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Len(t, lines, 11)
	require.Equal(t, "entries/entries.go:12:54: time.Now is the wall clock of the machine, which no seed repeats; use in.Mono or in.Wall", lines[0])
	require.Equal(t, "near/near.go:25:2: the variable clock is written, which all nodes and runs share; keep it in the node", lines[9])
}

func TestVetJSON(t *testing.T) {
	code, stdout, _ := vetIn(t, vetData, true, "./near")
	require.Equal(t, cli.ExitNotExpected, code)
	var doc vetDoc
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	assert.Equal(t, "fencepost/vet/v1", doc.Schema)
	assert.False(t, doc.OK)
	require.NotEmpty(t, doc.Findings)
	f := doc.Findings[0]
	assert.Equal(t, filepath.Join("near", "near.go"), f.File)
	assert.Equal(t, [2]int{20, 10}, [2]int{f.Line, f.Column})
	assert.Equal(t, "clock", f.Rule)

	dir := t.TempDir() // a model that imports nothing: the standard library need not be checked once more
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module clean\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package clean\n"), 0o600))
	code, stdout, _ = vetIn(t, dir, true)
	require.Equal(t, cli.ExitOK, code)
	require.JSONEq(t, `{"schema": "fencepost/vet/v1", "ok": true, "findings": []}`, stdout)
}

func TestVetOfWhatDoesNotLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const nothing = "simctl: the packages do not load; nothing was looked for\n"

	write("go.mod", "module broken\n\ngo 1.26\n")
	code, stdout, stderr := vetIn(t, dir, false)
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout)
	require.Equal(t, "no packages match ./...\n"+nothing, stderr)

	write("a.go", "package broken\n\nfunc f() int { return \"\" }\n\nvar x = y\n")
	code, stdout, stderr = vetIn(t, dir, false)
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout)
	require.Equal(t, "a.go:3:23: cannot use \"\" (untyped string constant) as int value in return statement\na.go:5:9: undefined: y\n"+nothing, stderr)

	code, stdout, _ = vetIn(t, dir, true)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stdout, `"a.go:5:9: undefined: y"`)
	require.Contains(t, stdout, `"ok": false`)

	code, _, stderr = vetIn(t, dir, false, "./nothing")
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "nothing")
}

func TestIsVetTool(t *testing.T) {
	for line, want := range map[string]bool{
		"":                      false,
		"vet":                   false,
		"vet ./...":             false,
		"run x.cfg":             false,
		"--help":                false,
		"version":               false,
		"-V=full":               true,
		"-flags":                true,
		"b001/vet.cfg":          true,
		"-json b001/vet.cfg":    true,
		"-fencepost -c=1 a.cfg": true,
	} {
		assert.Equal(t, want, determinism.IsTool(strings.Fields(line)), line)
	}
}

// The same findings come out of go vet, across packages and through its files of facts.
func TestGoVet(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	vet := func(pkg string) (string, error) {
		cmd := exec.Command("go", "vet", "-vettool="+self, pkg)
		cmd.Dir = vetData
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	text, err := vet("./user")
	require.Error(t, err)
	_, want, _ := vetIn(t, vetData, false, "./user")
	require.Equal(t, want, text)

	text, err = vet("./msg")
	require.NoError(t, err, text)
}
