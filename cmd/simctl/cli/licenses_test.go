package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linked lists the modules of which simctl has code, as "path version folder".
func linked(t *testing.T) []string {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "..")
	text, err := cmd.Output()
	require.NoError(t, err)
	list := strings.Split(strings.TrimSpace(string(text)), "\n")
	list = slices.DeleteFunc(list, func(line string) bool { return line == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// notices are the texts that a module asks to be passed on.
func notices(t *testing.T, folder string) string {
	var b strings.Builder
	for _, pattern := range []string{"LICENSE*", "NOTICE*", "licenses/ftl.txt"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			b.WriteString(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) + "\n\n")
		}
	}
	return b.String()
}

// TestThirdPartyLicenses is F13 and F15: who distributes simctl passes on the licence of
// each module in it, and the page of the licences has each with its version.
func TestThirdPartyLicenses(t *testing.T) {
	const file = "../../../THIRD_PARTY_LICENSES"
	var want strings.Builder
	want.WriteString("simctl has code of these modules. Each is followed by the licence under which it is used;\n" +
		"docs/licenses.md has them in a table. The test TestThirdPartyLicenses keeps this file up to date.\n\n")
	page, err := os.ReadFile("../../../docs/licenses.md")
	require.NoError(t, err)
	modules := linked(t)
	require.Greater(t, len(modules), 10)
	for _, line := range modules {
		var path, version, folder string
		_, err := fmt.Sscan(line, &path, &version, &folder)
		require.NoError(t, err, line)
		texts := notices(t, folder)
		require.NotEmpty(t, texts, "%s has no licence", path)
		fmt.Fprintf(&want, "%s\n%s %s\n%s\n\n%s", strings.Repeat("=", 80), path, version, strings.Repeat("=", 80), texts)
		assert.Contains(t, string(page), "| "+path+" | "+version+" | ", "docs/licenses.md")
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(file, []byte(want.String()), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, strings.ReplaceAll(string(have), "\r\n", "\n") == want.String(), "THIRD_PARTY_LICENSES is stale: run the test with UPDATE_GOLDEN=1, and update docs/licenses.md")
}
