package fleet

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// together tells of what limiters do together: the first time that a store has counted
// the limit, that a limiter leases or is refused, and every token that comes back.
func (t *teller) together(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	who := ""
	if m.N > 0 {
		who = v.Name(t.layout.First + sim.NodeID(m.N) - 1)
	}
	switch m.Kind {
	case Counted:
		if m.OK && m.Cost > 0 {
			return fmt.Sprintf("%s is told of %d of key %d by %s for the second time, and does not count them", v.Name(o.Node), m.Cost, m.Key, who)
		}
		if m.X < t.layout.Limit || !t.first(m.Kind, m.Key, uint64(m.Y)) {
			return ""
		}
		return fmt.Sprintf("%s has counted %d of key %d, with %d of %s: the limit is %d", v.Name(o.Node), m.X, m.Key, m.Cost, who, t.layout.Limit)
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
	case Heard:
		if m.X > 0 && t.first(m.Kind, m.Key, uint64(m.N)|uint64(o.Node)<<32) {
			return fmt.Sprintf("%s hears of %d of key %d in %s", v.Name(o.Node), m.X, m.Key, who)
		}
	}
	return ""
}

// told is something that is said once, or once more after a restart.
type told struct {
	kind sim.Kind
	key  uint64
	of   uint64
}

// first reports whether something has not been said before.
func (t *teller) first(kind sim.Kind, key, of uint64) bool {
	if t.said == nil {
		t.said = make(map[told]bool)
	}
	it := told{kind, key, of}
	was := t.said[it]
	t.said[it] = true
	return !was
}
