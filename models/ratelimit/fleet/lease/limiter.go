// Package lease is limiters that decide with tokens which a coordinator has leased to them.
package lease

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Params are of the form lease: limiters that decide with tokens which a
// coordinator has leased to them. What is left out has the value that the comment gives.
type Params struct {
	Batch    int64         `yaml:"batch"`                                         // tokens that a limiter asks for: 10
	For      time.Duration `yaml:"for"`                                           // length of a lease: 1s, and never beyond its window
	Expiry   string        `yaml:"expiry,oneof=from-send|from-receive|wall|none"` // how a limiter knows that it is over: from-send, on the monotonic clock
	Drift    int64         `yaml:"drift"`                                         // parts per million that a clock may be wrong, taken off twice over: 0
	Idle     string        `yaml:"idle,oneof=keep|return"`                        // what becomes of a lease that was not used for half of its length: keep, and renew it
	Learning string        `yaml:"learning,oneof=none|lease|window"`              // of a restarted coordinator, which grants nothing for that time: none
	Timeout  time.Duration `yaml:"timeout"`                                       // how long a request waits for the coordinator: 50ms
}

// Problems adds what is wrong with the parameters for a fleet.
func (p *Params) Problems(f *core.Fleet, found *model.Errors) {
	if a := f.Algorithm.Algorithm; a != "fixed-window" {
		found.Add("algorithm", "a coordinator has a budget per window: want fixed-window, got %s", a)
	}
	found.If(f.Divided, "share", "limiters that lease share the whole limit")
	found.If(f.Window > core.MaxLength, "window", "want at most %v, got %v", core.MaxLength, f.Window)
	found.If(f.Clock != "" && f.Clock != "wall", "clock", "a coordinator has windows on its wall clock, got %s", f.Clock)
	core.Between(found, "lease.batch", p.Batch, 1, ratelimit.MaxLimit)
	core.Between(found, "lease.drift", p.Drift, 0, 100_000)
	core.Length(found, "lease.for", p.For)
	core.Length(found, "lease.timeout", p.Timeout)
	found.If(p.Drift > 0 && p.Expiry != "" && p.Expiry != "from-send", "lease.drift", "it is taken off a lease that ends from-send, not %s", p.Expiry)
}

// Place adds limiters that lease, and their coordinator, to the system.
func (p *Params) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	n := Limiter{Coordinator: l.First + sim.NodeID(l.Limiters), Limit: f.Limit, Batch: p.Batch, Drift: p.Drift,
		Return: p.Idle == "return", Timeout: p.Timeout, keys: make([]lease, l.Keys)}
	n.Expiry = map[string]leaseExpiry{"from-receive": fromReceive, "wall": byWallClock, "none": unchecked}[p.Expiry]
	for i := range l.Limiters {
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), n))
	}
	s.Nodes = append(s.Nodes, sim.Place[message.Msg]("coordinator", p.Coordinator(f)))
}

// Coordinator is the node that the parameters describe.
func (p *Params) Coordinator(f *core.Fleet) Coordinator {
	l := &f.Layout
	c := Coordinator{First: l.First, Absolute: p.Expiry == "wall", keys: make([]leaseTable, l.Keys),
		rule: leaseRule{limit: f.Limit, window: f.Window, length: p.For}}
	switch p.Learning {
	case "lease":
		c.Learning = p.For
	case "window":
		c.Learning = f.Window
	}
	for i := range c.keys {
		c.keys[i].nodes = make([]leaseHolder, l.Limiters)
	}
	return c
}

// Coordinator hands out the limit of each window in leases.
//
// Source: youtube/doorman, doc/design.md, leases and "Learning mode".
type Coordinator struct {
	First    sim.NodeID    // limiter
	Absolute bool          // leases end at an instant of the wall clock
	Learning time.Duration // after a restart nothing is granted for this long; a whole window: until that one is over

	rule      leaseRule
	keys      []leaseTable // by key less 1
	restarted bool         // survives a crash
	silent    sim.Mono     // nothing is granted before that
}

// Reset implements [sim.Resetter].
func (c *Coordinator) Reset(initial *Coordinator) {
	keys := c.keys
	*c = *initial
	c.keys = keys
	if c.keys == nil {
		c.keys = make([]leaseTable, len(initial.keys))
	}
	for i := range c.keys {
		c.keys[i].copyFrom(&initial.keys[i])
	}
}

// Recover implements [sim.Recoverer]: all that is left is that there was one before.
func (c *Coordinator) Recover(*Coordinator) { c.restarted = true }

// Step implements [sim.Node].
func (c *Coordinator) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
		if c.restarted {
			c.silent = in.Mono.Add(min(c.Learning, c.rule.left(in.Wall)))
		}
	case message.LeaseAsk:
		c.grant(in, out, m)
	case message.LeaseReturn:
		i := int(in.From - c.First)
		if back := c.rule.giveBack(&c.keys[m.Key-1], i, m.ID, m.Tokens(), m.LeaseWindow(), in.Wall); back > 0 {
			out.Note(message.NewReturned(i, m.Key, back))
		}
	default:
		panic("fleet: a coordinator got " + m.String())
	}
}

// grant answers an ask.
func (c *Coordinator) grant(in sim.In[message.Msg], out *sim.Out[message.Msg], m message.Msg) {
	i := int(in.From - c.First)
	if m.ID < c.keys[m.Key-1].nodes[i].asked {
		return // a later ask has overtaken it, and no request waits for the answer
	}
	g, again := leaseGrant{length: c.silent.Sub(in.Mono)}, false
	if in.Mono >= c.silent {
		g, again = c.rule.ask(&c.keys[m.Key-1], i, m.ID, m.Tokens(), in.Wall)
	}
	out.Note(message.NewLeased(i, m.Key, g.tokens, g.length, again))
	if c.Absolute && g.tokens > 0 {
		out.Send(in.From, message.NewAbsoluteGrant(m.ID, m.Key, g.tokens, in.Wall.Add(g.length), g.window))
		return
	}
	out.Send(in.From, message.NewLeaseGrant(m.ID, m.Key, g.tokens, g.length, g.window))
}

// Limiter decides with tokens that it has leased. A request that finds too few
// waits while it asks for more.
//
// Source: youtube/doorman, doc/design.md, leases.
type Limiter struct {
	Coordinator sim.NodeID
	Limit       int64
	Batch       int64
	Expiry      leaseExpiry
	Drift       int64 // parts per million
	Return      bool  // a lease that was not used for half of its length
	Timeout     time.Duration

	keys    []lease // by key less 1
	crashes uint64  // survives them
	seq     uint64  // last number used
}

// maxWaiting bounds the requests of a key that wait for the coordinator.
const maxWaiting = 4096

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	keys := l.keys
	*l = *initial
	l.keys = keys
	if l.keys == nil {
		l.keys = make([]lease, len(initial.keys))
	}
	for i := range l.keys {
		waiting := l.keys[i].waiting[:0]
		if waiting == nil {
			waiting = make([]message.Msg, 0, 8)
		}
		waiting = append(waiting, initial.keys[i].waiting...)
		l.keys[i] = initial.keys[i]
		l.keys[i].waiting = waiting
	}
}

// Recover implements [sim.Recoverer]: all that is left is how often there was one.
func (l *Limiter) Recover(before *Limiter) { l.crashes = before.crashes + 1 }

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if m.Kind == message.Start {
		l.seq = l.crashes << 32 // past every number used before
		return
	}
	k := &l.keys[m.Key-1]
	l.lapse(in, out, k)
	switch m.Kind {
	case message.Request:
		l.request(in, out, k)
	case message.LeaseGrant:
		if m.ID == k.asking {
			l.granted(in, out, k)
		}
	case message.LeaseHalf:
		if m.ID == k.grant && k.tokens > 0 {
			l.half(in, out, k)
		}
	case message.LeaseEnd: // what is left has lapsed
	case message.LeaseWait:
		if m.ID == k.asking {
			k.silent = true
			l.refuse(out, k, 0)
		}
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// lapse drops a lease that is over. The check and the use of a token are in one step,
// so that no pause can come between them.
func (l *Limiter) lapse(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease) {
	if k.tokens > 0 && k.over(l.Expiry, in.Mono, in.Wall) {
		l.drop(out, in.Msg.Key, k)
	}
}

func (l *Limiter) drop(out *sim.Out[message.Msg], key uint64, k *lease) {
	out.Note(message.NewLapsed(key, k.tokens))
	l.giveBack(out, key, k)
}

// giveBack lets others have what is not used, if it comes before the window is over.
func (l *Limiter) giveBack(out *sim.Out[message.Msg], key uint64, k *lease) {
	l.seq++
	out.Send(l.Coordinator, message.NewLeaseReturn(l.seq, key, k.tokens, k.window))
	k.tokens = 0
}

// request is step 2.
func (l *Limiter) request(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease) {
	m := in.Msg
	switch cost := int64(m.Cost); {
	case cost <= k.tokens:
		l.use(in, out, k, m)
	case cost > l.Limit:
		core.Reject(out, m, message.ClientOf(m.ID), ratelimit.Never)
	case len(k.waiting) == maxWaiting:
		core.Reject(out, m, message.ClientOf(m.ID), 0)
	default:
		k.waiting = append(k.waiting, m)
		if k.asking == 0 || k.silent {
			l.ask(in, out, k, max(l.Batch, cost)-k.tokens)
		}
	}
}

func (l *Limiter) use(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease, m message.Msg) {
	k.tokens -= int64(m.Cost)
	k.used = in.Mono
	core.Admit(out, m, message.ClientOf(m.ID), k.tokens)
}

// ask is step 1. What has not been answered is asked again under the same number, and
// the lease counts from when it was asked first.
func (l *Limiter) ask(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease, want int64) {
	if k.asking == 0 {
		l.seq++
		k.asking, k.asked = l.seq, in.Mono
	}
	k.silent = false
	out.Send(l.Coordinator, message.NewLeaseAsk(k.asking, in.Msg.Key, want))
	out.After(l.Timeout, message.NewLeaseTimer(message.LeaseWait, k.asking, in.Msg.Key))
}

// granted adds what was leased, and serves who waited for it.
func (l *Limiter) granted(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease) {
	m := in.Msg
	k.asking = 0
	if m.Tokens() == 0 {
		l.refuse(out, k, m.LeaseLength())
		return
	}
	if k.tokens > 0 && m.LeaseWindow() != k.window {
		l.drop(out, m.Key, k) // a clock that is slow does not know yet that they are over
	}
	k.tokens, k.window, k.grant = k.tokens+m.Tokens(), m.LeaseWindow(), m.ID
	l.ending(in, out, k)
	l.lapse(in, out, k)
	if k.tokens == 0 {
		l.refuse(out, k, 0) // the answer took longer than the lease
		return
	}
	served := 0
	for _, w := range k.waiting {
		if int64(w.Cost) > k.tokens {
			break
		}
		l.use(in, out, k, w)
		served++
	}
	k.waiting = append(k.waiting[:0], k.waiting[served:]...)
	if len(k.waiting) > 0 {
		l.ask(in, out, k, max(l.Batch, int64(k.waiting[0].Cost))-k.tokens)
	}
}

// ending is when the lease that has just come is over.
func (l *Limiter) ending(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease) {
	m := in.Msg
	left := m.LeaseLength()
	switch l.Expiry {
	case byWallClock:
		k.until = m.LeaseUntil()
		left = max(0, k.until.Sub(in.Wall))
	case fromReceive:
		k.ends = in.Mono.Add(left)
	default:
		k.ends = k.asked.Add(shortened(left, l.Drift))
		left = max(0, k.ends.Sub(in.Mono))
	}
	out.After(left/2, message.NewLeaseHalf(m.ID, m.Key, left/2))
	out.After(left, message.NewLeaseTimer(message.LeaseEnd, m.ID, m.Key))
}

// half is when half of a lease is over: it is renewed, or returned if it was not used
// in that half.
func (l *Limiter) half(in sim.In[message.Msg], out *sim.Out[message.Msg], k *lease) {
	switch {
	case l.Return && in.Mono.Sub(k.used) >= in.Msg.HalfLength():
		l.giveBack(out, in.Msg.Key, k)
	case k.asking == 0 && k.tokens < l.Batch:
		l.ask(in, out, k, l.Batch-k.tokens)
	}
}

// refuse is for all who wait.
func (l *Limiter) refuse(out *sim.Out[message.Msg], k *lease, retry time.Duration) {
	for _, w := range k.waiting {
		core.Reject(out, w, message.ClientOf(w.ID), retry)
	}
	k.waiting = k.waiting[:0]
}
