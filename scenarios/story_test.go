package scenarios_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// stories are the violations that are explained in testdata/stories.
var stories = []struct{ file, scenario, property string }{
	{"gc-pause", "lock/redlock-gc-pause", "no-lost-update"},
	{"gc-pause-overlap", "lock/redlock-gc-pause", "mutual-exclusion"},
	{"clock-jump", "lock/redlock-clock-jump", "entitled-exclusion"},
	{"clock-jump-quorum", "lock/redlock-clock-jump", "quorum-behind-holder"},
	{"crash-restart", "lock/redlock-crash-restart", "entitled-exclusion"},
	{"late-write", "lock/redlock-late-write", "no-lost-update"},
	{"orphan-key", "lock/redlock-orphan-key", "no-orphan"},
	{"six-holders", "lock/redlock-six-holders", "mutual-exclusion"},
	{"redis-gc-pause", "lock/redis-gc-pause", "no-lost-update"},
	{"unsafe-release", "lock/redis-unsafe-release", "owner-release"},
	{"unsafe-release-overlap", "lock/redis-unsafe-release", "mutual-exclusion"},
	{"naive-crash", "lock/naive-crash", "deadlock-free"},
	{"lost-count", "ratelimit/lost-count", "no-lost-count"},
	{"expire-hole", "ratelimit/expire-hole", "counters-expire"},
	{"lease-carried", "ratelimit/lease-carried", "window-limit"},
	{"permits-leak", "ratelimit/permits-leak", "permits-conserved"},
}

// failureOf is the violation that a scenario shows.
func failureOf(t *testing.T, name, property string) (*scenarios.Scenario, sim.Runner, *explore.Failure) {
	s, err := scenarios.Load(name, scenarios.Options{})
	require.NoError(t, err)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	f := &explore.Failure{Run: 1, Property: explore.NoProperty}
	f.Schedule = explore.Schedule{Seed: s.Seed, Calm: s.Config.Calm, Faults: s.Config.Faults, Overrides: s.Config.Overrides}
	for i, p := range s.Program.Properties {
		if p == property {
			f.Property = i
		}
	}
	require.NotEqual(t, explore.NoProperty, f.Property, property)
	r := w.Run(s.Seed)
	f.Finding, f.Steps, f.Digest = r.Properties[f.Property], r.Steps, r.Digest
	require.Equal(t, sim.Violated, f.Finding.Verdict, "%s: %s", name, property)
	return s, w, f
}

// TestStories explains the violations of scenarios that ship, and compares the texts
// with testdata/stories. With UPDATE_GOLDEN=1 it writes them; read the diff.
func TestStories(t *testing.T) {
	for _, v := range stories {
		t.Run(v.file, func(t *testing.T) {
			s, w, f := failureOf(t, v.scenario, v.property)
			story, err := explore.Explain(context.Background(), w, &s.Program, f)
			require.NoError(t, err)
			require.True(t, story.Whole)
			var b strings.Builder
			require.NoError(t, story.Write(&b))
			file := "testdata/stories/" + v.file + ".txt"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.MkdirAll("testdata/stories", 0o755))
				require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), b.String())
		})
	}
}
