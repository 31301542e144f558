package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Monotonic holds if the corrected clock of a client never goes back while the client is
// up. A step back violates it, be it the daemon's or somebody else's.
//
// The clock is the one that a program reads.
type Monotonic struct {
	truth
	sim.Check
	last []int64       // by node-1: what the client's clock read last
	back time.Duration // by how much it went back first
}

// Name implements [sim.Property].
func (p *Monotonic) Name() string { return "monotonic" }

// Reset implements [sim.Observer].
func (p *Monotonic) Reset(v *sim.View[Msg]) {
	p.truth.reset(v)
	p.Clear()
	if p.last == nil {
		p.last = make([]int64, v.Nodes())
	}
	for i := range p.last {
		p.last[i] = v.Read(sim.NodeID(i+1), sim.WallClock)
	}
	p.back = 0
}

// Observe implements [sim.Observer].
func (p *Monotonic) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if !p.Layout.isClient(o.Node) {
		p.truth.observe(v, o)
		return
	}
	up, reboot, corrected := !p.gone[o.Node-1], p.reboot(o), o.Event == sim.Noted && (o.Msg.Kind == Stepped || o.Msg.Kind == Slewed)
	if up { // until now it was as it had been
		p.judge(v, o.Node)
	}
	p.truth.observe(v, o)
	if o.Event == sim.Noted && o.Msg.Kind == Stepped {
		p.wentBack(v, o.Node, time.Duration(o.Msg.X-o.Msg.Y))
	}
	if reboot || corrected { // a new boot; or it has been so for longer than the note was on its way
		p.last[o.Node-1] = p.shown(v, o.Node)
	}
	p.judge(v, o.Node)
	if corrected || o.Event == sim.Noted && o.Msg.Kind == Sampled {
		p.Saw()
	}
}

// judge compares what a client's clock reads with what it read last.
func (p *Monotonic) judge(v *sim.View[Msg], client sim.NodeID) {
	now := p.shown(v, client)
	p.wentBack(v, client, time.Duration(p.last[client-1]-now))
	p.last[client-1] = now
}

func (p *Monotonic) wentBack(v *sim.View[Msg], client sim.NodeID, by time.Duration) {
	if by > 0 && p.Violate(v.Now(), client) {
		p.back = by
	}
}

// End implements [sim.Observer].
func (p *Monotonic) End(v *sim.View[Msg]) {
	for c := p.Layout.Servers + 1; c <= v.Nodes(); c++ {
		if !p.gone[c-1] {
			p.judge(v, sim.NodeID(c))
		}
	}
}

// Why implements [sim.Property].
func (p *Monotonic) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("the clock of %s goes back by %v", v.Name(p.Finding().Nodes[0]), p.back)
}
