package lock

import "fencepost/sim"

// reach is which clients the lock can serve: those that are connected with the servers that they need.
type reach struct {
	CutOff  table[bool] // by client: it is connected with too few servers that are up
	Some    bool        // some client is cut off
	Stopped bool        // a client is paused, or what the lock protects is down or paused
}

// observe looks again after a fault, and reports whether what the lock owes begins anew: after each fault of a node,
// and if another client is cut off than before.
func (c *reach) observe(l *Layout, v *sim.View[Msg], o *sim.Observation[Msg]) (anew bool) {
	switch o.Event {
	case sim.Noted:
		return false
	case sim.NetworkChanged:
		return c.look(l, v)
	case sim.ClockChanged:
		return true
	}
	c.Stopped = l.stopped(v)
	if l.isServer(o.Node) {
		c.look(l, v)
	}
	return true
}

// look finds out which clients are cut off, and reports whether these are others than before.
func (c *reach) look(l *Layout, v *sim.View[Msg]) (others bool) {
	c.Some = false
	for id := sim.NodeID(1); l.isClient(id); id++ {
		is := !l.served(v, id)
		others = others || is != c.CutOff[id]
		c.CutOff[id] = is
		c.Some = c.Some || is
	}
	return others
}

// served reports whether a client is connected with the servers that it needs. Of replicas it needs one that
// reaches that number of servers, itself included.
func (l *Layout) served(v *sim.View[Msg], client sim.NodeID) bool {
	if !l.Replicated {
		return l.connected(v, client) >= l.Needed
	}
	for i := range l.Servers {
		if s := l.FirstServer + sim.NodeID(i); up(v, s) && v.Connected(client, s) && l.connected(v, s) >= l.Needed {
			return true
		}
	}
	return false
}

// connected is how many servers are up and connected with a node.
func (l *Layout) connected(v *sim.View[Msg], id sim.NodeID) (n int) {
	for i := range l.Servers {
		if s := l.FirstServer + sim.NodeID(i); up(v, s) && v.Connected(id, s) {
			n++
		}
	}
	return n
}

// stopped reports whether a client is paused, or the store or the counter is not up. A client that is down does not
// hinder the others.
func (l *Layout) stopped(v *sim.View[Msg]) bool {
	for id := sim.NodeID(1); int(id) <= v.Nodes(); id++ {
		if l.isServer(id) {
			continue
		}
		if _, paused := v.PausedSince(id); paused || v.Down(id) && !l.isClient(id) {
			return true
		}
	}
	return false
}

// up reports whether a node runs.
func up(v *sim.View[Msg], id sim.NodeID) bool {
	_, paused := v.PausedSince(id)
	return !paused && !v.Down(id)
}

// serves reports whether the lock can serve one of the clients that wait.
func (b *ledger) serves() bool {
	if b.Reach.Stopped {
		return false
	}
	if !b.Reach.Some {
		return true
	}
	for id := range b.Waiting.By {
		if b.Waiting.By[id].waits && !b.Reach.CutOff[id] {
			return true
		}
	}
	return false
}

// vacant reports whether clients wait and none believes to hold the lock.
func (b *ledger) vacant() bool { return b.Waiting.Count > 0 && b.beliefs().Count == 0 }
