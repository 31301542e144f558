package lock

import (
	"slices"
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/sim"
)

// etcdScanEvery is how often the lessor looks for leases that have expired.
const etcdScanEvery = 500 * time.Millisecond

// EtcdServer is a cluster of etcd as one machine that answers every request at once and in
// order. What a cluster does to leases is there: each change of its leader gives every lease
// its TTL anew, and the time of an election besides. A restart is such a change; what is
// stored survives it, and a client's watch goes on.
type EtcdServer struct {
	MinTTL      int64           // seconds
	Election    time.Duration   // that a new leader adds to every lease
	Changes     []time.Duration // readings of the monotonic clock at which the leader changes, ascending
	Revocation  time.Duration   // from the scan that finds an expired lease to its keys' deletion
	Checkpoints time.Duration   // how often what is left of a lease is replicated; 0: never

	store     etcd.Store
	watches   etcdWatches
	owner     etcd.KV // the oldest key, as observers know it
	renewals  []etcdRenewal
	expired   []etcd.LeaseID // scratch, empty between steps
	due       []etcd.Command // scratch
	restarted bool
}

// etcdRenewal is a keep-alive of a lease that has expired and is not revoked yet.
type etcdRenewal struct {
	client sim.NodeID
	lease  etcd.LeaseID
	relay  uint16 // client that the answer is for, if a server has asked for it
}

// etcdRetain is how many revisions are kept for watches that start late.
const etcdRetain = 1000

// Step implements [sim.Node].
func (s *EtcdServer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := &in.Msg; m.Kind {
	case start:
		s.start(in, out)
	case etcdScan:
		s.scan(in, out)
	case etcdCommit:
		s.revoke(in, out, etcd.LeaseID(m.Value))
	case etcdLeader:
		s.store.Lessor.Demote()
		s.lead(in, out, s.Election)
	case EtcdKeepAlive:
		s.keepAlive(in, out, in.From, etcd.LeaseID(m.Value))
	case EtcdWatch:
		s.watches.add(in.From, m)
		s.watches.notify(out, &s.store)
	case Read, Write:
		s.data(in, out)
	default:
		c, ok := etcdCommand(in.From, m)
		if !ok {
			panic("lock: etcd got " + m.String())
		}
		r := s.apply(in, out, &c)
		out.Send(in.From, etcdReply(m, &r))
	}
}

// start is a server that comes up, perhaps not for the first time.
func (s *EtcdServer) start(in sim.In[Msg], out *sim.Out[Msg]) {
	s.store.Retain = etcdRetain
	s.store.Lessor.MinTTL, s.store.Lessor.CheckpointInterval = s.MinTTL, s.Checkpoints
	s.store.Lessor.PersistCheckpoints = true
	out.After(etcdScanEvery, Msg{Kind: etcdScan})
	if s.restarted {
		s.lead(in, out, s.Election)
		return
	}
	s.lead(in, out, 0)
	for _, after := range s.Changes {
		out.After(after, Msg{Kind: etcdLeader})
	}
}

// lead makes the lessor the primary. Renewals that waited for a revocation are done: the new
// leader has given their leases more time.
func (s *EtcdServer) lead(in sim.In[Msg], out *sim.Out[Msg], extend time.Duration) {
	s.store.Lessor.Promote(in.Mono, extend)
	s.answerRenewals(in, out)
}

// apply does a command, and tells watchers and observers what has changed.
func (s *EtcdServer) apply(in sim.In[Msg], out *sim.Out[Msg], c *etcd.Command) etcd.Result {
	before := s.store.Rev()
	r := s.store.Apply(in.Mono, c)
	if r.Rev == before {
		return r
	}
	deleter := uint64(0)
	if in.Msg.Kind == EtcdUnlock || in.Msg.Kind == EtcdRevoke {
		deleter = grantOf(in.From, in.Msg.Try)
	}
	s.owner = etcdOwner(out, &s.store, s.owner, deleter)
	s.watches.notify(out, &s.store)
	return r
}

// etcdOwner tells observers of a new owner of the lock: whose key is the oldest. The deleter
// is the grant whose client has deleted a key, 0 if none has. Two notes may be about one
// revision; they carry twice the revision, and one more.
func etcdOwner(out *sim.Out[Msg], s *etcd.Store, before etcd.KV, deleter uint64) etcd.KV {
	c := etcd.Owner(etcdLocks)
	r := s.Apply(0, &c)
	now := r.Responses[0].KV
	rev := 2 * uint64(r.Rev)
	if before.CreateRev != 0 && now.CreateRev != before.CreateRev {
		out.Note(Msg{Kind: Freed, OK: deleter != 0, Value: deleter, Token: rev})
	}
	if now.CreateRev != 0 && (now.CreateRev != before.CreateRev || now.Value != before.Value) {
		out.Note(Msg{Kind: Owned, Value: now.Value, Token: rev + 1})
	}
	return now
}

// scan revokes the leases that have expired, and replicates what is left of the others.
func (s *EtcdServer) scan(in sim.In[Msg], out *sim.Out[Msg]) {
	out.After(etcdScanEvery, Msg{Kind: etcdScan})
	s.due = s.store.Lessor.Checkpoints(in.Mono, s.due[:0])
	for i := range s.due {
		s.apply(in, out, &s.due[i])
	}
	s.due = s.due[:0]
	s.expired = s.store.Lessor.Expired(in.Mono, s.expired[:0])
	for _, id := range s.expired {
		if s.Revocation > 0 {
			out.After(s.Revocation, Msg{Kind: etcdCommit, Value: uint64(id)})
			continue
		}
		s.revoke(in, out, id)
	}
	s.expired = s.expired[:0]
}

func (s *EtcdServer) revoke(in sim.In[Msg], out *sim.Out[Msg], id etcd.LeaseID) {
	s.apply(in, out, &etcd.Command{Kind: etcd.LeaseRevoke, Lease: id})
	s.answerRenewals(in, out)
}

// keepAlive renews a lease. An answer about one that has expired waits until it is revoked.
func (s *EtcdServer) keepAlive(in sim.In[Msg], out *sim.Out[Msg], client sim.NodeID, id etcd.LeaseID) {
	if s.store.Lessor.HasCheckpoint(id) {
		s.apply(in, out, &etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: id})
	}
	ttl, err := s.store.Lessor.Renew(in.Mono, id)
	if err == etcd.RevokePending {
		s.renewals = append(s.renewals, etcdRenewal{client: client, lease: id})
		return
	}
	out.Send(client, Msg{Kind: EtcdKeptAlive, Value: uint64(id), X: ttl})
}

// answerRenewals answers the keep-alives that waited, those that still have to wait excepted.
func (s *EtcdServer) answerRenewals(in sim.In[Msg], out *sim.Out[Msg]) {
	waiting := len(s.renewals)
	for _, r := range s.renewals[:waiting] {
		s.keepAlive(in, out, r.client, r.lease)
	}
	s.renewals = slices.Delete(s.renewals, 0, waiting)
}

// data is a counter that is kept in etcd itself, in the place of the store. A write is a
// transaction under the condition that the key of the lock is still the one that was granted.
func (s *EtcdServer) data(in sim.In[Msg], out *sim.Out[Msg]) {
	m, key := &in.Msg, etcd.Key{Dir: etcdData}
	if m.Kind == Read {
		kv, _ := s.store.Get(key)
		out.Send(in.From, Msg{Kind: ReadReply, Try: m.Try, X: int64(kv.Value)})
		return
	}
	c := etcd.Command{
		Compare: [etcd.MaxCompares]etcd.Compare{{Target: etcd.CreateRev, Key: s.keyMadeAt(m.Token), Operand: int64(m.Token)}},
		Then:    [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: key, Value: uint64(m.X)}},
	}
	r := s.apply(in, out, &c)
	note := Msg{Kind: Applied, Try: m.Try, Token: m.Token, Value: grantOf(in.From, m.Try), X: m.X}
	if !r.Succeeded {
		note.Kind, note.X = Rejected, r.Rev
	}
	out.Note(note)
	out.Send(in.From, Msg{Kind: WriteReply, OK: r.Succeeded, Try: m.Try, Token: uint64(r.Rev)})
}

// keyMadeAt is the key of the lock that was made at a revision: a client names its own.
func (s *EtcdServer) keyMadeAt(rev uint64) etcd.Key {
	for i := range s.store.Len() {
		if kv := s.store.At(i); kv.Key.Dir == etcdLocks && uint64(kv.CreateRev) == rev {
			return kv.Key
		}
	}
	return etcd.Key{Dir: etcdLocks, Name: ^uint64(0)} // which is no session's
}

// Reset implements [sim.Resetter].
func (s *EtcdServer) Reset(initial *EtcdServer) {
	was := *s
	*s = *initial
	s.store = was.store
	s.store.CopyFrom(&initial.store)
	s.watches = append(was.watches[:0], initial.watches...)
	s.renewals = append(was.renewals[:0], initial.renewals...)
	s.expired, s.due = was.expired[:0], was.due[:0]
}

// Recover implements [sim.Recoverer]: another server of the cluster leads, with the same
// store. Clients renew their watches by themselves.
func (s *EtcdServer) Recover(before *EtcdServer) {
	s.store.CopyFrom(&before.store)
	s.store.Restart()
	s.watches = append(s.watches[:0], before.watches...)
	s.owner, s.restarted = before.owner, true
}

// etcdWatches is the watches that wait for a deletion, in the order in which they began.
type etcdWatches []etcdWatch

type etcdWatch struct {
	etcd.Watch
	n uint16 // number of the request
}

// add takes in a watch, in the place of the one that the client had.
func (w *etcdWatches) add(from sim.NodeID, m *Msg) {
	*w = slices.DeleteFunc(*w, func(x etcdWatch) bool { return x.Client == int32(from) })
	*w = append(*w, etcdWatch{etcd.Watch{Client: int32(from), ID: m.Try, Key: etcd.Key{Dir: etcdLocks, Name: m.Value}, Next: m.X}, m.N})
}

// notify tells watchers of deletions. A client that has got one cancels its watch; here that
// needs no message.
func (w *etcdWatches) notify(out *sim.Out[Msg], s *etcd.Store) {
	kept := (*w)[:0]
	for _, x := range *w {
		if !x.tell(out, s) {
			kept = append(kept, x)
		}
	}
	*w = kept
}

// tell sends what there is to say, and reports whether that was the last.
func (x *etcdWatch) tell(out *sim.Out[Msg], s *etcd.Store) (over bool) {
	m := Msg{Kind: EtcdDeleted, Try: x.ID, N: x.n, Value: x.Key.Name}
	events, err := x.Take(s)
	if err != nil {
		out.Send(sim.NodeID(x.Client), m)
		return true
	}
	for _, e := range events {
		if e.Delete && x.Wants(e.KV.Key) {
			m.OK, m.X = true, e.KV.ModRev
			out.Send(sim.NodeID(x.Client), m)
			return true
		}
	}
	return false
}
