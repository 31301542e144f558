package fleet

import (
	"fmt"

	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// Fair holds if Jain's index of what the clients were admitted, over the whole run, is
// not below Fair parts per thousand. With Fair 0 it says nothing.
//
// Source: spec, rate limiting and idempotency, section 0.5, P-FAIR.
type Fair struct {
	Layout Layout

	sim.Check
	admitted []int64 // by client less 1
}

// Name implements [sim.Property].
func (p *Fair) Name() string { return "fair" }

// Reset implements [sim.Observer].
func (p *Fair) Reset(*sim.View[Msg]) {
	p.Clear()
	p.admitted = resized(p.admitted, p.Layout.Clients)
}

// Observe implements [sim.Observer].
func (p *Fair) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == Admitted {
		p.admitted[clientOf(o.Msg.ID)-1] += int64(o.Msg.Cost)
	}
}

// index is Jain's, in parts per thousand.
func (p *Fair) index() int64 { return int64(1000 * judge.Jain(p.admitted)) }

// End implements [sim.Observer].
func (p *Fair) End(v *sim.View[Msg]) {
	if p.Layout.Fair == 0 {
		return
	}
	p.Saw()
	if p.index() < p.Layout.Fair {
		p.Violate(v.Now())
	}
}

// Why implements [sim.Property].
func (p *Fair) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("what the clients were admitted has an index of %d, less than %d; by client: %v", p.index(), p.Layout.Fair, p.admitted)
}
