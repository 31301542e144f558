package scenarios_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// curves are the violations of which testdata/curves says how sure they were along
// their runs.
var curves = []struct{ file, scenario, property string }{
	{"gc-pause", "redlock/gc-pause", "no-lost-update"},
	{"gc-pause-overlap", "redlock/gc-pause", "mutual-exclusion"},
	{"clock-jump", "redlock/clock-jump", "entitled-exclusion"},
	{"crash-restart", "redlock/crash-restart", "entitled-exclusion"},
	{"late-write", "redlock/late-write", "no-lost-update"},
	{"unsafe-release", "redis/unsafe-release", "owner-release"},
}

// TestCurves compares the curves of violations with testdata/curves. With
// UPDATE_GOLDEN=1 it writes them; read the diff.
func TestCurves(t *testing.T) {
	for _, v := range curves {
		t.Run(v.file, func(t *testing.T) {
			s, _, f := failureOf(t, v.scenario, v.property)
			c, err := explain.Decisive(context.Background(), &explore.Search{Program: s.Program, Config: s.Config}, f, explain.DecisiveOptions{})
			require.NoError(t, err)
			require.True(t, c.Whole)
			require.Equal(t, 1.0, c.Points[len(c.Points)-1].P, "at the end it has happened")
			var b strings.Builder
			require.NoError(t, c.Write(&b))
			file := "testdata/curves/" + v.file + ".txt"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.MkdirAll("testdata/curves", 0o755))
				require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), b.String())
		})
	}
}
