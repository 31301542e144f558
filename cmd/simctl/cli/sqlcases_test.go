package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/cli"
)

// Reports about services with a SQL database, as small scenarios. Each file names its source, and expects what the report
// says.
func TestReportsAboutSQL(t *testing.T) {
	for _, name := range []string{"i1-skip-locked-order", "i7-advisory-lock-repeatable-read", "i8-do-nothing-union", "i9-delete-up-to-last"} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := runLine("run", sqlCase(name))
			assert.Equal(t, cli.ExitOK, code, stderr)
		})
	}
}

// A report that cannot be told yet: advisory locks of a session and a pooler between server and database. The statement is
// refused by its name, with its line.
func TestAdvisoryLocksOfASessionAreRefused(t *testing.T) {
	code, _, stderr := runLine("run", sqlCase("i2-session-advisory-lock"))
	assert.Equal(t, cli.ExitUsage, code)
	assert.Contains(t, stderr, "i2-session-advisory-lock.yaml:10:14")
	assert.Contains(t, stderr, "pg_advisory_lock")
}

func sqlCase(name string) string { return filepath.Join("testdata", "cases", "sql", name+".yaml") }
