package ntp

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// monotonic holds if the corrected clock of a client never goes back while the client is
// up. A step back violates it, the daemon's or another program's.
//
// The clock is the one that a program reads.
type monotonic struct {
	Truth Truth
	Last  []int64 // by node-1: what the client's clock read last
}

// Begin looks at the clocks.
func (p *monotonic) Begin(r *model.Report[Msg]) {
	p.Truth.begin(r.View)
	for n := range r.Nodes() {
		p.Last = append(p.Last, r.Read(sim.NodeID(n+1), sim.WallClock))
	}
}

// Check implements [model.Checker].
func (p *monotonic) Check(r *model.Report[Msg]) {
	if !p.Truth.isClient(r.Node) {
		p.Truth.observe(r.View, r.Observation)
		return
	}
	stepped := r.Event == sim.Noted && r.Msg.Kind == Stepped
	corrected := stepped || r.Event == sim.Noted && r.Msg.Kind == Slewed
	up, reboot := !p.Truth.gone[r.Node-1], p.Truth.reboot(r.Observation)
	if up { // until now it was as it had been
		p.read(r, r.Node)
	}
	p.Truth.observe(r.View, r.Observation)
	if stepped {
		p.wentBack(r, r.Node, r.Msg.from()-r.Msg.to())
	}
	if reboot || corrected { // a new boot; or it has been so for longer than the note was on its way
		p.Last[r.Node-1] = p.Truth.shown(r.View, r.Node)
	}
	p.read(r, r.Node)
	if corrected || r.Event == sim.Noted && r.Msg.Kind == Sampled {
		r.Saw()
	}
}

// read compares what a client's clock reads with what it read last.
func (p *monotonic) read(r *model.Report[Msg], client sim.NodeID) {
	now := p.Truth.shown(r.View, client)
	p.wentBack(r, client, time.Duration(p.Last[client-1]-now))
	p.Last[client-1] = now
}

func (p *monotonic) wentBack(r *model.Report[Msg], client sim.NodeID, by time.Duration) {
	if by > 0 && r.Violated(client) {
		r.Why("the clock of %s goes back by %v", r.Name(client), by)
	}
}

// End looks at the clocks of all clients that are up.
func (p *monotonic) End(r *model.Report[Msg]) {
	for i := range p.Truth.Clients {
		if c := p.Truth.client(i); !p.Truth.gone[c-1] {
			p.read(r, c)
		}
	}
}
