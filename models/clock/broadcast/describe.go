package broadcast

import (
	"fmt"

	"fencepost/sim"
)

// describer says in words what is broadcast and delivered.
type describer struct {
	buffers bool // it tells of messages that are buffered: where all are, none is worth a line of the log
}

// describe returns "" for what is not worth a line of the log.
func (t describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case Sent:
		return fmt.Sprintf("%s broadcasts message %d: %v", name, m.Seq, m.Op)
	case Buffered:
		if t.buffers {
			return fmt.Sprintf("%s buffers message %d of %s", name, m.Seq, v.Name(m.Sender))
		}
	case Delivered:
		return fmt.Sprintf("%s delivers message %d of %s: %v makes %v", name, m.Seq, v.Name(m.Sender), m.Op, m.balance())
	}
	return ""
}

// detail says in words what is too small for the log of a run: what the node does.
func detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Acked:
		return fmt.Sprintf("acknowledges message %d of %s to everybody", m.Seq, v.Name(m.Sender))
	case Buffered:
		return fmt.Sprintf("cannot deliver message %d of %s yet", m.Seq, v.Name(m.Sender))
	}
	return ""
}
