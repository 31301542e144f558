package cli

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios"
)

// listed are the names in the table that a command line prints.
func listed(t *testing.T, args ...string) (names []string) {
	t.Helper()
	code, stdout, stderr := real(t, append([]string{"list"}, args...)...)
	require.Equal(t, cli.ExitOK, code, stderr)
	for _, line := range strings.Split(strings.TrimSpace(stdout), "\n")[2:] {
		names = append(names, strings.Fields(line)[0])
	}
	return names
}

// TestListOfAFolderOrModel: a folder has its scenarios, a model those of all folders.
func TestListOfAFolderOrModel(t *testing.T) {
	for _, name := range listed(t, "redlock") {
		require.Equal(t, "redlock", path.Dir(name))
	}
	require.Contains(t, listed(t, "lock"), "redlock/gc-pause", "lock is a folder and a model")
	require.Contains(t, listed(t, "backpressure"), "client/retry-herd")
	require.ElementsMatch(t, scenarios.Catalog().Start, listed(t, "start"))
	code, _, stderr := real(t, "list", "redlok")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, `there is no folder or model "redlok"; did you mean "redlock"?`)
	code, _, stderr = real(t, "list", "hlc")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, `there is no folder or model "hlc"; simctl list --find hlc lists the scenarios that have the word`)
	_, _, stderr = real(t, "list", "no-such-word-anywhere")
	require.Contains(t, stderr, "want adaptive or backpressure or ")
}

// TestListFinds: each word is in the name or the file.
func TestListFinds(t *testing.T) {
	require.Contains(t, listed(t, "--find", "kleppmann FENCING"), "redlock/gc-pause-fenced")
	require.NotContains(t, listed(t, "redlock", "--find", "fencing"), "fencing/cas-order", "of the folder only")
	for _, find := range []string{"no-such-word-anywhere", " "} {
		code, _, stderr := real(t, "list", "--find", find)
		require.Equal(t, cli.ExitUsage, code, stderr)
	}
}

// TestOldNameSaysTheNewOne: a name of before runs the same scenario, and says on standard error what it is called.
func TestOldNameSaysTheNewOne(t *testing.T) {
	code, now, stderr := real(t, "run", "redlock/gc-pause")
	require.Equal(t, cli.ExitOK, code)
	require.Empty(t, stderr)
	code, old, stderr := real(t, "run", "lock/redlock-gc-pause")
	require.Equal(t, cli.ExitOK, code)
	require.Equal(t, now, old)
	require.Equal(t, "simctl: lock/redlock-gc-pause is called redlock/gc-pause now; the old name goes with the next release\n", stderr)
	_, all, _ := real(t, "list")
	require.NotContains(t, all, "lock/redlock-gc-pause")
}

// TestReplayFileOfAnOldNameWorks: it holds its scenario, whatever that is called now.
func TestReplayFileOfAnOldNameWorks(t *testing.T) {
	code, stdout, stderr := real(t, "replay", "testdata/old-name.replay.json")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "REPRODUCED")
	require.Contains(t, stdout, "lock/redlock-gc-pause")
}

// TestShowSaysFixesAndFailures: the fix of a failure is below it, and the failure below its fix.
func TestShowSaysFixesAndFailures(t *testing.T) {
	_, stdout, _ := real(t, "show", "redlock/gc-pause")
	require.Regexp(t, `redlock/gc-pause-fenced +a fix `, stdout)
	_, stdout, _ = real(t, "show", "redlock/gc-pause-fenced")
	require.Regexp(t, `redlock/gc-pause +a failure `, stdout)
	require.Regexp(t, `fencing/late-token +`, stdout, "which its file names")
}
