package fleet

import (
	"fencepost/models/internal/values"
	"fencepost/sim"
	"fmt"
)

// tellLeases tells the first time that a limiter leases or is refused, and of every token that
// comes back.
func tellLeases(t *story, v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	who := ""
	if m.N > 0 {
		who = t.limiter(v, m.holder())
	}
	switch m.Kind {
	case Leased:
		switch {
		case m.grantedBefore():
			return fmt.Sprintf("%s grants %s the same %d of key %d as before", v.Name(o.Node), who, m.tokens(), m.Key)
		case m.tokens() == 0 && t.first(m.Kind, m.Key, uint64(m.N)|1<<32):
			return fmt.Sprintf("%s has none of key %d for %s", v.Name(o.Node), m.Key, who)
		case m.tokens() > 0 && t.first(m.Kind, m.Key, uint64(m.N)):
			return fmt.Sprintf("%s leases %d of key %d to %s, for %s", v.Name(o.Node), m.tokens(), m.Key, who, values.Length(m.leaseLength()))
		}
	case Returned:
		return fmt.Sprintf("%s takes %d of key %d back from %s", v.Name(o.Node), m.tokens(), m.Key, who)
	case Lapsed:
		return fmt.Sprintf("the lease of %s is over: %d of key %d were not used", v.Name(o.Node), m.tokens(), m.Key)
	}
	return ""
}
