package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// BoundedRate holds if the monotonic clock of each client runs at the right rate, give or
// take Most, as long as the client is up. A machine that is suspended violates it: its clock
// stands still. Clients assume that it holds: how far their samples may be wrong depends on it.
//
// Source: RFC 5905, section 11.2, PHI.
type BoundedRate struct {
	Layout Layout
	Most   sim.PPB // what clients take for the most that a clock gains or loses

	sim.Check
	rate sim.PPB // at the first violation
}

// stands is the rate of a clock that stands still.
const stands sim.PPB = -1_000_000_000

// rateOf is by how much a node's monotonic clock is too fast as it runs now.
//
// It is what the clock gains in the next 8 s that it shows. That is so long that a
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

// Name implements [sim.Property].
func (p *BoundedRate) Name() string { return "bounded-rate" }

// Bound implements [sim.Bounded].
func (p *BoundedRate) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %v", p.Most)}
}

// Reset implements [sim.Observer].
func (p *BoundedRate) Reset(v *sim.View[Msg]) {
	p.Clear()
	p.rate = 0
	for c := p.Layout.Servers + 1; c <= v.Nodes(); c++ {
		p.judge(v, sim.NodeID(c))
	}
}

// Observe implements [sim.Observer]. A clock runs on as it does until it is changed; that
// of a node which restarts is.
func (p *BoundedRate) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Retimed && p.Layout.isClient(o.Node) && !v.Down(o.Node) {
		p.judge(v, o.Node)
	}
}

func (p *BoundedRate) judge(v *sim.View[Msg], client sim.NodeID) {
	p.Saw()
	if rate := rateOf(v, client); max(rate, -rate) > p.Most && p.Violate(v.Now(), client) {
		p.rate = rate
	}
}

// End implements [sim.Observer].
func (p *BoundedRate) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *BoundedRate) Why(v *sim.View[Msg]) string {
	who := v.Name(p.Finding().Nodes[0])
	if p.rate == stands {
		return fmt.Sprintf("the clock of %s stands still, and %v is taken for the most", who, p.Most)
	}
	return fmt.Sprintf("the clock of %s runs at %v, and %v is taken for the most", who, p.rate, p.Most)
}
