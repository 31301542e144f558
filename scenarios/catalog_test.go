package scenarios

import (
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
)

// TestEveryScenarioIsInAFolderThatIsListed: `simctl list` shows each scenario, and no folder is empty.
func TestEveryScenarioIsInAFolderThatIsListed(t *testing.T) {
	used := map[string]bool{}
	for _, name := range Names() {
		folder := path.Dir(name)
		used[folder] = true
		assert.True(t, slices.ContainsFunc(folders, func(f catalog.Folder) bool { return f.Name == folder }), name)
	}
	for _, f := range folders {
		assert.True(t, used[f.Name], "no scenario is in %s", f.Name)
	}
	for _, name := range start {
		assert.Contains(t, Names(), name)
	}
}

// TestOldNamesWork: what was called otherwise is found by that name, and has its new one; no scenario has an old name.
func TestOldNamesWork(t *testing.T) {
	names := Names()
	for old, now := range aliases() {
		require.Contains(t, names, now, old)
		require.NotContains(t, names, old)
	}
	for old, now := range aliases() {
		s, err := Load(old, format.Options{})
		require.NoError(t, err, old)
		require.Equal(t, now, s.Name)
		text, err := Source(old)
		require.NoError(t, err)
		require.Equal(t, s.Text, string(text))
		break // one is as good as all
	}
	_, ok := shipped.Now("kv/compare")
	require.False(t, ok, "it is called that")
}
