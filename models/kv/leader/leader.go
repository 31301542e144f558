package leader

import (
	"slices"
	"time"

	"fencepost/models/internal/raft"
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// readRetry is after how many heartbeats a read that is not confirmed is asked about again.
const readRetry = 5

// Node is a node of a store with a leader: a server of Raft, whose log is the order of all
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
type Node struct {
	*core.Settings
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
	open     []request
	objects  core.Store
	latest   []uint32 // by client: the number of its latest write that was applied
}

// request is a request of a client at the node that it asked.
type request struct {
	number    uint32
	client    sim.NodeID
	msg       core.Msg
	proposed  bool
	confirmed bool   // of a read: the leader led when it was asked for
	index     uint64 // and had committed this much
}

// Step implements [sim.Node].
func (s *Node) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Start:
		s.begin(in, out)
	case core.Raft:
		s.follow(in, out, s.Raft.Receive(m.Packet))
	case core.RaftTick:
		s.tick(in, out)
	case core.RaftElect:
		if m.Election() == s.election {
			s.follow(in, out, s.Raft.Campaign())
		}
	case core.Put, core.Get, core.CompareAndSet:
		s.take(in, out)
	case core.RequestTimeout:
		s.expire(m.Req(), out)
	default:
		panic("kv: a node got " + m.String())
	}
	s.propose(in, out)
}

func (s *Node) begin(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(s.Heartbeat, core.Msg{Kind: core.RaftTick})
	s.follow(in, out, s.Raft.Start())
	if s.Begins && s.life == 0 {
		s.follow(in, out, s.Raft.Campaign())
	}
}

// follow does what the output of Raft asks for.
func (s *Node) follow(in sim.In[core.Msg], out *sim.Out[core.Msg], o *raft.Output) {
	for _, p := range o.Packets {
		out.Send(sim.NodeID(p.To()), core.NewRaft(p))
	}
	if o.Fresh {
		s.election++
		out.AfterDraw(sim.Uniform(s.Election, 2*s.Election), core.NewElectionTimeout(s.election))
	}
	if leads := o.Status.Role == raft.Leader; leads != s.leads || leads && o.Status.Term != s.term {
		s.leads = leads
		kind := core.Deposed
		if s.leads {
			kind, s.term = core.Led, o.Status.Term
		}
		out.Note(core.NewLeadership(kind, s.term))
	}
	for i := range o.Committed {
		s.apply(in, out, &o.Committed[i])
	}
	for _, r := range o.Reads {
		for i := range s.open {
			if q := &s.open[i]; q.msg.Kind == core.Get && uint64(q.number) <= r.ID && !q.confirmed {
				q.confirmed, q.index = true, r.Index
			}
		}
	}
	s.answerReads(out, o.Status.Commit)
}

// tick is the end of a heartbeat interval.
func (s *Node) tick(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(s.Heartbeat, core.Msg{Kind: core.RaftTick})
	s.follow(in, out, s.Raft.Tick())
	s.ticks++
	waits := func(q request) bool { return q.msg.Kind == core.Get && !q.confirmed }
	if s.ticks%readRetry == 0 && slices.ContainsFunc(s.open, waits) {
		s.follow(in, out, s.Raft.ReadIndex(uint64(s.number)))
	}
}

// take takes a request of a client.
func (s *Node) take(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	core.NoteReceived(in, out)
	m := in.Msg
	if m.Kind == core.Get && s.OwnReads {
		out.Send(in.From, core.NewGetReply(m.Key(), m.Req(), core.OK, s.objects.Get(m.Key())))
		return
	}
	s.number++
	s.open = append(s.open, request{number: s.number, client: in.From, msg: m})
	out.After(s.Timeout, core.NewRequestTimer(core.RequestTimeout, s.number))
	if m.Kind == core.Get {
		s.follow(in, out, s.Raft.ReadIndex(uint64(s.number)))
	}
}

// expire is a request that has taken too long. A write may be in the log, or on its way to it.
func (s *Node) expire(number uint32, out *sim.Out[core.Msg]) {
	i := slices.IndexFunc(s.open, func(q request) bool { return q.number == number })
	if i < 0 {
		return
	}
	q := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.answer(out, &q, core.TimedOut, nil)
}

// answer answers a client.
func (s *Node) answer(out *sim.Out[core.Msg], q *request, status core.Status, o *version.Object) {
	m := core.NewPutReply(q.msg.Key(), q.msg.Req(), status, o, 0)
	if q.msg.Kind == core.Get {
		m = core.NewGetReply(q.msg.Key(), q.msg.Req(), status, o)
	}
	out.Send(q.client, m)
}

// propose hands the writes that have come up to Raft, and keeps them while there is no leader.
func (s *Node) propose(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.Raft.Status().Leader == 0 {
		return
	}
	var outbox [][]byte
	for i := range s.open {
		if q := &s.open[i]; q.msg.Kind != core.Get && !q.proposed {
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
func (s *Node) apply(in sim.In[core.Msg], out *sim.Out[core.Msg], committed *raft.Entry) {
	e := decodeEntry(committed.Data)
	client, nth := version.Client(e.write.ID), version.Nth(e.write.ID)
	for len(s.latest) <= int(client) {
		s.latest = append(s.latest, 0)
	}
	if nth <= s.latest[client] {
		return
	}
	s.latest[client] = nth
	var mine *request
	i := slices.IndexFunc(s.open, func(q request) bool { return q.number == e.number })
	if i >= 0 && e.server == in.Self && e.life == s.life {
		q := s.open[i]
		mine = &q
		s.open = slices.Delete(s.open, i, i+1)
	}
	now := s.objects.Get(e.key)
	status := core.OK
	if e.compares && !core.Matches(now, e.expects) {
		status = core.Mismatch
	} else {
		now = s.store(now, &e, committed.Index)
		s.note(in, out, &e, now, mine)
	}
	if mine != nil {
		s.answer(out, mine, status, now)
	}
}

// store is the write of an entry. Its stamp is its place in the log, the same at all nodes.
func (s *Node) store(before *version.Object, e *entry, index uint64) *version.Object {
	var none version.Replica
	after := s.Policy.Put(&none, sim.Wall(0).Add(time.Duration(index)), nil, before, *e.write)
	s.objects.Set(e.key, after)
	return after
}

func (s *Node) note(in sim.In[core.Msg], out *sim.Out[core.Msg], e *entry, o *version.Object, mine *request) {
	var w *version.Write
	if mine != nil {
		w = mine.msg.Write
	}
	if in.Msg.Kind != core.Start { // then it is made of the log anew
		out.Note(core.NewStored(e.key, o, w))
	}
}

// answerReads answers the reads of which the node has applied enough.
func (s *Node) answerReads(out *sim.Out[core.Msg], applied uint64) {
	kept := s.open[:0]
	for _, q := range s.open {
		if q.confirmed && q.index <= applied {
			s.answer(out, &q, core.OK, s.objects.Get(q.msg.Key()))
		} else {
			kept = append(kept, q)
		}
	}
	clear(s.open[len(kept):])
	s.open = kept
}

// Reset implements [sim.Resetter].
func (s *Node) Reset(initial *Node) {
	was := *s
	*s = *initial
	s.objects = was.objects
	s.objects.Reset(&initial.objects)
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
func (s *Node) Recover(before *Node) {
	s.Raft.Recover(&before.Raft)
	s.life = before.life + 1
}

// Print implements [sim.Printer].
func (s *Node) Print(p *sim.Print) {
	p.Value(s.Raft)
	p.Fold(uint64(s.life)|uint64(s.election)<<32, uint64(s.ticks%readRetry)|core.One(s.leads)<<32, s.term, uint64(s.number)|uint64(len(s.open))<<32)
	for i := range s.open {
		q := &s.open[i]
		d := q.msg.Fold(0)
		p.Fold(uint64(q.number)|uint64(q.client)<<32, core.One(q.proposed)|core.One(q.confirmed)<<1, q.index, uint64(d))
	}
	for _, n := range s.latest {
		p.Fold(uint64(n))
	}
	s.objects.Print(p)
}
