package idempotency

import (
	"time"

	"fencepost/sim"
)

// KeyPer says what a client makes an idempotency key for.
type KeyPer uint8

// One key for what the user wants; for each call of it; of the content of the request alone;
// of content and time, so that each attempt has another.
const (
	KeyPerIntent KeyPer = iota
	KeyPerCall
	KeyOfContent
	KeyOfContentAndTime
)

// Client sends what its user wants until it has a final answer: the same request with the
// same key, after no answer and after a 5xx when Backoff is over, after a 409, 425 or 429
// when the server says, but no sooner. What a request without an answer did it does not know.
// Its intents, calls and keys are durable: after a crash it sends what is not answered again.
//
// Source: Stripe API reference, "Idempotent requests"; IETF
// draft-ietf-httpapi-idempotency-key-header, section 2.
type Client struct {
	Servers  [2]sim.NodeID // first and last: attempt a of click c of client i goes to the (i+c+a)th
	Number   int           // i, from 0
	Of       int           // clients, for the numbers of intents
	Tenant   Value
	Intent   Value // the first; the next is Of more
	Key      Value // of the first; the next is Of more
	Amount   Value
	Intents  int
	Start    time.Duration
	Gap      sim.Dist      // from one intent to the next
	Clicks   int           // calls of an intent
	Between  time.Duration // two of them
	KeyPer   KeyPer
	Attempts int // of a call
	Timeout  time.Duration
	Backoff  sim.Dist
	// ConflictIsSuccess takes a 409 for success.
	ConflictIsSuccess bool

	begun   int    // intents: durable
	numbers uint32 // of calls: durable
	calls   []call // without a final answer: durable
}

// call is one call of an intent, in as many attempts as it takes.
type call struct {
	demand
	click   uint16
	attempt uint16
	number  uint32 // of the attempt
	waiting bool   // for the next attempt, not for an answer
}

// Reset implements [sim.Resetter].
func (c *Client) Reset(initial *Client) {
	calls := append(c.calls[:0], initial.calls...)
	*c = *initial
	c.calls = calls
}

// Recover implements [sim.Recoverer].
func (c *Client) Recover(before *Client) {
	c.begun, c.numbers = before.begun, before.numbers
	c.calls = append(c.calls[:0], before.calls...)
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		c.start(in, out)
	case next:
		c.next(in, out)
	case click:
		c.click(in, out, m.demand(), m.Attempt)
	case again:
		if o := c.find(m.Call); o != nil && o.waiting {
			c.send(in, out, o)
		}
	case timeout:
		if o := c.find(m.Call); o != nil && !o.waiting {
			c.failed(out, o, 0, Null)
		}
	case Response:
		if o := c.find(m.Call); o != nil && !o.waiting {
			c.answered(out, o, m)
		}
	default:
		panic("idempotency: a client got " + m.String())
	}
}

// start begins with the first intent, or after a crash with what is not answered.
func (c *Client) start(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.begun == 0 {
		out.After(c.Start, Msg{Kind: next})
		return
	}
	for i := range c.calls {
		c.send(in, out, &c.calls[i])
	}
	c.later(out)
}

// later arms the next intent, if there is one.
func (c *Client) later(out *sim.Out[Msg]) {
	if c.Intents == 0 || c.begun < c.Intents {
		out.AfterDraw(c.Gap, Msg{Kind: next})
	}
}

func (c *Client) next(in sim.In[Msg], out *sim.Out[Msg]) {
	n := Value(c.begun * c.Of)
	c.begun++
	c.click(in, out, demand{tenant: c.Tenant, key: c.Key + n, fingerprint: c.Amount, amount: c.Amount, intent: c.Intent + n}, 1)
	c.later(out)
}

// click is the n-th call of an intent, from 1.
func (c *Client) click(in sim.In[Msg], out *sim.Out[Msg], d demand, n uint16) {
	o := call{demand: d, click: n}
	switch c.KeyPer {
	case KeyPerCall:
		o.key = d.key*1000 + Value(n)
	case KeyOfContent:
		o.key = d.amount
	}
	if int(n) < c.Clicks {
		m := about(click, d)
		m.Attempt = n + 1
		out.After(c.Between, m)
	}
	c.calls = append(c.calls, o)
	c.send(in, out, &c.calls[len(c.calls)-1])
}

// send is the next attempt of a call.
func (c *Client) send(in sim.In[Msg], out *sim.Out[Msg], o *call) {
	if c.KeyPer == KeyOfContentAndTime {
		o.key = stamp(in.Wall)*1000 + o.amount
	}
	c.numbers++
	o.attempt++
	o.number, o.waiting = c.numbers, false
	m := request(o.number, o.attempt, o.demand)
	note := m
	note.Kind = Asked
	out.Note(note)
	servers := int(c.Servers[1]-c.Servers[0]) + 1
	to := (c.Number + int(o.click) + int(o.attempt) - 2) % servers
	out.Send(c.Servers[0]+sim.NodeID(to), m)
	if c.Timeout > 0 {
		out.After(c.Timeout, Msg{Kind: timeout, Call: o.number})
	}
}

// stamp is the millisecond of a wall clock, as a part of a key: nothing is decided by it.
func stamp(w sim.Wall) Value { return Value(int64(w) / int64(time.Millisecond)) }

// answered takes an answer to the attempt that is under way.
func (c *Client) answered(out *sim.Out[Msg], o *call, m Msg) {
	if !final(m.Status) && !(m.Status == 409 && c.ConflictIsSuccess) {
		c.failed(out, o, m.Status, m.Values[0])
		return
	}
	out.Note(ended(Answered, o, m.Status, m.Values[0]))
	c.end(o)
}

// final reports whether an answer says what became of a request. 409, 425 and 429 say to come
// again, and a 5xx may have any cause.
func final(status uint16) bool {
	return status < 500 && status != 408 && status != 409 && status != 425 && status != 429
}

// failed decides what follows an attempt without a final answer; wait is the Retry-After.
func (c *Client) failed(out *sim.Out[Msg], o *call, status uint16, wait Value) {
	if c.Attempts > 0 && int(o.attempt) >= c.Attempts {
		out.Note(ended(GaveUp, o, status, Null))
		c.end(o)
		return
	}
	o.waiting = true
	note := about(Retrying, o.demand)
	note.Call, note.Status, note.Attempt = o.number, status, o.attempt+1
	out.Note(note)
	if status < 500 && wait > 0 {
		out.After(time.Duration(wait), Msg{Kind: again, Call: o.number})
		return
	}
	out.AfterDraw(c.Backoff, Msg{Kind: again, Call: o.number})
}

// find is the call whose present attempt has a number, nil if there is none.
func (c *Client) find(number uint32) *call {
	for i := range c.calls {
		if c.calls[i].number == number {
			return &c.calls[i]
		}
	}
	return nil
}

// end removes a call.
func (c *Client) end(o *call) {
	for i := range c.calls {
		if &c.calls[i] == o {
			c.calls = append(c.calls[:i], c.calls[i+1:]...)
			return
		}
	}
}
