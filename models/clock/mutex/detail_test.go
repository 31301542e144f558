package mutex

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestDetail: an explanation says who replies to whom, and who does not yet.
func TestDetail(t *testing.T) {
	p := params("ricart-agrawala", two)
	w, err := sim.NewWorld(p.System(), sim.Config{Until: at(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}})
	require.NoError(t, err)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(1)
	var details []string
	for i := range j.Entries {
		details = append(details, j.Entries[i].Detail...)
	}
	assert.Equal(t, []string{"replies to process-1", "has asked before, and does not reply to process-2 yet"}, details)
}
