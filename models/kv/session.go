package kv

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// Session is what a client does so that no read returns less than what it has seen.
type Session struct {
	Floor bool          // it remembers of each key all that it has read and written, and does not accept less
	Poll  time.Duration // after which it asks the same node again
}

// Immutable implements [sim.Immutable].
func (*Session) Immutable() {}

// behind reports whether an answer to a read lacks something that the client has seen. It
// then asks again after a while, until it runs out of patience.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994,
// section 5; S4 11.5 of docs/sources.md.
func (c *Client) behind(m *core.Msg, out *sim.Out[core.Msg]) bool {
	if !c.Session.Floor || m.Kind != core.GetReply || m.Status() != core.OK || c.Policy.Covers(m.Obj, c.known.Get(c.key)) {
		return false
	}
	out.Note(core.NewBehind(c.key, c.req, m.Obj))
	c.polling = true
	out.After(c.Session.Poll, core.NewRequestTimer(core.Poll, c.req))
	return true
}

// askAgain is the same request to the same node.
func (c *Client) askAgain(out *sim.Out[core.Msg]) {
	c.polling = false
	out.Send(c.to, core.NewGet(c.key, c.req, c.from))
}
