package chain

import (
	"fmt"

	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
)

// CarriedOutOnce holds if no operation that must not be done twice is: one with a key, or
// one that is neither idempotent nor has one. Nothing is said of idempotent ones.
//
// Source: Helland, "Idempotence Is Not a Medical Condition", ACM Queue 2012.
type CarriedOutOnce struct {
	Layout Layout

	sim.Check
	done map[uint64]sim.Time // operations that have been carried out, and when
	root uint64              // of the first violation
	at   sim.Time            // when it was done before
}

// Name implements [sim.Property].
func (p *CarriedOutOnce) Name() string { return "carried-out-once" }

// Reset implements [sim.Observer].
func (p *CarriedOutOnce) Reset(*sim.View[Msg]) {
	p.Clear()
	clear(p.done)
	p.root, p.at = 0, 0
}

// Observe implements [sim.Observer].
func (p *CarriedOutOnce) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Served || p.Layout.Operation == retry.Idempotent {
		return
	}
	p.Saw()
	if p.done == nil {
		p.done = make(map[uint64]sim.Time)
	}
	at, again := p.done[o.Msg.Root]
	if again && p.Violate(v.Now(), o.Node, caller(o.Msg.Root)) {
		p.root, p.at = o.Msg.Root, at
	}
	p.done[o.Msg.Root] = v.Now()
}

// End implements [sim.Observer].
func (p *CarriedOutOnce) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *CarriedOutOnce) Why(v *sim.View[Msg]) string {
	f := p.Finding()
	return fmt.Sprintf("the %s carries out operation %d of %s at %v, which it did at %v already", v.Name(f.Nodes[0]), uint32(p.root), v.Name(f.Nodes[1]), f.First, p.at)
}
