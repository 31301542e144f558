package central

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// StoreDescriber says in words what happens at a store.
type StoreDescriber struct {
	*core.Describer

	counts  map[uint32]int64 // by life of a counter
	without bool             // some limiter decides without the store, and that has been told
	opened  bool             // the same of its breaker
}

// Describe tells of what a store loses and counts twice, and when limiters decide without
// it.
func (t *StoreDescriber) Describe(v *sim.View[message.Msg], o *sim.Observation[message.Msg]) string {
	if t.counts == nil {
		t.counts = make(map[uint32]int64)
	}
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case message.StoreOp:
		return t.operation(name, m)
	case message.Evicted:
		return fmt.Sprintf("%s evicts the counter of key %d", name, m.Key)
	case message.TakenOver:
		return name + " takes over: it is the store now"
	case message.FellBack:
		if t.without {
			return ""
		}
		t.without = true
		return fmt.Sprintf("%s decides %s without the store: %s", name, message.RequestName(m.ID), message.FallbackReasons[m.Why()])
	case message.Opened:
		if !t.opened {
			t.opened = true
			return fmt.Sprintf("%s opens its breaker: it does not ask the store for %s", name, values.Length(m.Wait()))
		}
	case message.Closed:
		if t.opened {
			t.without, t.opened = false, false
			return name + " gets an answer of the store again, and closes its breaker"
		}
	}
	return ""
}

// operation tells of a count that is written over, or that is not the first of its
// request.
func (t *StoreDescriber) operation(name string, m *message.Msg) string {
	command := m.Command()
	if command != message.Set && command != message.Eval && command != message.Incr {
		return ""
	}
	before, known := t.counts[m.Cost]
	t.counts[m.Life()] = m.Value()
	switch again := !t.First(command, m.Key, m.ID); {
	case m.Cost == 0:
	case known && command == message.Set && m.Value() <= before && t.First(message.StoreOp, m.Key, uint64(command)):
		return fmt.Sprintf("%s sets the counter of key %d to %d for %s, where it is %d already: a count is lost", name, m.Key, m.Value(), message.RequestName(m.ID), before)
	case known && again && command != message.Set && m.Value() > before && t.First(message.StoreOp, m.Key, uint64(command)):
		return fmt.Sprintf("%s counts request %s again: %d of key %d", name, message.RequestName(m.ID), m.Value(), m.Key)
	}
	return ""
}
