package scenarios_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sameRuns are scenarios that are one run, and ask different things of it.
var sameRuns = map[string]string{
	"clock/lamport-concurrent, clock/lamport-source": "one example: the first counts the concurrent pairs that its stamps order, under any clock; the stamps that the second checks are Lamport's only",
}

// TestNoTwoScenariosAreOneRun: a scenario that shows a failure, and one that shows its fix,
// have different digests, or else one of them shows nothing. The digests are those of
// TestGoldenDigests (R12: retry-blind and retry-with-key were one run).
func TestNoTwoScenariosAreOneRun(t *testing.T) {
	text, err := os.ReadFile("testdata/digests.txt")
	require.NoError(t, err)
	of, seen := map[string][]string{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		of[words[1]] = append(of[words[1]], words[0])
	}
	for _, names := range of {
		if list := strings.Join(names, ", "); len(names) > 1 {
			require.Contains(t, sameRuns, list, "these are one run: change one, or say here why both ship")
			seen[list] = true
		}
	}
	for list := range sameRuns {
		require.True(t, seen[list], "%s are not one run any more", list)
	}
}
