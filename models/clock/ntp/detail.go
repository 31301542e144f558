package ntp

import (
	"fmt"

	"fencepost/sim"
)

// detail says in words what is too small for the log of a run: what the node does.
func detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Polled:
		return "asks its servers for the time"
	case Sampled:
		return fmt.Sprintf("takes its clock to be %s by %s: the ways took %v", aside(m.offset()), v.Name(m.server()), m.delay())
	case Chosen:
		return fmt.Sprintf("decides that its clock is %s, give or take %v", aside(m.offset()), m.margin())
	case Undecided:
		return "decides nothing: too few servers agree"
	case Slewed:
		return fmt.Sprintf("lets its correction go from %v to %v", m.from(), m.to())
	case SlewDone:
		return "has corrected its clock"
	}
	return ""
}
