// Package balancer is limiters that do not talk to each other, behind a load balancer.
package balancer

import (
	"fmt"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Params are a load balancer before limiters that do not talk to each other.
type Params struct {
	Stick    string        `yaml:"stick,oneof=none|cookie|key"` // what decides the limiter: none, the next one in turn; cookie, the one that the client had before; key, a hash
	Hash     string        `yaml:"hash,oneof=rendezvous|mod"`   // of the key over the limiters: rendezvous
	Health   time.Duration `yaml:"health"`                      // each limiter is asked so often whether it lives, and taken out if it does not say so in time: 1s
	Members  int           `yaml:"members"`                     // limiters at the start, the others wait: all
	Scale    []ScaleParams `yaml:"scale"`                       // none
	Announce time.Duration `yaml:"announce"`                    // this long after a change the limiters learn how many they are, for their share of the limit: 0s
}

// ScaleParams are a change of how many limiters take part.
type ScaleParams struct {
	At time.Duration `yaml:"at"`
	To int           `yaml:"to"`
}

// Problems adds what is wrong with the parameters for a fleet.
func (p *Params) Problems(f *core.Fleet, found *model.Errors) {
	if p.Members != 0 {
		core.Between(found, "balancer.members", int64(p.Members), 1, int64(f.Limiters))
	}
	found.If(p.Health < time.Millisecond || p.Health > core.MaxLength, "balancer.health", "want 1ms to %v, got %v", core.MaxLength, p.Health)
	found.If(p.Announce < 0 || p.Announce > core.MaxLength, "balancer.announce", "want 0s to %v, got %v", core.MaxLength, p.Announce)
	for i, s := range p.Scale {
		path := fmt.Sprintf("balancer.scale.%d", i)
		core.Between(found, path+".to", int64(s.To), 1, int64(f.Limiters))
		found.If(s.At < 0 || s.At > core.MaxLength, path+".at", "want 0s to %v, got %v", core.MaxLength, s.At)
	}
	for i, c := range f.Clients {
		found.If(c.Route != "" && c.Route != "round-robin" || c.To > 1, fmt.Sprintf("clients.%d.route", i), "the balancer chooses the limiter: want none")
	}
	found.If(f.Divided && !f.Windowed(), "share", "the limit of %s cannot change on its way: want fixed-window, anchored-window, sliding-log, sliding-counter or sub-windows", f.Algorithm.Algorithm)
}

// members is how many limiters take part at the start.
func (p *Params) members(f *core.Fleet) int {
	if p.Members > 0 {
		return p.Members
	}
	return f.Limiters
}

// Place adds limiters that do not talk to each other, and a balancer in front of them, to the system.
func (p *Params) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	var shares []core.Keys
	for n := 1; f.Divided && n <= f.Limiters; n++ {
		shares = append(shares, f.MustKeys(max(1, f.Limit/int64(n))))
	}
	for i := range l.Limiters {
		n := Member{Limiter: core.Limiter{Clock: f.ClockID()}, shares: shares}
		if shares != nil {
			n.Keys = shares[p.members(f)-1]
		} else {
			n.Keys = f.MustKeys(f.Limit)
		}
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), n))
	}
	s.Nodes = append(s.Nodes, sim.Place[message.Msg]("balancer", Balancer{
		Limiters: l.First, Count: l.Limiters, Clients: l.Clients, Keys: l.Keys, Members: p.members(f),
		Stick: map[string]Stick{"cookie": ByCookie, "key": ByHash}[p.Stick], Mod: p.Hash == "mod",
		Health: p.Health, Scale: p.Scale, Announce: p.Announce, Divided: f.Divided,
	}))
}

// Stick is what a balancer chooses a limiter by.
type Stick uint8

// In turn; the one that the client was given first, as long as it lives; by a hash of
// the key.
const (
	InTurn Stick = iota
	ByCookie
	ByHash
)

// Balancer passes requests to limiters and their answers back. It asks the limiters
// whether they live, takes out those that do not, and answers what they had for them:
// as rejected, and by no limit.
//
// Source: S3 sticky sessions of docs/sources.md; rendezvous hashing is Thaler and
// Ravishankar, "A name-based mapping scheme for rendezvous", 1996.
type Balancer struct {
	Limiters sim.NodeID // the first; the others follow
	Count    int        // of limiters
	Clients  int        // nodes 1 and up
	Keys     int
	Members  int // of the limiters, that take part
	Stick    Stick
	Mod      bool // the hash is taken modulo the limiters there are; else the highest hash of key and limiter wins
	Health   time.Duration
	Scale    []ScaleParams
	Announce time.Duration
	Divided  bool // limiters are told how many they are

	out     []bool // by limiter: taken out, as it does not answer
	silent  []bool // by limiter: has not answered the last question
	cookies []int  // by client: its limiter from 1, 0 for none
	next    int    // of those in turn
	pending []passed
}

// passed is a request that a limiter has.
type passed struct {
	id uint64
	to int
}

// Reset implements [sim.Resetter].
func (b *Balancer) Reset(initial *Balancer) {
	out, silent, cookies, pending := b.out, b.silent, b.cookies, b.pending
	*b = *initial
	b.out, b.silent = core.Copied(out, initial.out), core.Copied(silent, initial.silent)
	b.cookies, b.pending = core.Copied(cookies, initial.cookies), core.Copied(pending, initial.pending)
}

// Step implements [sim.Node].
func (b *Balancer) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Start:
		b.out, b.silent, b.cookies = core.Resized(b.out, b.Count), core.Resized(b.silent, b.Count), core.Resized(b.cookies, b.Clients)
		for i, s := range b.Scale {
			out.After(s.At, message.NewScale(i))
		}
		out.After(b.Health, message.Msg{Kind: message.Health})
	case message.Request:
		b.pass(out, m)
	case message.Response:
		b.back(out, m)
	case message.Health:
		b.health(out)
	case message.Alive:
		i := int(in.From - b.Limiters)
		b.silent[i] = false
		b.rotate(out, func() { b.out[i] = false })
	case message.Scale:
		to := b.Scale[m.Change()].To
		b.rotate(out, func() { b.Members = to })
		if b.Divided {
			out.After(b.Announce, message.NewMembers(message.Announce, to))
		}
	case message.Announce:
		for i := range b.Count {
			out.Send(b.Limiters+sim.NodeID(i), message.NewMembers(message.Members, m.Limiters()))
		}
	default:
		panic("fleet: a balancer got " + m.String())
	}
}

// pass gives a request to a limiter, or answers it where there is none.
func (b *Balancer) pass(out *sim.Out[message.Msg], m message.Msg) {
	i := b.choose(m)
	if i < 0 {
		out.Send(message.ClientOf(m.ID), message.Msg{Kind: message.Response, ID: m.ID})
		return
	}
	b.pending = append(b.pending, passed{m.ID, i})
	out.Send(b.Limiters+sim.NodeID(i), m)
}

// choose is the limiter for a request, -1 if none lives.
func (b *Balancer) choose(m message.Msg) int {
	if b.Stick == ByHash {
		return b.hashed(m.Key)
	}
	cookie := &b.cookies[message.ClientOf(m.ID)-1]
	if b.Stick == ByCookie && *cookie > 0 && b.takes(*cookie-1) {
		return *cookie - 1
	}
	for range b.Count {
		i := b.next
		b.next = (b.next + 1) % b.Count
		if b.takes(i) {
			*cookie = i + 1
			return i
		}
	}
	return -1
}

// takes reports whether a limiter takes part and lives.
func (b *Balancer) takes(i int) bool { return i < b.Members && !b.out[i] }

// hashed is the limiter of a key.
func (b *Balancer) hashed(key uint64) int {
	best, highest, living := -1, uint64(0), uint64(0)
	for i := range b.Count {
		if !b.takes(i) {
			continue
		}
		living++
		if h := splitmix.Hash(splitmix.Hash(key) + uint64(i)); best < 0 || h > highest {
			best, highest = i, h
		}
	}
	if !b.Mod || living == 0 {
		return best
	}
	nth := splitmix.Hash(key) % living
	for i := range b.Count {
		if b.takes(i) {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	return -1
}

// back passes an answer to its client, once.
func (b *Balancer) back(out *sim.Out[message.Msg], m message.Msg) {
	for i := range b.pending {
		if b.pending[i].id == m.ID {
			b.pending = append(b.pending[:i], b.pending[i+1:]...)
			out.Send(message.ClientOf(m.ID), m)
			return
		}
	}
}

// health takes out who has not answered the last question, and asks again.
func (b *Balancer) health(out *sim.Out[message.Msg]) {
	for i := range b.Count {
		if b.silent[i] && !b.out[i] {
			b.rotate(out, func() { b.out[i] = true })
			b.fail(out, i)
		}
		b.silent[i] = true
		out.Send(b.Limiters+sim.NodeID(i), message.Msg{Kind: message.Ping})
	}
	out.After(b.Health, message.Msg{Kind: message.Health})
}

// fail answers what a limiter had.
func (b *Balancer) fail(out *sim.Out[message.Msg], limiter int) {
	left := b.pending[:0]
	for _, p := range b.pending {
		if p.to != limiter {
			left = append(left, p)
			continue
		}
		out.Send(message.ClientOf(p.id), message.Msg{Kind: message.Response, ID: p.id})
	}
	b.pending = left
}

// rotate changes who takes part, and notes how many keys that moves.
func (b *Balancer) rotate(out *sim.Out[message.Msg], change func()) {
	if b.Stick != ByHash {
		change()
		return
	}
	before := make([]int, b.Keys)
	for key := range b.Keys {
		before[key] = b.hashed(uint64(key) + 1)
	}
	change()
	moved := 0
	for key := range b.Keys {
		if b.hashed(uint64(key)+1) != before[key] {
			moved++
		}
	}
	if moved > 0 {
		out.Note(message.NewMoved(moved, b.Keys))
	}
}
