// Package zookeeper is the part of ZooKeeper that the models need, as plain data structures:
// the tree of znodes, sessions and their expiry, watches. No node, no network: the [Ensemble]
// is what its servers agree on, one linearizable machine.
//
// Source: Hunt, Konar, Junqueira, Reed, "ZooKeeper: Wait-free Coordination for Internet-scale
// Systems", USENIX ATC 2010; ZooKeeper 3.8, its Programmer's Guide and the classes named.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package zookeeper

import (
	"time"

	"fencepost/sim"
)

// Ensemble is the state of a ZooKeeper service. Its operations take the session that asks
// for them where it matters, and the readings of the leader's monotonic clock. What they do
// to watches is in Events until the next call of Drain.
//
// The tree is two levels deep: directories, and nodes within them.
type Ensemble struct {
	Tick time.Duration // tickTime

	zxid           Zxid
	end            sim.Mono // of the present bucket
	tree           tree
	sessions       sessions
	data, children watches
	events         []Event
}

// Zxid is that of the latest change.
func (e *Ensemble) Zxid() Zxid { return e.zxid }

// change is the zxid of one change more. A write that is refused is a change too: the
// servers agree on its error.
func (e *Ensemble) change() Zxid {
	e.zxid = e.zxid.Next()
	return e.zxid
}

// Create makes a node below a directory, with a label and, if it is sequential, the next
// suffix of the directory. It returns a copy of the node.
func (e *Ensemble) Create(s SessionID, dir Path, label uint64, mode Mode, data uint64) (Znode, Code) {
	z, code := e.tree.create(dir, label, mode, data, s, e.change())
	if code != OK {
		return Znode{}, code
	}
	e.events = e.data.fire(z.Path, NodeCreated, e.events, len(e.events))
	e.events = e.children.fire(dir, NodeChildrenChanged, e.events, len(e.events))
	return *z, OK
}

// Delete removes a node that has no children, if it has the version or that is [AnyVersion].
func (e *Ensemble) Delete(p Path, version int32) Code { return e.remove(p, version, e.change()) }

func (e *Ensemble) remove(p Path, version int32, at Zxid) Code {
	code := e.tree.remove(p, version, at)
	if code == OK {
		told := len(e.events)
		e.events = e.data.fire(p, NodeDeleted, e.events, told)
		e.events = e.children.fire(p, NodeDeleted, e.events, told)
		e.events = e.children.fire(p.Parent(), NodeChildrenChanged, e.events, len(e.events))
	}
	return code
}

// SetData changes the data of a node, if it has the version or that is [AnyVersion].
func (e *Ensemble) SetData(p Path, data uint64, version int32) (Stat, Code) {
	z, code := e.tree.set(p, data, version, e.change())
	if code != OK {
		return Stat{}, code
	}
	e.events = e.data.fire(p, NodeDataChanged, e.events, len(e.events))
	return z.Stat(), OK
}

// Exists looks at a node, and sets a watch for the session unless that is 0, on a node that
// does not exist too.
func (e *Ensemble) Exists(p Path, watcher SessionID) (Znode, Code) {
	if watcher != 0 {
		e.data.set(p, watcher)
	}
	return e.Get(p, 0)
}

// Get is Exists, but sets no watch on a node that does not exist.
func (e *Ensemble) Get(p Path, watcher SessionID) (Znode, Code) {
	z := e.tree.find(p)
	if z == nil {
		return Znode{}, NoNode
	}
	if watcher != 0 {
		e.data.set(p, watcher)
	}
	return *z, OK
}

// Children are the children of a node, which appends them to a list in the order of their
// creation, and sets a watch for the session unless that is 0. (ZooKeeper returns them in no
// order at all.)
func (e *Ensemble) Children(p Path, watcher SessionID, to []Name) ([]Name, Code) {
	if e.tree.find(p) == nil {
		return to, NoNode
	}
	if watcher != 0 {
		e.children.set(p, watcher)
	}
	for i := range e.tree.nodes {
		switch child := &e.tree.nodes[i].Path; {
		case child.Node == Name{}: // a directory
			if p == Root {
				to = append(to, child.Dir)
			}
		case child.Dir == p.Dir && p.Node == Name{}:
			to = append(to, child.Node)
		}
	}
	return to, OK
}

// CheckContainers deletes the containers that have had children and have none: the leader
// does so once a minute, unless znode.container.checkIntervalMs says otherwise. It returns
// how many it has deleted.
//
// Source: ZooKeeper, ContainerManager.
func (e *Ensemble) CheckContainers() (deleted int) {
	for i := 0; i < len(e.tree.nodes); {
		z := &e.tree.nodes[i]
		if z.stat.EphemeralOwner == containerOwner && z.stat.Cversion > 0 && z.stat.NumChildren == 0 {
			e.remove(z.Path, AnyVersion, e.change())
			deleted++
			continue
		}
		i++
	}
	return deleted
}

// Age makes a node as old as if it had had that many children, for the overflow of their
// suffix.
func (e *Ensemble) Age(p Path, creates int32) { e.tree.find(p).stat.Cversion = creates }

// Stick keeps the counter of a directory at its maximum of 2147483647, so that the next
// sequential create fails with [NodeExists] while that node exists. Else it overflows to
// -2147483648. A server of version 3.8 does the former if no other create of the directory
// is in flight, since it applies only a counter that is greater than the last, and the latter
// if one is; the documentation knows the latter.
//
// Source: ZooKeeper Programmer's Guide, "Sequence Nodes -- Unique Naming"; DataTree.createNode
// and PrepRequestProcessor.getRecordForPath.
func (e *Ensemble) Stick() { e.tree.stuck = true }

// Open makes a session with the timeout asked for, as far as that is allowed, and returns
// the one granted.
func (e *Ensemble) Open(timeout time.Duration, now sim.Mono) (SessionID, time.Duration) {
	e.change()
	timeout = Clamp(timeout, e.Tick)
	return e.sessions.open(timeout, e.bucket(now, timeout)).id, timeout
}

// Touch is a sign of life of a session. It reports whether that exists.
func (e *Ensemble) Touch(id SessionID, now sim.Mono) bool {
	s := e.sessions.find(id)
	if s == nil {
		return false
	}
	s.bucket = max(s.bucket, e.bucket(now, s.timeout))
	return true
}

// Detach forgets the watches of a session whose connection is gone. Its ephemeral nodes
// stay.
func (e *Ensemble) Detach(id SessionID) {
	e.data.drop(id)
	e.children.drop(id)
}

// Close ends a session: its ephemeral nodes are deleted, all in one change. It reports
// whether the session existed.
func (e *Ensemble) Close(id SessionID) bool {
	if !e.sessions.remove(id) {
		return false
	}
	e.Detach(id)
	at := e.change()
	for i := 0; i < len(e.tree.nodes); {
		if z := &e.tree.nodes[i]; z.stat.EphemeralOwner == id {
			e.remove(z.Path, AnyVersion, at)
			continue
		}
		i++
	}
	return true
}

// Expire closes one session whose bucket is over, the earliest bucket first, and returns it;
// 0 if there is none left.
//
// Source: ZooKeeper, SessionTrackerImpl.run.
func (e *Ensemble) Expire(now sim.Mono) SessionID {
	e.advance(now)
	id := e.sessions.due()
	e.Close(id)
	return id
}

// Expires is when a session expires if it is not touched again; false if it does not exist.
func (e *Ensemble) Expires(id SessionID) (sim.Mono, bool) {
	if s := e.sessions.find(id); s != nil {
		return e.end.Add(time.Duration(s.bucket) * e.Tick), true
	}
	return 0, false
}

// Timeout is the timeout of a session, 0 if it does not exist.
func (e *Ensemble) Timeout(id SessionID) time.Duration {
	if s := e.sessions.find(id); s != nil {
		return s.timeout
	}
	return 0
}

// Elect is a new leader: another epoch, and every session has its whole timeout again, since
// the new leader has heard of none. Watches are those of connections, which are gone.
//
// Source: ZooKeeper, Leader.lead and SessionTrackerImpl's constructor.
func (e *Ensemble) Elect(now sim.Mono) {
	e.zxid = e.zxid.NextEpoch()
	e.Begin(now)
	for i := range e.sessions.list {
		s := &e.sessions.list[i]
		s.bucket = e.bucket(now, s.timeout)
	}
	e.data, e.children = e.data[:0], e.children[:0]
}

// Drain calls deliver for each watch that has fired since the last call, in order.
func (e *Ensemble) Drain(deliver func(Event)) {
	for _, event := range e.events {
		deliver(event)
	}
	e.events = e.events[:0]
}

// Reset makes e equal to initial without sharing memory with it.
func (e *Ensemble) Reset(initial *Ensemble) {
	nodes, list := append(e.tree.nodes[:0], initial.tree.nodes...), append(e.sessions.list[:0], initial.sessions.list...)
	data, children := append(e.data[:0], initial.data...), append(e.children[:0], initial.children...)
	events := append(e.events[:0], initial.events...)
	*e = *initial
	e.tree.nodes, e.sessions.list = nodes, list
	e.data, e.children, e.events = data, children, events
}
