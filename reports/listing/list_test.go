package listing

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestListOnATerminal: no line is wider than the terminal, and each scenario has one.
func TestListOnATerminal(t *testing.T) {
	l := List{Folders: []ListedFolder{{Name: "lock", About: strings.Repeat("what it is about ", 20)}, {Name: "clock"}}}
	for _, name := range []string{"lock/a", "lock/a-name-that-is-rather-long-for-a-name"} {
		l.Scenarios = append(l.Scenarios, Listed{Name: name, Model: "lock", About: strings.Repeat("what happens, ", 30), Source: strings.Repeat("a paper, ", 20)})
	}
	for _, width := range []int{80, 100, 200} {
		var b strings.Builder
		require.NoError(t, l.WriteFolders(&b, width))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		require.Len(t, lines, 3, "a folder without scenarios has no heading")
		for _, line := range lines {
			require.LessOrEqual(t, utf8.RuneCountInString(line), width)
			require.Contains(t, line, "…")
		}
	}
	var b strings.Builder
	require.NoError(t, l.WriteFolders(&b, 12), "narrower than a name")
	require.Contains(t, b.String(), "\n  lock/a-name-that-is-rather-long-for-a-name  what happ…  a…\n")
	b.Reset()
	require.NoError(t, l.WriteFolders(&b, 0))
	require.NotContains(t, b.String(), "…")
	require.Contains(t, b.String(), " ["+strings.TrimSpace(l.Scenarios[0].Source)+"]\n")
}

// TestListRule: where there is no terminal a row is whole, and the line under the headings
// ends at 120 characters. (the rule of 315 characters)
func TestListRule(t *testing.T) {
	l := List{Scenarios: []Listed{{Name: "lock/a", Model: "lock", About: strings.Repeat("what happens, ", 30) + "end"}}}
	var b strings.Builder
	require.NoError(t, l.WriteText(&b, 0))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	require.Len(t, lines, 3)
	require.Equal(t, strings.Repeat("─", 120), lines[1])
	require.True(t, strings.HasSuffix(lines[2], "end"))
}
