package dimensions

import (
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

const maxDimensions = 8

// dimensionCounts are the counters of some dimensions, in aligned windows.
type dimensionCounts struct {
	dims   []core.Dimension
	counts []core.WindowCount // by dimension, and who
	width  int
}

// make makes room for counters of the given numbers of keys and clients.
func (c *dimensionCounts) make(dims []core.Dimension, who int) {
	c.dims, c.width = dims, who+1
	c.counts = core.Resized(c.counts, len(dims)*c.width)
}

// at is a counter in the window of an instant, and how long that lasts.
func (c *dimensionCounts) at(dim int, m *message.Msg, now sim.Wall) (*core.WindowCount, time.Duration) {
	d := &c.dims[dim]
	count := &c.counts[dim*c.width+d.Who(m)]
	window, left := core.WindowOf(now, d.Window)
	if count.Window != window {
		*count = core.WindowCount{Window: window}
	}
	return count, left
}

// fits reports whether a request has room in a dimension, and if not, how long the
// window lasts.
func (c *dimensionCounts) fits(dim int, m *message.Msg, now sim.Wall) (bool, time.Duration) {
	count, left := c.at(dim, m, now)
	return count.Count+int64(m.Cost) <= c.dims[dim].Limit, left
}

// charge counts a request and returns the window that it is counted in.
func (c *dimensionCounts) charge(dim int, m *message.Msg, now sim.Wall) (window int64) {
	count, _ := c.at(dim, m, now)
	count.Count += int64(m.Cost)
	return count.Window
}

// refund takes back what was charged, unless that window is over.
func (c *dimensionCounts) refund(dim int, m *message.Msg, window int64, now sim.Wall) {
	if count, _ := c.at(dim, m, now); count.Window == window {
		count.Count = max(0, count.Count-int64(m.Cost))
	}
}
