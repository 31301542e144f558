package shipped

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/whole"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/verdict"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim/stats"
)

// enough runs of a point show with a chance of 99.9 % what is violated in half of them. What is violated without a cause
// is violated in most; with -whole all are run.
const enough = 10

// TestEveryControl takes the cause away: no property of any scenario is violated. One that has no cause is the same
// without it: TestEveryScenario has its result. An expectation notices that the cause is gone; or each fault was injected where all
// expectations are of what it does not change. It takes one of four scenarios, and all with -whole.
func TestEveryControl(t *testing.T) {
	for i, name := range scenarios.Names() {
		if !whole.Takes(i, 4) {
			continue
		}
		caused := loaded(t, name)
		if caused.same {
			continue
		}
		s, mode, err := execute.ControlOf(scenarios.Load, name, caused.Scenario, nil)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if mode == reports.NoFaults {
				s.Variants = distinct(t, s.Variants)
			}
			for _, p := range Points(s) {
				if !whole.Tests() {
					p.Runs = min(p.Runs, enough)
				}
			}
			unmet := unmetBy(caused.Scenario)
			r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s, Mode: mode, Tallied: unmet.count})
			require.NoError(t, err)
			if unmet.expectations == 0 { // what holds in spite of the cause holds without it
				requireInjected(t, outcomeOf(t, name).Run)
			}
			var text bytes.Buffer
			require.NoError(t, r.WriteText(&text, layout.Style{}))
			require.NotContains(t, []verdict.Word{verdict.Violated, verdict.Panicked}, r.Word, text.String())
		})
	}
}

// distinct leaves out points that differ from one before in their faults alone: without
// faults they are the same runs.
func distinct(t *testing.T, points []format.Variant) (list []format.Variant) {
	first := map[string]*format.Scenario{}
	for _, p := range points {
		rest := slices.DeleteFunc(slices.Clone(p.Settings), func(s result.Setting) bool { return strings.HasPrefix(s.Path, "faults.") })
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

// unmet counts expectations of a scenario that are not met by what another one leads to.
type unmet struct {
	mu           sync.Mutex
	of           map[string][]format.Expectation // by point
	expectations int
}

func unmetBy(s *format.Scenario) *unmet {
	u := &unmet{of: map[string][]format.Expectation{}}
	for _, p := range Points(s) {
		u.of[p.Name] = append(u.of[p.Name], p.Expect...)
	}
	return u
}

func (u *unmet) count(s *format.Scenario, t *stats.Tally) {
	u.mu.Lock()
	defer u.mu.Unlock()
	other := *s
	other.Expect = u.of[s.Name]
	for _, e := range execute.Evaluate(&other, t) {
		if !e.Met {
			u.expectations++
		}
	}
}

// requireInjected requires that each fault was injected at some point.
func requireInjected(t *testing.T, r *reports.Run) {
	t.Helper()
	injected := map[string]bool{}
	for _, o := range outcomesIn(r) {
		for _, f := range o.Faults {
			injected[f.Fault] = injected[f.Fault] || f.Injected > 0
		}
	}
	for fault, ever := range injected {
		require.True(t, ever, "no expectation notices that %q is taken away, and it never strikes", fault)
	}
}
