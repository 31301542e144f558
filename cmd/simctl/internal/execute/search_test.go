package execute

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// What a search tries is said, whether the budget gives it or not.
func TestSpell(t *testing.T) {
	b := explore.Budget{Pauses: 1, Crashes: 1, ClockSteps: 1, PauseFor: explore.Lengths{List: []time.Duration{3 * time.Second}}}
	b.Spell(sim.Time(time.Minute))
	require.Equal(t, "at most 1 pause of 3s, 1 crash down for 600ms or 15s, 1 clock step by 15s or -15s", BudgetText(&b, &sim.Program{}))

	b = explore.Budget{Late: 1}
	b.Spell(1)
	require.Equal(t, "at most 1 late message by 1ns", BudgetText(&b, &sim.Program{}))
}
