package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
	"fencepost/result"
)

// TestMeasuresOfManyNodesAreBounded: a run of 10,000 clients has a table that can be read, says how
// much it leaves out, and has what the scenario expects.
func TestMeasuresOfManyNodesAreBounded(t *testing.T) {
	costs := func(clients int) string {
		r := &Run{Runs: 1, Show: []string{"client-70-attempts"}}
		r.Metrics = append(r.Metrics, Metric{Name: "attempts", Value: result.Int(5)})
		for c := 1; c <= clients; c++ {
			r.Metrics = append(r.Metrics, Metric{Name: fmt.Sprintf("client-%d-attempts", c), Value: result.Int(1)})
		}
		var out strings.Builder
		require.NoError(t, r.writeCosts(&out, layout.Style{}))
		return out.String()
	}
	assert.Equal(t, 100, strings.Count(costs(100), "client-"))
	assert.NotContains(t, costs(100), "left out")
	many := costs(10_000)
	assert.Equal(t, 4, strings.Count(many, "client-"))
	for _, want := range []string{" attempts ", "client-1-attempts", "client-3-attempts", "client-70-attempts", "left out: 9,996 measures of single nodes, --output json has them\n"} {
		assert.Contains(t, many, want)
	}
}
