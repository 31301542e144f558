package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
)

// Reports about the locks of others, as small scenarios. Each file names its source, and expects what the report says. What
// three of them report the model has no setting for: r1, r2 and e4 expect what it does, and say what the report has. The
// shares of r4 are those of its figure, redis/sentinel-split-votes.
func TestReportsAboutLocks(t *testing.T) {
	list, err := filepath.Glob("testdata/cases/locks/*.yaml")
	require.NoError(t, err)
	require.Len(t, list, 11)
	for _, file := range list {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			code, _, stderr := runLine("run", file)
			if strings.Contains(file, "r4-") {
				assert.Equal(t, cli.ExitNotExpected, code, "a failover takes longer than available-within in some runs, and no share is expected")
				return
			}
			assert.Equal(t, cli.ExitOK, code, stderr)
		})
	}
}
