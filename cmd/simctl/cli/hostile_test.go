package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/printable"
	"fencepost/scenarios"
)

// hostileName is what somebody may write where a name is expected.
const hostileName = "a\x1b]0;pwn\x07\x7f\u0085\u009b31m\u202eb"

// harmless fails if a terminal that shows a text would do more than show it.
func harmless(t testing.TB, text string) {
	t.Helper()
	for _, r := range text {
		require.True(t, printable.Harmless(r), "%q in %q", r, text)
	}
}

// Reliability F1b, F3, F5, F6: names of files, flags, cases, axes, properties and hosts
// reached the terminal and JSON with their control characters.
func TestWhatComesFromOutsideReachesNoTerminal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, hostileName+".yaml")
	require.NoError(t, os.WriteFile(file, []byte("model: lock\n"), 0o600))
	quoted, err := json.Marshal(hostileName)
	require.NoError(t, err)
	log := filepath.Join(dir, "log")
	require.NoError(t, os.WriteFile(log, []byte("alice {\"alice\":1}\nx\nbob {\"alice\":1,"+string(quoted)+":1}\ny\n"), 0o600))
	for _, args := range [][]string{
		{"run", file}, {"validate", file}, {"validate", file, "--json"}, {"show", file}, {"explore", file}, {"run", "nothing" + hostileName},
		{"run", "--" + hostileName}, {hostileName}, {"help", hostileName}, {"list", hostileName},
		{"run", "redlock/gc-pause", "--set", hostileName + "=5"},
		{"run", "redlock/gc-pause", "--set", "params." + hostileName + "=5", "--json"},
		{"run", "redlock/gc-pause", "--set", "params.ttl=" + hostileName},
		{"order", log}, {"order", log, "--json"}, {"order", log, "--between", hostileName + ",b"}, {"order", file},
		{"linearize", file}, {"linearize", file, "--json"}, {"replay", file}, {"plot", file}, {"boundary", file},
		{"compare", file, "redlock/gc-pause"}, {"run", "redlock/gc-pause", "--out", filepath.Join(dir, "no", hostileName, "\x00")},
		{"vet", "./" + hostileName},
	} {
		t.Run(strings.Join(args[:1], " "), func(t *testing.T) {
			var out, errs bytes.Buffer
			simctl(t.Context(), cli.CatalogOf(scenarios.Catalog(), strings.NewReader("")), args, &out, &errs)
			require.NotEmpty(t, out.String()+errs.String())
			harmless(t, out.String())
			harmless(t, errs.String())
			if args[len(args)-1] == "--json" && out.Len() > 0 {
				require.True(t, json.Valid(out.Bytes()), out.String())
			}
		})
	}
}
