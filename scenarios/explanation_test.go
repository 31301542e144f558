package scenarios_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// stories are the violations that are explained in testdata/stories.
var stories = []struct{ file, scenario, property string }{
	{"gc-pause", "redlock/gc-pause", "no-lost-update"},
	{"gc-pause-overlap", "redlock/gc-pause", "mutual-exclusion"},
	{"clock-jump", "redlock/clock-jump", "entitled-exclusion"},
	{"clock-jump-quorum", "redlock/clock-jump", "quorum-behind-holder"},
	{"crash-restart", "redlock/crash-restart", "entitled-exclusion"},
	{"late-write", "redlock/late-write", "no-lost-update"},
	{"orphan-key", "redlock/orphan-key", "no-orphan"},
	{"six-holders", "redlock/six-holders", "mutual-exclusion"},
	{"redis-gc-pause", "redis/gc-pause", "no-lost-update"},
	{"unsafe-release", "redis/unsafe-release", "owner-release"},
	{"unsafe-release-overlap", "redis/unsafe-release", "mutual-exclusion"},
	{"naive-crash", "lock/naive-crash", "deadlock-free"},
	{"lost-count", "store/lost-count", "no-lost-count"},
	{"expire-hole", "store/expire-hole", "counters-expire"},
	{"lease-carried", "fleet/lease-carried", "window-limit"},
	{"permits-leak", "permits/leak", "permits-conserved"},
}

// failureOf is the violation that a scenario shows.
func failureOf(t *testing.T, name, property string) (*format.Scenario, sim.Runner, *explore.Failure) {
	s, err := scenarios.Load(name, format.Options{})
	require.NoError(t, err)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	f := &explore.Failure{Run: 1, Property: explore.NoProperty}
	f.Schedule = explore.Schedule{Seed: s.Seed, Minimal: s.Config.Minimal, Faults: s.Config.Faults, Overrides: s.Config.Overrides}
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
			story, err := explain.Explain(context.Background(), w, &s.Program, f)
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
