package kv

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// moves says what changes of the ring are, in words.
func (t *describer) moves(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
	m := &o.Msg
	switch other := v.Name(m.Other()); m.Kind {
	case core.ChangeStarted:
		if m.Direction() == core.Leaves {
			return fmt.Sprintf("drains %s", other)
		}
		return fmt.Sprintf("adds %s to the ring", other)
	case core.ChangeDone:
		if m.Direction() == core.Leaves {
			return fmt.Sprintf("has the acknowledgements of all nodes: %s has left the ring", other)
		}
		return fmt.Sprintf("has the acknowledgements of all nodes: %s has joined the ring", other)
	case core.ChangeRefused:
		return fmt.Sprintf("refuses %s of %s: %s", changeNames[m.Direction()], other, t.refusal(v, m))
	case core.Entered:
		return t.entered(m)
	case core.Streamed:
		return fmt.Sprintf("has what %s had to send: %s, %s", other, text.Count(uint64(m.Objects()), "object"), text.Count(m.Bytes(), "byte"))
	case core.Sampled:
		return fmt.Sprintf("measures a load of %d.%d%% of %s", m.Load()/10, m.Load()%10, text.Count(uint64(m.Members()), "node"))
	}
	return ""
}

var changeNames = [...]string{core.Joins: "the join", core.Leaves: "the leave"}

// refusal is why a change is refused.
func (t *describer) refusal(v *sim.View[core.Msg], m *core.Msg) string {
	switch does, node := m.Ongoing(); {
	case node != sim.None && does == core.Leaves:
		return fmt.Sprintf("%s leaves at this time, and only one change runs at a time", v.Name(node))
	case node != sim.None:
		return fmt.Sprintf("%s joins at this time, and only one change runs at a time", v.Name(node))
	case !m.IsMember():
		return "it is not a member"
	case m.Direction() == core.Leaves:
		return fmt.Sprintf("%d replicas of a key need as many nodes", t.N)
	}
	return "it is a member already"
}

// entered is what a node does from a phase on.
func (t *describer) entered(m *core.Msg) string {
	switch m.Phase() {
	case core.WriteBoth:
		return "writes to the nodes of the old and the new ring, and reads from the old ring"
	case core.ReadNew:
		return "reads from the new ring, and still writes to both"
	}
	return "uses the new ring alone"
}
