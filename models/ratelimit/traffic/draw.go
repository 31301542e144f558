package traffic

import (
	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// newDraws is a stream of draws, each a pure function of seed, name and index, so that
// what one class does leaves the others as they were.
func newDraws(seed uint64, class, purpose string) splitmix.Stream {
	s := splitmix.Stream(seed ^ sim.Hash(purpose+" of "+class))
	return splitmix.Stream(s.Next())
}
