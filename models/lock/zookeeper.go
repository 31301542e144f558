package lock

import (
	"fencepost/models/internal/zookeeper"
	"fencepost/sim"
)

// ZooKeeper is a client of the lock on a ZooKeeper ensemble: it makes a node with a sequence
// number that lives as long as its session, and has the lock while no node has a smaller
// one.
//
//  1. create an ephemeral sequential node in the lock's directory, with a GUID in its name
//  2. list the directory, sorted by the sequence numbers
//  3. if the own node is the first, the lock is held
//  4. else watch the node before it, and at its deletion go to 2: the one before may have
//     been a waiter that died
//
// To release is to delete the node. After a lost connection the client looks for its GUID
// before it creates another node.
//
// Source: ZooKeeper Recipes, "Locks"; Curator 5, LockInternals and CreateBuilderImpl
// ("protection").
type ZooKeeper struct {
	attempt
	zkSession
	Herd   bool    // wait for any change of the directory, not for that of one node
	NoGUID bool    // create another node after a lost connection, without looking: a bug
	StopAt zkEvent // the least event that ends the critical section
	Token  zkToken

	phase zkPhase
	tries int            // nodes created in this acquisition
	name  zookeeper.Name // of its node
	prior zookeeper.Name // the node before it
	czxid uint64
}

// zkToken is what of a lock's node is taken for a fencing token.
type zkToken uint8

// Only the czxid, the number of the change that created the node, increases from holder to
// holder. The suffix begins again with the directory; the version of the data is 0 for every
// new node. A token is 1 at least, so these two are counted from 1.
const (
	zkCzxid zkToken = iota
	zkSuffix
	zkVersion
)

// zkPhase is what a client is about. In each phase but three one request is outstanding.
type zkPhase uint8

const (
	zkIdle      zkPhase = iota
	zkCreating          // its node
	zkMaking            // the lock's directory
	zkFinding           // its GUID, after a lost connection
	zkStating           // reads the Stat of the node that it has found
	zkListing           // the directory
	zkWatching          // sets a watch on the node before it
	zkWaiting           // for the watch: nothing is outstanding
	zkHolding           // the lock: nothing is outstanding
	zkReleasing         // deletes its node
)

// lockDirectory is where the nodes of the lock are.
var lockDirectory = zookeeper.Directory(1)

// Acquire implements [Algorithm].
func (z *ZooKeeper) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	z.tries = 0
	z.open(in, out)
	return z.create(in, out)
}

// create begins with a node of its own.
func (z *ZooKeeper) create(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	z.tries++
	z.begin(in, out, z.tries)
	z.name = zookeeper.Name{Sequential: true}
	if !z.NoGUID {
		z.name.Label = z.grant
	}
	return z.enter(zkCreating, in, out)
}

// enter begins a phase with its request.
func (z *ZooKeeper) enter(p zkPhase, in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	z.phase = p
	if z.state == zkConnected {
		if m, asks := z.asks(); asks {
			z.ask(out, z.Server, z.request(in, m))
		}
	}
	return Pending
}

// asks is the request of the phase.
func (z *ZooKeeper) asks() (m Msg, asks bool) {
	switch z.phase {
	case zkCreating:
		return Msg{Kind: ZKCreate, Value: z.name.Label}, true
	case zkMaking:
		return Msg{Kind: ZKMake}, true
	case zkFinding:
		return named(ZKList, z.name), true
	case zkListing:
		m = named(ZKList, z.name)
		m.OK = z.Herd
		return m, true
	case zkStating:
		return named(ZKGet, z.name), true
	case zkWatching:
		m = named(ZKGet, z.prior)
		m.OK = true
		return m, true
	case zkReleasing:
		return named(ZKDelete, z.name), true
	}
	return Msg{}, false
}

// named is a message about a node of the lock's directory.
func named(k sim.Kind, n zookeeper.Name) Msg {
	return Msg{Kind: k, Value: n.Label, X: int64(uint32(n.Sequence))}
}

// nameIn is the node that a message is about.
func nameIn(m *Msg) zookeeper.Name {
	return zookeeper.Name{Label: m.Value, Sequence: int32(uint32(m.X)), Sequential: true}
}

// Receive implements [Algorithm].
func (z *ZooKeeper) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if event := z.receive(in, out); event != zkNothing {
		return z.changed(event, in, out)
	}
	switch m := &in.Msg; m.Kind {
	case ZKEvent:
		z.count()
		z.alive(in)
		z.events++
		if z.phase == zkWaiting && m.Token == z.id {
			out.Note(Msg{Kind: ZKWoken, Try: z.try})
			return z.enter(zkListing, in, out)
		}
	case ZKCreated, ZKMade, ZKListed, ZKGot, ZKDeleted:
		z.count()
		if z.answered(in) {
			return z.reply(in, out)
		}
	}
	return Pending
}

// reply is the answer to the request of the phase.
func (z *ZooKeeper) reply(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	switch z.phase {
	case zkCreating:
		switch {
		case !m.OK && zookeeper.Code(m.X) == zookeeper.NodeExists:
			z.phase = zkIdle
			return GaveUp // the numbers are used up: the exception is the caller's
		case !m.OK:
			return z.enter(zkMaking, in, out) // there is no directory
		}
		z.name.Sequence, z.czxid = int32(uint32(m.X)), m.Token
		return z.enter(zkListing, in, out)
	case zkMaking:
		return z.enter(zkCreating, in, out)
	case zkFinding:
		if !m.OK {
			return z.enter(zkCreating, in, out)
		}
		z.name.Sequence = int32(uint32(m.X))
		return z.enter(zkStating, in, out)
	case zkStating:
		z.czxid = m.Token
		return z.enter(zkListing, in, out)
	case zkListing:
		return z.listed(in, out)
	case zkWatching:
		if !m.OK {
			return z.enter(zkListing, in, out) // it is gone already
		}
		z.phase = zkWaiting
	case zkReleasing:
		z.phase = zkIdle
		return Done
	}
	return Pending
}

// listed is the directory: what the reply says of it is what the recipe reads from it.
func (z *ZooKeeper) listed(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := &in.Msg; {
	case !m.OK:
		return z.create(in, out) // its node is gone
	case m.Token == 0:
		z.phase = zkHolding
		return Granted
	case z.Herd:
		z.phase = zkWaiting
		return Pending
	default:
		z.prior = zookeeper.Name{Label: m.Value, Sequence: int32(uint32(m.X >> 32)), Sequential: true}
		return z.enter(zkWatching, in, out)
	}
}

// changed is what becomes of the lock when the session changes.
func (z *ZooKeeper) changed(e zkEvent, in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch e {
	case zkOpened:
		return z.enter(z.phase, in, out)
	case zkResumed:
		out.Note(Msg{Kind: ZKResumed, Try: z.try})
		return z.resume(in, out)
	case zkDisconnected:
		out.Note(Msg{Kind: ZKSuspended, Try: z.try})
		if z.phase == zkHolding && z.StopAt == zkDisconnected {
			return Lost
		}
		return Pending
	case zkLost:
		out.Note(Msg{Kind: ZKLost, Try: z.try})
	case zkExpired:
		out.Note(Msg{Kind: ZKExpired, Try: z.try})
	}
	was := z.phase
	z.phase = zkIdle // the node is the old session's
	switch was {
	case zkIdle:
		return Pending
	case zkHolding:
		return Lost
	case zkReleasing:
		return Done
	}
	return z.create(in, out)
}

// resume continues in the same session on another connection: whatever was outstanding may
// have been done or not, and watches are set again.
func (z *ZooKeeper) resume(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch z.phase {
	case zkCreating:
		if !z.NoGUID {
			return z.enter(zkFinding, in, out)
		}
	case zkWatching, zkWaiting:
		return z.enter(zkListing, in, out)
	}
	return z.enter(z.phase, in, out)
}

// Release implements [Algorithm].
func (z *ZooKeeper) Release(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if z.phase != zkHolding {
		return Done // the session is over, and its node with it
	}
	return z.enter(zkReleasing, in, out)
}

// Hold implements [Algorithm]. The client has no deadline of its own to look at: that it
// holds the lock no longer is what it is told.
func (z *ZooKeeper) Hold() Hold {
	h := z.held()
	switch z.Token {
	case zkCzxid:
		h.Token = z.czxid
	case zkSuffix:
		h.Token = uint64(int64(z.name.Sequence) + 1)
	case zkVersion:
		h.Token = 1
	}
	return h
}
