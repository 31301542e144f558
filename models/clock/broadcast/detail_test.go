package broadcast

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestDetail: an explanation says what is acknowledged and what must wait.
func TestDetail(t *testing.T) {
	p := params("total-lamport", func(p *Params) { p.Start = list(0, never) })
	w, err := sim.NewWorld(p.System(), sim.Config{Until: at(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}})
	require.NoError(t, err)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(1)
	var details []string
	for i := range j.Entries {
		details = append(details, j.Entries[i].Detail...)
	}
	assert.Equal(t, []string{
		"acknowledges message 1 of process-1 to everybody", "cannot deliver message 1 of process-1 yet",
		"acknowledges message 1 of process-1 to everybody", "cannot deliver message 1 of process-1 yet"}, details)
}
