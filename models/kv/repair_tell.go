package kv

import (
	"fmt"

	"fencepost/sim"
)

// repairs says what repair does, in words.
func (t *teller) repairs(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	what, other := t.siblings(m.Obj), v.Name(sim.NodeID(m.Node))
	switch m.Kind {
	case Repaired:
		if sim.NodeID(m.Node) == o.Node {
			return fmt.Sprintf("repairs %s at itself with %s", t.key(m.Key), what)
		}
		return fmt.Sprintf("sends %s at %s to %s, which answered with less", what, t.key(m.Key), other)
	case HintRefused:
		return fmt.Sprintf("refuses %s at %s for %s: it has no room for another hint", what, t.key(m.Key), other)
	case HintsLost:
		return fmt.Sprintf("starts without the hints it kept before: %d are lost", m.N)
	case HandedOver:
		return fmt.Sprintf("has handed over %s at %s to %s", what, t.key(m.Key), other)
	case Exchanged:
		return fmt.Sprintf("sends %s at %s to %s: their hash trees differ", what, t.key(m.Key), other)
	case Adopted:
		return fmt.Sprintf("adopts ring %d, which %s has sent", m.N, other)
	}
	return ""
}
