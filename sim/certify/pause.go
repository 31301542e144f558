package certify

import (
	"time"

	"fencepost/sim"
)

// Pause is a pause that may begin at any moment: of one of some nodes, for any length in a range.
type Pause struct {
	Name        string
	Path        string // of a scenario: where its length stands
	Nodes       []sim.NodeID
	Least, Most time.Duration // both ends are within the range
	Count       int           // how often it may begin, in all
}
