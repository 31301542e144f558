package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// boundedRate holds if the monotonic clock of each client runs at the right rate, give or
// take Most, as long as the client is up. A machine that is suspended violates it: its clock
// stands still. Clients assume that it holds: how far their samples may be wrong depends on it.
//
// Source: RFC 5905, section 11.2, PHI.
type boundedRate struct {
	Layout Layout
	Most   sim.PPB // what clients take for the most that a clock gains or loses
}

// stands is the rate of a clock that stands still.
const stands sim.PPB = -1_000_000_000

// rateOf is by how much a node's monotonic clock is too fast as it runs now.
//
// It is what the clock gains in the next 8 s that it shows. That is long enough that a
// nanosecond is less than half a part per billion, and so short that no product overflows.
func rateOf(v *sim.View[Msg], n sim.NodeID) sim.PPB {
	const shown = 8 * time.Second
	end := v.When(n, sim.MonoClock, v.Read(n, sim.MonoClock)+int64(shown))
	if end == sim.Never {
		return stands
	}
	took := int64(end.Sub(v.Now()))
	gained := (int64(shown) - took) * 1e9
	half := took / 2
	if gained < 0 {
		half = -half
	}
	return sim.PPB((gained + half) / took)
}

// Bound implements [sim.Bounded].
func (p *boundedRate) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %v", p.Most)}
}

// Begin looks at the clocks as they start out.
func (p *boundedRate) Begin(r *model.Report[Msg]) {
	for i := range p.Layout.Clients {
		p.check(r, p.Layout.client(i))
	}
}

// Check implements [model.Checker]. A clock runs on as it does until it is changed; that
// of a node which restarts is.
func (p *boundedRate) Check(r *model.Report[Msg]) {
	if p.Layout.isClient(r.Node) && !r.Down(r.Node) {
		p.check(r, r.Node)
	}
}

func (p *boundedRate) check(r *model.Report[Msg], client sim.NodeID) {
	r.Saw()
	rate := rateOf(r.View, client)
	if max(rate, -rate) <= p.Most || !r.Violated(client) {
		return
	}
	if rate == stands {
		r.Why("the clock of %s stands still, and %v is taken for the most", r.Name(client), p.Most)
	} else {
		r.Why("the clock of %s runs at %v, and %v is taken for the most", r.Name(client), rate, p.Most)
	}
}
