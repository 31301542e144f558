// Package regions is limiters, one per region, that tell each other what they have counted.
package regions

import (
	"fmt"
	"math/bits"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// RegionParams are of the form regions: limiters, one per region, that tell each other
// every so often what they have counted. What is left out has the value that the comment
// gives.
type RegionParams struct {
	Every  time.Duration `yaml:"every"`  // between two messages to the other regions: 1s
	Shares []int64       `yaml:"shares"` // of the limit, one for each region, which then tell each other nothing: none
	Home   bool          `yaml:"home"`   // the region of a key decides alone, the others send it their requests: false
}

// Problems adds what is wrong with the parameters for a fleet.
func (p *RegionParams) Problems(f *core.Fleet, found *model.Errors) {
	if a := f.Algorithm.Algorithm; a != "fixed-window" {
		found.Add("algorithm", "regions count windows: want fixed-window, got %s", a)
	}
	found.If(f.Divided, "share", "regions divide the limit by regions.shares")
	if n := f.Limiters * f.Limiters * f.Layout.Keys; n > core.MaxTables && f.Limiters <= core.MaxLimiters {
		found.Add("limiters", "%d regions that tell each other of each key send %d messages at once: want at most %d", f.Limiters, n, core.MaxTables)
	}
	core.Length(found, "regions.every", p.Every)
	if n := len(p.Shares); n > 0 && n != f.Limiters {
		found.Add("regions.shares", "want one for each of %d regions, got %d", f.Limiters, n)
	}
	found.If(p.Home && len(p.Shares) > 0, "regions.home", "a home region decides alone: regions have no shares")
	for i, s := range p.Shares {
		core.Between(found, fmt.Sprintf("regions.shares.%d", i), s, 0, 1_000_000)
	}
	found.If(len(p.Shares) > 0 && sumOf(p.Shares) <= 0, "regions.shares", "want one share above 0")
}

func sumOf(list []int64) (sum int64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// Place adds the limiters of the regions to the system.
func (p *RegionParams) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	for i := range l.Limiters {
		n := Region{First: l.First, Count: l.Limiters, Limit: f.Limit, Window: f.Window, Every: p.Every, Home: p.Home, Clock: f.ClockID(),
			keys: make([]regionKey, l.Keys)}
		if len(p.Shares) > 0 {
			n.Every, n.Limit = 0, part(f.Limit, p.Shares[i], sumOf(p.Shares))
		}
		for k := range n.keys {
			n.keys[k].counts = make([]int64, l.Limiters)
		}
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("region-%d", i+1), n))
	}
}

// Region decides by what it has counted itself and by what the other regions have told
// it: a counter that only grows, by region and window, which does not mind lost,
// doubled or late messages.
//
// Source: the G-counter of Shapiro et al., "A comprehensive study of convergent and
// commutative replicated data types", INRIA 2011.
type Region struct {
	First  sim.NodeID // region
	Count  int
	Limit  int64
	Window time.Duration
	Every  time.Duration // 0: it tells the others nothing
	Home   bool          // it sends requests to the region of their key
	Clock  sim.ClockID

	keys []regionKey // by key less 1
}

// regionKey is what a region knows of a key.
type regionKey struct {
	begun  bool
	start  int64   // of the window
	counts []int64 // by region
}

// Reset implements [sim.Resetter].
func (r *Region) Reset(initial *Region) {
	keys := r.keys
	*r = *initial
	r.keys = keys
	if r.keys == nil {
		r.keys = make([]regionKey, len(initial.keys))
	}
	for i := range r.keys {
		counts := append(r.keys[i].counts[:0], initial.keys[i].counts...)
		r.keys[i] = initial.keys[i]
		r.keys[i].counts = counts
	}
}

// Step implements [sim.Node].
func (r *Region) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	now := int64(core.Reading(&in, r.Clock))
	self := int(in.Self - r.First)
	switch m.Kind {
	case message.Start:
		if r.Every > 0 && !r.Home {
			out.After(r.Every, message.Msg{Kind: message.GossipTick})
		}
	case message.Request:
		if home := int(m.Key-1) % r.Count; r.Home && home != self {
			out.Send(r.First+sim.NodeID(home), m)
			return
		}
		core.Answer(out, m, message.ClientOf(m.ID), r.take(&r.keys[m.Key-1], self, now, int64(m.Cost)))
	case message.GossipTick:
		out.After(r.Every, m)
		for i := range r.keys {
			r.send(out, uint64(i+1), self, now)
		}
	case message.Gossip:
		k := &r.keys[m.Key-1]
		k.roll(now, r.Window)
		from := int(in.From - r.First)
		if m.Window() == k.start && m.Count() > k.counts[from] {
			k.counts[from] = m.Count()
		}
		out.Note(message.NewHeard(m, from))
	default:
		panic("fleet: a region got " + m.String())
	}
}

// roll begins a new window. A clock that goes back stands still at its begin.
func (k *regionKey) roll(now int64, window time.Duration) {
	if start := core.FloorTo(now, window); !k.begun || start > k.start {
		k.begun, k.start = true, start
		clear(k.counts)
	}
}

// take decides by what is known here.
func (r *Region) take(k *regionKey, self int, now, cost int64) ratelimit.Decision {
	k.roll(now, r.Window)
	left := r.Limit - sumOf(k.counts)
	d := ratelimit.Decision{Allowed: cost <= left, Remaining: max(0, left)}
	switch {
	case d.Allowed:
		k.counts[self] += cost
		d.Remaining = left - cost
	case cost > r.Limit:
		d.Wait = ratelimit.Never
	default:
		d.Wait = time.Duration(k.start + int64(r.Window) - now)
	}
	return d
}

// send sends the own count of a key to all other regions.
func (r *Region) send(out *sim.Out[message.Msg], key uint64, self int, now int64) {
	k := &r.keys[key-1]
	if !k.begun {
		return
	}
	k.roll(now, r.Window)
	for i := range r.Count {
		if i != self {
			out.Send(r.First+sim.NodeID(i), message.NewGossip(key, k.counts[self], k.start))
		}
	}
}

// part is limit*share/all, rounded down: all parts together are at most the limit.
func part(limit, share, all int64) int64 {
	hi, lo := bits.Mul64(uint64(limit), uint64(share))
	q, _ := bits.Div64(hi, lo, uint64(all))
	return int64(q)
}
