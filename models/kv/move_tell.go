package kv

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/sim"
)

// moves says what changes of the ring are, in words.
func (t *teller) moves(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	switch other := v.Name(sim.NodeID(m.Node)); m.Kind {
	case ChangeStarted:
		if m.Code == Leaves {
			return fmt.Sprintf("drains %s", other)
		}
		return fmt.Sprintf("adds %s to the ring", other)
	case ChangeDone:
		if m.Code == Leaves {
			return fmt.Sprintf("has the acknowledgements of all nodes: %s has left the ring", other)
		}
		return fmt.Sprintf("has the acknowledgements of all nodes: %s has joined the ring", other)
	case ChangeRefused:
		return fmt.Sprintf("refuses %s of %s: %s", changeNames[m.Code], other, t.refusal(v, m))
	case Entered:
		return t.entered(m)
	case Streamed:
		return fmt.Sprintf("has what %s had to send: %s, %s", other, text.Count(uint64(m.N), "object"), text.Count(m.Word, "byte"))
	case Sampled:
		return fmt.Sprintf("measures a load of %d.%d%% of %s", m.N/10, m.N%10, text.Count(m.Word, "node"))
	}
	return ""
}

var changeNames = [...]string{Joins: "the join", Leaves: "the leave"}

// refusal is why a change is refused.
func (t *teller) refusal(v *sim.View[Msg], m *Msg) string {
	switch {
	case m.Key != 0 && uint8(m.N) == Leaves:
		return fmt.Sprintf("%s leaves at this time, and only one change runs at a time", v.Name(sim.NodeID(m.Key)))
	case m.Key != 0:
		return fmt.Sprintf("%s joins at this time, and only one change runs at a time", v.Name(sim.NodeID(m.Key)))
	case m.Word == 0:
		return "it is not a member"
	case m.Code == Leaves:
		return fmt.Sprintf("%d replicas of a key need as many nodes", t.N)
	}
	return "it is a member already"
}

// entered is what a node does from a phase on.
func (t *teller) entered(m *Msg) string {
	switch m.Code {
	case WriteBoth:
		return "writes to the nodes of the old and the new ring, and reads from the old ring"
	case ReadNew:
		return "reads from the new ring, and still writes to both"
	}
	return "uses the new ring alone"
}
