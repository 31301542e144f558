package kv

import (
	"fmt"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// repairs says what repair does, in words.
func (t *describer) repairs(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
	m := &o.Msg
	what, other := t.siblings(m.Obj), v.Name(m.Other())
	switch m.Kind {
	case core.Repaired:
		if m.Other() == o.Node {
			return fmt.Sprintf("repairs %s at itself with %s", t.key(m.Key()), what)
		}
		why := "answered with less"
		if !m.HasAnswered() {
			why = "has not answered yet"
		}
		return fmt.Sprintf("sends %s at %s to %s, which %s", what, t.key(m.Key()), other, why)
	case core.HintRefused:
		return fmt.Sprintf("refuses %s at %s for %s: it has no room for another hint", what, t.key(m.Key()), other)
	case core.HintsLost:
		if m.Hints() == 1 {
			return "has lost the hint that it kept before the crash"
		}
		return fmt.Sprintf("has lost the %d hints that it kept before the crash", m.Hints())
	case core.HandedOver:
		return fmt.Sprintf("has handed over %s at %s to %s", what, t.key(m.Key()), other)
	case core.Exchanged:
		return fmt.Sprintf("sends %s at %s to %s: their hash trees differ", what, t.key(m.Key()), other)
	case core.Adopted:
		return fmt.Sprintf("adopts ring %d, which %s has sent", m.Ring(), other)
	}
	return ""
}
