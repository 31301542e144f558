package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// A search of a file without a budget takes the faults that its model is usually asked about, if the scenario has nodes for them.
// In an exhaustive search that is one pause, and PCT does no cuts and no faults of messages.
func TestUsualBudget(t *testing.T) {
	for name, want := range map[string][2][]string{
		"redlock/gc-pause":       {{"one pause of a client", "one crash of a server", "one cut"}, {"one pause of a client", "one crash of a server"}},
		"lock/cron-none":         {{"one pause of a client", "one cut"}, {"one pause of a client"}},
		"clock/vector-source":    {{"one late message", "one lost message", "one clock step"}, {"one clock step"}},
		"kv/sloppy-quorum-stale": {{"one crash of a node", "one cut", "one clock step"}, {"one crash of a node", "one clock step"}},
		"idempotency/zombie":     {{"one pause of a server", "one crash of a server", "one lost message"}, {"one pause of a server", "one crash of a server"}},
	} {
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		for mode, want := range map[explore.Mode][]string{explore.Random: want[0], explore.PCT: want[1], explore.Exhaustive: {"one pause"}} {
			b, says := s.UsualBudget(mode)
			assert.Equal(t, want, says, name)
			assert.Equal(t, len(want), b.Faults(), name)
		}
	}
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	b, _ := s.UsualBudget(explore.Random)
	assert.Equal(t, []sim.NodeID{s.Program.Node("client-1"), s.Program.Node("client-2")}, b.PauseNodes)
	assert.NotContains(t, b.CrashNodes, s.Program.Node("store"))
	assert.Len(t, b.CrashNodes, 5)
}

// Of each model a scenario is searched with its usual faults: none is refused, and no node panics.
func TestUsualFaultsAreInjected(t *testing.T) {
	for _, name := range []string{
		"redlock/gc-pause", "redis/gc-pause", "election/k8s-pause", "permits/barging", "client/retry-blind", "overload/adaptive-cpu", "policy/bad-file-drops-rules", "ordering/mutex-crash",
		"ordering/broadcast-causal", "ntp/asymmetric", "versions/cart-siblings", "fleet/dimensions-charge-all", "clock/vector-source", "kv/sloppy-quorum-stale", "idempotency/zombie",
	} {
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		if len(s.Variants) > 0 {
			s = s.Variants[0].Scenario
		}
		for _, mode := range []explore.Mode{explore.Random, explore.PCT} {
			b, _ := s.UsualBudget(mode)
			if mode != explore.Random {
				b.Spell(s.Config.Until)
			}
			r, err := explore.Find(t.Context(), explore.Search{Program: s.Program, Config: s.Config, Budget: b, Mode: mode, Seed: 1, Runs: 40, Targets: []int{0}})
			require.NoError(t, err, name)
			assert.NotZero(t, r.Faulty+r.Violated[0], name)
			if r.Found != nil {
				require.Nil(t, r.Found.Panic, "%s, %v", name, b)
			}
		}
	}
}
