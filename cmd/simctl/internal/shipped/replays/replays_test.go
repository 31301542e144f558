package replays

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/shipped"
	"fencepost/internal/whole"
	"fencepost/scenarios"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
)

const folder = "../../../../../scenarios"

// files lists the replay files that ship.
func files(t *testing.T) []string {
	list, err := filepath.Glob(folder + "/*/replays/*" + record.Suffix)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// TestEveryFailureHasAReplay finds a replay file for each violation that a scenario
// expects, and no other; go generate ./scenarios writes them. With -whole each is made anew, without it one of four.
func TestEveryFailureHasAReplay(t *testing.T) {
	var want []string
	for _, name := range scenarios.Names() {
		list, err := shipped.Failures(name)
		require.NoError(t, err)
		for _, f := range list {
			file := filepath.Join(folder, filepath.FromSlash(f.File()))
			want = append(want, file)
			if n := map[bool]int{true: 32, false: 12}[testing.Short()]; !whole.Takes(len(want), n) {
				continue // made anew with -whole, and without it shown to be minimal
			}
			t.Run(f.File(), func(t *testing.T) {
				t.Parallel()
				r, err := f.Record(context.Background())
				require.NoError(t, err)
				var b bytes.Buffer
				require.NoError(t, r.Write(&b))
				have, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(have), b.String(), "%s is not what go generate ./scenarios writes", file)
			})
		}
	}
	slices.Sort(want)
	require.Equal(t, want, files(t))
}

// TestEveryReplayIsMinimal takes away one fault or draw after the other, of each: the
// violation is then gone.
func TestEveryReplayIsMinimal(t *testing.T) {
	for _, file := range files(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.Open(file)
			require.NoError(t, err)
			defer text.Close()
			r, err := record.Read(text)
			require.NoError(t, err)
			c, err := r.Load(scenarios.Models())
			require.NoError(t, err)
			property := slices.Index(c.Program.Properties, r.Verdict.Property)
			w, err := c.Program.NewWorld(c.Config)
			require.NoError(t, err)
			fails := func(s explore.Schedule) bool {
				res, err := s.Play(w)
				require.NoError(t, err)
				f := &res.Properties[property]
				var nodes []string
				for _, id := range f.Nodes {
					if id > 0 {
						nodes = append(nodes, c.Program.Nodes[id-1])
					}
				}
				return f.Verdict.String() == "violated" && slices.Equal(nodes, r.Verdict.Nodes)
			}
			all := explore.Schedule{Seed: c.Seed, Minimal: c.Config.Minimal, Faults: c.Config.Faults, Overrides: c.Config.Overrides}
			require.True(t, fails(all))
			for i := range all.Faults {
				s := all
				s.Faults = slices.Delete(slices.Clone(all.Faults), i, i+1)
				require.False(t, fails(s), "it does not need fault %d", i)
			}
			for i := range all.Overrides {
				s := all
				s.Overrides = slices.Delete(slices.Clone(all.Overrides), i, i+1)
				require.False(t, fails(s), "it does not need draw %d", i)
			}
		})
	}
}
