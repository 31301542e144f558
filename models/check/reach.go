package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// Reach is which clients the lock can serve: those that are connected with the servers that they need.
type Reach struct {
	CutOff  Table[bool] // by client: it is connected with too few servers that are up
	Some    bool        // some client is cut off
	Stopped bool        // a client is paused, or what the lock protects is down or paused
}

// hear looks again after a fault. It reports whether the time that the lock has begins anew: after each fault of a node,
// and if another client is cut off than before.
func (c *Reach) hear(l *Lock, r *fact.Report) (anew bool) {
	switch r.Kind {
	case fact.NetworkChanged:
		return c.look(l, r.World)
	case fact.ClockChanged:
		return true
	case fact.Paused, fact.Resumed, fact.Crashed, fact.Restarted:
		c.Stopped = l.stopped(r.World)
		if l.IsServer(r.Node) {
			c.look(l, r.World)
		}
		return true
	}
	return false
}

// look finds out which clients are cut off, and reports whether these are others than before.
func (c *Reach) look(l *Lock, w fact.World) (others bool) {
	c.Some = false
	for id := sim.NodeID(1); l.IsClient(id); id++ {
		is := !l.served(w, id)
		others = others || is != c.CutOff[id]
		c.CutOff[id] = is
		c.Some = c.Some || is
	}
	return others
}

// served reports whether a client is connected with the servers that it needs. Of replicas it needs one that reaches that
// number of servers, itself included.
func (l *Lock) served(w fact.World, client sim.NodeID) bool {
	if !l.Replicated {
		return l.connected(w, client) >= l.Needed
	}
	for i := range l.Servers {
		if s := l.FirstServer + sim.NodeID(i); up(w, s) && w.Connected(client, s) && l.connected(w, s) >= l.Needed {
			return true
		}
	}
	return false
}

// connected is how many servers are up and connected with a node.
func (l *Lock) connected(w fact.World, id sim.NodeID) (n int) {
	for i := range l.Servers {
		if s := l.FirstServer + sim.NodeID(i); up(w, s) && w.Connected(id, s) {
			n++
		}
	}
	return n
}

// stopped reports whether a client is paused, or the store or the counter is not up. A client that is down does not
// hinder the others.
func (l *Lock) stopped(w fact.World) bool {
	for id := sim.NodeID(1); int(id) <= w.Nodes(); id++ {
		if l.IsServer(id) {
			continue
		}
		if _, paused := w.PausedSince(id); paused || w.Down(id) && !l.IsClient(id) {
			return true
		}
	}
	return false
}

// up reports whether a node runs.
func up(w fact.World, id sim.NodeID) bool {
	_, paused := w.PausedSince(id)
	return !paused && !w.Down(id)
}
