package lock

import "fencepost/sim"

// hold is the client entering its critical section.
func (c *Client) hold(out *sim.Out[Msg]) {
	c.phase, c.until = held, c.acq.ValidUntil(&c.Rules)
	c.token, c.hasRead, c.hasWorked, c.written, c.awaits = 0, false, false, false, false
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
	m := Msg{Kind: Read, Try: c.try, Token: c.token}
	if c.FenceFirst {
		m.Kind, m.Value = Register, c.shown()
	}
	out.Send(c.Store, m)
}

// shown is the lock's value where the store compares it.
func (c *Client) shown() uint64 {
	if c.ShowValue {
		return c.value
	}
	return 0
}

// fenced is the store's answer to a registered token.
func (c *Client) fenced(in sim.In[Msg], out *sim.Out[Msg]) {
	switch {
	case c.phase != held:
	case in.Msg.OK:
		out.Send(c.Store, Msg{Kind: Read, Try: c.try, Token: c.token})
	case in.Msg.Token > c.token: // else it is the answer to a second copy
		c.leave(out, Msg{Kind: Stale})
	}
}

// act is what the lock protects, once the counter is read and the work done: make
// sure, write, wait for the reply, release. A pause may fall between any two of these.
func (c *Client) act(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.phase != held || !c.hasRead || !c.hasWorked || c.written {
		return
	}
	if !c.Unchecked && c.Rules.TTL > 0 {
		left := c.until - c.reading(in)
		if left <= 0 {
			c.leave(out, Msg{Kind: Expired})
			return
		}
		out.Note(Msg{Kind: Checked, Try: c.try, X: left})
	}
	out.Send(c.Store, Msg{Kind: Write, Try: c.try, Token: c.token, Value: c.shown(), N: 1, X: c.counter + 1})
	c.written = true
	if c.Unawaited {
		c.finish(out)
		return
	}
	if c.awaits = true; c.WriteWait > 0 {
		out.After(c.WriteWait, Msg{Kind: timeout, Try: c.try, N: theWrite})
	}
}

// replied is the store's reply to the write. A write that is rejected has returned too:
// the lock is released, whatever the reply says.
//
// Source: Kleppmann, "How to do distributed locking", 2016, the first listing: the write
// returns, and then finally releases the lock.
func (c *Client) replied(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.phase != held || !c.awaits {
		return // a second copy, or it has given up waiting
	}
	c.awaits = false
	if !in.Msg.OK && (c.ShowValue || in.Msg.Token > c.token) { // else a second copy of the write was rejected, and the first applied
		c.leave(out, Msg{Kind: Stale, N: 1})
		return
	}
	c.finish(out)
}

// doubt is a write that has not been answered in time: it may be applied yet, and
// finally releases the lock all the same.
func (c *Client) doubt(out *sim.Out[Msg]) {
	if c.phase == held && c.awaits {
		c.awaits = false
		c.leave(out, Msg{Kind: Released, N: 1})
	}
}

// finish releases the lock once it has been held for as long as it is to be.
func (c *Client) finish(out *sim.Out[Msg]) {
	if c.Hold > 0 {
		out.After(c.Hold, Msg{Kind: done, Try: c.try})
		return
	}
	c.leave(out, Msg{Kind: Released})
}

// leave ends the critical section, notes why, and gives the lock back.
func (c *Client) leave(out *sim.Out[Msg], why Msg) {
	c.phase = idle
	why.Try = c.try
	out.Note(why)
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
