package etcdlock

import (
	"slices"
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// ScanEvery is how often the lessor looks for leases that have expired.
const ScanEvery = 500 * time.Millisecond

// Server is a cluster of etcd as one machine that answers every request at once and in
// order. What a cluster does to leases is there: each change of its leader gives every lease
// its TTL anew, and the time of an election besides. A restart is such a change; what is
// stored survives it, and a client's watch continues.
type Server struct {
	MinTTL      int64           // seconds
	Election    time.Duration   // that a new leader adds to every lease
	Changes     []time.Duration // readings of the monotonic clock at which the leader changes, ascending
	Revocation  time.Duration   // from the scan that finds an expired lease to its keys' deletion
	Checkpoints time.Duration   // how often what is left of a lease is replicated; 0: never

	store     etcd.Store
	watches   watches
	owner     etcd.KV // the oldest key, as observers know it
	renewals  []renewal
	expired   []etcd.LeaseID // scratch, empty between steps
	due       []etcd.Command // scratch
	restarted bool
}

// renewal is a keep-alive of a lease that has expired and is not revoked yet.
type renewal struct {
	client sim.NodeID
	lease  etcd.LeaseID
	relay  sim.NodeID // client that the answer is for, if a server has asked for it
}

// retain is how many revisions are kept for watches that start late.
const retain = 1000

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Start:
		s.start(in, out)
	case core.EtcdScan:
		s.scan(in, out)
	case core.EtcdCommit:
		s.revoke(in, out, m.LeaseID())
	case core.EtcdLeader:
		s.store.Lessor.Demote()
		s.lead(in, out, s.Election)
	case core.EtcdKeepAlive:
		s.keepAlive(in, out, in.From, m.LeaseID())
	case core.EtcdWatch:
		s.watches.add(in.From, m)
		s.watches.notify(out, &s.store)
	case core.Read, core.Write:
		s.data(in, out)
	default:
		c, ok := command(in.From, m)
		if !ok {
			panic("lock: etcd got " + m.String())
		}
		r := s.apply(in, out, &c)
		out.Send(in.From, replyTo(m, &r))
	}
}

// start is a server that comes up, perhaps not for the first time.
func (s *Server) start(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.store.Retain = retain
	s.store.Lessor.MinTTL, s.store.Lessor.CheckpointInterval = s.MinTTL, s.Checkpoints
	s.store.Lessor.PersistCheckpoints = true
	out.After(ScanEvery, core.New(core.EtcdScan))
	if s.restarted {
		s.lead(in, out, s.Election)
		return
	}
	s.lead(in, out, 0)
	for _, after := range s.Changes {
		out.After(after, core.New(core.EtcdLeader))
	}
}

// lead makes the lessor the primary. Renewals that waited for a revocation are done: the new
// leader has given their leases more time.
func (s *Server) lead(in sim.In[core.Msg], out *sim.Out[core.Msg], extend time.Duration) {
	s.store.Lessor.Promote(in.Mono, extend)
	s.answerRenewals(in, out)
}

// apply does a command, and tells watchers and observers what has changed.
func (s *Server) apply(in sim.In[core.Msg], out *sim.Out[core.Msg], c *etcd.Command) etcd.Result {
	before := s.store.Rev()
	r := s.store.Apply(in.Mono, c)
	if r.Rev == before {
		return r
	}
	deleter := uint64(0)
	if in.Msg.Kind == core.EtcdUnlock || in.Msg.Kind == core.EtcdRevoke {
		deleter = core.GrantOf(in.From, in.Msg.Try)
	}
	s.owner = noteOwner(out, &s.store, s.owner, deleter)
	s.watches.notify(out, &s.store)
	return r
}

// noteOwner tells observers of a new owner of the lock: whose key is the oldest. The deleter
// is the grant whose client has deleted a key, 0 if none has. Two notes may be about one
// revision; they carry twice the revision, and one more.
func noteOwner(out *sim.Out[core.Msg], s *etcd.Store, before etcd.KV, deleter uint64) etcd.KV {
	c := etcd.Owner(locksDir)
	r := s.Apply(0, &c)
	now := r.Responses[0].KV
	rev := 2 * uint64(r.Rev)
	if before.CreateRev != 0 && now.CreateRev != before.CreateRev {
		out.Note(core.NewFreed(deleter, rev))
	}
	if now.CreateRev != 0 && (now.CreateRev != before.CreateRev || now.Value != before.Value) {
		out.Note(core.NewOwned(now.Value, rev+1))
	}
	return now
}

// scan revokes the leases that have expired, and replicates what is left of the others.
func (s *Server) scan(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(ScanEvery, core.New(core.EtcdScan))
	s.due = s.store.Lessor.Checkpoints(in.Mono, s.due[:0])
	for i := range s.due {
		s.apply(in, out, &s.due[i])
	}
	s.due = s.due[:0]
	s.expired = s.store.Lessor.Expired(in.Mono, s.expired[:0])
	for _, id := range s.expired {
		if s.Revocation > 0 {
			out.After(s.Revocation, core.NewEtcdRequest(core.EtcdCommit, id))
			continue
		}
		s.revoke(in, out, id)
	}
	s.expired = s.expired[:0]
}

func (s *Server) revoke(in sim.In[core.Msg], out *sim.Out[core.Msg], id etcd.LeaseID) {
	s.apply(in, out, &etcd.Command{Kind: etcd.LeaseRevoke, Lease: id})
	s.answerRenewals(in, out)
}

// keepAlive renews a lease. An answer about one that has expired waits until it is revoked.
func (s *Server) keepAlive(in sim.In[core.Msg], out *sim.Out[core.Msg], client sim.NodeID, id etcd.LeaseID) {
	if s.store.Lessor.HasCheckpoint(id) {
		s.apply(in, out, &etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: id})
	}
	ttl, err := s.store.Lessor.Renew(in.Mono, id)
	if err == etcd.RevokePending {
		s.renewals = append(s.renewals, renewal{client: client, lease: id})
		return
	}
	out.Send(client, core.NewEtcdKeptAlive(id, ttl, sim.None))
}

// answerRenewals answers the keep-alives that waited, those that still have to wait excepted.
func (s *Server) answerRenewals(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	waiting := len(s.renewals)
	for _, r := range s.renewals[:waiting] {
		s.keepAlive(in, out, r.client, r.lease)
	}
	s.renewals = slices.Delete(s.renewals, 0, waiting)
}

// data is a counter that is kept in etcd itself, in the place of the store. A write is a
// transaction under the condition that the key of the lock is still the one that was granted.
func (s *Server) data(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m, key := &in.Msg, etcd.Key{Dir: dataDir}
	if m.Kind == core.Read {
		kv, _ := s.store.Get(key)
		out.Send(in.From, core.NewReadReply(m.Try, int64(kv.Value)))
		return
	}
	c := etcd.Command{
		Compare: [etcd.MaxCompares]etcd.Compare{{Target: etcd.CreateRev, Key: s.keyMadeAt(m.FencingToken()), Operand: int64(m.FencingToken())}},
		Then:    [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: key, Value: uint64(m.Counter())}},
	}
	r := s.apply(in, out, &c)
	grant := core.GrantOf(in.From, m.Try)
	if r.Succeeded {
		out.Note(core.NewApplied(m, grant, 0))
	} else {
		out.Note(core.NewRejected(m, grant, uint64(r.Rev)))
	}
	out.Send(in.From, core.NewStoreReply(core.WriteReply, m.Try, r.Succeeded, uint64(r.Rev)))
}

// keyMadeAt is the key of the lock that was made at a revision: a client names its own.
func (s *Server) keyMadeAt(rev uint64) etcd.Key {
	for i := range s.store.Len() {
		if kv := s.store.At(i); kv.Key.Dir == locksDir && uint64(kv.CreateRev) == rev {
			return kv.Key
		}
	}
	return etcd.Key{Dir: locksDir, Name: ^uint64(0)} // which is no session's
}

// Reset implements [sim.Resetter].
func (s *Server) Reset(initial *Server) {
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
func (s *Server) Recover(before *Server) {
	s.store.CopyFrom(&before.store)
	s.store.Restart()
	s.watches = append(s.watches[:0], before.watches...)
	s.owner, s.restarted = before.owner, true
}

// watches is the watches that wait for a deletion, in the order in which they began.
type watches []watch

type watch struct {
	etcd.Watch
	n uint16 // number of the request
}

// add takes in a watch, in the place of the one that the client had.
func (w *watches) add(from sim.NodeID, m *core.Msg) {
	*w = slices.DeleteFunc(*w, func(x watch) bool { return x.Client == int32(from) })
	*w = append(*w, watch{etcd.Watch{Client: int32(from), ID: m.Try, Key: etcd.Key{Dir: locksDir, Name: m.KeyName()}, Next: m.Rev()}, m.Number()})
}

// notify tells watchers of deletions. A client that has got one cancels its watch; here that
// needs no message.
func (w *watches) notify(out *sim.Out[core.Msg], s *etcd.Store) {
	kept := (*w)[:0]
	for _, x := range *w {
		if !x.send(out, s) {
			kept = append(kept, x)
		}
	}
	*w = kept
}

// send sends what there is to say, and reports whether that was the last.
func (x *watch) send(out *sim.Out[core.Msg], s *etcd.Store) (over bool) {
	events, err := x.Take(s)
	if err != nil {
		out.Send(sim.NodeID(x.Client), core.NewEtcdWatched(x.ID, x.n, x.Key.Name, false, 0))
		return true
	}
	for _, e := range events {
		if e.Delete && x.Wants(e.KV.Key) {
			out.Send(sim.NodeID(x.Client), core.NewEtcdWatched(x.ID, x.n, x.Key.Name, true, e.KV.ModRev))
			return true
		}
	}
	return false
}
