package mutex

import (
	"fmt"

	"fencepost/sim"
)

// describer says in words who wants to enter and who is in, for one run.
type describer struct{ crowd crowd }

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	since := t.crowd.since[o.Node]
	t.crowd.observe(v.Now(), o)
	if o.Event != sim.Noted {
		return ""
	}
	name := v.Name(o.Node)
	switch m := &o.Msg; m.Kind {
	case Requested:
		return fmt.Sprintf("%s asks to enter, stamped %d", name, m.Stamp)
	case Entered:
		text := fmt.Sprintf("%s enters, stamped %d", name, m.Stamp)
		if waited := v.Now().Sub(since); waited > 0 {
			text += fmt.Sprintf(", after %v", waited)
		}
		if other := t.crowd.other(o.Node); other != sim.None {
			text += fmt.Sprintf(", while %s is in", v.Name(other))
		}
		return text
	case Left:
		return name + " leaves"
	case Resumed:
		return name + " still waits to enter"
	}
	return ""
}

// detail says in words what is too small for the log of a run: what the node does.
func detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Replied:
		return "replies to " + v.Name(m.Peer)
	case Deferred:
		return "has asked before, and does not reply to " + v.Name(m.Peer) + " yet"
	}
	return ""
}
