package sync

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// DescribeCounted tells the first time that a store has counted the limit in a window, and of what
// it is told twice.
func DescribeCounted(t *core.Describer, v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	m := &o.Msg
	limiter := t.Limiter(v, int(m.N)-1)
	if m.OK && m.Cost > 0 {
		return fmt.Sprintf("%s is told of %d of key %d by %s for the second time, and does not count them", v.Name(o.Node), m.Cost, m.Key, limiter)
	}
	if m.X < t.Layout.Limit || !t.First(m.Kind, m.Key, uint64(m.Y)) {
		return ""
	}
	return fmt.Sprintf("%s has counted %d of key %d, with %d of %s: the limit is %d", v.Name(o.Node), m.X, m.Key, m.Cost, limiter, t.Layout.Limit)
}
