package core

import "fencepost/sim"

// Symbolic is an [Algorithm] that can be driven with time as a symbol: see [sim.Symbolic].
type Symbolic interface {
	// Unsupported says why it cannot be, as its parameters are; "": it can.
	Unsupported() string
	// Forget clears what no later step reads.
	Forget()
	// Ignores reports whether a message of the protocol, or a timer, has no effect any more.
	Ignores(e *sim.Arrival[Msg]) bool
}
