package certify

import (
	"time"

	"fencepost/sim"
)

// Fault is a fault that may begin at any moment: at one of some nodes, of any size in a range.
type Fault struct {
	Name        string
	Path        string     // of a scenario: where its size stands
	Do          sim.Action // of which only a pause is covered
	Nodes       []sim.NodeID
	Least, Most time.Duration // how long it lasts; both ends are within the range
	Count       int           // how often it may begin, in all
}
