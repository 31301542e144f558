package kv

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// comparison is the compare-and-set that a client is at.
//
// With a leader it is one request, and is decided where the log is applied. Over a quorum there
// is no place that decides: the client reads, compares, and writes what replaces the versions
// that it has read. Another client may do the same in between.
//
// Source: Herlihy, "Wait-Free Synchronization", TOPLAS 1991: registers cannot implement
// compare-and-set, and a quorum makes a register (Attiya, Bar-Noy, Dolev 1995).
type comparison struct {
	on      bool
	reads   bool   // over a quorum: it has not compared yet
	expects uint64 // 0, no value
}

// compare is the first message of a compare-and-set.
func (c *Client) compare(m core.Msg, expects uint64) core.Msg {
	c.cas = comparison{on: true, expects: expects, reads: !c.Led}
	if c.Led {
		return m.Compare(expects)
	}
	return core.NewGet(m.Key(), m.Req(), 0)
}

// expectsKind reports whether what the client is at has an answer of this kind.
func (c *Client) expectsKind(k sim.Kind) bool {
	return (k == core.GetReply) == (c.write == nil || c.cas.reads)
}

// answered is an answer to the request, or to the read that a compare-and-set begins with.
func (c *Client) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	switch {
	case !c.cas.reads || m.Status() != core.OK:
		c.done(in, out, m.Status(), m.Obj)
	case !core.Matches(m.Obj, c.cas.expects):
		c.done(in, out, core.Mismatch, m.Obj)
	default:
		c.cas.reads = false
		out.Send(c.to, core.NewPut(c.key, c.req, m.Obj, c.write))
	}
}

func (c *comparison) print(p *sim.Print) {
	p.Fold(core.One(c.on)|core.One(c.reads)<<1, c.expects)
}

// expected is what a compare-and-set expects, in words.
func (l *Layout) expected(value uint64) string {
	if value == 0 {
		return noValue
	}
	return l.value(version.Value{Data: value})
}
