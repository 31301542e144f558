package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestTimeline: two processes ask at the same time. Process-1 is stopped in its critical
// section for a second, and process-2 waits for so long.
func TestTimeline(t *testing.T) {
	p := params("ricart-agrawala", func(p *Params) { p.Processes = 2 })
	require.Empty(t, p.Problems())
	w, err := sim.NewWorld(p.System(), sim.Config{
		Until: at(3000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}},
		Faults: []sim.Fault{{Do: sim.Pause, Node: 1, For: sim.Constant(time.Second), When: sim.When{Note: Entered}}},
	})
	require.NoError(t, err)
	line := &sim.Timeline{}
	w.Watch(sim.Watch{Timeline: line})
	w.Run(1)
	span := func(id sim.NodeID, state string, from, to int64) sim.Span {
		return sim.Span{Node: id, State: state, From: at(from), To: at(to)}
	}
	work := int64(usualWork / ms)
	require.Equal(t, []sim.Span{
		span(1, "waits to enter", 0, 10), span(2, "waits to enter", 0, 1015+work),
		span(1, "in the critical section", 10, 1010+work), span(1, sim.StatePaused, 10, 1010),
		span(2, "in the critical section", 1015+work, 1015+2*work),
	}, line.Spans)
}
