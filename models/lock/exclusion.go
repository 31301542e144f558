package lock

import (
	"fmt"

	"fencepost/sim"
)

// rivals are two clients of which the second has just come in while the first is
// still there. If one of them leaves at the same instant, they have not met: what
// a client has is [from, to).
type rivals struct {
	at   sim.Time
	a, b sim.NodeID // the second, the first; None: there are no rivals
}

// met reports whether the two are still together now that time has moved on, and
// forgets them.
func (r *rivals) met(now sim.Time) bool {
	if r.a == sim.None || now == r.at {
		return false
	}
	r.a = sim.None
	return true
}

// part forgets two of whom one leaves.
func (r *rivals) part(id sim.NodeID) {
	if id == r.a || id == r.b {
		r.a = sim.None
	}
}

// MutualExclusion holds if at no instant two clients believe to hold the lock. No
// lock with a lease satisfies it under unbounded pauses or partitions.
type MutualExclusion struct {
	Layout Layout

	sim.Check
	beliefs beliefs
	rivals  rivals
	since   sim.Time // when the earlier of the rivals was paused, or Never
	pause   sim.Time // the same at the first violation
}

// Name implements [sim.Property].
func (p *MutualExclusion) Name() string { return "mutual-exclusion" }

// Reset implements [sim.Observer].
func (p *MutualExclusion) Reset(*sim.View[Msg]) {
	p.Clear()
	p.beliefs.reset(p.Layout.Clients)
	p.rivals, p.since, p.pause = rivals{}, 0, 0
}

// Observe implements [sim.Observer].
func (p *MutualExclusion) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.judge(v.Now())
	switch p.beliefs.observe(o) {
	case left:
		p.rivals.part(o.Node)
	case entered:
		p.Saw()
		d := p.beliefs.other(o.Node)
		if d == sim.None {
			return
		}
		p.rivals = rivals{v.Now(), o.Node, d}
		p.since = sim.Never
		if since, ok := v.PausedSince(d); ok {
			p.since = since
		}
	}
}

func (p *MutualExclusion) judge(now sim.Time) {
	r := p.rivals
	if p.rivals.met(now) && p.Violate(r.at, r.a, r.b) {
		p.pause = p.since
	}
}

// End implements [sim.Observer].
func (p *MutualExclusion) End(v *sim.View[Msg]) { p.judge(v.Now()) }

// Why implements [sim.Property].
func (p *MutualExclusion) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	pause := ""
	if p.pause != sim.Never {
		pause = fmt.Sprintf(", paused since %v,", p.pause)
	}
	return fmt.Sprintf("%s acquired while %s%s still believed to hold the lock", v.Name(n[0]), v.Name(n[1]), pause)
}

// EntitledExclusion holds if at no instant two clients are entitled to the lock:
// what a lease can promise while clock errors are bounded.
type EntitledExclusion struct {
	Layout Layout

	sim.Check
	entitled entitlements
	rivals   rivals
	told     [2]uint64 // the grants of the last violation: one pair is one violation
	until    sim.Time  // of the earlier holder's lease, at the first violation
}

// Name implements [sim.Property].
func (p *EntitledExclusion) Name() string { return "entitled-exclusion" }

// Reset implements [sim.Observer].
func (p *EntitledExclusion) Reset(*sim.View[Msg]) {
	p.Clear()
	p.entitled.reset(p.Layout)
	p.rivals, p.told, p.until = rivals{}, [2]uint64{}, 0
}

// Observe implements [sim.Observer].
func (p *EntitledExclusion) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.judge(v.Now())
	if !p.entitled.observe(v, o) {
		if p.Layout.isClient(o.Node) && p.entitled.grant[o.Node] == 0 {
			p.rivals.part(o.Node)
		}
		return
	}
	if !p.entitled.entitled(v.Now(), o.Node) {
		return
	}
	p.Saw()
	if d := p.entitled.otherEntitled(v.Now(), o.Node); d != sim.None {
		p.rivals = rivals{v.Now(), o.Node, d}
	}
}

func (p *EntitledExclusion) judge(now sim.Time) {
	r := p.rivals
	if !p.rivals.met(now) {
		return
	}
	pair := [2]uint64{p.entitled.grant[min(r.a, r.b)], p.entitled.grant[max(r.a, r.b)]}
	if pair == p.told {
		return
	}
	p.told = pair
	if p.Violate(r.at, r.a, r.b) {
		p.until = p.entitled.until[r.b]
	}
}

// End implements [sim.Observer].
func (p *EntitledExclusion) End(v *sim.View[Msg]) { p.judge(v.Now()) }

// Why implements [sim.Property].
func (p *EntitledExclusion) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s may act, and by its own clock so may %s until %v", v.Name(n[0]), v.Name(n[1]), p.until)
}

// QuorumBehindHolder holds if whoever is entitled has its key on a quorum of the
// instances. It notices a fault before a second client appears.
type QuorumBehindHolder struct {
	Layout Layout

	sim.Check
	entitled entitlements
	owners   owners
	told     []uint64 // by client: the grant that is known to lack its quorum
	behind   int      // instances behind the holder at the first violation
}

// Name implements [sim.Property].
func (p *QuorumBehindHolder) Name() string { return "quorum-behind-holder" }

// Reset implements [sim.Observer].
func (p *QuorumBehindHolder) Reset(*sim.View[Msg]) {
	p.Clear()
	p.entitled.reset(p.Layout)
	p.owners.reset(p.Layout)
	if p.told == nil {
		p.told = make([]uint64, p.Layout.Clients+1)
	}
	clear(p.told)
	p.behind = 0
}

// Observe implements [sim.Observer].
func (p *QuorumBehindHolder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	changed, _ := p.owners.observe(o)
	if !p.entitled.observe(v, o) && changed < 0 {
		return
	}
	for c, grant := range p.entitled.grant {
		id := sim.NodeID(c)
		if !p.entitled.entitled(v.Now(), id) {
			continue
		}
		p.Saw()
		n := p.owners.of(grant)
		if n >= p.Layout.Quorum || p.told[c] == grant {
			continue
		}
		p.told[c] = grant
		if p.Violate(v.Now(), id, o.Node) {
			p.behind = n
		}
	}
}

// End implements [sim.Observer].
func (p *QuorumBehindHolder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *QuorumBehindHolder) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s may act, but its key is on %d of %d instances and it needs %d",
		v.Name(p.Finding().Nodes[0]), p.behind, p.Layout.Servers, p.Layout.Quorum)
}
