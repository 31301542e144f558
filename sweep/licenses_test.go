package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThirdPartyLicenses: who distributes simctl-sweep passes on the licence of each module
// in it, and the page of the licences has each with its version.
func TestThirdPartyLicenses(t *testing.T) {
	text, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", ".").Output()
	require.NoError(t, err)
	modules := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" })
	slices.Sort(modules)
	page, err := os.ReadFile("../docs/licenses.md")
	require.NoError(t, err)
	var want strings.Builder
	want.WriteString("simctl-sweep has code of these modules. Each is followed by the licence under which it is used.\n\n")
	for _, line := range slices.Compact(modules) {
		var path, version, folder string
		_, err := fmt.Sscan(line, &path, &version, &folder)
		require.NoError(t, err)
		require.Contains(t, string(page), "| "+path+" | "+version+" | ")
		fmt.Fprintf(&want, "%s\n%s %s\n%s\n\n", strings.Repeat("=", 80), path, version, strings.Repeat("=", 80))
		var files []string
		for _, pattern := range []string{"LICENSE*", "NOTICE*"} {
			found, err := filepath.Glob(filepath.Join(folder, pattern))
			require.NoError(t, err)
			files = append(files, found...)
		}
		require.NotEmpty(t, files, "%s has no licence", path)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want.WriteString(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) + "\n\n")
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile("THIRD_PARTY_LICENSES", []byte(want.String()), 0o644))
	}
	have, err := os.ReadFile("THIRD_PARTY_LICENSES")
	require.NoError(t, err)
	require.Equal(t, want.String(), strings.ReplaceAll(string(have), "\r\n", "\n"), "run the test with UPDATE_GOLDEN=1")
}
