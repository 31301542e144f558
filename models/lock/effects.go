package lock

import (
	"fmt"

	"fencepost/sim"
)

// FencedOrder holds if the operations that the store applies carry tokens that
// never go backwards: what fencing promises about the effects, whatever pauses,
// clocks and networks do.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, FM.
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
	p.last, p.lastClient = 0, 0
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

// IncreasingTokens holds if every token issued is larger than all before it.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, FT.
type IncreasingTokens struct {
	sim.Check
	last uint64
	bad  [2]uint64
}

// Name implements [sim.Property].
func (p *IncreasingTokens) Name() string { return "increasing-tokens" }

// Reset implements [sim.Observer].
func (p *IncreasingTokens) Reset(*sim.View[Msg]) {
	p.Clear()
	p.last = 0
}

// Observe implements [sim.Observer].
func (p *IncreasingTokens) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Issued {
		return
	}
	p.Saw()
	if t := o.Msg.Token; t <= p.last && p.Violate(v.Now(), client(o.Msg.Value)) {
		p.bad = [2]uint64{t, p.last}
	}
	p.last = max(p.last, o.Msg.Token)
}

// End implements [sim.Observer].
func (p *IncreasingTokens) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *IncreasingTokens) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s was given token %d after token %d had been issued", v.Name(p.Finding().Nodes[0]), p.bad[0], p.bad[1])
}

// NoLostUpdate holds if the store's counter is the number of increments that it
// applied. An increment is lost when a later write, computed from a value read
// before it, overwrites it.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, NLU.
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
