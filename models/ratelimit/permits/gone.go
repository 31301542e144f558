package permits

import (
	"fmt"

	"fencepost/sim"
)

// NoStartAfterDrain holds if no handler starts once the limiter has been shut down.
type NoStartAfterDrain struct {
	Layout Layout

	sim.Check
	draining []bool // by node
}

// Name implements [sim.Property].
func (p *NoStartAfterDrain) Name() string { return "no-start-after-drain" }

// Reset implements [sim.Observer].
func (p *NoStartAfterDrain) Reset(v *sim.View[Msg]) {
	p.Clear()
	if p.draining == nil {
		p.draining = make([]bool, v.Nodes()+1)
	}
	clear(p.draining)
}

// Observe implements [sim.Observer].
func (p *NoStartAfterDrain) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch {
	case o.Event == sim.Crashed: // what starts again is another process
		p.draining[o.Node] = false
	case o.Event != sim.Noted:
	case o.Msg.Kind == Draining:
		p.draining[o.Node] = true
		p.Saw()
	case o.Msg.Kind == Started && p.draining[o.Node]:
		p.Violate(v.Now(), o.Node, client(o.Msg.Rid))
	}
}

// End implements [sim.Observer].
func (p *NoStartAfterDrain) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoStartAfterDrain) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s started the request of %s after it had been shut down", v.Name(n[0]), v.Name(n[1]))
}

// NoStartForGone holds if no handler starts for a client of which the limiter knows that
// it is gone, or for a request that has been answered.
type NoStartForGone struct {
	Layout Layout

	sim.Check
	ledger ledger
}

// Name implements [sim.Property].
func (p *NoStartForGone) Name() string { return "no-start-for-gone" }

// Reset implements [sim.Observer].
func (p *NoStartForGone) Reset(*sim.View[Msg]) {
	p.Clear()
	p.ledger.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *NoStartForGone) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	r, known := p.ledger.observe(v, o)
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Cancelled:
		p.Saw()
	case Answered:
		if !r.started {
			p.Saw()
		}
	case Started:
		if !known || r.cancelled {
			p.Violate(v.Now(), o.Node, client(o.Msg.Rid))
		}
	}
}

// End implements [sim.Observer].
func (p *NoStartForGone) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoStartForGone) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s started the request of %s, whose client had gone", v.Name(n[0]), v.Name(n[1]))
}
