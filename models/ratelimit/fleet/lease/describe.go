package lease

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// DescribeLeases tells the first time that a limiter leases or is refused, and of every token that
// comes back.
func DescribeLeases(t *core.Describer, v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	m := &o.Msg
	who := ""
	if m.Holder() >= 0 {
		who = t.Limiter(v, m.Holder())
	}
	switch m.Kind {
	case message.Leased:
		switch {
		case m.GrantedBefore():
			return fmt.Sprintf("%s grants %s the same %d of key %d as before", v.Name(o.Node), who, m.Tokens(), m.Key)
		case m.Tokens() == 0 && t.First(m.Kind, m.Key, uint64(m.Holder())|1<<32):
			return fmt.Sprintf("%s has none of key %d for %s", v.Name(o.Node), m.Key, who)
		case m.Tokens() > 0 && t.First(m.Kind, m.Key, uint64(m.Holder())):
			return fmt.Sprintf("%s leases %d of key %d to %s, for %s", v.Name(o.Node), m.Tokens(), m.Key, who, values.Length(m.LeaseLength()))
		}
	case message.Returned:
		return fmt.Sprintf("%s takes %d of key %d back from %s", v.Name(o.Node), m.Tokens(), m.Key, who)
	case message.Lapsed:
		return fmt.Sprintf("the lease of %s is over: %d of key %d were not used", v.Name(o.Node), m.Tokens(), m.Key)
	}
	return ""
}
