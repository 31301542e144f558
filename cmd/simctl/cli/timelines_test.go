package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/plot"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// TestTimelinesThatFit: a scenario is refused for as many timelines as a figure has no room
// for, before it runs, and for no fewer.
func TestTimelinesThatFit(t *testing.T) {
	const refused = "a timeline of each of %d points: want at most"
	for n := 2; n < 10; n++ {
		r := &reports.Run{}
		var ttls []string
		for i := range n {
			ttls = append(ttls, fmt.Sprintf("%ds", i+1))
			settings := []result.Setting{{Path: "params.ttl", Value: ttls[i]}}
			r.Variants = append(r.Variants, reports.Variant{Settings: settings, Outcome: reports.Outcome{Timeline: &reports.Timeline{}}})
		}
		file := filepath.Join(t.TempDir(), "grid.yaml")
		text := "model: lock\nuntil: 1s\nvary: {params.ttl: [" + strings.Join(ttls, ", ") + "]}\nplots: [{kind: timeline, title: t, file: f}]\n"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, loaded := scenarios.Load(file, format.Options{})
		_, drawn := plot.Figure(r, &result.Plot{Kind: "timeline", Title: "t", File: "f"})
		assert.Equal(t, drawn == nil, loaded == nil, "%d: %v, %v", n, drawn, loaded)
		if drawn != nil {
			assert.ErrorContains(t, drawn, fmt.Sprintf(refused, n))
			assert.ErrorContains(t, loaded, fmt.Sprintf(refused, n))
		}
	}
}
