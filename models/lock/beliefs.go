package lock

import "fencepost/sim"

// Layout is where the nodes of a lock system are, and what its properties need to
// know of the parameters.
type Layout struct {
	Clients     int        // nodes 1 to Clients
	FirstServer sim.NodeID // of the instances
	Servers     int
	Quorum      int
	Clock       sim.ClockID // that clients measure their lease with
}

func (l *Layout) isClient(id sim.NodeID) bool { return id >= 1 && int(id) <= l.Clients }

// server is the instance's number from 0, if the node is one.
func (l *Layout) server(id sim.NodeID) (int, bool) {
	i := int(id - l.FirstServer)
	return i, i >= 0 && i < l.Servers
}

// beliefs is who believes to hold the lock: a client is in its critical section
// from the instant it notes Acquired until it notes that it has left or crashes. A
// paused or partitioned client goes on believing.
type beliefs struct {
	grant []uint64 // by client: the grant it believes in, 0 for none
	count int
}

func (b *beliefs) reset(clients int) {
	if b.grant == nil {
		b.grant = make([]uint64, clients+1)
	}
	clear(b.grant)
	b.count = 0
}

// change is what an observation did to the beliefs.
type change uint8

const (
	nothing change = iota
	entered
	left
)

func (b *beliefs) observe(o *sim.Observation[Msg]) change {
	if int(o.Node) >= len(b.grant) {
		return nothing
	}
	g := &b.grant[o.Node]
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == Acquired:
		b.count++
		*g = o.Msg.Value
		return entered
	case *g != 0 && leaves(o):
		b.count--
		*g = 0
		return left
	}
	return nothing
}

// leaves reports whether an observation ends its client's critical section.
func leaves(o *sim.Observation[Msg]) bool {
	if o.Event == sim.Crashed {
		return true
	}
	return o.Event == sim.Noted && (o.Msg.Kind == Released || o.Msg.Kind == Expired || o.Msg.Kind == Stale)
}

// other is a client but id that believes to hold the lock, [sim.None] if none does.
func (b *beliefs) other(id sim.NodeID) sim.NodeID {
	for c, g := range b.grant {
		if g != 0 && sim.NodeID(c) != id {
			return sim.NodeID(c)
		}
	}
	return sim.None
}

// entitlements is who is entitled to the lock: who believes to hold it, and would
// still find its lease valid if it looked at its clock now.
type entitlements struct {
	layout Layout
	beliefs
	lease   []int64    // by client: the reading up to which it may act
	endless []bool     // its lease has no end
	until   []sim.Time // the instant at which its clock will reach that reading
}

func (e *entitlements) reset(l Layout) {
	e.layout = l
	e.beliefs.reset(l.Clients)
	if e.until == nil {
		e.until = make([]sim.Time, l.Clients+1)
		e.lease = make([]int64, l.Clients+1)
		e.endless = make([]bool, l.Clients+1)
	}
	clear(e.until)
	clear(e.lease)
	clear(e.endless)
}

// observe reports whether the observation may have entitled its client.
func (e *entitlements) observe(v *sim.View[Msg], o *sim.Observation[Msg]) bool {
	change := e.beliefs.observe(o)
	if !e.layout.isClient(o.Node) || e.grant[o.Node] == 0 {
		return false
	}
	switch {
	case change == entered:
		e.lease[o.Node], e.endless[o.Node] = o.Msg.X, !o.Msg.OK
	case o.Event == sim.Noted && o.Msg.Kind == Extended:
		e.lease[o.Node] = o.Msg.X
	case o.Event != sim.Retimed:
		return false
	}
	e.until[o.Node] = sim.Never
	if !e.endless[o.Node] {
		e.until[o.Node] = v.When(o.Node, e.layout.Clock, e.lease[o.Node])
	}
	return true
}

// entitled reports whether a client is entitled now.
func (e *entitlements) entitled(now sim.Time, id sim.NodeID) bool {
	return e.grant[id] != 0 && now < e.until[id]
}

// otherEntitled is a client but id that is entitled now.
func (e *entitlements) otherEntitled(now sim.Time, id sim.NodeID) sim.NodeID {
	for c := range e.grant {
		if d := sim.NodeID(c); d != id && e.entitled(now, d) {
			return d
		}
	}
	return sim.None
}

// owners is whose key is on each instance, at the very instant. An instance that is
// down gives its key to nobody else: what it has lost shows when it restarts.
type owners struct {
	layout Layout
	grant  []uint64 // by instance: 0 is free
}

func (w *owners) reset(l Layout) {
	w.layout = l
	if w.grant == nil {
		w.grant = make([]uint64, l.Servers)
	}
	clear(w.grant)
}

// observe reports which instance changed, -1 if none did, and whose key it was.
func (w *owners) observe(o *sim.Observation[Msg]) (instance int, before uint64) {
	i, ok := w.layout.server(o.Node)
	if !ok {
		return -1, 0
	}
	before = w.grant[i]
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == Owned:
		w.grant[i] = o.Msg.Value
	case o.Event == sim.Noted && o.Msg.Kind == Freed:
		w.grant[i] = 0
	default:
		return -1, 0
	}
	return i, before
}

// of is how many instances hold a grant's key.
func (w *owners) of(grant uint64) int {
	n := 0
	for _, g := range w.grant {
		if g == grant {
			n++
		}
	}
	return n
}

// waiters is which clients want the lock: from the first attempt of an acquisition
// until they have it, give up or crash.
type waiters struct {
	layout  Layout
	waiting []bool // by client
	count   int
}

func (w *waiters) reset(l Layout) {
	w.layout = l
	if w.waiting == nil {
		w.waiting = make([]bool, l.Clients+1)
	}
	clear(w.waiting)
	w.count = 0
}

func (w *waiters) observe(o *sim.Observation[Msg]) {
	if !w.layout.isClient(o.Node) {
		return
	}
	was := w.waiting[o.Node]
	now := was
	switch {
	case o.Event == sim.Crashed:
		now = false
	case o.Event != sim.Noted:
	case o.Msg.Kind == Trying:
		now = true
	case o.Msg.Kind == Acquired, o.Msg.Kind == Failed:
		now = false
	}
	w.waiting[o.Node] = now
	switch {
	case now && !was:
		w.count++
	case was && !now:
		w.count--
	}
}

// first is the first client that waits, [sim.None] if none does.
func (w *waiters) first() sim.NodeID {
	for c, waits := range w.waiting {
		if waits {
			return sim.NodeID(c)
		}
	}
	return sim.None
}
