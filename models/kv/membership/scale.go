package membership

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// Scale is when the load of the nodes changes their number.
//
// A node is added after AddAfter samples in a row above AddAbove, and one is drained after
// DrainAfter samples in a row below DrainBelow; not while a change runs, not within CoolDown of
// the end of one, and no node is drained of N.
//
// Source: the requirement of automatic scaling with the key-value store; Gandhi et al.,
// "AutoScale: Dynamic, Robust Capacity Management", TOCS 2012, on draining late.
type Scale struct {
	Every                time.Duration // from one sample to the next
	Capacity             int           // requests per second that are all of the load of a node
	AddAbove, DrainBelow int           // thousandths of the capacity
	AddAfter, DrainAfter int           // samples
	CoolDown             time.Duration
}

// Immutable implements [sim.Immutable].
func (*Scale) Immutable() {}

// load is what a controller knows of the load.
type load struct {
	sample   uint32
	answered []bool // by node: in this sample
	left     int
	members  int
	handled  uint64 // requests of all nodes that have answered

	above, below int // samples in a row
	rests        bool
	restsSince   sim.Mono // the end of the latest change
}

// rested is the end of a change.
func (l *load) rested(now sim.Mono) { l.rests, l.restsSince = true, now }

// sample asks all members how many requests they have handled since they were asked last.
func (c *Controller) sample(_ sim.In[core.Msg], out *sim.Out[core.Msg]) {
	l, r := &c.load, c.Rings[c.ring]
	l.sample++
	l.members, l.left, l.handled = r.Nodes, r.Nodes, 0
	l.answered = append(l.answered[:0], make([]bool, c.Nodes+1)...)
	for i := range r.Nodes {
		out.Send(r.Member(i), core.NewLoadAsk(l.sample))
	}
	out.After(c.Scale.Every, core.Msg{Kind: core.SampleDue})
}

// loadOf is the answer of a node. With the last one the sample is complete.
func (c *Controller) loadOf(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	l := &c.load
	if in.Msg.Sample() != l.sample || l.answered[in.From] {
		return
	}
	l.answered[in.From] = true
	l.handled += in.Msg.Handled()
	if l.left--; l.left > 0 || l.sample == 1 { // the first has no beginning
		return
	}
	capacity := uint64(c.Scale.Capacity) * uint64(l.members) * uint64(c.Scale.Every/time.Millisecond)
	share := int(l.handled * 1_000_000 / capacity) // thousandths
	out.Note(core.NewSampled(uint32(share), l.members))
	l.above, l.below = oneMore(l.above, share > c.Scale.AddAbove), oneMore(l.below, share < c.Scale.DrainBelow)
	c.scale(in, out)
}

// oneMore counts in a row.
func oneMore(count int, again bool) int {
	if again {
		return count + 1
	}
	return 0
}

// scale starts a change if the load demands one. Ring i has N + i members.
func (c *Controller) scale(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	l := &c.load
	if c.stage != idle || l.rests && in.Mono.Before(l.restsSince.Add(c.Scale.CoolDown)) {
		return
	}
	switch r := c.Rings[c.ring]; {
	case l.above >= c.Scale.AddAfter && int(c.ring)+1 < len(c.Rings):
		l.above = 0
		next := c.Rings[c.ring+1]
		c.start(in, out, core.Joins, next.Member(next.Nodes-1), c.ring+1)
	case l.below >= c.Scale.DrainAfter && c.ring > 0:
		l.below = 0
		c.start(in, out, core.Leaves, r.Member(r.Nodes-1), c.ring-1)
	}
}

func (l *load) print(p *sim.Print) {
	p.Fold(uint64(l.sample)|uint64(l.left)<<32, l.handled, uint64(l.members)|uint64(l.above)<<16|uint64(l.below)<<32|core.One(l.rests)<<63, uint64(l.restsSince))
	for _, a := range l.answered {
		p.Fold(core.One(a))
	}
}
