package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Layout is where the nodes of a lock system are, and what its properties need to
// know of the parameters.
type Layout struct {
	Clients     int        // nodes 1 to Clients
	FirstServer sim.NodeID // of the instances
	Servers     int
	Quorum      int
	Needed      int         // servers that have to be up and connected for a client to be served
	Clock       sim.ClockID // that clients measure their lease with
	Workload    workload

	// Replicated servers are one service, and observers see one: what a server says with
	// a revision that is not above the latest is not news.
	Replicated bool
}

func (l *Layout) isClient(id sim.NodeID) bool { return id >= 1 && int(id) <= l.Clients }

func (l *Layout) isServer(id sim.NodeID) bool {
	return id >= l.FirstServer && int(id-l.FirstServer) < l.Servers
}

// lockless reports whether nothing keeps the clients from each other: service none.
func (l *Layout) lockless() bool { return l.Servers == 0 }

// clients are the nodes of the clients.
func (l *Layout) clients() (list []sim.NodeID) {
	for i := range l.Clients {
		list = append(list, sim.NodeID(i+1))
	}
	return list
}

// servers are the nodes of the instances.
func (l *Layout) servers() (list []sim.NodeID) {
	for i := range l.Servers {
		list = append(list, l.FirstServer+sim.NodeID(i))
	}
	return list
}

// instances is how many instances observers see.
func (l *Layout) instances() int {
	if l.Replicated {
		return 1
	}
	return l.Servers
}

// table has a value for each client, by its node, or for each instance, from 0.
type table[T any] []T

// Reset clears the values.
func (t table[T]) Reset() { clear(t) }

func byClient[T any](l *Layout) table[T]   { return make(table[T], l.Clients+1) }
func byInstance[T any](l *Layout) table[T] { return make(table[T], l.instances()) }

// beliefs is which clients believe to hold the lock: from the instant a client notes
// Acquired until it notes that it has left or crashes. A paused or partitioned client
// continues to believe.
type beliefs struct {
	Grant table[uint64] // by client: the grant it believes in, 0 for none
	Count int
}

func newBeliefs(l *Layout) beliefs { return beliefs{Grant: byClient[uint64](l)} }

// change is what an observation did to the beliefs.
type change uint8

const (
	nothing change = iota
	entered
	left
)

func (b *beliefs) observe(o *sim.Observation[Msg]) change {
	if int(o.Node) >= len(b.Grant) {
		return nothing
	}
	g := &b.Grant[o.Node]
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == core.Acquired:
		b.Count++
		*g = o.Msg.Grant()
		return entered
	case *g != 0 && leaves(o):
		b.Count--
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
	switch o.Msg.Kind {
	case core.Released, core.Expired, core.Stale, core.LockLost:
		return o.Event == sim.Noted
	}
	return false
}

// other is a client but id that believes to hold the lock, [sim.None] if none does.
func (b *beliefs) other(id sim.NodeID) sim.NodeID {
	for c, g := range b.Grant {
		if g != 0 && sim.NodeID(c) != id {
			return sim.NodeID(c)
		}
	}
	return sim.None
}

// lease is a time that is over when a clock of a node reaches a reading.
type lease struct {
	Reading int64
	Endless bool
	Until   sim.Time // the instant at which the clock will reach it
}

// retime calculates the instant, which a fault of the clock moves unless it is past.
func (l *lease) retime(v *sim.View[Msg], id sim.NodeID, clock sim.ClockID) {
	until := sim.Never
	if !l.Endless {
		until = v.When(id, clock, l.Reading)
	}
	if until > v.Now() || l.Until > v.Now() {
		l.Until = until
	}
}

// entitlements is which clients are entitled to the lock: those that believe to hold it,
// and would still find their lease valid if they looked at their clock now.
type entitlements struct {
	Beliefs beliefs
	Clock   sim.ClockID
	Lease   table[lease] // by client: up to which it may act
}

func newEntitlements(l *Layout) entitlements {
	return entitlements{newBeliefs(l), l.Clock, byClient[lease](l)}
}

// observe reports whether the observation may have entitled its client, and what it did to
// the beliefs.
func (e *entitlements) observe(v *sim.View[Msg], o *sim.Observation[Msg]) (may bool, change change) {
	change = e.Beliefs.observe(o)
	if int(o.Node) >= len(e.Lease) || e.Beliefs.Grant[o.Node] == 0 {
		return false, change
	}
	l := &e.Lease[o.Node]
	switch {
	case change == entered:
		*l = lease{Reading: o.Msg.Until(), Endless: !o.Msg.Ends()}
	case o.Event == sim.Noted && o.Msg.Kind == core.Extended:
		l.Reading = o.Msg.Until()
	case o.Event != sim.ClockChanged:
		return false, change
	}
	l.retime(v, o.Node, e.Clock)
	return true, change
}

// entitled reports whether a client is entitled now.
func (e *entitlements) entitled(now sim.Time, id sim.NodeID) bool {
	return e.Beliefs.Grant[id] != 0 && now < e.Lease[id].Until
}

// outstays says of a client's latest lease how long ago it has run out, less than 0 if it has not.
func (e *entitlements) outstays(r *model.Report[Msg], id sim.NodeID) {
	if until := e.Lease[id].Until; until != sim.Never {
		r.Near(int64(r.Now().Sub(until)))
	}
}

// otherEntitled is a client but id that is entitled now, [sim.None] if none is.
func (e *entitlements) otherEntitled(now sim.Time, id sim.NodeID) sim.NodeID {
	for c := range e.Lease {
		if d := sim.NodeID(c); d != id && e.entitled(now, d) {
			return d
		}
	}
	return sim.None
}

// second is the instant from which fewer than two of those that believe to hold the lock are
// entitled to it, if nothing else happens.
func (e *entitlements) second() sim.Time {
	var latest, second sim.Time
	for c, g := range e.Beliefs.Grant {
		if g == 0 {
			continue
		}
		if until := e.Lease[c].Until; until > latest {
			latest, second = until, latest
		} else if until > second {
			second = until
		}
	}
	return second
}

// owners is whose key is on each instance, at the very instant. The key on an instance that
// is down stays its owner's: what was lost shows when the instance restarts.
type owners struct {
	Layout   Layout
	Grant    table[uint64] // by instance: 0 is free
	Revision uint64        // of replicas: of the latest change
}

func newOwners(l Layout) owners { return owners{Layout: l, Grant: byInstance[uint64](&l)} }

// observe reports which instance changed, -1 if none did, and whose key it was. Of the
// replicas of an instance the first that tells of a revision changes it.
func (w *owners) observe(o *sim.Observation[Msg]) (instance int, before uint64) {
	if o.Event != sim.Noted || o.Msg.Kind != core.Owned && o.Msg.Kind != core.Freed {
		return -1, 0
	}
	i := int(o.Node - w.Layout.FirstServer)
	if w.Layout.Replicated {
		if o.Msg.Revision() <= w.Revision {
			return -1, 0
		}
		w.Revision, i = o.Msg.Revision(), 0
	}
	before = w.Grant[i]
	if w.Grant[i] = 0; o.Msg.Kind == core.Owned {
		w.Grant[i] = o.Msg.Grant()
	}
	return i, before
}

// of is how many instances hold a grant's key.
func (w *owners) of(grant uint64) int {
	n := 0
	for _, g := range w.Grant {
		if g == grant {
			n++
		}
	}
	return n
}

// waiters is which clients want the lock: from the first attempt of an acquisition
// until they have it, give up or crash.
type waiters struct {
	By    table[wait] // client
	Count int
}

// wait is the latest wait of a client.
type wait struct {
	waits bool // still
	since sim.Time
}

func newWaiters(l *Layout) waiters { return waiters{By: byClient[wait](l)} }

func (w *waiters) observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if int(o.Node) >= len(w.By) {
		return
	}
	c := &w.By[o.Node]
	switch {
	case c.waits && (o.Event == sim.Crashed || o.Event == sim.Noted && (o.Msg.Kind == core.Acquired || o.Msg.Kind == core.Failed)):
		c.waits = false
		w.Count--
	case !c.waits && o.Event == sim.Noted && o.Msg.Kind == core.Trying:
		*c = wait{true, v.Now()}
		w.Count++
	}
}

// first is the first client that waits, [sim.None] if none does.
func (w *waiters) first() sim.NodeID {
	for c := range w.By {
		if w.By[c].waits {
			return sim.NodeID(c)
		}
	}
	return sim.None
}
