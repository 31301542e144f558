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
	limiter := t.Limiter(v, m.Synced())
	if m.OK && m.Cost > 0 {
		return fmt.Sprintf("%s is told of %d of key %d by %s for the second time, and does not count them", v.Name(o.Node), m.Cost, m.Key, limiter)
	}
	if m.Count() < t.Layout.Limit || !t.First(m.Kind, m.Key, uint64(m.Window())) {
		return ""
	}
	return fmt.Sprintf("%s has counted %d of key %d, with %d of %s: the limit is %d", v.Name(o.Node), m.Count(), m.Key, m.More(), limiter, t.Layout.Limit)
}
