package core

import "fencepost/sim"

// Reading is what one of the node's clocks says.
func Reading(in *sim.In[Msg], clock sim.ClockID) int64 {
	switch clock {
	case sim.WallClock:
		return int64(in.Wall)
	case sim.BootClock:
		return int64(in.Boot)
	}
	return int64(in.Mono)
}

// Before reports whether one of the node's clocks has not reached a reading.
func Before(in *sim.In[Msg], clock sim.ClockID, until int64) bool {
	switch clock {
	case sim.WallClock:
		return in.Wall.Before(sim.Wall(until))
	case sim.BootClock:
		return in.Boot.Before(sim.Boot(until))
	}
	return in.Mono.Before(sim.Mono(until))
}
