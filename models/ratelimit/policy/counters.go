package policy

import (
	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// Counters keep what has been used, for all limiters. Each asks with the limit of the
// version that it has, and is answered by it: of two limits the larger one counts.
type Counters struct {
	book *book // shared, never written
	Tier Tiers
	Wall bool // they go by the wall clock; else by the monotonic one

	slots []slot
}

// slot is one counter, for whichever algorithm.
type slot struct {
	used   bool
	window ratelimit.FixedWindowState
	bucket TierState
	log    SoftState
	queue  ratelimit.LeakyQueueState
}

// Reset implements [sim.Resetter].
func (c *Counters) Reset(initial *Counters) {
	slots := append(c.slots[:0], initial.slots...)
	*c = *initial
	c.slots = slots
	for i := range slots {
		slots[i].log.Log = initial.slots[i].log.Log.Clone()
	}
}

// Recover implements [sim.Recoverer]: they are in a store of their own.
func (c *Counters) Recover(before *Counters) { c.Reset(before) }

// Step implements [sim.Node].
func (c *Counters) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
	case Take:
		out.Send(in.From, c.take(in))
	default:
		panic("policy: the counters got " + in.Msg.String())
	}
}

// take charges every rule that the request matches. The one that refuses is named, else
// the one that leaves the least.
//
// Source: envoyproxy/ratelimit, src/redis/fixed_cache_impl.go: every descriptor is charged, even
// where another one refuses. A descriptor that is over its limit refuses unless it is in shadow mode.
func (c *Counters) take(in sim.In[Msg]) Msg {
	m := in.Msg
	m.Kind, m.OK, m.Rule, m.Flags, m.time = Taken, true, noRule, 0, 0
	now := ratelimit.Reading(in.Mono)
	if c.Wall {
		now = ratelimit.Reading(in.Wall)
	}
	least, watched := int64(0), true
	for _, u := range c.book.match(m.Version, m.Client, m.Tier) {
		d, warned := c.ask(u, now)
		watched = watched && u.shadow
		switch {
		case u.shadow:
			if !d.Allowed {
				m.Flags |= Over
			}
			d = ratelimit.Decision{Allowed: true, Remaining: d.Remaining}
		case !d.Allowed:
			m.setWait(0)
		}
		if warned && !u.shadow {
			m.Flags |= Warned
		}
		if m.Rule == noRule || m.OK && (!d.Allowed || d.Remaining < least) {
			m.Rule, least = u.rule, d.Remaining
		}
		if m.OK = m.OK && d.Allowed; m.OK {
			m.setWait(max(m.wait(), d.Delay()))
		}
	}
	if watched {
		m.Flags |= Watched
	}
	return m
}

// ask takes one from a counter.
func (c *Counters) ask(u use, now ratelimit.Reading) (d ratelimit.Decision, warned bool) {
	if u.plan < 0 {
		return ratelimit.Decision{Allowed: true, Remaining: ratelimit.MaxLimit}, false
	}
	p, s := &c.book.plans[u.plan], &c.slots[u.slot]
	if !s.used {
		c.open(s, p, now)
	}
	cost := int64(1)
	if p.limit == 0 && p.fixed == nil {
		cost = 0 // a window counts what it refuses; in the others only time passes
	}
	switch {
	case p.fixed != nil:
		d = p.fixed.Take(&s.window, now, cost)
	case p.soft != nil:
		d, warned = p.soft.Take(&s.log, now, cost)
	case p.queue != nil:
		d = p.queue.Take(&s.queue, now, cost)
	default:
		d = c.Tier.Take(&s.bucket, now, p.bucket, cost)
	}
	if p.limit == 0 {
		return ratelimit.Decision{Wait: ratelimit.Never}, false
	}
	return d, warned
}

func (c *Counters) open(s *slot, p *plan, now ratelimit.Reading) {
	s.used = true
	switch {
	case p.fixed != nil:
		s.window = p.fixed.Start(now)
	case p.soft != nil:
		s.log = p.soft.Start(now)
	case p.queue != nil:
		s.queue = p.queue.Start(now)
	default:
		s.bucket = c.Tier.Start(now, p.bucket)
	}
}
