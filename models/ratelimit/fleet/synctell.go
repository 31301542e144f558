package fleet

import (
	"fencepost/sim"
	"fmt"
)

// tellCounted tells the first time that a store has counted the limit in a window, and of what
// it is told twice.
func tellCounted(t *story, v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	limiter := t.limiter(v, int(m.N)-1)
	if m.OK && m.Cost > 0 {
		return fmt.Sprintf("%s is told of %d of key %d by %s for the second time, and does not count them", v.Name(o.Node), m.Cost, m.Key, limiter)
	}
	if m.X < t.layout.Limit || !t.first(m.Kind, m.Key, uint64(m.Y)) {
		return ""
	}
	return fmt.Sprintf("%s has counted %d of key %d, with %d of %s: the limit is %d", v.Name(o.Node), m.X, m.Key, m.Cost, limiter, t.layout.Limit)
}
