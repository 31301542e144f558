package module

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"fencepost"
)

// TestModuleBuildsAndPasses: what is written builds, passes its own test, and its program runs the scenarios and proves one, without a
// look at any module but those that this one is built from.
func TestModuleBuildsAndPasses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mylock")
	require.NoError(t, Write(t.Context(), dir, fencepost.Sources))
	generated := filepath.Join(dir, "lock", "messages_gen.go")
	written, err := os.ReadFile(generated)
	require.NoError(t, err)
	for _, line := range []string{
		"go generate ./...", "go vet ./...", "go test ./...", "go build -o program .",
		"./program run scenarios/quiet.yaml scenarios/paused.yaml --quiet",
		"./program run scenarios/paused.yaml --control --quiet",
		"./program run scenarios/paused.yaml --out out --quiet",
		"./program certify scenarios/quiet.yaml --budget pauses=1,pause-for=5s --no-edge --quiet",
		"./program view scenarios/paused.yaml --out page.html",
		"./program explain scenarios/paused.yaml --no-curve",
	} {
		words := strings.Fields(line)
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOPROXY=off", "GOWORK=off") // trimmed, the next run finds it in the build cache
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, text)
		if words[1] == "explain" {
			require.Contains(t, string(text), "client-1 notes entered")
			require.Contains(t, string(text), "client-2 notes entered")
		}
	}
	fresh, err := os.ReadFile(generated)
	require.NoError(t, err)
	require.Equal(t, string(fresh), string(written), "template/lock/messages_gen.go.tmpl is stale: it is what go generate writes")
	require.FileExists(t, filepath.Join(dir, "out", "paused.svg"))
	command := exec.CommandContext(t.Context(), "./program", "run")
	command.Dir = dir
	text, err := command.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(text), "see mylock list", "the program knows its name, whatever its file is called")
}

// TestNothingIsHalfWritten: where the module cannot be written there is nothing, and what was there stays.
func TestNothingIsHalfWritten(t *testing.T) {
	parent := t.TempDir()
	full, file := filepath.Join(parent, "full"), filepath.Join(parent, "file")
	require.NoError(t, os.Mkdir(full, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine.txt"), []byte("mine"), 0o644))
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	small := fstest.MapFS{"go.mod": {Data: []byte("module fencepost\n\ngo 1.26.0\n")}, "go.sum": {}, "sim/a.go": {Data: []byte("package sim\n")}}
	for _, v := range []struct {
		dir     string
		sources fs.FS
		want    string
	}{
		{full, small, "is not empty"},
		{file, small, "is a file"},
		{filepath.Join(file, "mylock"), small, ""},
		{filepath.Join(parent, "My_Lock"), small, "want a name of small letters"},
		{filepath.Join(parent, "lock"), small, "want a name of small letters"},
		{filepath.Join(parent, "mylock"), fstest.MapFS{}, "go.mod"},
		{filepath.Join(parent, "mylock"), fstest.MapFS{"go.mod": small["go.mod"]}, "go.sum"},
		{filepath.Join(parent, "mylock"), broken{small}, "broken"},
	} {
		require.ErrorContains(t, Write(t.Context(), v.dir, v.sources), v.want)
	}
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, Write(interrupted, filepath.Join(parent, "mylock"), small), context.Canceled)
	t.Chdir(filepath.Join(parent, "full"))
	require.ErrorContains(t, Write(t.Context(), ".", small), "the folder that you are in")
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 2, "full and file, as before")
	text, err := os.ReadFile(filepath.Join(full, "mine.txt"))
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))

	empty := filepath.Join(parent, "empty-one")
	require.NoError(t, os.Mkdir(empty, 0o755))
	require.NoError(t, Write(t.Context(), empty, small), "an empty folder serves")
	require.FileExists(t, filepath.Join(empty, ".fencepost", "sim", "a.go"))
	require.FileExists(t, filepath.Join(empty, ".github", "workflows", "ci.yml"))
}

// broken is sources with a file that cannot be read.
type broken struct{ fs.FS }

func (b broken) Open(name string) (fs.File, error) {
	if name == "sim/a.go" {
		return nil, errors.New("broken")
	}
	return b.FS.Open(name)
}
