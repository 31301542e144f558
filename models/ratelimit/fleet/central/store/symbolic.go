package store

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Symbolic implements [sim.Symbolic].
func (s *Store) Symbolic() string {
	switch {
	case s.Rule.Keep != Counters:
		return "its algorithm takes readings for numbers: want a counter that expires, as of algorithm anchored-window"
	case s.Rule.Named:
		return "the number of a window is what a clock reads, divided: want a counter that expires, as of algorithm anchored-window"
	case s.Pipeline.Most > 0:
		return "what comes in one flush is decided by instants that are equal: want no pipeline"
	case s.Replica != sim.None || s.Promote:
		return "a replica hears of expiries in whole milliseconds: want no replica"
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (s *Store) Forget() {}

// Ignores implements [sim.Symbolic].
func (s *Store) Ignores(*sim.Arrival[message.Msg]) bool { return false }
