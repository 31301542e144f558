package lease

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// DescribeLeases tells the first time that a limiter leases or is refused, and of every token that
// comes back.
func DescribeLeases(t *core.Describer, v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	m := &o.Msg
	who := ""
	if m.N > 0 {
		who = t.Limiter(v, holder(m))
	}
	switch m.Kind {
	case message.Leased:
		switch {
		case GrantedBefore(m):
			return fmt.Sprintf("%s grants %s the same %d of key %d as before", v.Name(o.Node), who, Tokens(m), m.Key)
		case Tokens(m) == 0 && t.First(m.Kind, m.Key, uint64(m.N)|1<<32):
			return fmt.Sprintf("%s has none of key %d for %s", v.Name(o.Node), m.Key, who)
		case Tokens(m) > 0 && t.First(m.Kind, m.Key, uint64(m.N)):
			return fmt.Sprintf("%s leases %d of key %d to %s, for %s", v.Name(o.Node), Tokens(m), m.Key, who, values.Length(leaseLength(m)))
		}
	case message.Returned:
		return fmt.Sprintf("%s takes %d of key %d back from %s", v.Name(o.Node), Tokens(m), m.Key, who)
	case message.Lapsed:
		return fmt.Sprintf("the lease of %s is over: %d of key %d were not used", v.Name(o.Node), Tokens(m), m.Key)
	}
	return ""
}
