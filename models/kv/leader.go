package kv

import (
	"slices"
	"time"

	"fencepost/models/internal/raft"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// readRetry is after how many heartbeats a read that is not confirmed is asked about again.
const readRetry = 5

// RaftNode is a node of a store with a leader: a server of Raft, whose log is the order of all
// writes. What a client asks for goes through the log, and the node that was asked answers
// when it is committed and applied; a compare-and-set compares when it is applied, at each node
// alike. A read waits until the leader has confirmed with a majority that it still leads, and
// until the node has applied what was committed by then. A node that reaches no leader answers
// nothing but that.
//
// Durable is the log; what the node stores is made of it anew after a crash. A request that is
// open then is lost, and may take effect all the same, as one that timed out may.
//
// Source: Ongaro, "Consensus: bridging theory and practice", 2014, chapters 3 and 6;
// go.etcd.io/raft v3.
type RaftNode struct {
	*Settings
	Raft      raft.Server
	Heartbeat time.Duration // between two ticks
	Election  time.Duration // shortest election timeout; the longest is twice that
	Begins    bool          // it campaigns when it first starts
	OwnReads  bool          // it answers a read with what it stores, and asks no one

	life     uint32 // how often it was restarted
	election uint32 // number of the present election timeout
	ticks    int
	leads    bool
	term     uint64 // in which it leads, or has led
	number   uint32 // of the latest request
	open     []raftRequest
	objects  store
	latest   []uint32 // by client: the number of its latest write that was applied
}

// raftRequest is a request of a client at the node that it asked.
type raftRequest struct {
	number    uint32
	client    sim.NodeID
	msg       Msg
	proposed  bool
	confirmed bool   // of a read: the leader led when it was asked for
	index     uint64 // and had committed this much
}

// Step implements [sim.Node].
func (s *RaftNode) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := &in.Msg; m.Kind {
	case start:
		s.begin(in, out)
	case Raft:
		s.follow(in, out, s.Raft.Receive(m.Packet))
	case raftTick:
		s.tick(in, out)
	case raftElect:
		if m.N == s.election {
			s.follow(in, out, s.Raft.Campaign())
		}
	case Put, Get, CompareAndSet:
		s.take(in, out)
	case requestTimeout:
		s.expire(m.Req, out)
	default:
		panic("kv: a node got " + m.String())
	}
	s.propose(in, out)
}

func (s *RaftNode) begin(in sim.In[Msg], out *sim.Out[Msg]) {
	out.After(s.Heartbeat, Msg{Kind: raftTick})
	s.follow(in, out, s.Raft.Start())
	if s.Begins && s.life == 0 {
		s.follow(in, out, s.Raft.Campaign())
	}
}

// follow does what the output of Raft asks for.
func (s *RaftNode) follow(in sim.In[Msg], out *sim.Out[Msg], o *raft.Output) {
	for _, p := range o.Packets {
		out.Send(sim.NodeID(p.To()), Msg{Kind: Raft, Packet: p})
	}
	if o.Fresh {
		s.election++
		out.AfterDraw(sim.Uniform(s.Election, 2*s.Election), Msg{Kind: raftElect, N: s.election})
	}
	if leads := o.Status.Role == raft.Leader; leads != s.leads || leads && o.Status.Term != s.term {
		s.leads = leads
		if kind := Deposed; s.leads {
			kind, s.term = Led, o.Status.Term
			out.Note(Msg{Kind: kind, Word: s.term})
		} else {
			out.Note(Msg{Kind: kind, Word: s.term})
		}
	}
	for i := range o.Committed {
		s.apply(in, out, &o.Committed[i])
	}
	for _, r := range o.Reads {
		for i := range s.open {
			if q := &s.open[i]; q.msg.Kind == Get && uint64(q.number) <= r.ID && !q.confirmed {
				q.confirmed, q.index = true, r.Index
			}
		}
	}
	s.answerReads(out, o.Status.Commit)
}

// tick is the end of a heartbeat interval.
func (s *RaftNode) tick(in sim.In[Msg], out *sim.Out[Msg]) {
	out.After(s.Heartbeat, Msg{Kind: raftTick})
	s.follow(in, out, s.Raft.Tick())
	s.ticks++
	waits := func(q raftRequest) bool { return q.msg.Kind == Get && !q.confirmed }
	if s.ticks%readRetry == 0 && slices.ContainsFunc(s.open, waits) {
		s.follow(in, out, s.Raft.ReadIndex(uint64(s.number)))
	}
}

// take takes a request of a client.
func (s *RaftNode) take(in sim.In[Msg], out *sim.Out[Msg]) {
	received(in, out)
	m := in.Msg
	if m.Kind == Get && s.OwnReads {
		out.Send(in.From, Msg{Kind: GetReply, Key: m.Key, Req: m.Req, Obj: s.objects.get(m.Key)})
		return
	}
	s.number++
	s.open = append(s.open, raftRequest{number: s.number, client: in.From, msg: m})
	out.After(s.Timeout, Msg{Kind: requestTimeout, Req: s.number})
	if m.Kind == Get {
		s.follow(in, out, s.Raft.ReadIndex(uint64(s.number)))
	}
}

// expire is a request that has taken too long. A write may be in the log, or on its way to it.
func (s *RaftNode) expire(number uint32, out *sim.Out[Msg]) {
	i := slices.IndexFunc(s.open, func(q raftRequest) bool { return q.number == number })
	if i < 0 {
		return
	}
	q := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.answer(out, &q, TimedOut, nil)
}

// answer answers a client.
func (s *RaftNode) answer(out *sim.Out[Msg], q *raftRequest, code uint8, o *version.Object) {
	kind := PutReply
	if q.msg.Kind == Get {
		kind = GetReply
	}
	out.Send(q.client, Msg{Kind: kind, Code: code, Key: q.msg.Key, Req: q.msg.Req, Obj: o})
}

// propose hands the writes that have come up to Raft, and keeps them while there is no leader.
func (s *RaftNode) propose(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.Raft.Status().Leader == 0 {
		return
	}
	var outbox [][]byte
	for i := range s.open {
		if q := &s.open[i]; q.msg.Kind != Get && !q.proposed {
			outbox = append(outbox, s.entry(in.Self, q).encode())
		}
	}
	if len(outbox) == 0 {
		return
	}
	o := s.Raft.Propose(outbox...)
	if o.Dropped {
		return
	}
	for i := range s.open {
		s.open[i].proposed = true
	}
	s.follow(in, out, o)
}

// apply does a committed write, and answers it if it was asked of this node. A write that is
// in the log twice, since a message was, is done once: a client has one write at a time, so one
// that is not after its latest is over.
func (s *RaftNode) apply(in sim.In[Msg], out *sim.Out[Msg], committed *raft.Entry) {
	e := decodeEntry(committed.Data)
	client, nth := version.Client(e.write.ID), version.Nth(e.write.ID)
	for len(s.latest) <= int(client) {
		s.latest = append(s.latest, 0)
	}
	if nth <= s.latest[client] {
		return
	}
	s.latest[client] = nth
	var mine *raftRequest
	i := slices.IndexFunc(s.open, func(q raftRequest) bool { return q.number == e.number })
	if i >= 0 && e.server == in.Self && e.life == s.life {
		q := s.open[i]
		mine = &q
		s.open = slices.Delete(s.open, i, i+1)
	}
	now := s.objects.get(e.key)
	code := OK
	if e.compares && !matches(now, e.expects) {
		code = Mismatch
	} else {
		now = s.store(now, &e, committed.Index)
		s.note(in, out, &e, now, mine)
	}
	if mine != nil {
		s.answer(out, mine, code, now)
	}
}

// store is the write of an entry. Its stamp is its place in the log, the same at all nodes.
func (s *RaftNode) store(before *version.Object, e *entry, index uint64) *version.Object {
	var none version.Replica
	after := s.Policy.Put(&none, sim.Wall(0).Add(time.Duration(index)), nil, before, *e.write)
	s.objects.set(e.key, after)
	return after
}

func (s *RaftNode) note(in sim.In[Msg], out *sim.Out[Msg], e *entry, o *version.Object, mine *raftRequest) {
	m := Msg{Kind: Stored, Key: e.key, Obj: o}
	if mine != nil {
		m.Write = mine.msg.Write
	}
	if in.Msg.Kind != start { // then it is made of the log anew
		out.Note(m)
	}
}

// answerReads answers the reads of which the node has applied enough.
func (s *RaftNode) answerReads(out *sim.Out[Msg], applied uint64) {
	kept := s.open[:0]
	for _, q := range s.open {
		if q.confirmed && q.index <= applied {
			s.answer(out, &q, OK, s.objects.get(q.msg.Key))
		} else {
			kept = append(kept, q)
		}
	}
	clear(s.open[len(kept):])
	s.open = kept
}

// Reset implements [sim.Resetter].
func (s *RaftNode) Reset(initial *RaftNode) {
	was := *s
	*s = *initial
	s.objects = was.objects
	s.objects.reset(&initial.objects)
	s.open = overwrite(was.open, initial.open)
	s.latest = overwrite(was.latest, initial.latest)
}

// overwrite is a copy of a list in the memory of another one. It is nil only if the list is.
func overwrite[T any](memory, list []T) []T {
	if list != nil && memory == nil {
		memory = []T{}
	}
	return append(memory[:0], list...)
}

// Recover implements [sim.Recoverer]: the log survives.
func (s *RaftNode) Recover(before *RaftNode) {
	s.Raft.Recover(&before.Raft)
	s.life = before.life + 1
}

// Print implements [sim.Printer].
func (s *RaftNode) Print(p *sim.Print) {
	p.Value(s.Raft)
	p.Fold(uint64(s.life)|uint64(s.election)<<32, uint64(s.ticks%readRetry)|one(s.leads)<<32, s.term, uint64(s.number)|uint64(len(s.open))<<32)
	for i := range s.open {
		q := &s.open[i]
		d := q.msg.Fold(0)
		p.Fold(uint64(q.number)|uint64(q.client)<<32, one(q.proposed)|one(q.confirmed)<<1, q.index, uint64(d))
	}
	for _, n := range s.latest {
		p.Fold(uint64(n))
	}
	s.objects.print(p)
}
