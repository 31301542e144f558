package regions

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// DescribeHeard tells the first time that a region hears of the count of another.
func DescribeHeard(t *core.Describer, v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	m := &o.Msg
	if m.Count() > 0 && t.First(m.Kind, m.Key, uint64(m.Region())|uint64(o.Node)<<32) {
		return fmt.Sprintf("%s hears of %d of key %d in %s", v.Name(o.Node), m.Count(), m.Key, t.Limiter(v, m.Region()))
	}
	return ""
}
