package etcdlock

import (
	"slices"
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/internal/raft"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// What etcd allows a request.
const (
	readRetry  = 5               // ticks after which a read that is not confirmed is asked about again
	lateTicks  = 3               // intervals without a tick that make a leader doubt that it leads
	requestFor = 7 * time.Second // a server gives a request up after this
)

// Confirm says when a leader asks a majority whether it leads before it renews or
// revokes a lease.
type Confirm uint8

// The rules: if its ticks have come late, as etcd does from 3.5.13 on; each time; and never, as
// etcd did before.
//
// Source: etcd pull requests 16822 and 17425, of issue 15247.
const (
	ConfirmLate Confirm = iota
	ConfirmAlways
	ConfirmNever
)

// Member is one server of a cluster of etcd. A request that changes something goes through
// the log of Raft, with the client that sent it and the server that got it; each server applies
// it, and the one that was asked answers. A read waits until the leader has confirmed that it leads, and is answered
// from the server's own store, as watches are. A keep-alive goes to the leader, past the log:
// only the lessor of the leader knows when a lease ends, and a new one gives every lease its
// TTL anew, and the time of an election besides.
//
// A restart loses all but the log; the store is made anew from it. A request that is lost with
// a leader is not answered, and the client asks again.
//
// Source: etcd server 3.7, etcdserver/{v3_server,server,raft}.go and etcdserver/read/read.go.
type Member struct {
	Raft        raft.Server
	Sent        *raft.Sent    // by all servers
	First       sim.NodeID    // node of the server with ID 1
	MinTTL      int64         // seconds
	Heartbeat   time.Duration // between two ticks
	Election    time.Duration // shortest election timeout; the longest is twice that
	Begins      bool          // it campaigns when it first starts, so that the cluster has a leader at once
	Confirm     Confirm
	Changes     []time.Duration // readings of the monotonic clock at which it hands the lead to the next server, if it has it
	Checkpoints time.Duration   // how often what is left of a lease is replicated; 0: never

	life     uint32 // how often it was restarted
	election uint32 // number of the present election timeout
	ticked   sim.Mono
	ticks    int
	leads    bool
	store    etcd.Store
	watches  watches
	owner    etcd.KV // the oldest key, as observers know it
	renewals []renewal
	held     []request // wait for a leader
	reads    []read    // wait for their confirmation
	asked    uint64    // number of the latest read
	outbox   [][]byte  // to be proposed at the end of the step, as are all from here on
	expired  []etcd.LeaseID
	due      []etcd.Command
}

// request is a request as the log has it: the message of a client, and the server that is to
// answer it. A request of a server's own has no client.
type request struct {
	server sim.NodeID
	life   uint32 // of the server: the connection to its client ended with it
	client sim.NodeID
	since  sim.Mono // when the server got it; not in the log
	msg    core.Msg
}

// read is a request that waits until its server is known to be up to date, or to lead.
type read struct {
	n     uint64 // asked for in this order
	ready bool   // the leader has confirmed that it leads
	index uint64 // and has committed this much
	request
}

// Step implements [sim.Node].
func (s *Member) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Start:
		s.start(in, out)
	case core.Raft:
		s.follow(in, out, s.Raft.Receive(s.Sent.Packet(m.RaftHeader())))
	case core.RaftTick:
		s.tick(in, out)
	case core.RaftElect:
		if m.Try == s.election {
			s.follow(in, out, s.Raft.Campaign())
		}
	case core.EtcdScan:
		s.scan(in, out)
	case core.EtcdCommit:
		s.revoke(in, m)
	case core.EtcdLeader:
		if s.leads {
			s.follow(in, out, s.Raft.Transfer(s.Raft.ID%uint64(s.Raft.Servers)+1))
		}
	case core.EtcdKeepAlive:
		s.keepAlive(in, out)
	case core.EtcdKeptAlive: // from the leader, for a client of this server
		reply := *m
		reply.SetRelay(sim.None)
		out.Send(m.Relay(), reply)
	case core.EtcdWatch:
		s.watches.add(in.From, m)
		s.watches.notify(out, &s.store)
	case core.EtcdSeek, core.EtcdVerify:
		s.await(in, in.From, *m)
		s.follow(in, out, s.Raft.ReadIndex(s.asked))
	default:
		s.held = append(s.held, request{in.Self, s.life, in.From, in.Mono, *m})
	}
	s.propose(in, out)
}

// start is a server that comes up, perhaps not for the first time.
func (s *Member) start(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.store.Retain = retain
	s.store.Lessor.MinTTL, s.store.Lessor.CheckpointInterval = s.MinTTL, s.Checkpoints
	s.store.Lessor.PersistCheckpoints = true
	s.ticked = in.Mono
	out.After(s.Heartbeat, core.New(core.RaftTick))
	out.After(ScanEvery, core.New(core.EtcdScan))
	s.follow(in, out, s.Raft.Start())
	if s.life > 0 {
		return
	}
	for _, after := range s.Changes {
		out.After(after, core.New(core.EtcdLeader))
	}
	if s.Begins {
		s.follow(in, out, s.Raft.Campaign())
	}
}

// follow does what the output of Raft asks for.
func (s *Member) follow(in sim.In[core.Msg], out *sim.Out[core.Msg], o *raft.Output) {
	for _, p := range o.Packets {
		out.Send(s.node(p.To()), core.NewRaft(s.Sent.Add(p)))
	}
	if o.Fresh {
		s.election++
		out.AfterDraw(sim.Uniform(s.Election, 2*s.Election), core.New(core.RaftElect).Of(s.election))
	}
	s.lead(in, out, &o.Status)
	for i := range o.Committed {
		s.apply(in, out, &o.Committed[i])
	}
	for _, r := range o.Reads {
		for i := range s.reads {
			if w := &s.reads[i]; w.n <= r.ID && !w.ready {
				w.ready, w.index = true, r.Index
			}
		}
	}
	s.answerReads(in, out, o.Status.Commit)
}

func (s *Member) node(id uint64) sim.NodeID { return s.First + sim.NodeID(id) - 1 }

// lead makes the lessor of a new leader the primary, and that of one that no longer leads
// forget when leases end.
func (s *Member) lead(in sim.In[core.Msg], out *sim.Out[core.Msg], now *raft.Status) {
	leads := now.Role == raft.Leader
	if leads == s.leads {
		return
	}
	if s.leads = leads; !leads {
		s.store.Lessor.Demote()
		s.renewals = s.renewals[:0] // their clients ask again
		return
	}
	out.Note(core.NewLeads(now.Term))
	s.store.Lessor.Promote(in.Mono, s.Election)
}

// tick is the end of a heartbeat interval.
func (s *Member) tick(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(s.Heartbeat, core.New(core.RaftTick))
	s.follow(in, out, s.Raft.Tick())
	s.ticked = in.Mono
	old := func(r *request) bool { return !in.Mono.Before(r.since.Add(requestFor)) }
	s.held = slices.DeleteFunc(s.held, func(r request) bool { return old(&r) })
	s.reads = slices.DeleteFunc(s.reads, func(r read) bool { return old(&r.request) })
	if s.ticks++; s.ticks%readRetry == 0 && slices.ContainsFunc(s.reads, func(r read) bool { return !r.ready }) {
		s.follow(in, out, s.Raft.ReadIndex(s.asked))
	}
}

// propose hands what has come up in a step to Raft, and keeps it while there is no leader.
func (s *Member) propose(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	for len(s.held) > 0 && s.Raft.Status().Leader != 0 {
		s.outbox = s.outbox[:0]
		for i := range s.held {
			s.outbox = append(s.outbox, s.held[i].encode())
		}
		sent := len(s.held)
		o := s.Raft.Propose(s.outbox...)
		if o.Dropped {
			break
		}
		s.held = slices.Delete(s.held, 0, sent)
		s.follow(in, out, o)
	}
	s.outbox = s.outbox[:0]
}

// apply does a committed request, answers it if it was asked of this server, and tells watchers
// and observers what has changed.
func (s *Member) apply(in sim.In[core.Msg], out *sim.Out[core.Msg], e *raft.Entry) {
	q := decode(e.Data)
	c, deleter := q.command()
	r := s.store.Apply(in.Mono, &c)
	s.owner = noteOwner(out, &s.store, s.owner, deleter)
	s.watches.notify(out, &s.store)
	if q.client != sim.None && q.server == in.Self && q.life == s.life {
		out.Send(q.client, replyTo(&q.msg, &r))
	}
	if c.Kind == etcd.LeaseRevoke || c.Kind == etcd.LeaseCheckpoint {
		s.answerRenewals(in, out)
	}
}

// await keeps a request until the leader has confirmed that it leads.
func (s *Member) await(in sim.In[core.Msg], client sim.NodeID, m core.Msg) {
	s.asked++
	s.reads = append(s.reads, read{n: s.asked, request: request{in.Self, s.life, client, in.Mono, m}})
}

// answerReads answers the reads of which the server has applied enough.
func (s *Member) answerReads(in sim.In[core.Msg], out *sim.Out[core.Msg], applied uint64) {
	kept := s.reads[:0]
	for _, r := range s.reads {
		if !r.ready || applied < r.index {
			kept = append(kept, r)
			continue
		}
		switch {
		case r.msg.Kind != core.EtcdKeepAlive && r.msg.Kind != core.EtcdCommit:
			c, _ := r.command()
			result := s.store.Apply(in.Mono, &c)
			out.Send(r.client, replyTo(&r.msg, &result))
		case !s.leads: // another server does
		case r.msg.Kind == core.EtcdCommit:
			s.revoke(in, &r.msg)
		default:
			s.renew(in, out, renewal{r.client, r.msg.LeaseID(), r.msg.Relay()})
		}
	}
	s.reads = kept
}

// sure reports whether the server takes it for granted that it leads, since its ticks have
// come in time. It may have been wrong for up to two election timeouts all the same.
func (s *Member) sure(in sim.In[core.Msg]) bool {
	late := s.ticked.Add(lateTicks * s.Heartbeat)
	return s.Confirm == ConfirmNever || s.Confirm == ConfirmLate && in.Mono.Before(late)
}

// keepAlive renews a lease, or hands the request on to the leader with the client's name.
func (s *Member) keepAlive(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := in.Msg; {
	case !s.leads:
		leader := s.Raft.Status().Leader
		if m.Relay() == sim.None && leader != 0 { // else its client asks again
			m.SetRelay(in.From)
			out.Send(s.node(leader), m)
		}
	case s.sure(in):
		s.renew(in, out, renewal{in.From, m.LeaseID(), m.Relay()})
	default:
		s.await(in, in.From, m)
		s.follow(in, out, s.Raft.ReadIndex(s.asked))
	}
}

// revoke proposes to revoke a lease. A server that no longer leads by now hands that on to the
// leader, as it does with every proposal.
func (s *Member) revoke(in sim.In[core.Msg], m *core.Msg) {
	s.own(in, core.NewEtcdRequest(core.EtcdRevoke, m.LeaseID()))
}

// own is a request of the server's own.
func (s *Member) own(in sim.In[core.Msg], m core.Msg) {
	s.held = append(s.held, request{server: in.Self, life: s.life, since: in.Mono, msg: m})
}

// renew renews a lease. An answer about one that has expired waits until it is revoked, and one
// with a checkpoint until that is forgotten everywhere.
func (s *Member) renew(in sim.In[core.Msg], out *sim.Out[core.Msg], r renewal) {
	if s.store.Lessor.HasCheckpoint(r.lease) {
		s.own(in, core.NewEtcdLease(core.EtcdCheckpoint, r.lease, 0))
		s.renewals = append(s.renewals, r)
		return
	}
	ttl, err := s.store.Lessor.Renew(in.Mono, r.lease)
	if err == etcd.RevokePending {
		s.renewals = append(s.renewals, r)
		return
	}
	out.Send(r.client, core.NewEtcdKeptAlive(r.lease, ttl, r.relay))
}

// answerRenewals answers the keep-alives that waited, those that still have to wait excepted.
func (s *Member) answerRenewals(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	waiting := len(s.renewals)
	for _, r := range s.renewals[:waiting] {
		s.renew(in, out, r)
	}
	s.renewals = slices.Delete(s.renewals, 0, waiting)
}

// scan revokes the leases that have expired, and replicates what is left of the others. It is
// done after what else there is to do at this instant, as a task of its own: by then the server
// may have learned that it no longer leads.
func (s *Member) scan(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(ScanEvery, core.New(core.EtcdScan))
	s.due = s.store.Lessor.Checkpoints(in.Mono, s.due[:0])
	for i := range s.due {
		s.own(in, core.NewEtcdLease(core.EtcdCheckpoint, s.due[i].Lease, s.due[i].TTL))
	}
	s.expired = s.store.Lessor.Expired(in.Mono, s.expired[:0])
	sure := s.sure(in)
	for _, id := range s.expired {
		m := core.NewEtcdRequest(core.EtcdCommit, id)
		if sure {
			out.After(0, m)
		} else {
			s.await(in, in.Self, m)
		}
	}
	if !sure && len(s.expired) > 0 {
		s.follow(in, out, s.Raft.ReadIndex(s.asked))
	}
	s.due, s.expired = s.due[:0], s.expired[:0]
}

// Reset implements [sim.Resetter].
func (s *Member) Reset(initial *Member) {
	was := *s
	*s = *initial
	s.store = was.store
	s.store.CopyFrom(&initial.store)
	s.watches = append(was.watches[:0], initial.watches...)
	s.renewals = append(was.renewals[:0], initial.renewals...)
	s.held = append(was.held[:0], initial.held...)
	s.reads = append(was.reads[:0], initial.reads...)
	s.outbox, s.expired, s.due = was.outbox[:0], was.expired[:0], was.due[:0]
}

// Recover implements [sim.Recoverer]: the log survives.
func (s *Member) Recover(before *Member) {
	s.Raft.Recover(&before.Raft)
	s.life = before.life + 1
}
