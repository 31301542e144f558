package adaptive

import (
	"fmt"

	"fencepost/sim"
)

// describe says in words what happens.
func describe(_ *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; {
	case m.Kind == Limited && m.before() == 0:
		return fmt.Sprintf("the limit begins at %d", m.limit())
	case m.Kind == Limited:
		return fmt.Sprintf("the limit goes from %d to %d", m.before(), m.limit())
	case m.Kind == Ignored:
		return fmt.Sprintf("the limiter ignores %d round trips across a pause", m.trips())
	}
	return ""
}

// detail says what of it is too small for the log.
func detail(_ *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; {
	case m.Kind == Measured:
		return fmt.Sprintf("measures a load of %d%%", m.percent())
	case m.Kind == Refused:
		return "refuses a request"
	case m.Kind == Answered && m.inTime():
		return fmt.Sprintf("has its answer after %v, in time", m.took())
	case m.Kind == Answered:
		return fmt.Sprintf("has its answer after %v, too late", m.took())
	}
	return ""
}
