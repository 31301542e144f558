package replica

import (
	"slices"
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// streamEvery is how long a source of a stream waits from one part to the next.
const streamEvery = 10 * time.Millisecond

// fetch is what a node receives that gains keys: a stream of each node of the old ring. It is
// lost in a crash, and starts again.
type fetch struct {
	change     uint32
	rings      core.Transition
	controller sim.NodeID
	round      uint8    // 0: from the first N-W+1 replicas of a key; after a stall from all that answer
	until      sim.Mono // from then on the streams are asked for again, if nothing arrives
	done       bool
	sources    []source
}

// source is a stream that a node receives.
type source struct {
	node  sim.NodeID
	count uint32 // of objects
	bytes uint64
	total uint32 // objects of the stream, as its end says
	ended bool   // its end has arrived
	seen  []uint64
}

func (s *source) done() bool { return s.ended && s.count == s.total }

// stream is what a node sends to one that gains keys.
type stream struct {
	to     sim.NodeID
	change uint32
	round  uint8
	rings  core.Transition
	next   uint32 // key
	sent   uint32
	credit int64 // billionths of a byte that may be sent now
}

// quorumOfOld is how many replicas of the old ring a key is fetched from: enough that each
// acknowledged write is at one of them at least.
func (n *Node) quorumOfOld() int { return n.N - n.W + 1 }

// fetchKeys starts to fetch the keys that this node gains.
func (n *Node) fetchKeys(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m, f := &in.Msg, &n.fetch
	if f.change == m.Change() {
		if f.done {
			out.Send(in.From, core.NewOfChange(core.FetchDone, m.Change()))
		}
		return
	}
	if m.Change() != n.view.change { // this node does not know of the change yet, or no longer
		return
	}
	f.change, f.rings, f.controller, f.round, f.done = m.Change(), m.Rings(), in.From, 0, false
	n.askStreams(in, out)
	out.After(core.StreamRetry, core.NewOfChange(core.StreamLook, f.change))
}

// askStreams asks all nodes of the old ring for what this node gains.
func (n *Node) askStreams(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	f := &n.fetch
	before, _ := n.RingsOf(f.rings)
	f.sources, f.until = f.sources[:0], in.Mono.Add(core.StreamRetry)
	for i := range before.Nodes {
		if id := before.Member(i); id != in.Self {
			f.sources = append(f.sources, source{node: id})
			out.Send(id, core.NewStreamAsk(f.round, f.change, f.rings))
		}
	}
	n.fetched(in, out)
}

// lookAtStreams asks again if nothing has arrived for a while.
func (n *Node) lookAtStreams(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	f := &n.fetch
	if in.Msg.Change() != f.change || f.done {
		return
	}
	if !in.Mono.Before(f.until) {
		f.round++
		n.askStreams(in, out)
	}
	out.After(core.StreamRetry, core.NewOfChange(core.StreamLook, f.change))
}

// startStream is a node that asks for the keys that it gains.
func (n *Node) startStream(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	fresh := stream{to: in.From, change: m.Change(), round: m.Round(), rings: m.Rings()}
	if s := n.streamTo(in.From); s != nil { // its timer is set
		*s = fresh
		return
	}
	n.streams = append(n.streams, fresh)
	n.sendStream(in, out, in.From)
}

// streamTo is the stream to a node, nil if there is none.
func (n *Node) streamTo(to sim.NodeID) *stream {
	for i := range n.streams {
		if n.streams[i].to == to {
			return &n.streams[i]
		}
	}
	return nil
}

// sendStream sends as much of a stream as its rate allows.
func (n *Node) sendStream(in sim.In[core.Msg], out *sim.Out[core.Msg], to sim.NodeID) {
	s := n.streamTo(to)
	if s == nil {
		return
	}
	before, after := n.RingsOf(s.rings)
	keys := uint32(before.Keys())
	s.credit += int64(n.StreamRate) * int64(streamEvery)
	for ; s.next < keys && (n.StreamRate == 0 || s.credit > 0); s.next++ {
		if !gains(before, after, n.N, s.next, to) || !before.Has(s.next, n.sourcesOf(s.round), in.Self) {
			continue
		}
		if o := n.read(s.next); o != nil {
			out.Send(to, core.NewStreamItem(s.round, s.change, s.sent, s.next, o))
			s.credit -= int64(o.Bytes()) * int64(time.Second)
			s.sent++
		}
	}
	if s.next < keys || n.StreamRate > 0 && s.credit < 0 { // the end waits for what is on its way
		out.After(streamEvery, core.NewStreamTick(to))
		return
	}
	out.Send(to, core.NewStreamEnd(s.round, s.change, s.sent))
	if n.streams = slices.DeleteFunc(n.streams, func(s stream) bool { return s.to == to }); len(n.streams) == 0 {
		n.streams = nil
	}
}

// sourcesOf is how many replicas of a key send it in a round.
func (n *Node) sourcesOf(round uint8) int {
	if round == 0 {
		return n.quorumOfOld()
	}
	return n.N
}

// streamed is a part of a stream, or its end. What belongs to an earlier round is out of date.
func (n *Node) streamed(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m, f := &in.Msg, &n.fetch
	if m.Change() != f.change || m.Round() != f.round || f.done {
		return
	}
	i := slices.IndexFunc(f.sources, func(s source) bool { return s.node == in.From })
	if i < 0 || f.sources[i].done() {
		return
	}
	s := &f.sources[i]
	f.expect(in.Mono)
	if m.Kind == core.StreamEnd {
		s.ended, s.total = true, m.Total()
	} else if s.take(m.Nth()) {
		s.bytes += uint64(m.Obj.Bytes())
		f.expect(in.Mono.Add(n.sendingTime(m.Obj.Bytes())))
		n.merge(in, out, m.Key(), m.Obj)
	}
	if s.done() {
		out.Note(core.NewStreamed(s.node, s.count, s.bytes))
		n.fetched(in, out)
	}
}

// sendingTime is how long a source takes for some bytes, and sends nothing else.
func (n *Node) sendingTime(bytes int) time.Duration {
	if n.StreamRate == 0 {
		return 0
	}
	return time.Duration(bytes) * time.Second / time.Duration(n.StreamRate)
}

// expect is that something more may arrive soon after an instant.
func (f *fetch) expect(soonAfter sim.Mono) {
	if until := soonAfter.Add(core.StreamRetry); f.until.Before(until) {
		f.until = until
	}
}

// take notes the nth object of a stream. It reports whether that is new.
func (s *source) take(nth uint32) bool {
	word, bit := int(nth/64), uint64(1)<<(nth%64)
	for len(s.seen) <= word {
		s.seen = append(s.seen, 0)
	}
	if s.seen[word]&bit != 0 {
		return false
	}
	s.seen[word] |= bit
	s.count++
	return true
}

// fetched tells the controller when each key that this node gains has come from enough nodes
// of the old ring.
func (n *Node) fetched(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	f := &n.fetch
	before, after := n.RingsOf(f.rings)
	for key := range uint32(before.Keys()) {
		if gains(before, after, n.N, key, in.Self) && n.sourcesDone(before, key) < n.quorumOfOld() {
			return
		}
	}
	f.done = true
	out.Send(f.controller, core.NewOfChange(core.FetchDone, f.change))
}

// sourcesDone is how many replicas of a key in the old ring have sent all that they have.
func (n *Node) sourcesDone(before *core.Ring, key uint32) (count int) {
	for i := range n.sourcesOf(n.fetch.round) {
		id := before.At(key, i)
		for j := range n.fetch.sources {
			if s := &n.fetch.sources[j]; s.node == id && s.done() {
				count++
			}
		}
	}
	return count
}

func (f *fetch) reset(to *fetch) {
	sources := f.sources
	*f = *to
	for i := range to.sources {
		if i == len(sources) {
			sources = append(sources, source{})
		}
		seen := sources[i].seen
		sources[i] = to.sources[i]
		sources[i].seen = append(seen[:0], to.sources[i].seen...)
	}
	f.sources = sources[:len(to.sources)]
}

func (f *fetch) print(p *sim.Print) {
	p.Fold(uint64(f.change)|uint64(f.round)<<32|core.One(f.done)<<40, uint64(f.until), uint64(f.rings), uint64(f.controller)|uint64(len(f.sources))<<32)
	for i := range f.sources {
		s := &f.sources[i]
		p.Fold(uint64(s.node)|core.One(s.ended)<<32, uint64(s.count)|uint64(s.total)<<32, s.bytes, uint64(len(s.seen)))
		p.Fold(s.seen...)
	}
}

func (n *Node) printMove(p *sim.Print) {
	also := uint64(1 << 16)
	if n.Also != nil {
		also = uint64(n.Also.Number)
	}
	p.Fold(uint64(n.view.change)|uint64(n.view.phase)<<32|core.One(n.view.outside)<<40|also<<41,
		uint64(n.view.owes)|uint64(n.view.count)<<32, uint64(n.view.forgot), uint64(n.handled)|uint64(len(n.streams))<<32)
	n.fetch.print(p)
	for i := range n.streams {
		s := &n.streams[i]
		p.Fold(uint64(s.to)|uint64(s.round)<<32, uint64(s.change)|uint64(s.next)<<32, uint64(s.rings), uint64(s.sent), uint64(s.credit))
	}
}
