package lock

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// OwnerRelease holds if a client deletes no key but its own.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, OWN.
type OwnerRelease struct {
	Layout Layout

	sim.Check
	owners owners
}

// Name implements [sim.Property].
func (p *OwnerRelease) Name() string { return "owner-release" }

// Reset implements [sim.Observer].
func (p *OwnerRelease) Reset(*sim.View[Msg]) {
	p.Clear()
	p.owners.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *OwnerRelease) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	changed, before := p.owners.observe(o)
	if changed < 0 || o.Event != sim.Noted || o.Msg.Kind != Freed || !o.Msg.OK {
		return
	}
	p.Saw()
	if client(before) != client(o.Msg.Value) {
		p.Violate(v.Now(), client(o.Msg.Value), client(before))
	}
}

// End implements [sim.Observer].
func (p *OwnerRelease) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *OwnerRelease) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s deleted the key of %s", v.Name(n[0]), v.Name(n[1]))
}

// DeadlockFree holds if, whenever a client waits, somebody acquires within Bound,
// counted from the last fault and from the last instant at which a live client
// believed to hold the lock. While some node is stopped nothing is counted.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, DF.
type DeadlockFree struct {
	Layout Layout
	Bound  time.Duration

	sim.Check
	beliefs beliefs
	waiting []bool // by client
	base    sim.Time
	stuck   bool // since base, and said so
}

// Name implements [sim.Property].
func (p *DeadlockFree) Name() string { return "deadlock-free" }

// Reset implements [sim.Observer].
func (p *DeadlockFree) Reset(*sim.View[Msg]) {
	p.Clear()
	p.beliefs.reset(p.Layout.Clients)
	if p.waiting == nil {
		p.waiting = make([]bool, p.Layout.Clients+1)
	}
	clear(p.waiting)
	p.base, p.stuck = 0, false
}

// Observe implements [sim.Observer].
func (p *DeadlockFree) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Resumed {
		p.judge(v)
	}
	change := p.beliefs.observe(o)
	if o.Event != sim.Noted || change != nothing {
		p.base, p.stuck = v.Now(), false
	}
	if !p.Layout.isClient(o.Node) {
		return
	}
	switch {
	case change == entered, o.Event == sim.Crashed, o.Event == sim.Noted && o.Msg.Kind == Failed:
		p.waiting[o.Node] = false
	case o.Event == sim.Noted && o.Msg.Kind == Trying:
		if p.who() == sim.None {
			p.base, p.stuck = v.Now(), false
		}
		p.Saw()
		p.waiting[o.Node] = true
	}
}

// judge looks at the time up to now, in which nothing was observed.
func (p *DeadlockFree) judge(v *sim.View[Msg]) {
	if p.beliefs.count > 0 || p.stuck || v.Now() <= p.base.Add(p.Bound) {
		return
	}
	if c := p.who(); c != sim.None && !anyPaused(v) {
		p.stuck = true
		p.Violate(p.base.Add(p.Bound), c)
	}
}

func anyPaused(v *sim.View[Msg]) bool {
	for id := 1; id <= v.Nodes(); id++ {
		if _, paused := v.PausedSince(sim.NodeID(id)); paused {
			return true
		}
	}
	return false
}

// who is the first client that waits.
func (p *DeadlockFree) who() sim.NodeID {
	for c, w := range p.waiting {
		if w {
			return sim.NodeID(c)
		}
	}
	return sim.None
}

// End implements [sim.Observer].
func (p *DeadlockFree) End(v *sim.View[Msg]) { p.judge(v) }

// Why implements [sim.Property].
func (p *DeadlockFree) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s waits and nobody has held or acquired the lock for %v", v.Name(p.Finding().Nodes[0]), p.Bound)
}

// TakeoverBound holds if, after a holder crashes while somebody waits or comes to
// wait, the lock is acquired again within Bound.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, TAKE.
type TakeoverBound struct {
	Layout Layout
	Bound  time.Duration // TTL, slack of the server, pause between attempts and a round trip

	sim.Check
	beliefs beliefs
	waiting []bool // by client
	waiters int
	base    sim.Time // since when somebody has waited since the crash; Never: nobody does
	crashed sim.NodeID
	pending bool
}

// Name implements [sim.Property].
func (p *TakeoverBound) Name() string { return "takeover-bound" }

// Reset implements [sim.Observer].
func (p *TakeoverBound) Reset(*sim.View[Msg]) {
	p.Clear()
	p.beliefs.reset(p.Layout.Clients)
	if p.waiting == nil {
		p.waiting = make([]bool, p.Layout.Clients+1)
	}
	clear(p.waiting)
	p.waiters, p.base, p.crashed, p.pending = 0, sim.Never, sim.None, false
}

// Observe implements [sim.Observer].
func (p *TakeoverBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	change := p.beliefs.observe(o)
	if change == left && o.Event == sim.Crashed && p.beliefs.count == 0 {
		p.base, p.crashed, p.pending = sim.Never, o.Node, true
	}
	switch {
	case change == entered:
		p.judge(v.Now(), o.Node)
		p.pending = false
		p.wait(o.Node, false)
	case o.Event == sim.Noted && o.Msg.Kind == Trying:
		p.wait(o.Node, true)
	case o.Event == sim.Crashed, o.Event == sim.Noted && o.Msg.Kind == Failed:
		if p.Layout.isClient(o.Node) {
			p.wait(o.Node, false)
		}
	}
	switch {
	case !p.pending:
	case p.waiters == 0:
		p.judge(v.Now(), sim.None)
		p.base = sim.Never
	case p.base == sim.Never:
		p.base = v.Now()
		p.Saw()
	}
}

func (p *TakeoverBound) wait(id sim.NodeID, waits bool) {
	if p.waiting[id] != waits {
		p.waiting[id] = waits
		if p.waiters--; waits {
			p.waiters += 2
		}
	}
}

func (p *TakeoverBound) judge(now sim.Time, by sim.NodeID) {
	if p.pending && p.base != sim.Never && now > p.base.Add(p.Bound) {
		p.Violate(p.base.Add(p.Bound), p.crashed, by)
	}
}

// End implements [sim.Observer].
func (p *TakeoverBound) End(v *sim.View[Msg]) {
	p.judge(v.Now(), sim.None)
}

// Why implements [sim.Property].
func (p *TakeoverBound) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s crashed with the lock, and nobody else had it within %v of the first attempt", v.Name(p.Finding().Nodes[0]), p.Bound)
}

// NoOrphan holds if no key outlives its client's interest by more than the TTL:
// from the instant a client has left or given up an attempt, the keys of that
// attempt are gone within TTL and a millisecond.
//
// Source: spec, locks, clocks and the key-value store, section 2.2, ORPH.
type NoOrphan struct {
	Layout Layout
	TTL    time.Duration

	sim.Check
	owners owners
	told   []bool       // by instance: its present key is known to be an orphan
	gone   []lifetime   // by instance: when its present key is gone, whether or not the instance is up
	try    []uint32     // by client: its latest attempt
	ended  [][]sim.Time // by client and attempt: when it lost interest, Never before that
}

// Name implements [sim.Property].
func (p *NoOrphan) Name() string { return "no-orphan" }

// Reset implements [sim.Observer].
func (p *NoOrphan) Reset(*sim.View[Msg]) {
	p.Clear()
	p.owners.reset(p.Layout)
	if p.ended == nil {
		p.told = make([]bool, p.Layout.Servers)
		p.gone = make([]lifetime, p.Layout.Servers)
		p.try = make([]uint32, p.Layout.Clients+1)
		p.ended = make([][]sim.Time, p.Layout.Clients+1)
	}
	clear(p.told)
	clear(p.try)
	for c := range p.ended {
		p.ended[c] = p.ended[c][:0]
	}
}

// Observe implements [sim.Observer].
func (p *NoOrphan) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if i, before := p.owners.observe(o); i >= 0 {
		p.Saw()
		p.end(i, before, v.Now())
		p.set(i, v.Now())
		p.gone[i].set(v, o)
		return
	}
	if i, ok := p.Layout.server(o.Node); ok && o.Event == sim.Retimed {
		p.gone[i].retime(v, o.Node)
	}
	if !p.Layout.isClient(o.Node) {
		return
	}
	if o.Event == sim.Noted && o.Msg.Kind == Trying {
		p.lose(o.Node, v.Now())
		p.begin(o.Node, uint32(o.Msg.Value))
	} else if leaves(o) || o.Event == sim.Noted && o.Msg.Kind == Refused {
		p.lose(o.Node, v.Now())
	}
}

// begin notes that a client is interested in an attempt.
func (p *NoOrphan) begin(id sim.NodeID, try uint32) {
	p.try[id] = try
	for len(p.ended[id]) <= int(try) {
		p.ended[id] = append(p.ended[id], sim.Never)
	}
	p.ended[id][try] = sim.Never // it may have given up an earlier attempt with the same value
}

// lose notes that a client is no longer interested in its latest attempt.
func (p *NoOrphan) lose(id sim.NodeID, now sim.Time) {
	if try := p.try[id]; try != 0 && p.ended[id][try] == sim.Never {
		p.ended[id][try] = now
	}
}

// deadline is the last instant at which a grant's keys may be there.
func (p *NoOrphan) deadline(grant uint64) sim.Time {
	id, try := client(grant), int(uint32(grant))
	if try >= len(p.ended[id]) {
		return sim.Never
	}
	return p.ended[id][try].Add(p.TTL + time.Millisecond)
}

// set looks at the key that an instance now has.
func (p *NoOrphan) set(i int, now sim.Time) {
	g := p.owners.grant[i]
	if p.told[i] = g != 0 && now > p.deadline(g); p.told[i] {
		p.Violate(now, client(g), p.node(i))
	}
}

// end looks at the key that an instance had until now, or until its time was over:
// an instance that is paused or down says so late.
func (p *NoOrphan) end(i int, grant uint64, now sim.Time) {
	if grant == 0 || p.told[i] || grant == p.owners.grant[i] {
		return
	}
	if last := p.deadline(grant); min(now, p.gone[i].until) > last {
		p.Violate(last, client(grant), p.node(i))
	}
}

func (p *NoOrphan) node(i int) sim.NodeID { return p.Layout.FirstServer + sim.NodeID(i) }

// End implements [sim.Observer].
func (p *NoOrphan) End(v *sim.View[Msg]) {
	for i, g := range p.owners.grant {
		p.owners.grant[i] = 0
		p.end(i, g, v.Now())
	}
}

// lifetime is how long a key is alive on its server's wall clock.
type lifetime struct {
	reading int64 // at which it is gone
	endless bool
	until   sim.Time
}

func (l *lifetime) set(v *sim.View[Msg], o *sim.Observation[Msg]) {
	*l = lifetime{reading: o.Msg.X, endless: !o.Msg.OK}
	l.retime(v, o.Node)
}

func (l *lifetime) retime(v *sim.View[Msg], server sim.NodeID) {
	until := sim.Never
	if !l.endless {
		until = v.When(server, sim.WallClock, l.reading)
	}
	if until > v.Now() || l.until > v.Now() { // else it was over before
		l.until = until
	}
}

// Why implements [sim.Property].
func (p *NoOrphan) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("a key of %s was still on %s more than %v after %s had lost interest in it", v.Name(n[0]), v.Name(n[1]), p.TTL, v.Name(n[0]))
}
