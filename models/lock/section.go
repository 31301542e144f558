package lock

import "fencepost/sim"

// hold is the client entering its critical section.
func (c *Client) hold(out *sim.Out[Msg]) {
	c.phase, c.until = held, c.acq.ValidUntil(&c.Rules)
	c.token, c.hasRead, c.hasWorked, c.written = 0, false, false, false
	c.extension, c.renewals = 0, 0
	out.Note(Msg{Kind: Acquired, Try: c.try, Value: c.grant, OK: c.Rules.TTL > 0, N: c.sent, X: c.until})
	c.sent = 0
	out.After(c.Work, Msg{Kind: worked, Try: c.try})
	if c.Renew > 0 {
		out.After(c.Renew, Msg{Kind: renew, Try: c.try})
	}
	if c.Counter != sim.None {
		out.Send(c.Counter, Msg{Kind: Incr, Try: c.try})
		return
	}
	c.enter(out)
}

// enter begins the read-modify-write, now that the client has its token.
func (c *Client) enter(out *sim.Out[Msg]) {
	if c.phase != held {
		return
	}
	kind := Read
	if c.FenceFirst {
		kind = Register
	}
	out.Send(c.Store, Msg{Kind: kind, Try: c.try, Token: c.token})
}

// fenced is the store's answer to a registered token.
func (c *Client) fenced(in sim.In[Msg], out *sim.Out[Msg]) {
	switch {
	case c.phase != held:
	case in.Msg.OK:
		out.Send(c.Store, Msg{Kind: Read, Try: c.try, Token: c.token})
	case in.Msg.Token > c.token: // else it is the answer to a second copy
		c.leave(out, Stale)
	}
}

// act is what the lock protects, once the counter is read and the work done: make
// sure, write, release. A pause may strike between any two of these.
func (c *Client) act(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.phase != held || !c.hasRead || !c.hasWorked || c.written {
		return
	}
	if !c.Unchecked && c.Rules.TTL > 0 {
		left := c.until - c.reading(in)
		if left <= 0 {
			c.leave(out, Expired)
			return
		}
		out.Note(Msg{Kind: Checked, Try: c.try, X: left})
	}
	out.Send(c.Store, Msg{Kind: Write, Try: c.try, Token: c.token, N: 1, X: c.counter + 1})
	c.written = true
	if c.Hold > 0 {
		out.After(c.Hold, Msg{Kind: done, Try: c.try})
		return
	}
	c.leave(out, Released)
}

// leave ends the critical section and gives the lock back.
func (c *Client) leave(out *sim.Out[Msg], why sim.Kind) {
	c.phase = idle
	out.Note(Msg{Kind: why, Try: c.try})
	switch c.Release {
	case ReleaseGetDel:
		c.phase = releasing
		c.acq.Begin(0)
		c.askAll(out, Msg{Kind: Get})
		c.wait(out, theRelease)
		return
	case ReleaseDel:
		c.askAll(out, Msg{Kind: Del})
	default:
		c.askAll(out, Msg{Kind: DelIf, Value: c.value})
	}
	c.next(out)
}

// compared is an instance that has answered GET, or has not in time. After the last
// one the client goes on.
func (c *Client) compared(out *sim.Out[Msg], i int) {
	if c.phase == releasing && c.acq.Miss(i) && c.acq.Answers() == c.Rules.Instances {
		c.phase = idle
		c.next(out)
	}
}

// next plans the next acquisition, if there is to be one.
func (c *Client) next(out *sim.Out[Msg]) {
	if c.Rounds == 0 || c.round < c.Rounds {
		out.After(c.Think, Msg{Kind: begin})
	}
}
