package zklock

import (
	"fencepost/models/internal/zookeeper"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Client is a client of the lock on a ZooKeeper ensemble: it makes a node with a sequence
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
type Client struct {
	core.Attempt
	session
	Herd   bool  // wait for any change of the directory, not for that of one node
	NoGUID bool  // create another node after a lost connection, without looking: a bug
	Fresh  bool  // it opens a session for each acquisition, and closes it after the release
	StopAt Event // the least event that ends the critical section
	Token  Token

	phase phase
	tries int            // nodes created in this acquisition
	name  zookeeper.Name // of its node
	prior zookeeper.Name // the node before it
	czxid uint64
}

// Token is what of a lock's node is taken for a fencing token.
type Token uint8

// Only the czxid, the number of the change that created the node, increases from holder to
// holder. The suffix begins again with the directory; the version of the data is 0 for every
// new node. A token is 1 at least, so these two are counted from 1.
const (
	Czxid Token = iota
	Suffix
	Version
)

// phase is what a client is about. In each phase but three one request is outstanding.
type phase uint8

const (
	idle      phase = iota
	creating        // its node
	making          // the lock's directory
	finding         // its GUID, after a lost connection
	stating         // reads the Stat of the node that it has found
	listing         // the directory
	watching        // sets a watch on the node before it
	waiting         // for the watch: nothing is outstanding
	holding         // the lock: nothing is outstanding
	releasing       // deletes its node
)

// lockDirectory is where the nodes of the lock are.
var lockDirectory = zookeeper.Directory(1)

// Acquire implements [core.Algorithm].
func (z *Client) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	z.tries = 0
	z.open(in, out)
	return z.create(in, out)
}

// create begins with a node of its own.
func (z *Client) create(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	z.tries++
	z.Begin(in.Self, out, z.tries)
	z.name = zookeeper.Name{Sequential: true}
	if !z.NoGUID {
		z.name.Label = z.Grant
	}
	return z.enter(creating, in, out)
}

// enter begins a phase with its request.
func (z *Client) enter(p phase, in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	z.phase = p
	if z.state == connected {
		if m, asks := z.asks(); asks {
			z.Ask(out, z.Server, z.request(in, m))
		}
	}
	return core.Pending
}

// asks is the request of the phase.
func (z *Client) asks() (m core.Msg, asks bool) {
	switch z.phase {
	case creating:
		return core.NewZKNode(core.ZKCreate, zookeeper.Name{Label: z.name.Label}), true
	case making:
		return core.New(core.ZKMake), true
	case finding:
		return core.NewZKRead(core.ZKList, z.name, false), true
	case listing:
		return core.NewZKRead(core.ZKList, z.name, z.Herd), true
	case stating:
		return core.NewZKRead(core.ZKGet, z.name, false), true
	case watching:
		return core.NewZKRead(core.ZKGet, z.prior, true), true
	case releasing:
		return core.NewZKNode(core.ZKDelete, z.name), true
	}
	return core.Msg{}, false
}

// Receive implements [core.Algorithm].
func (z *Client) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if event := z.receive(in, out); event != nothing {
		return z.changed(event, in, out)
	}
	switch m := &in.Msg; m.Kind {
	case core.ZKEvent:
		z.Count()
		if m.Session() != z.id {
			return core.Pending // it came on the connection of an earlier session
		}
		z.alive(in)
		z.events++
		if z.phase == waiting {
			out.Note(core.New(core.ZKWoken).Of(z.Try))
			return z.enter(listing, in, out)
		}
	case core.ZKCreated, core.ZKMade, core.ZKListed, core.ZKGot, core.ZKDeleted:
		z.Count()
		if z.answered(in) {
			return z.reply(in, out)
		}
	}
	return core.Pending
}

// reply is the answer to the request of the phase.
func (z *Client) reply(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch z.phase {
	case creating:
		switch {
		case !m.OK && m.Code() == zookeeper.NodeExists:
			z.phase = idle
			return core.GaveUp // the numbers are used up: the exception is the caller's
		case !m.OK:
			return z.enter(making, in, out) // there is no directory
		}
		z.name.Sequence, z.czxid = m.Sequence(), m.Czxid()
		return z.enter(listing, in, out)
	case making:
		return z.enter(creating, in, out)
	case finding:
		if !m.OK {
			return z.enter(creating, in, out)
		}
		z.name.Sequence = m.Sequence()
		return z.enter(stating, in, out)
	case stating:
		z.czxid = m.Czxid()
		return z.enter(listing, in, out)
	case listing:
		return z.listed(in, out)
	case watching:
		if !m.OK {
			return z.enter(listing, in, out) // it is gone already
		}
		z.phase = waiting
	case releasing:
		return z.end(out)
	}
	return core.Pending
}

// end is the end of an acquisition.
func (z *Client) end(out *sim.Out[core.Msg]) core.Outcome {
	if z.phase = idle; z.Fresh {
		z.close(out)
	}
	return core.Done
}

// listed is the directory: what the reply says of it is what the recipe reads from it.
func (z *Client) listed(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; {
	case !m.OK:
		return z.create(in, out) // its node is gone
	case m.Place() == 0:
		z.phase = holding
		return core.Granted
	case z.Herd:
		z.phase = waiting
		return core.Pending
	default:
		z.prior = m.Predecessor()
		return z.enter(watching, in, out)
	}
}

// changed is what becomes of the lock when the session changes.
func (z *Client) changed(e Event, in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch e {
	case opened:
		return z.enter(z.phase, in, out)
	case resumed:
		out.Note(core.New(core.ZKResumed).Of(z.Try))
		return z.resume(in, out)
	case Disconnected:
		out.Note(core.New(core.ZKSuspended).Of(z.Try))
		if z.phase == holding && z.StopAt == Disconnected {
			return core.Lost
		}
		return core.Pending
	case Lost:
		out.Note(core.New(core.ZKLost).Of(z.Try))
	case Expired:
		out.Note(core.New(core.ZKExpired).Of(z.Try))
	}
	was := z.phase
	z.phase = idle // the node is the old session's
	switch was {
	case idle:
		return core.Pending
	case holding:
		return core.Lost
	case releasing:
		return z.end(out)
	}
	return z.create(in, out)
}

// resume continues in the same session on another connection: whatever was outstanding may
// have been done or not, and watches are set again.
func (z *Client) resume(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch z.phase {
	case creating:
		if !z.NoGUID {
			return z.enter(finding, in, out)
		}
	case watching, waiting:
		return z.enter(listing, in, out)
	}
	return z.enter(z.phase, in, out)
}

// Release implements [core.Algorithm].
func (z *Client) Release(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if z.phase != holding {
		return z.end(out) // the session is over, and its node with it
	}
	return z.enter(releasing, in, out)
}

// Hold implements [core.Algorithm]. The client has no deadline of its own to look at: that it
// holds the lock no longer is what it is told.
func (z *Client) Hold() core.Hold {
	h := z.Held()
	switch z.Token {
	case Czxid:
		h.Token = z.czxid
	case Suffix:
		h.Token = uint64(int64(z.name.Sequence) + 1)
	case Version:
		h.Token = 1
	}
	return h
}

// Recover implements [sim.Recoverer]: a connection is one of TCP, so that what belongs to those before a crash comes to none after it.
func (z *Client) Recover(before *Client) { z.connection, z.xid = before.connection, before.xid }
