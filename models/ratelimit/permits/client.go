package permits

import (
	"time"

	"fencepost/sim"
)

// Client sends a request, waits for the answer or until it has had enough, thinks, and
// sends the next one.
type Client struct {
	Limiter  sim.NodeID
	Start    time.Duration // when it sends the first
	Think    sim.Dist      // from the end of one to the next
	Requests int           // in all; 0: without end
	Patience time.Duration // after which it closes the connection; 0: never
	Deadline time.Duration // that it sends along, as a duration: how long it may wait for its turn; 0: none

	sent    int
	waiting bool // for the answer to the last
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	last := ridOf(in.Self, c.sent)
	switch m := in.Msg; m.Kind {
	case start:
		out.After(c.Start, Msg{Kind: send})
	case send:
		c.sent++
		c.waiting = true
		rid := ridOf(in.Self, c.sent)
		out.Send(c.Limiter, Msg{Kind: Req, Rid: rid, Wait: c.Deadline})
		if c.Patience > 0 {
			out.After(c.Patience, Msg{Kind: giveUp, Rid: rid})
		}
	case Resp:
		if c.waiting && m.Rid == last {
			out.Note(answered(Got, m.Rid, m.status()))
			c.next(out)
		}
	case giveUp:
		if c.waiting && m.Rid == last {
			out.Note(Msg{Kind: Gone, Rid: m.Rid})
			out.Send(c.Limiter, Msg{Kind: Cancel, Rid: m.Rid})
			c.next(out)
		}
	default:
		panic("permits: a client got " + m.String())
	}
}

func (c *Client) next(out *sim.Out[Msg]) {
	c.waiting = false
	if (c.Requests == 0 || c.sent < c.Requests) && c.sent < maxRequests {
		out.AfterDraw(c.Think, Msg{Kind: send})
	}
}

// Recover implements [sim.Recoverer]. Nothing is durable; but a number that stands for a
// random request id never comes again.
func (c *Client) Recover(before *Client) { c.sent = before.sent }

// Operator shuts the limiter down, perhaps more than once.
type Operator struct {
	Limiter sim.NodeID
	At      []time.Duration // in order; shared, never written

	given int
}

// Step implements [sim.Node].
func (o *Operator) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
	case order:
		out.Send(o.Limiter, Msg{Kind: Shutdown})
		o.given++
	default:
		panic("permits: the operator got " + in.Msg.String())
	}
	if o.given < len(o.At) {
		out.After(max(o.At[o.given]-time.Duration(in.Mono), 0), Msg{Kind: order}) // late if it was stopped
	}
}

// Recover implements [sim.Recoverer]: what the operator has done stays done.
func (o *Operator) Recover(before *Operator) { o.given = before.given }
