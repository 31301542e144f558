package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRenamedModuleBuilds: a part of the repository builds under another path, and no file of it
// names a package by the old one.
func TestRenamedModuleBuilds(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{"go.mod", "go.sum", "bench/go.mod", "conformance/go.mod", "sweep/go.mod", "webtest/go.mod",
		"conformance/README.md", "reports/check.go", "result/number.go", "sim/tidy_test.go", "cmd/simctl/internal/version/version.go", "scenarios/record/load.go", "cmd/simctl/main.go"} {
		copyFile(t, file, root)
	}
	for _, folder := range []string{"internal/splitmix", "models/ratelimit", "models/ratelimit/response"} {
		files, err := filepath.Glob("../../" + folder + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			copyFile(t, folder+"/"+filepath.Base(file), root)
		}
	}
	changed, err := rename(root, "example.com/you/fencepost")
	require.NoError(t, err)
	require.Greater(t, changed, 7)

	old := regexp.MustCompile(`(^|[\s"` + "`" + `])fencepost(/(sim|models|scenarios|reports|result|internal|sweep|webtest)\b| v0| =>|"$|$)`)
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		for line := range strings.Lines(string(text)) {
			if old.MatchString(strings.TrimSpace(line)) && !strings.HasPrefix(line, "//") {
				t.Errorf("%s: %s", path, line)
			}
		}
		return err
	})
	require.NoError(t, err)
	version, err := os.ReadFile(filepath.Join(root, "cmd/simctl/internal/version/version.go"))
	require.NoError(t, err)
	require.Contains(t, string(version), `"fencepost/version/v1"`, "the name of a format stays")

	build := exec.Command("go", "build", "./models/ratelimit/response")
	build.Dir, build.Env = root, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
}

// copyFile copies a file of the repository to the same place below root.
func copyFile(t *testing.T, file, root string) {
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	target := filepath.Join(root, filepath.FromSlash(file))
	require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
	require.NoError(t, os.WriteFile(target, text, 0o644))
}

// TestModulePathIsChecked: what is no path with a host is refused, and changes nothing.
func TestModulePathIsChecked(t *testing.T) {
	root := t.TempDir()
	copyFile(t, "go.mod", root)
	for _, path := range []string{"", "fencepost", "github.com", "https://github.com/you/fencepost", "github.com/you/fencepost/", "Example.com/a"} {
		_, err := rename(root, path)
		require.ErrorContains(t, err, "is no module path", path)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(text), "module fencepost\n")
}
