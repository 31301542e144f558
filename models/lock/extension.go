package lock

import "fencepost/sim"

// renew asks every instance to extend the lock.
func (c *Client) renew(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.phase != held {
		return
	}
	c.ext.Begin(c.reading(in))
	c.renewals = c.renewals%(theRelease-1) + 1
	c.extension = c.renewals
	c.askAll(out, Msg{Kind: Extend, N: c.extension, Value: c.value, X: int64(c.Rules.TTL)})
	c.wait(out, theExtension|c.extension)
}

// extended collects the answers to an extension. Only a quorum moves the reading
// up to which the client may act; otherwise the old one stays. The next extension
// is counted from here.
func (c *Client) extended(in sim.In[Msg], out *sim.Out[Msg], i int, ok bool) {
	if c.phase != held || c.extension == 0 || !c.ext.Answer(i, ok) || !c.ext.Settled(&c.Rules) {
		return
	}
	c.extension = 0
	out.After(c.Renew, Msg{Kind: renew, Try: c.try})
	if c.ext.Accept(&c.Rules, c.reading(in)) {
		c.until = c.ext.ValidUntil(&c.Rules)
		out.Note(Msg{Kind: Extended, Try: c.try, X: c.until})
	}
}
