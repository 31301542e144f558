package postgres

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each schedule has been run on PostgreSQL 15.18, and its outcomes are what the server
// answered.
func TestSchedules(t *testing.T) {
	files, err := filepath.Glob("testdata/schedules/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		script, err := ParseScript(string(text))
		require.NoError(t, err, file)
		t.Run(script.Title, func(t *testing.T) {
			lines, err := script.Run()
			require.NoError(t, err)
			checked := 0
			for _, l := range lines {
				assert.True(t, l.Met(), "%s:%d: %s: %s\n got %s\nwant %s", file, l.Line, l.Session, l.Text, strings.Join(l.Got, "; "), strings.Join(l.Expect, "; "))
				if l.Expect != nil {
					checked++
				}
			}
			assert.Positive(t, checked, "a schedule without outcomes")
		})
	}
}
