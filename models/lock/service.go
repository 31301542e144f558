package lock

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// OwnerRelease holds if a client deletes no key but its own.
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

// DeadlockFree holds if, whenever clients wait, somebody acquires in time. Time
// in which nobody waits does not count, and nothing counts while some node is
// stopped or a server is down: a lock owes its clients progress after the faults.
// A partition is no excuse, since observers do not see it; nor is a holder that goes
// on for ever: give critical sections that are longer a longer bound.
type DeadlockFree struct {
	Layout Layout
	Within time.Duration

	sim.Check
	waiting waiters
	base    sim.Time // since when somebody has waited, and nobody acquired
	idle    sim.Time // since when nobody has waited
	stopped bool     // some node was stopped or down after the last observation
	stuck   bool     // since base, and said so
}

// Name implements [sim.Property].
func (p *DeadlockFree) Name() string { return "deadlock-free" }

// Bound implements [sim.Bounded].
func (p *DeadlockFree) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition every %v while clients wait", p.Within)}
}

// Reset implements [sim.Observer].
func (p *DeadlockFree) Reset(*sim.View[Msg]) {
	p.Clear()
	p.waiting.reset(p.Layout)
	p.base, p.idle, p.stopped, p.stuck = 0, 0, false, false
}

// Observe implements [sim.Observer].
func (p *DeadlockFree) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.judge(v.Now())
	waited := p.waiting.count > 0
	p.waiting.observe(o)
	switch waits := p.waiting.count > 0; {
	case waits && !waited:
		p.base = p.base.Add(v.Now().Sub(p.idle))
		p.Saw()
	case !waits && waited:
		p.idle = v.Now()
	}
	if o.Event == sim.Noted && o.Msg.Kind != Acquired {
		return
	}
	p.base, p.idle, p.stuck = v.Now(), v.Now(), false
	if o.Event != sim.Noted {
		p.stopped = p.anyStopped(v)
	}
}

// judge looks at the time up to now, in which nothing was observed.
func (p *DeadlockFree) judge(now sim.Time) {
	if last := p.base.Add(p.Within); now > last && !p.stuck && !p.stopped && p.waiting.count > 0 {
		p.stuck = true
		p.Violate(last, p.waiting.first())
	}
}

// anyStopped reports whether a node is paused, or a server down. A client that is
// down for ever is none of the others' business.
func (p *DeadlockFree) anyStopped(v *sim.View[Msg]) bool {
	for id := sim.NodeID(1); int(id) <= v.Nodes(); id++ {
		if _, paused := v.PausedSince(id); paused || v.Down(id) && !p.Layout.isClient(id) {
			return true
		}
	}
	return false
}

// End implements [sim.Observer].
func (p *DeadlockFree) End(v *sim.View[Msg]) { p.judge(v.Now()) }

// Why implements [sim.Property].
func (p *DeadlockFree) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s waits, and nobody has acquired the lock for %v", v.Name(p.Finding().Nodes[0]), p.Within)
}

// TakeoverBound holds if, after a holder crashes while somebody waits or comes to
// wait, the lock is acquired again in time.
type TakeoverBound struct {
	Layout Layout
	Within time.Duration // TTL, slack of the server, pause between attempts and a round trip

	sim.Check
	beliefs beliefs
	waiting waiters
	base    sim.Time // since when somebody has waited since the crash; Never: nobody does
	crashed sim.NodeID
	pending bool
}

// Name implements [sim.Property].
func (p *TakeoverBound) Name() string { return "takeover-bound" }

// Bound implements [sim.Bounded].
func (p *TakeoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition within %v of the crash", p.Within)}
}

// Reset implements [sim.Observer].
func (p *TakeoverBound) Reset(*sim.View[Msg]) {
	p.Clear()
	p.beliefs.reset(p.Layout.Clients)
	p.waiting.reset(p.Layout)
	p.base, p.crashed, p.pending = sim.Never, sim.None, false
}

// Observe implements [sim.Observer].
func (p *TakeoverBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	change := p.beliefs.observe(o)
	if change == left && o.Event == sim.Crashed && p.beliefs.count == 0 {
		p.base, p.crashed, p.pending = sim.Never, o.Node, true
	}
	p.waiting.observe(o)
	if change == entered {
		p.judge(v.Now(), o.Node)
		p.pending = false
	}
	switch {
	case !p.pending:
	case p.waiting.count == 0:
		p.judge(v.Now(), sim.None)
		p.base = sim.Never
	case p.base == sim.Never:
		p.base = v.Now()
		p.Saw()
	}
}

func (p *TakeoverBound) judge(now sim.Time, by sim.NodeID) {
	if p.pending && p.base != sim.Never && now > p.base.Add(p.Within) {
		p.Violate(p.base.Add(p.Within), p.crashed, by)
	}
}

// End implements [sim.Observer].
func (p *TakeoverBound) End(v *sim.View[Msg]) {
	p.judge(v.Now(), sim.None)
}

// Why implements [sim.Property].
func (p *TakeoverBound) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s crashed with the lock, and nobody else had it within %v of the first attempt", v.Name(p.Finding().Nodes[0]), p.Within)
}

// NoOrphan holds if no key outlives its client's interest by more than the TTL:
// from the instant a client has left or given up an attempt, the keys of that
// attempt are gone within TTL and a millisecond.
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

// Bound implements [sim.Bounded].
func (p *NoOrphan) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("no key for more than %v after it is given up", p.TTL+time.Millisecond)}
}

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
	clear(p.gone)
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
