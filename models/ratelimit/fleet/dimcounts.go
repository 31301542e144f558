package fleet

import (
	"time"

	"fencepost/sim"
)

// dimension is one of several limits that a request must keep to.
type dimension struct {
	Name   string
	Limit  int64
	Window time.Duration
	Of     dimensionOf
}

// dimensionOf says what counts together in a dimension.
type dimensionOf uint8

// Requests of one key (a user), of one client (an address), all.
const (
	ofKey dimensionOf = iota
	ofClient
	ofAll
)

// who is the counter of a dimension that a request counts in.
func (d *dimension) who(m *Msg) int {
	switch d.Of {
	case ofKey:
		return int(m.Key)
	case ofClient:
		return int(clientOf(m.ID))
	}
	return 0
}

const maxDimensions = 8

// dimensionCounts are the counters of some dimensions, in aligned windows.
type dimensionCounts struct {
	dims   []dimension
	counts []windowCount // by dimension, and who
	width  int
}

// make makes room for counters of so many keys and clients.
func (c *dimensionCounts) make(dims []dimension, who int) {
	c.dims, c.width = dims, who+1
	c.counts = resized(c.counts, len(dims)*c.width)
}

// at is a counter in the window of an instant, and how long that lasts.
func (c *dimensionCounts) at(dim int, m *Msg, now sim.Wall) (*windowCount, time.Duration) {
	d := &c.dims[dim]
	count := &c.counts[dim*c.width+d.who(m)]
	window, left := windowOf(now, d.Window)
	if count.window != window {
		*count = windowCount{window: window}
	}
	return count, left
}

// fits reports whether a request has room in a dimension, and if not, how long the
// window lasts.
func (c *dimensionCounts) fits(dim int, m *Msg, now sim.Wall) (bool, time.Duration) {
	count, left := c.at(dim, m, now)
	return count.count+int64(m.Cost) <= c.dims[dim].Limit, left
}

// charge counts a request and returns the window that it is counted in.
func (c *dimensionCounts) charge(dim int, m *Msg, now sim.Wall) (window int64) {
	count, _ := c.at(dim, m, now)
	count.count += int64(m.Cost)
	return count.window
}

// refund takes back what was charged, unless that window is over.
func (c *dimensionCounts) refund(dim int, m *Msg, window int64, now sim.Wall) {
	if count, _ := c.at(dim, m, now); count.window == window {
		count.count = max(0, count.count-int64(m.Cost))
	}
}
