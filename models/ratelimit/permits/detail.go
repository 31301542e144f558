package permits

import (
	"fmt"

	"fencepost/sim"
)

// detail says in words what is too small for the log of a run: what the node does.
func detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	who := ""
	if m.Rid != 0 {
		who = "the request of " + v.Name(client(m.Rid))
	}
	switch m.Kind {
	case Got:
		return fmt.Sprintf("gets the answer %s", m.statusText())
	case Arrived:
		return "receives " + who
	case Granted:
		return fmt.Sprintf("gives a permit to %s, %d in use", who, m.InUse)
	case Freed:
		return fmt.Sprintf("takes the permit of %s back, %d in use", who, m.InUse)
	case Answered:
		return fmt.Sprintf("answers %s %d", who, m.status())
	case Cancelled:
		return fmt.Sprintf("learns that the client of %s has gone", who)
	}
	return ""
}
