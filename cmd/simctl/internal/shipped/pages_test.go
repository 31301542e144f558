package shipped

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/pages"
)

// TestPagesOfRuns finds in the pages what the scenarios that they run result in: simctl run prints the text of
// the result, for which TestPages of cmd/simctl need not run them again. Those of which only some runs are run are compared with -whole.
func TestPagesOfRuns(t *testing.T) {
	list, err := pages.All("../../../..")
	require.NoError(t, err)
	found := 0
	for _, v := range list {
		name := v.Shipped()
		if name == "" {
			continue
		}
		found++
		if sampled(name) {
			continue
		}
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			o := outcomeOf(t, name)
			require.Equal(t, v.Code, o.Exit)
			require.NoError(t, v.Check(o.text))
		})
	}
	require.Greater(t, found, 25)
}
