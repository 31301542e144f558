package chain

import (
	"math"
	"time"

	"fencepost/models/ratelimit/retry"
	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Client begins operations at its own pace, calls the next node for each, and calls again
// as its policy says. A client that is a layer begins one for each request it gets, and
// answers with what came of it.
//
// Source: Beyer et al., "Site Reliability Engineering", chapters 21 and 22; Brooker,
// "Exponential backoff and jitter", 2015.
type Client struct {
	Next       sim.NodeID // whom it calls
	Layer      bool
	Class      shed.Class // of its operations; a layer's have that of the request
	Start      time.Duration
	Rate       traffic.Rate // operations, evenly; the zero rate is Gap
	Gap        sim.Dist     // between two operations
	Operations int          // 0: without end

	Timeout   time.Duration // of a call; 0: it waits forever
	Operation retry.Operation
	Blind     bool // it calls again even if that is not safe
	Backoff   retry.Backoff
	After     retry.After
	Allowance retry.Allowance
	Oversleep bool // it sleeps after the last failure, too
	Budget    retry.Budget
	Adaptive  retry.Adaptive // K 0: it refuses nothing
	Source    retry.SplitMix64
	Draws     bool // Source begins at a draw of the run

	drawn bool   // it has begun
	begun uint32 // operations, ever
	rest  int64  // of the gaps so far, in nanoseconds divided by Rate.Requests
	ops   []op
	free  uint32 // the first free slot of ops, from 1; 0: there is none
}

// op is one operation under way.
type op struct {
	id       uint64 // 0: the slot is free
	next     uint32 // of a free slot: the free slot after it
	root     uint64
	upstream Msg  // of a layer: the request; else only its class
	waiting  bool // for its next call, not for an answer
	attempt  uint32
	price    int // of the last retry
	begun    sim.Mono
	limit    retry.Allowance
	wait     time.Duration // the last backoff
}

// maxUnderWay bounds the operations that a client has under way at once: beyond, it
// begins none.
const maxUnderWay = 1 << 20

// generators are those that a run chooses from for each client. The choice is drawn as the
// length of a timer, a nanosecond for each.
var generators = sim.Uniform(0, 1<<20)

// Reset implements [sim.Resetter].
func (c *Client) Reset(initial *Client) {
	ops := append(c.ops[:0], initial.ops...)
	*c = *initial
	c.ops = notNil(ops)
}

// notNil is the list, which two states have in common only if both have one.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Recover implements [sim.Recoverer]. Nothing is durable; but a number never comes again.
func (c *Client) Recover(before *Client) { c.begun = before.begun }

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
		if !c.Layer {
			out.After(c.Start, Msg{Kind: begin})
		}
		if c.Draws {
			out.AfterDraw(generators, Msg{Kind: drawn})
		}
		return
	case begin:
		c.begin(in, out, Msg{Class: c.Class})
		c.next(out)
		return
	case Request:
		c.begin(in, out, m)
		return
	}
	o := c.find(m)
	switch m.Kind {
	case again:
		if o != nil && o.waiting {
			c.call(in, out, m.Slot)
		}
	case quit:
		if o != nil && o.waiting {
			c.giveUp(out, m)
		}
	case timeout:
		if o != nil && !o.waiting {
			out.Note(m.about(TimedOut))
			c.failed(in, out, m.about(Reply))
		}
	case Reply:
		c.reply(in, out, o)
	case drawn:
		c.Source ^= retry.SplitMix64(in.Mono) << 32 // above what tells the clients from each other
		c.drawn = true
		switch {
		case o == nil || !o.waiting:
		case o.attempt == 0:
			c.call(in, out, m.Slot)
		default:
			c.repeat(in, out, m)
		}
	default:
		panic("chain: a client got " + m.String())
	}
}

// next arms the start of the operation after the one that has just begun.
func (c *Client) next(out *sim.Out[Msg]) {
	switch {
	case c.Operations > 0 && int(c.begun) >= c.Operations || c.begun == math.MaxUint32:
	case c.Rate.Requests == 0:
		out.AfterDraw(c.Gap, Msg{Kind: begin})
	default: // the n-th is due n*per/requests after the first: what a gap is rounded down by, a later one has more
		gap := int64(c.Rate.Per) / c.Rate.Requests
		c.rest += int64(c.Rate.Per) % c.Rate.Requests
		if c.rest >= c.Rate.Requests {
			c.rest -= c.Rate.Requests
			gap++
		}
		out.After(time.Duration(gap), Msg{Kind: begin})
	}
}

// begin is a new operation: upstream is the request that a layer carries out.
func (c *Client) begin(in sim.In[Msg], out *sim.Out[Msg], upstream Msg) {
	c.begun++
	id := operation(in.Self, c.begun)
	o := op{id: id, root: id, begun: in.Mono, limit: c.Allowance, upstream: upstream}
	if c.Layer {
		o.root = upstream.Root
		if left := upstream.patience(); left > 0 && (o.limit.Deadline == 0 || left < o.limit.Deadline) {
			o.limit.Deadline = left // the client waits no longer
		}
	}
	if c.free == 0 && len(c.ops) < maxUnderWay {
		c.ops = append(c.ops, op{})
		c.free = uint32(len(c.ops))
	}
	out.Note(Msg{Kind: Begun, Class: upstream.Class, ID: id, Root: o.root})
	if c.free == 0 {
		out.Note(Msg{Kind: GaveUp, Class: upstream.Class, ID: id, Root: o.root})
		return
	}
	slot := c.free - 1
	c.free = c.ops[slot].next
	c.ops[slot] = o
	c.call(in, out, slot)
}

// find is the operation that a message is about, nil if it is over or has moved on.
func (c *Client) find(m Msg) *op {
	if int(m.Slot) < len(c.ops) && c.ops[m.Slot].id == m.ID && c.ops[m.Slot].attempt == m.Attempt {
		return &c.ops[m.Slot]
	}
	return nil
}

// call sends an operation once more.
func (c *Client) call(in sim.In[Msg], out *sim.Out[Msg], slot uint32) {
	o := &c.ops[slot]
	if c.Adaptive.K > 0 && c.draw(out, o, Msg{ID: o.id, Slot: slot}) {
		return
	}
	o.attempt++
	o.waiting = false
	m := Msg{Kind: Request, Class: o.upstream.Class, ID: o.id, Root: o.root, Slot: slot, Attempt: o.attempt, value: int64(c.patience(in, o))}
	if c.Adaptive.K > 0 && c.Adaptive.Refuses(in.Mono, c.Source.Next()) {
		out.Note(m.about(Suppressed))
		c.giveUp(out, m)
		return
	}
	if o.attempt == 1 {
		c.Budget.Called(in.Mono)
	}
	out.Note(m.as(Called))
	out.Send(c.Next, m)
	if m.patience() > 0 {
		out.After(m.patience(), m.about(timeout))
	}
}

// patience is how long the client waits for the answer to a call, 0 forever: no longer
// than the whole operation may take. It travels as a length, since clocks differ.
func (c *Client) patience(in sim.In[Msg], o *op) time.Duration {
	if o.limit.Deadline == 0 {
		return c.Timeout
	}
	left := max(1, o.limit.Deadline-in.Mono.Sub(o.begun))
	if c.Timeout == 0 {
		return left
	}
	return min(c.Timeout, left)
}

func (c *Client) reply(in sim.In[Msg], out *sim.Out[Msg], o *op) {
	m := in.Msg
	switch {
	case o == nil || o.waiting:
		out.Note(m.as(Late))
	case retry.Classify(int(m.Status)) == retry.Done:
		c.Budget.Succeeded(o.price)
		c.Adaptive.Accepted(in.Mono)
		out.Note(m.about(Succeeded).with(int64(in.Mono.Sub(o.begun))))
		c.end(out, m.Slot, m.Status)
	default:
		out.Note(m.as(Refused))
		c.failed(in, out, m)
	}
}

// failed decides what follows a call that failed: m.Status is the answer.
func (c *Client) failed(in sim.In[Msg], out *sim.Out[Msg], m Msg) {
	o := &c.ops[m.Slot]
	action := retry.Classify(int(m.Status))
	if action == retry.Later || action == retry.Unsure {
		c.Budget.Failed()
	}
	if !c.Operation.MayRepeat(action) && !(c.Blind && action == retry.Unsure) {
		c.giveUp(out, m)
		return
	}
	if c.draw(out, o, m) {
		return
	}
	c.repeat(in, out, m)
}

// draw reports whether a generator must be drawn first: then m comes back as drawn, a
// millisecond later at most. That is so only in the first millisecond of a client.
func (c *Client) draw(out *sim.Out[Msg], o *op, m Msg) bool {
	if !c.Draws || c.drawn {
		return false
	}
	o.waiting = true
	out.AfterDraw(generators, m.as(drawn))
	return true
}

// repeat calls again after a wait, if it may: m.Status and m.retryAfter() are of the answer.
func (c *Client) repeat(in sim.In[Msg], out *sim.Out[Msg], m Msg) {
	o := &c.ops[m.Slot]
	o.wait = c.Backoff.Wait(int(o.attempt), o.wait, &c.Source)
	wait := c.After.Wait(m.retryAfter(), o.wait, &c.Source)
	if !o.limit.Allows(o.begun, in.Mono, int(o.attempt), wait) {
		if c.Oversleep {
			o.waiting = true
			out.After(wait, m.about(quit))
			return
		}
		c.giveUp(out, m)
		return
	}
	price, ok := c.Budget.Take(in.Mono, m.Status == retry.NoAnswer)
	if !ok {
		c.giveUp(out, m)
		return
	}
	o.price, o.waiting = price, true
	out.Note(m.as(Retrying).with(int64(wait)))
	out.After(wait, m.about(again))
}

func (c *Client) giveUp(out *sim.Out[Msg], m Msg) {
	out.Note(m.as(GaveUp).with(0))
	status := m.Status
	if status == retry.NoAnswer {
		status = 504
	}
	c.end(out, m.Slot, status)
}

// end frees the slot; a layer passes the answer on.
func (c *Client) end(out *sim.Out[Msg], slot uint32, status uint16) {
	if up := c.ops[slot].upstream; c.Layer {
		out.Send(caller(up.ID), up.answer(status))
	}
	c.ops[slot] = op{next: c.free}
	c.free = slot + 1
}
