package lock

import (
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/sim"
)

// EtcdRecipe is how a client takes a lock in etcd.
type EtcdRecipe uint8

// The recipes: the mutex and the election of the client's package concurrency, which queue;
// one fixed key that a transaction makes unless it is there; and the same with a plain put,
// which makes it in any case.
const (
	EtcdMutex EtcdRecipe = iota
	EtcdElection
	EtcdTxn
	EtcdPutPrevKV
)

// Etcd is the client's side of a lock in etcd: Mutex.Lock and Unlock, in a session. The
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
type Etcd struct {
	attempt
	Session EtcdSession
	Server  sim.NodeID // that it asks now
	First   sim.NodeID // of the servers
	Servers int        // 1 and up
	Recipe  EtcdRecipe
	Blind   bool          // it does not look whether its own key is still there before it takes the lock: the version before the fix
	Guarded bool          // it deletes its key under the key's create revision, not by name alone
	Fresh   bool          // it opens a session for each acquisition, and closes it after the release
	Resend  time.Duration // it sends a request again after this; 0: never

	phase etcdPhase
	nth   int    // attempt of this acquisition
	seq   uint16 // number of the latest request
	asked Msg    // that request
	rev   uint64 // create revision of its own key; 0: it has none
	ahead uint64 // name of the key that it watches
}

// etcdPhase is what a client waits for.
type etcdPhase uint8

const (
	etcdIdle      etcdPhase = iota
	etcdGranting            // its lease
	etcdEnqueuing           // its place in the queue, or the fixed key
	etcdSeeking             // the key before its own
	etcdWatching            // the deletion of that key
	etcdVerifying           // its own key
	etcdHeld
	etcdUnlocking
	etcdClosing // the revocation of its lease
)

// Acquire implements [Algorithm].
func (e *Etcd) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	e.nth = 0
	return e.lock(in, out)
}

// Hold implements [Algorithm].
func (e *Etcd) Hold() Hold {
	h := e.held()
	h.Token, h.Until, h.Ends = e.rev, int64(e.Session.deadline), true
	return h
}

// lock is steps 1 and 2 of Lock: a session, and a place in the queue.
func (e *Etcd) lock(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	e.nth++
	e.begin(in, out, e.nth)
	e.rev = 0
	if !e.Session.alive {
		e.Session.named(e.grant)
		return e.request(out, etcdGranting, Msg{Kind: EtcdGrant, Value: e.Session.name(), X: int64(e.Session.TTL / time.Second)})
	}
	return e.enqueue(out)
}

func (e *Etcd) enqueue(out *sim.Out[Msg]) Outcome {
	kind := EtcdLock
	switch e.Recipe {
	case EtcdTxn:
		kind = EtcdCreate
	case EtcdPutPrevKV:
		kind = EtcdPut
	}
	return e.request(out, etcdEnqueuing, Msg{Kind: kind, Value: e.Session.name()})
}

// request asks etcd, and waits for the answer.
func (e *Etcd) request(out *sim.Out[Msg], phase etcdPhase, m Msg) Outcome {
	e.seq++
	m.N = e.seq
	e.phase, e.asked = phase, m
	e.send(out)
	return Pending
}

func (e *Etcd) send(out *sim.Out[Msg]) {
	e.ask(out, e.Server, e.asked)
	if e.Resend > 0 {
		e.later(out, e.Resend, Msg{Kind: etcdResend, N: e.seq, Value: uint64(e.Server - e.First)})
	}
}

// failOver connects to the next server, if there is one: this one has not answered. What waits
// for an answer is asked again there, watches included.
func (e *Etcd) failOver(out *sim.Out[Msg]) bool {
	if e.Servers == 1 {
		return false
	}
	e.Server = e.First + (e.Server-e.First+1)%sim.NodeID(e.Servers)
	if e.waits() {
		e.send(out)
	}
	return true
}

// Receive implements [Algorithm].
func (e *Etcd) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := &in.Msg; m.Kind {
	case EtcdKeptAlive:
		return e.kept(e.Session.keptAlive(in))
	case etcdPoll:
		if e.Session.unheard {
			e.failOver(out)
		}
		e.Session.poll(in, out, e.Server)
		return Pending
	case etcdDeadline:
		return e.kept(e.Session.check(in, out))
	case etcdResend:
		if e.pending(in) && sim.NodeID(m.Value) == e.Server-e.First && !e.failOver(out) {
			e.send(out)
		}
		return Pending
	}
	if e.heard(in); !e.pending(in) {
		return Pending // a second copy, or about an attempt that is over
	}
	return e.answered(in, out)
}

// pending reports whether a message is about the request that waits for its answer.
func (e *Etcd) pending(in sim.In[Msg]) bool {
	return e.waits() && in.Msg.Try == e.try && in.Msg.N == e.seq
}

// waits reports whether some request waits for its answer.
func (e *Etcd) waits() bool { return e.phase != etcdIdle && e.phase != etcdHeld }

// kept is what a change of the session means for a client that has the lock.
func (e *Etcd) kept(o Outcome) Outcome {
	if e.phase != etcdHeld {
		return Pending // one that waits for its predecessor goes on waiting: etcd issue 19597
	}
	return o
}

// answered is the answer to the request that the client waits for.
func (e *Etcd) answered(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch m := &in.Msg; m.Kind {
	case EtcdGranted:
		e.Session.open(in, out, e.Server)
		return e.enqueue(out)
	case EtcdLocked:
		return e.locked(in, out)
	case EtcdCreated:
		return e.created(in, out)
	case EtcdSought:
		return e.sought(out, m)
	case EtcdDeleted:
		return e.deleted(in, out)
	case EtcdVerified:
		if m.Token == 0 {
			return e.expired(in, out)
		}
		return e.take()
	case EtcdUnlocked:
		return e.unlocked(out)
	case EtcdRevoked:
		e.Session.alive = false
		return e.end()
	}
	panic("lock: a client of etcd got " + in.Msg.String())
}

// locked is steps 3 and 4: the client has the lock if its key is the oldest.
func (e *Etcd) locked(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	if e.rev = m.Token; e.rev == 0 {
		return e.expired(in, out) // the lease is gone
	}
	if e.Recipe == EtcdMutex && uint64(m.X) == e.rev {
		return e.take()
	}
	return e.seek(out)
}

// seek is step 5: which key is next before its own?
func (e *Etcd) seek(out *sim.Out[Msg]) Outcome {
	return e.request(out, etcdSeeking, Msg{Kind: EtcdSeek, Value: e.Session.name(), X: int64(e.rev)})
}

// sought watches the predecessor. Without one the client has the lock, if its own key is
// still there: step 6. Campaign takes that on trust.
func (e *Etcd) sought(out *sim.Out[Msg], m *Msg) Outcome {
	switch {
	case m.OK:
		return e.watch(out, m.Value, m.X)
	case e.Recipe == EtcdElection || e.Blind:
		return e.take()
	}
	return e.request(out, etcdVerifying, Msg{Kind: EtcdVerify, Value: e.Session.name()})
}

func (e *Etcd) watch(out *sim.Out[Msg], name uint64, rev int64) Outcome {
	e.ahead = name
	return e.request(out, etcdWatching, Msg{Kind: EtcdWatch, Value: name, X: rev})
}

// deleted is the end of a watch: the key is gone, or, if the history is, the wait fails.
func (e *Etcd) deleted(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch {
	case in.Msg.Value != e.ahead:
		return Pending
	case !in.Msg.OK:
		return e.expired(in, out)
	case e.Recipe == EtcdTxn:
		return e.enqueue(out)
	}
	return e.seek(out)
}

// created is the answer about a fixed key: the client has made it, or another has.
func (e *Etcd) created(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	switch e.rev = m.Token; {
	case e.rev == 0:
		return e.expired(in, out)
	case m.OK || m.Value == e.Session.name():
		return e.take()
	}
	return e.watch(out, etcdFixedKey, m.X)
}

func (e *Etcd) take() Outcome {
	e.phase = etcdHeld
	return Granted
}

// expired is ErrSessionExpired: the application opens another session and tries again.
func (e *Etcd) expired(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	out.Note(Msg{Kind: Refused, Try: e.try})
	e.Session.alive = false
	return e.lock(in, out)
}

// Release implements [Algorithm]: Unlock. The keys of a session that has ended are gone, or
// will be without the client.
func (e *Etcd) Release(_ sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if !e.Session.alive {
		return e.end()
	}
	m := Msg{Kind: EtcdUnlock, Value: e.Session.name()}
	if e.Recipe == EtcdTxn || e.Recipe == EtcdPutPrevKV {
		m.Value = etcdFixedKey
	}
	if e.Guarded || e.Recipe == EtcdElection { // Resign is guarded
		m.Token = e.rev
	}
	return e.request(out, etcdUnlocking, m)
}

func (e *Etcd) unlocked(out *sim.Out[Msg]) Outcome {
	if e.Fresh && e.Session.alive {
		return e.request(out, etcdClosing, Msg{Kind: EtcdRevoke, Value: e.Session.name()})
	}
	return e.end()
}

func (e *Etcd) end() Outcome {
	e.phase, e.rev = etcdIdle, 0
	return Done
}

// etcdFixedKey is the name of the key of the recipes that have one for all.
const etcdFixedKey = 0

// etcdLocks is the directory of the lock's keys, etcdData that of what is kept beside it.
const (
	etcdLocks uint32 = 1
	etcdData  uint32 = 2
)

// etcdCommand is a request of a client as a command for the store, false if it is none. The
// value of a key of the lock is the grant: for observers only.
func etcdCommand(from sim.NodeID, m *Msg) (etcd.Command, bool) {
	lease, key := etcd.LeaseID(m.Value), etcd.Key{Dir: etcdLocks, Name: m.Value}
	fixed := etcd.Key{Dir: etcdLocks, Name: etcdFixedKey}
	put := etcd.Op{Kind: etcd.Put, Key: fixed, Value: grantOf(from, m.Try), Lease: lease}
	switch m.Kind {
	case EtcdGrant:
		return etcd.Command{Kind: etcd.LeaseGrant, Lease: lease, TTL: m.X}, true
	case EtcdRevoke:
		return etcd.Command{Kind: etcd.LeaseRevoke, Lease: lease}, true
	case EtcdLock:
		return etcd.Enqueue(key, lease, grantOf(from, m.Try)), true
	case EtcdSeek:
		return etcd.Predecessor(key, m.X), true
	case EtcdVerify:
		return etcd.Get(key), true
	case EtcdUnlock:
		if m.Token != 0 {
			return etcd.DeleteOwn(key, int64(m.Token)), true
		}
		return etcd.DeleteKey(key), true
	case EtcdPut:
		return etcd.Command{Then: [etcd.MaxOps]etcd.Op{put}}, true
	case EtcdCreate:
		return etcd.Command{
			Compare: [etcd.MaxCompares]etcd.Compare{{Target: etcd.CreateRev, Key: fixed}},
			Then:    [etcd.MaxOps]etcd.Op{put},
			Else:    [etcd.MaxOps]etcd.Op{{Kind: etcd.Range, Key: fixed}},
		}, true
	}
	return etcd.Command{}, false
}

// etcdReply is the result of a command as the answer to its request.
func etcdReply(m *Msg, r *etcd.Result) Msg {
	reply := Msg{OK: r.Err == 0, Try: m.Try, N: m.N, Value: m.Value, X: r.Rev}
	kv := &r.Responses[0].KV
	switch m.Kind {
	case EtcdGrant:
		reply.Kind = EtcdGranted
	case EtcdRevoke:
		reply.Kind = EtcdRevoked
	case EtcdLock:
		reply.Kind, reply.X = EtcdLocked, r.Responses[1].KV.CreateRev
		reply.Token = created(r)
	case EtcdSeek:
		reply.Kind, reply.OK, reply.Value = EtcdSought, kv.CreateRev != 0, kv.Key.Name
	case EtcdVerify:
		reply.Kind, reply.Token = EtcdVerified, uint64(kv.CreateRev)
	case EtcdUnlock:
		reply.Kind, reply.OK = EtcdUnlocked, r.Responses[0].Count > 0
	case EtcdPut, EtcdCreate:
		reply.Kind, reply.OK, reply.Token = EtcdCreated, r.Err == 0 && r.Succeeded, created(r)
		if !reply.OK {
			reply.Value = uint64(kv.Lease)
		}
	}
	return reply
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
