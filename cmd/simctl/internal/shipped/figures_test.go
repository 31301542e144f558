package shipped

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/figure"
	"fencepost/scenarios"
)

const docs = "../../../../docs"

// TestFiguresAreFresh: the figures in the repository are those that the scenarios draw,
// byte for byte, and the gallery shows each. Those of which only some runs are run are drawn, and compared with -whole.
func TestFiguresAreFresh(t *testing.T) {
	gallery, err := os.ReadFile(docs + "/gallery.md")
	require.NoError(t, err)
	drawn := map[string]bool{}
	for _, name := range scenarios.Names() {
		if s := loaded(t, name); len(s.Plots) == 0 {
			continue
		}
		require.NoError(t, Figures(outcomeOf(t, name).Run, func(file string, f *figure.Figure) error {
			require.False(t, drawn[file], "two plots have the file %s", file)
			drawn[file] = true
			var fresh bytes.Buffer
			require.NoError(t, f.WriteSVG(&fresh))
			kept, err := os.ReadFile(filepath.Join(docs, "figures", file+".svg"))
			require.NoError(t, err, "run go generate ./docs")
			assert.True(t, sampled(name) || fresh.String() == strings.ReplaceAll(string(kept), "\r\n", "\n"), "docs/figures/%s.svg is stale: run go generate ./docs", file)
			assert.True(t, strings.Contains(string(gallery), "](figures/"+file+".svg)"), "docs/gallery.md does not show %s.svg", file)
			assert.True(t, strings.Contains(string(gallery), f.Title), "docs/gallery.md does not say %q", f.Title)
			return nil
		}))
	}
	files, err := filepath.Glob(docs + "/figures/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	commands, err := os.ReadFile(docs + "/generate.go") // some are drawn by another command, which a test of it runs
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		assert.True(t, drawn[name] || strings.Contains(string(commands), " figures/"+name+".svg\n"), "no scenario draws %s", file)
	}
}

// TestGalleryCommands: the commands of the gallery are of scenarios that draw.
func TestGalleryCommands(t *testing.T) {
	gallery, err := os.ReadFile(docs + "/gallery.md")
	require.NoError(t, err)
	for _, name := range scenarios.Names() {
		assert.Equal(t, len(loaded(t, name).Plots) > 0, strings.Contains(string(gallery), "simctl run "+name+" --out "), name)
	}
}
