package limiter

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Symbolic implements [sim.Symbolic].
func (l *Limiter) Symbolic() string {
	switch {
	case l.Script != Atomic:
		return "it looks at how long a key has left, which is a duration between two readings: want one script at the store"
	case l.Pipeline.Most > 0:
		return "what comes in one flush is decided by instants that are equal: want no pipeline"
	case l.Local != nil:
		return "the algorithm of its fallback takes readings for numbers: want a fallback that is open or closed"
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (l *Limiter) Forget() {}

// Ignores implements [sim.Symbolic]: numbers of calls only grow, and those of the attempts at one, so that the timer
// of an attempt that is over never has an effect again.
func (l *Limiter) Ignores(e *sim.Arrival[message.Msg]) bool {
	m := &e.Msg
	if m.Kind != message.TimedOut {
		return false
	}
	c := l.calls.of(m.ID)
	return c == nil || c.rid != m.Call() || c.attempt != m.Attempt()
}
