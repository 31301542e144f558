package explore

import (
	"context"

	"fencepost/sim"
)

// limit ends a run when the search is to end. Of some worlds a run takes longer than a search is
// given: an adversary asks at each choice, and the run ends at one of the next instants.
type limit struct {
	ctx   context.Context
	world sim.Runner
	count uint8
	over  bool // the run was ended
}

// ends ends the run at a choice at which that can be done, and reports whether it did.
func (l *limit) ends(c sim.Choice) bool {
	if c.Point != sim.Stepping {
		return false
	}
	if l.count++; l.count == 0 && l.ctx.Err() != nil { // to look each time would take longer than to step
		l.over = true
		l.world.Stop()
	}
	return l.over
}
