package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
)

// requireShown reports a byte that a terminal would obey instead of showing it: a control
// character other than the end of a line and a tab, an override of the direction of
// writing, and what is no text at all.
func requireShown(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Fatalf("%s: bytes that are no text: %q", what, text)
	}
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t':
		case r < ' ', 0x7f <= r && r <= 0x9f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			t.Fatalf("%s: %U: %q", what, r, text)
		}
	}
}

// hostileLogs are logs whose mistakes, names and expressions say something to a terminal.
var hostileLogs = []string{
	"x\nalice {\"alice\":1,\"\\q\x1b]0;pwn\a\":1}\n",                                     // F1, a host that is no string
	"(?<event>.*)\\n(?<host>\\S*)\x1b]0;pwn\a (?<clock>{.*})\xff\n\nx\ny\n",              // F1, an expression that nothing matches
	"(?<event>.*)(?=\x1b[2J)(?<host>)(?<clock>)\n\nx\n",                                  // one that Go does not have
	"(?<event>.*)\x1b)(?<host>)(?<clock>)\n\nx\n",                                        // one that is wrong
	"\n=(?<trace>.*)=\n=\x1b[2J=\nx\na {\"a\":1}\n=\u202eb\xff=\ny\na {\"a\":1}\n",       // names of executions
	"\x1b[31mP: a\nP: b\nQ: c\na -> b, c, c\n",                                           // a script: messages name its events
	"P: \x9b2J\u202e \x7f\nP: \x9b2J\u202e\n\x7f -> \x9b2J\u202e\n",                      //
	"P: a\x1b b\nQ: c d\x1b\nb -> c\nd\x1b -> a\x1b\n",                                   // a circle
	"x\n\x1b[2J\u2066 {\"\x1b[2J\u2066\":1,\"\u0085\":3}\n\x1b]0;t\a\xff\ny {\"y\":2}\n", // hosts and texts
	"x\na {\"a\":-\x1b}\n", "x\na {\"a\":1} \x1b}\n", "x\n\xff {\"\xff\":1}\n", "\x00\x1b", "\x1f\x8b\b",
}

// FuzzOrder: whatever the log, order has a verdict or says what is wrong with it, and
// nothing of either moves a cursor; the verdict as JSON is one document. F1, F3.
func FuzzOrder(f *testing.F) {
	files, err := filepath.Glob(eventLog("*.*"))
	require.NoError(f, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	for _, text := range hostileLogs {
		f.Add(text)
	}
	file := filepath.Join(f.TempDir(), "x.log")
	f.Fuzz(func(t *testing.T, text string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		code, stdout, stderr := call(t, "order", file, "--pairs", "--limit", "20")
		requireShown(t, "report", stdout)
		requireShown(t, "errors", stderr)
		require.Contains(t, []int{cli.ExitOK, cli.ExitNotExpected, cli.ExitError, cli.ExitUsage}, code)
		require.Equal(t, code == cli.ExitError || code == cli.ExitUsage, stdout == "", "%d %q", code, stdout)
		again, stdout, _ := call(t, "order", file, "--pairs", "--limit", "20", "--json")
		require.Equal(t, code, again)
		requireShown(t, "JSON", stdout)
		if code == cli.ExitOK || code == cli.ExitNotExpected {
			var doc map[string]any
			require.NoError(t, json.Unmarshal([]byte(stdout), &doc), stdout)
			require.Equal(t, code == cli.ExitOK, doc["ok"])
		}
		if code == cli.ExitOK {
			code, _, stderr := call(t, "order", file, "--between", strings.Repeat("\x1b", 3)+",\u202e")
			require.Equal(t, cli.ExitError, code)
			requireShown(t, "errors", stderr)
		}
	})
}
