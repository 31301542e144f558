// Package shards is limiters that count a limit in several stores.
package shards

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ShardParams are a limit that is counted in several stores.
type ShardParams struct {
	Count    int           `yaml:"count"`                        // 10
	By       string        `yaml:"by,oneof=turn|random|user"`    // which shard a request is counted in: turn, the limiter's next; user, always the one of its key
	Each     string        `yaml:"each,oneof=part|whole|weighs"` // what a shard allows of the limit: its part; weighs, all it is asked for, and the limiter adds up
	Part     *int64        `yaml:"part"`                         // of each shard: the limit divided by their number
	Soft     time.Duration `yaml:"soft"`                         // how often a limiter asks all shards for their counts: 0s, never
	Negative bool          `yaml:"negative"`                     // a limiter that was told no rejects by itself until the window ends: false
	Even     int64         `yaml:"even"`                         // of shards-even: Jain's index of what the shards are asked, in parts per thousand: 0, not checked
}

const maxShards = 32

// Problems adds what is wrong with the parameters for a fleet.
func (p *ShardParams) Problems(f *core.Fleet, found *model.Errors) {
	core.Between(found, "shards.count", int64(p.Count), 1, maxShards)
	core.Between(found, "shards.even", p.Even, 0, 1000)
	if p.Part != nil && *p.Part < 1 {
		found.Add("shards.part", "want 1 or more, got %d", *p.Part)
	} else if p.Each != "weighs" && p.Each != "whole" && p.part(f) < 1 {
		found.Add("shards.count", "%d divided by %d shards leaves none for each", f.Limit, p.Count)
	}
	if weighs := p.Each == "weighs"; weighs != (p.Soft > 0) {
		found.Add("shards.soft", "want how often the counts are added up where each weighs, and only there")
	}
	found.If(p.Soft != 0 && p.Soft < time.Millisecond || p.Soft > core.MaxLength, "shards.soft", "want 0s, or 1ms to %v, got %v", core.MaxLength, p.Soft)
	found.If(p.Negative && p.Count > 1, "shards.negative", "a no of one of %d shards is no no of the others: want count 1", p.Count)
}

// part is what each shard allows.
func (p *ShardParams) part(f *core.Fleet) int64 {
	return values.Or(p.Part, f.Limit/int64(max(1, p.Count)))
}

// Place adds limiters that count in shards, by windows of the shards' wall clocks, and the shards to the system.
func (p *ShardParams) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	first := l.First + sim.NodeID(l.Limiters)
	for i := range l.Limiters {
		n := ShardLimiter{Shards: first, Count: p.Count, Keys: l.Keys, Limit: l.Limit, Window: l.Window, Soft: p.Soft, Negative: p.Negative}
		n.By = map[string]ShardBy{"random": AtRandom, "user": ByUser}[p.By]
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), n))
	}
	n := Shard{Window: l.Window, Keys: l.Keys, Part: p.part(f)}
	switch p.Each {
	case "whole":
		n.Part = l.Limit
	case "weighs":
		n.Part = 0
	}
	for i := range p.Count {
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("shard-%d", i+1), n))
	}
}

// Shard is a store of counters, one for each key and window. It counts up to Part, and
// everything if Part is 0.
type Shard struct {
	Window time.Duration
	Keys   int
	Part   int64

	counts []core.WindowCount // by key less 1
}

// Reset implements [sim.Resetter].
func (s *Shard) Reset(initial *Shard) {
	counts := s.counts
	*s = *initial
	s.counts = core.Copied(counts, initial.counts)
}

// Step implements [sim.Node].
func (s *Shard) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if m.Kind == message.Start {
		s.counts = core.Resized(s.counts, s.Keys)
		return
	}
	window, left := core.WindowOf(in.Wall, s.Window)
	c := &s.counts[m.Key-1]
	if c.Window != window {
		*c = core.WindowCount{Window: window}
	}
	switch m.Kind {
	case message.Charge:
		m.OK = s.Part == 0 || c.Count+int64(m.Cost) <= s.Part
		if m.OK {
			c.Count += int64(m.Cost)
		}
		out.Note(message.NewShardOp(m.ID, m.Key, m.OK, c.Count))
		out.Send(in.From, message.NewCharged(m, m.OK, left))
	case message.Peek:
		out.Note(message.NewShardOp(0, m.Key, true, c.Count))
		out.Send(in.From, message.NewPeeked(m.Key, c.Count, window))
	default:
		panic("fleet: a shard got " + m.String())
	}
}

// ShardBy is how a limiter chooses a shard.
type ShardBy uint8

// The next in turn; any; the number of the key modulo the number of shards, which is
// one shard for a key, however many there are.
const (
	NextShard ShardBy = iota
	AtRandom
	ByUser
)

// ShardLimiter counts each request in one of several shards and does as that says.
//
// With Soft, shards count everything, and the limiter rejects when what they last had
// together reaches the limit.
//
// Source: S2 9 of docs/sources.md; by the key is its "rate:$userId:($userId % 10)".
type ShardLimiter struct {
	Shards   sim.NodeID // the first; the others follow
	Count    int
	Keys     int
	Limit    int64
	Window   time.Duration
	By       ShardBy
	Soft     time.Duration
	Negative bool

	next  int
	muted []sim.Mono // by key less 1: until then everything is rejected
	seen  []core.WindowCount
}

// Reset implements [sim.Resetter].
func (l *ShardLimiter) Reset(initial *ShardLimiter) {
	muted, seen := l.muted, l.seen
	*l = *initial
	l.muted, l.seen = core.Copied(muted, initial.muted), core.Copied(seen, initial.seen)
}

// Step implements [sim.Node].
func (l *ShardLimiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
		l.muted, l.seen = core.Resized(l.muted, l.Keys), core.Resized(l.seen, l.Keys*l.Count)
		if l.Soft > 0 {
			out.After(l.Soft, message.Msg{Kind: message.Soft})
		}
	case message.Request:
		l.request(in, out)
	case message.Pick: // the engine has drawn how many nanoseconds ago it was armed
		l.charge(out, m, int(uint64(in.Mono-m.Armed())%uint64(l.Count)))
	case message.Charged:
		l.charged(in, out)
	case message.Soft:
		for key := range l.Keys {
			for i := range l.Count {
				out.Send(l.Shards+sim.NodeID(i), message.Msg{Kind: message.Peek, Key: uint64(key) + 1})
			}
		}
		out.After(l.Soft, message.Msg{Kind: message.Soft})
	case message.Peeked:
		l.seen[(int(m.Key)-1)*l.Count+int(in.From-l.Shards)] = core.WindowCount{Window: m.Window(), Count: m.Count()}
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

func (l *ShardLimiter) request(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if until := l.muted[m.Key-1]; in.Mono < until {
		core.Reject(out, m, in.From, until.Sub(in.Mono))
		return
	}
	if window, left := core.WindowOf(in.Wall, l.Window); l.Soft > 0 && l.sum(m.Key, window)+int64(m.Cost) > l.Limit {
		core.Reject(out, m, in.From, left)
		return
	}
	switch l.By {
	case NextShard:
		l.charge(out, m, l.next)
		l.next = (l.next + 1) % l.Count
	case ByUser:
		l.charge(out, m, int(m.Key%uint64(l.Count)))
	case AtRandom:
		out.AfterDraw(sim.Uniform(0, time.Duration(l.Count)), message.NewPick(m, in.Mono))
	}
}

// sum is what all shards had of a key in a window, when they were last asked.
func (l *ShardLimiter) sum(key uint64, window int64) (sum int64) {
	for _, c := range l.seen[(int(key)-1)*l.Count : int(key)*l.Count] {
		if c.Window == window {
			sum += c.Count
		}
	}
	return sum
}

func (l *ShardLimiter) charge(out *sim.Out[message.Msg], m message.Msg, shard int) {
	out.Send(l.Shards+sim.NodeID(shard), message.Of(message.Charge, m))
}

func (l *ShardLimiter) charged(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if m.OK {
		core.Admit(out, m, message.ClientOf(m.ID), 0)
		return
	}
	if l.Negative {
		l.muted[m.Key-1] = in.Mono.Add(m.Wait())
	}
	core.Reject(out, m, message.ClientOf(m.ID), m.Wait())
}
