package etcdlock

import (
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Recipe is how a client takes a lock in etcd.
type Recipe uint8

// The recipes: the mutex and the election of the client's package concurrency, which queue;
// one fixed key that a transaction makes unless it is there; and the same with a plain put,
// which makes it in any case.
const (
	Mutex Recipe = iota
	Election
	Txn
	PutPrevKV
)

// Client is the client's side of a lock in etcd: Mutex.Lock and Unlock, in a session. The
// session's key is put at the end of the queue, with the session's lease; the client waits
// for the deletion of the key before its own, and of that alone. Its fencing token is the
// create revision of its key.
//
// A request that is not answered, and a watch that says nothing, is sent again after a
// while, as after a new connection, to the next server if there are several: in the queue
// a session has one key, however often it asks.
//
// Source: etcd client 3.7, concurrency/{mutex,election,key}.go; for EtcdPutPrevKV and its
// deletion by name see the scenario etcd/put-prev-kv.
type Client struct {
	core.Attempt
	Session Session
	Server  sim.NodeID // that it asks now
	First   sim.NodeID // of the servers
	Servers int        // 1 and up
	Recipe  Recipe
	Blind   bool          // it does not look whether its own key is still there before it takes the lock: the version before the fix
	Guarded bool          // it deletes its key under the key's create revision, not by name alone
	Fresh   bool          // it opens a session for each acquisition, and closes it after the release
	Resend  time.Duration // it sends a request again after this; 0: never

	phase phase
	nth   int      // attempt of this acquisition
	seq   uint16   // number of the latest request
	asked core.Msg // that request
	rev   uint64   // create revision of its own key; 0: it has none
	ahead uint64   // name of the key that it watches
}

// phase is what a client waits for.
type phase uint8

const (
	idle      phase = iota
	granting        // its lease
	enqueuing       // its place in the queue, or the fixed key
	seeking         // the key before its own
	watching        // the deletion of that key
	verifying       // its own key
	holding
	unlocking
	closing // the revocation of its lease
)

// Acquire implements [core.Algorithm].
func (e *Client) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	e.nth = 0
	return e.lock(in, out)
}

// Hold implements [core.Algorithm].
func (e *Client) Hold() core.Hold {
	h := e.Held()
	h.Token, h.Until, h.Ends = e.rev, int64(e.Session.deadline), true
	return h
}

// lock is steps 1 and 2 of Lock: a session, and a place in the queue.
func (e *Client) lock(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	e.nth++
	e.Begin(in.Self, out, e.nth)
	e.rev = 0
	if !e.Session.alive {
		e.Session.named(e.Grant)
		return e.request(out, granting, core.NewEtcdLease(core.EtcdGrant, e.Session.lease, int64(e.Session.TTL/time.Second)))
	}
	return e.enqueue(out)
}

func (e *Client) enqueue(out *sim.Out[core.Msg]) core.Outcome {
	kind := core.EtcdLock
	switch e.Recipe {
	case Txn:
		kind = core.EtcdCreate
	case PutPrevKV:
		kind = core.EtcdPut
	}
	return e.request(out, enqueuing, core.NewEtcdRequest(kind, e.Session.lease))
}

// request asks etcd, and waits for the answer.
func (e *Client) request(out *sim.Out[core.Msg], phase phase, m core.Msg) core.Outcome {
	e.seq++
	m.SetNumber(e.seq)
	e.phase, e.asked = phase, m
	e.send(out)
	return core.Pending
}

func (e *Client) send(out *sim.Out[core.Msg]) {
	e.Ask(out, e.Server, e.asked)
	if e.Resend > 0 {
		e.Later(out, e.Resend, core.NewEtcdResend(e.seq, e.Server-e.First))
	}
}

// failOver connects to the next server, if there is one: this one has not answered. What waits
// for an answer is asked again there, watches included.
func (e *Client) failOver(out *sim.Out[core.Msg]) bool {
	if e.Servers == 1 {
		return false
	}
	e.Server = e.First + (e.Server-e.First+1)%sim.NodeID(e.Servers)
	if e.waits() {
		e.send(out)
	}
	return true
}

// Receive implements [core.Algorithm].
func (e *Client) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; m.Kind {
	case core.EtcdKeptAlive:
		return e.kept(e.Session.keptAlive(in))
	case core.EtcdPoll:
		if e.Session.unheard {
			e.failOver(out)
		}
		e.Session.poll(in, out, e.Server)
		return core.Pending
	case core.EtcdDeadline:
		return e.kept(e.Session.check(in, out))
	case core.EtcdResend:
		if e.pending(m) && m.Server() == e.Server-e.First && !e.failOver(out) {
			e.send(out)
		}
		return core.Pending
	}
	if e.Heard(in); !e.pending(&in.Msg) {
		return core.Pending // a second copy, or about an attempt that is over
	}
	return e.answered(in, out)
}

// pending reports whether a message is about the request that waits for its answer.
func (e *Client) pending(m *core.Msg) bool {
	return e.waits() && m.Try == e.Try && m.Number() == e.seq
}

// waits reports whether some request waits for its answer.
func (e *Client) waits() bool { return e.phase != idle && e.phase != holding }

// kept is what a change of the session means for a client that has the lock.
func (e *Client) kept(o core.Outcome) core.Outcome {
	if e.phase != holding {
		return core.Pending // one that waits for its predecessor continues to wait: etcd issue 19597
	}
	return o
}

// answered is the answer to the request that the client waits for.
func (e *Client) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch m := &in.Msg; m.Kind {
	case core.EtcdGranted:
		e.Session.open(in, out, e.Server)
		return e.enqueue(out)
	case core.EtcdLocked:
		return e.locked(in, out)
	case core.EtcdCreated:
		return e.created(in, out)
	case core.EtcdSought:
		return e.sought(out, m)
	case core.EtcdDeleted:
		return e.deleted(in, out)
	case core.EtcdVerified:
		if m.CreateRev() == 0 {
			return e.expired(in, out)
		}
		return e.take()
	case core.EtcdUnlocked:
		return e.unlocked(out)
	case core.EtcdRevoked:
		e.Session.alive = false
		return e.end()
	}
	panic("lock: a client of etcd got " + in.Msg.String())
}

// locked is steps 3 and 4: the client has the lock if its key is the oldest.
func (e *Client) locked(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	if e.rev = m.CreateRev(); e.rev == 0 {
		return e.expired(in, out) // the lease is gone
	}
	if e.Recipe == Mutex && m.Oldest() == e.rev {
		return e.take()
	}
	return e.seek(out)
}

// seek is step 5: which key is next before its own?
func (e *Client) seek(out *sim.Out[core.Msg]) core.Outcome {
	return e.request(out, seeking, core.NewEtcdSeek(e.Session.lease, int64(e.rev)))
}

// sought watches the predecessor. Without one the client has the lock, if its own key is
// still there: step 6. Campaign takes that on trust.
func (e *Client) sought(out *sim.Out[core.Msg], m *core.Msg) core.Outcome {
	switch {
	case m.OK:
		return e.watch(out, m.KeyName(), m.Rev())
	case e.Recipe == Election || e.Blind:
		return e.take()
	}
	return e.request(out, verifying, core.NewEtcdRequest(core.EtcdVerify, e.Session.lease))
}

func (e *Client) watch(out *sim.Out[core.Msg], name uint64, rev int64) core.Outcome {
	e.ahead = name
	return e.request(out, watching, core.NewEtcdWatch(name, rev))
}

// deleted is the end of a watch: the key is gone, or, if the history is, the wait fails.
func (e *Client) deleted(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch {
	case in.Msg.KeyName() != e.ahead:
		return core.Pending
	case !in.Msg.OK:
		return e.expired(in, out)
	case e.Recipe == Txn:
		return e.enqueue(out)
	}
	return e.seek(out)
}

// created is the answer about a fixed key: the client has made it, or another has.
func (e *Client) created(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch e.rev = m.CreateRev(); {
	case e.rev == 0:
		return e.expired(in, out)
	case m.OK || m.LeaseID() == e.Session.lease:
		return e.take()
	}
	return e.watch(out, core.EtcdFixedKey, m.Rev())
}

func (e *Client) take() core.Outcome {
	e.phase = holding
	return core.Granted
}

// expired is ErrSessionExpired: the application opens another session and tries again.
func (e *Client) expired(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	out.Note(core.NewRefused(e.Try, 0, 0))
	e.Session.alive = false
	return e.lock(in, out)
}

// Release implements [core.Algorithm]: Unlock. The keys of a session that has ended are gone, or
// will be without the client.
func (e *Client) Release(_ sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if !e.Session.alive {
		return e.end()
	}
	key, created := e.Session.name(), uint64(0)
	if e.Recipe == Txn || e.Recipe == PutPrevKV {
		key = core.EtcdFixedKey
	}
	if e.Guarded || e.Recipe == Election { // Resign is guarded
		created = e.rev
	}
	return e.request(out, unlocking, core.NewEtcdUnlock(key, created))
}

func (e *Client) unlocked(out *sim.Out[core.Msg]) core.Outcome {
	if e.Fresh && e.Session.alive {
		return e.request(out, closing, core.NewEtcdRequest(core.EtcdRevoke, e.Session.lease))
	}
	return e.end()
}

func (e *Client) end() core.Outcome {
	e.phase, e.rev = idle, 0
	return core.Done
}

// locksDir is the directory of the lock's keys, dataDir that of what is kept beside it.
const (
	locksDir uint32 = 1
	dataDir  uint32 = 2
)

// command is a request of a client as a command for the store, false if it is none. The
// value of a key of the lock is the grant: for observers only.
func command(from sim.NodeID, m *core.Msg) (etcd.Command, bool) {
	fixed := etcd.Key{Dir: locksDir, Name: core.EtcdFixedKey}
	switch m.Kind {
	case core.EtcdGrant:
		return etcd.Command{Kind: etcd.LeaseGrant, Lease: m.LeaseID(), TTL: m.Seconds()}, true
	case core.EtcdRevoke:
		return etcd.Command{Kind: etcd.LeaseRevoke, Lease: m.LeaseID()}, true
	case core.EtcdLock:
		return etcd.Enqueue(ownKey(m), m.LeaseID(), core.GrantOf(from, m.Try)), true
	case core.EtcdSeek:
		return etcd.Predecessor(ownKey(m), m.Rev()), true
	case core.EtcdVerify:
		return etcd.Get(ownKey(m)), true
	case core.EtcdUnlock:
		key := etcd.Key{Dir: locksDir, Name: m.KeyName()}
		if m.CreateRev() != 0 {
			return etcd.DeleteOwn(key, int64(m.CreateRev())), true
		}
		return etcd.DeleteKey(key), true
	case core.EtcdPut:
		return etcd.Command{Then: putFixed(from, m)}, true
	case core.EtcdCreate:
		return etcd.Command{
			Compare: [etcd.MaxCompares]etcd.Compare{{Target: etcd.CreateRev, Key: fixed}},
			Then:    putFixed(from, m),
			Else:    [etcd.MaxOps]etcd.Op{{Kind: etcd.Range, Key: fixed}},
		}, true
	}
	return etcd.Command{}, false
}

// ownKey is the key that has the name of the lease of a request.
func ownKey(m *core.Msg) etcd.Key { return etcd.Key{Dir: locksDir, Name: uint64(m.LeaseID())} }

// putFixed puts the grant of a request into the fixed key.
func putFixed(from sim.NodeID, m *core.Msg) [etcd.MaxOps]etcd.Op {
	fixed := etcd.Key{Dir: locksDir, Name: core.EtcdFixedKey}
	return [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: fixed, Value: core.GrantOf(from, m.Try), Lease: m.LeaseID()}}
}

// replyTo is the result of a command as the answer to its request.
func replyTo(m *core.Msg, r *etcd.Result) core.Msg {
	ok, kv := r.Err == 0, &r.Responses[0].KV
	switch m.Kind {
	case core.EtcdGrant:
		return core.NewEtcdReply(core.EtcdGranted, m, ok, r.Rev)
	case core.EtcdRevoke:
		return core.NewEtcdReply(core.EtcdRevoked, m, ok, r.Rev)
	case core.EtcdLock:
		return core.NewEtcdLocked(m, ok, created(r), r.Responses[1].KV.CreateRev)
	case core.EtcdSeek:
		return core.NewEtcdSought(m, kv.CreateRev != 0, kv.Key.Name, r.Rev)
	case core.EtcdVerify:
		return core.NewEtcdVerified(m, ok, uint64(kv.CreateRev), r.Rev)
	case core.EtcdUnlock:
		return core.NewEtcdReply(core.EtcdUnlocked, m, r.Responses[0].Count > 0, r.Rev)
	}
	if ok && r.Succeeded { // EtcdPut, EtcdCreate
		return core.NewEtcdCreated(m, true, m.LeaseID(), created(r), r.Rev)
	}
	return core.NewEtcdCreated(m, false, kv.Lease, created(r), r.Rev)
}

// created is the create revision of the client's key, or of the one that was there; 0 if the
// transaction was refused.
func created(r *etcd.Result) uint64 {
	switch {
	case r.Err != 0:
		return 0
	case r.Succeeded:
		return uint64(r.Rev)
	}
	return uint64(r.Responses[0].KV.CreateRev)
}
