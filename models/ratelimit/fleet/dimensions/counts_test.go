package dimensions

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// A refund of a window that is over is for nothing, and no count is ever negative.
func TestRefundNamesItsWindow(t *testing.T) {
	var c dimensionCounts
	c.make([]core.Dimension{{Limit: 5, Window: time.Minute}}, 1)
	m := &message.Msg{Key: 1, Cost: 2}
	window := c.charge(0, m, sim.Wall(59e9))
	c.charge(0, m, sim.Wall(61e9))
	c.refund(0, m, window, sim.Wall(62e9))
	count, _ := c.at(0, m, sim.Wall(62e9))
	require.EqualValues(t, 2, count.Count)
	c.refund(0, &message.Msg{Key: 1, Cost: 9}, window+1, sim.Wall(62e9))
	count, _ = c.at(0, m, sim.Wall(62e9))
	require.Zero(t, count.Count)
}

// RD-18: limits of 2, 5 and 10 in one script, four calls; nothing is charged on a rejection.
func TestAllIsCheckedBeforeAnyIsCharged(t *testing.T) {
	dims := []core.Dimension{{Limit: 2, Window: time.Minute}, {Limit: 5, Window: time.Minute}, {Limit: 10, Window: time.Minute}}
	trial := sim.NewTrial[message.Msg](3)
	s := &DimensionStore{Dims: dims, Who: 1}
	trial.Step(s, sim.In[message.Msg]{Self: 3, From: 3})
	for i := range 4 {
		trial.Step(s, sim.In[message.Msg]{Self: 3, From: 2, Msg: message.Msg{Kind: message.TakeAll, OK: true, ID: message.RequestID(1, uint32(i+1)), Key: 1, Cost: 1}})
	}
	for dim := range 3 {
		count, _ := s.counts.at(dim, &message.Msg{Key: 1}, 0)
		assert.EqualValues(t, 2, count.Count, "counters 2, 2, 2")
	}
}
