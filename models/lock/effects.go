package lock

import (
	"fmt"

	"fencepost/sim"
)

// FencedOrder holds if the operations that the store applies carry tokens that
// never go backwards: what fencing promises about the effects, whatever pauses,
// clocks and networks do.
type FencedOrder struct {
	sim.Check
	last, lastClient uint64 // token, and the grant that used it
	bad              [2]uint64
}

// Name implements [sim.Property].
func (p *FencedOrder) Name() string { return "fenced-order" }

// Reset implements [sim.Observer].
func (p *FencedOrder) Reset(*sim.View[Msg]) {
	p.Clear()
	p.last, p.lastClient, p.bad = 0, 0, [2]uint64{}
}

// Observe implements [sim.Observer].
func (p *FencedOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m := &o.Msg
	if o.Event != sim.Noted || m.Kind != Applied && m.Kind != Fenced || m.Token == 0 {
		return
	}
	p.Saw()
	if m.Token < p.last {
		if p.Violate(v.Now(), client(m.Value), client(p.lastClient)) {
			p.bad = [2]uint64{m.Token, p.last}
		}
		return
	}
	p.last, p.lastClient = m.Token, m.Value
}

// End implements [sim.Observer].
func (p *FencedOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *FencedOrder) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("the store applied %s's token %d after it had seen %s's token %d", v.Name(n[0]), p.bad[0], v.Name(n[1]), p.bad[1])
}

// client is whose grant it is.
func client(grant uint64) sim.NodeID { return sim.NodeID(grant >> 32) }

// IncreasingTokens holds if the tokens are in the order of the grants: whoever was
// granted the lock later has the larger token. A counter that never issues a token
// twice is not enough: a client that is paused between the lock and its token gets
// a larger one than whoever acquired meanwhile.
type IncreasingTokens struct {
	Layout Layout

	sim.Check
	order  []grantOrder // by client: its latest grant
	grants int          // so far
	latest int          // of the grants that have a token
	last   uint64       // the largest token
	holder sim.NodeID   // of the latest grant that has a token
	bad    [2]uint64
}

// grantOrder is which of all grants a client's was.
type grantOrder struct {
	grant uint64
	n     int // from 1
}

// Name implements [sim.Property].
func (p *IncreasingTokens) Name() string { return "increasing-tokens" }

// Reset implements [sim.Observer].
func (p *IncreasingTokens) Reset(*sim.View[Msg]) {
	p.Clear()
	if p.order == nil {
		p.order = make([]grantOrder, p.Layout.Clients+1)
	}
	clear(p.order)
	p.grants, p.latest, p.last, p.holder, p.bad = 0, 0, 0, sim.None, [2]uint64{}
}

// Observe implements [sim.Observer].
func (p *IncreasingTokens) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Acquired:
		p.grants++
		p.order[o.Node] = grantOrder{grantOf(o.Node, o.Msg.Try), p.grants}
	case Issued:
		p.Saw()
		p.issued(v, o.Msg.Value, o.Msg.Token)
	}
}

// issued looks at a token: it must be larger than all before, and no later grant may
// have one already.
func (p *IncreasingTokens) issued(v *sim.View[Msg], grant, token uint64) {
	c := client(grant)
	n := 0 // of a grant that is over: before all others
	if p.order[c].grant == grant {
		n = p.order[c].n
	}
	if (token <= p.last || n < p.latest) && p.Violate(v.Now(), c, p.holder) {
		p.bad = [2]uint64{token, p.last}
	}
	if p.last = max(p.last, token); n > p.latest {
		p.latest, p.holder = n, c
	}
}

// End implements [sim.Observer].
func (p *IncreasingTokens) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *IncreasingTokens) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	if p.bad[0] <= p.bad[1] {
		return fmt.Sprintf("%s was given token %d after token %d had been issued", v.Name(n[0]), p.bad[0], p.bad[1])
	}
	return fmt.Sprintf("%s was granted the lock before %s, and got its token %d after %s had got token %d", v.Name(n[0]), v.Name(n[1]), p.bad[0], v.Name(n[1]), p.bad[1])
}

// NoLostUpdate holds if the store's counter is the number of increments that it
// applied. An increment is lost when a later write, computed from a value read
// before it, overwrites it.
type NoLostUpdate struct {
	sim.Check
	store updates
	lost  int64 // by the first violation
}

// Name implements [sim.Property].
func (p *NoLostUpdate) Name() string { return "no-lost-update" }

// Reset implements [sim.Observer].
func (p *NoLostUpdate) Reset(*sim.View[Msg]) {
	p.Clear()
	p.store.reset()
	p.lost = 0
}

// Observe implements [sim.Observer].
func (p *NoLostUpdate) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	lost, over, ok := p.store.observe(o)
	if !ok {
		return
	}
	p.Saw()
	if lost > 0 && p.Violate(v.Now(), client(o.Msg.Value), client(over)) {
		p.lost = lost
	}
}

// End implements [sim.Observer].
func (p *NoLostUpdate) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoLostUpdate) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s wrote a counter that it had read before %s's write: %s lost", v.Name(n[0]), v.Name(n[1]), count(p.lost, "increment"))
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// updates is the store's counter as its notes tell it.
type updates struct {
	counter int64
	made    int64           // increments, each once however often it arrives
	writer  uint64          // the grant that wrote last
	wrote   map[uint64]bool // grants whose increment has been counted
}

func (u *updates) reset() {
	clear(u.wrote)
	u.counter, u.made, u.writer = 0, 0, 0
}

// observe reports how many increments more are missing from the counter after an
// applied write than before it, and whose write came before.
func (u *updates) observe(o *sim.Observation[Msg]) (lost int64, over uint64, applied bool) {
	if o.Event != sim.Noted || o.Msg.Kind != Applied {
		return 0, 0, false
	}
	before, over := u.made-u.counter, u.writer
	if !u.wrote[o.Msg.Value] {
		if u.wrote == nil {
			u.wrote = make(map[uint64]bool)
		}
		u.wrote[o.Msg.Value] = true
		u.made++
	}
	u.counter, u.writer = o.Msg.X, o.Msg.Value
	return u.made - u.counter - before, over, true
}
