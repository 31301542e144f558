package fleet

import (
	"fencepost/sim"
	"fmt"
)

// tellHeard tells the first time that a region hears of the count of another.
func tellHeard(t *story, v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	if m.X > 0 && t.first(m.Kind, m.Key, uint64(m.N)|uint64(o.Node)<<32) {
		return fmt.Sprintf("%s hears of %d of key %d in %s", v.Name(o.Node), m.X, m.Key, t.limiter(v, int(m.N)-1))
	}
	return ""
}
