package control

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/scenarios"
)

// TestEveryControl takes the cause away: no property of any scenario is violated. Short
// tests leave out those with tens of thousands of runs, and take one in eight of the many
// about rate limiting.
func TestEveryControl(t *testing.T) {
	for i, name := range scenarios.Names() {
		if testing.Short() && (strings.HasPrefix(name, "ratelimit/") && i%8 != 0 || strings.Contains(name, "under-gc")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, mode, err := execute.LoadControl(scenarios.Load, name, nil)
			require.NoError(t, err)
			if mode == reports.NoFaults {
				s.Variants = distinct(t, s.Variants)
			}
			r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s, Mode: mode})
			require.NoError(t, err)
			var text bytes.Buffer
			require.NoError(t, r.WriteText(&text, reports.Style{}))
			require.True(t, r.OK, text.String())
		})
	}
}

// distinct leaves out points that differ from one before in their faults alone: without
// faults they are the same runs.
func distinct(t *testing.T, points []scenarios.Variant) (list []scenarios.Variant) {
	first := map[string]*scenarios.Scenario{}
	for _, p := range points {
		rest := slices.DeleteFunc(slices.Clone(p.Settings), func(s scenarios.Setting) bool { return strings.HasPrefix(s.Path, "faults.") })
		key := fmt.Sprint(rest)
		if same := first[key]; same != nil {
			require.Equal(t, same.Config, p.Scenario.Config)
			require.Equal(t, same.Runs, p.Scenario.Runs)
			continue
		}
		first[key] = p.Scenario
		list = append(list, p)
	}
	return list
}
