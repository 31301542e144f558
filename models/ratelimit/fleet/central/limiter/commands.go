package limiter

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Script is the way to the verdict: a script at the store, or several commands, between
// which others may come.
type Script uint8

// The ways; what stands behind a name is what it does.
const (
	Atomic           Script = iota // one script, whichever
	IncrExpire                     // INCR, and EXPIRE if it was the first
	IncrExpireAlways               // INCR, and EXPIRE in any case
	IncrExpireNX                   // INCR, and EXPIRE NX in any case: if there is none
	GetSet                         // GET, compare, SET
	GetIncr                        // GET, compare, INCR
	CountAdd                       // ZCARD, compare, ZADD
	AddCount                       // ZADD, ZCARD, compare
)

// firsts are the commands with which they begin.
var firsts = [...]sim.Kind{Atomic: message.Eval, IncrExpire: message.Incr, IncrExpireAlways: message.Incr, IncrExpireNX: message.Incr, GetSet: message.Get, GetIncr: message.Get, CountAdd: message.ZCard, AddCount: message.ZAdd}

// incrExpire is: c = INCR; if c is the first: EXPIRE; c <= limit. A limiter that dies in
// between leaves a counter that never expires.
//
// Source: Redis documentation, INCR, "Pattern: rate limiter 2"; S2 3.1 of
// docs/sources.md, with EXPIRE in each call; with EXPIRE NX in each call it is right.
func (l *Limiter) incrExpire(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call) {
	count := in.Msg.Value()
	if count == int64(c.cost) || l.Script != IncrExpire {
		l.expire(out, c)
	}
	l.verdict(in, out, c, count <= l.Rule.Limit, l.Rule.Limit-count)
}

// expire gives the counter its expiry; the limiter does not wait for the answer.
func (l *Limiter) expire(out *sim.Out[message.Msg], c *call) {
	m := message.NewCommand(message.Expire, message.Msg{ID: c.id, Key: c.key}, c.rid, c.reading)
	m.OK = l.Script == IncrExpireNX
	l.send(out, l.Store, m)
}

// getSet is: c = GET; if c+1 <= limit: SET c+1. Of those who read the same count all but
// one are lost.
//
// Source: Xu, "System Design Interview", figure 4-14.
func (l *Limiter) getSet(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call) {
	count := in.Msg.Value()
	switch {
	case c.awaiting == message.Set:
		l.verdict(in, out, c, true, l.Rule.Limit-count)
	case count+int64(c.cost) > l.Rule.Limit:
		l.verdict(in, out, c, false, 0)
	default:
		l.ask(out, c, message.Set, count+int64(c.cost))
	}
}

// getIncr is: c = GET; if c+1 <= limit: INCR. None is lost, but those who read the same
// count are all admitted.
//
// Source: S3 figure 4-16 of docs/sources.md.
func (l *Limiter) getIncr(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call) {
	count := in.Msg.Value()
	switch {
	case c.awaiting == message.Incr:
		if count == int64(c.cost) {
			l.expire(out, c)
		}
		l.verdict(in, out, c, true, l.Rule.Limit-count)
	case count+int64(c.cost) > l.Rule.Limit:
		l.verdict(in, out, c, false, 0)
	default:
		l.ask(out, c, message.Incr, 0)
	}
}

// countAdd is: n = ZCARD; if n < limit: ZADD. Two with one place left both get in.
//
// Source: S3 race conditions, of docs/sources.md.
func (l *Limiter) countAdd(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call) {
	switch n := in.Msg.Value(); {
	case c.awaiting == message.ZAdd:
		l.verdict(in, out, c, true, 0)
	case n >= l.Rule.Limit:
		l.verdict(in, out, c, false, 0)
	default:
		l.ask(out, c, message.ZAdd, 0)
	}
}

// addCount is: ZADD; n = ZCARD; n <= limit. Of two with one place left neither gets in,
// and the rejected stay in the log.
//
// Source: S0 13.2 of docs/sources.md.
func (l *Limiter) addCount(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call) {
	if c.awaiting == message.ZAdd {
		l.ask(out, c, message.ZCard, 0)
		return
	}
	n := in.Msg.Value()
	l.verdict(in, out, c, n <= l.Rule.Limit, l.Rule.Limit-n)
}

// verdict is what the limiter makes of the last reply to a call.
func (l *Limiter) verdict(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call, admitted bool, remaining int64) {
	d := ratelimit.Decision{Allowed: admitted, Remaining: max(0, remaining)}
	if !admitted {
		d.Wait = l.wait(&in)
	}
	l.decide(out, c, d, in.Msg.Life())
}

// wait is what a limiter knows of when a rejected request may come again: 0 is nothing.
func (l *Limiter) wait(in *sim.In[message.Msg]) time.Duration {
	switch ttl := in.Msg.TTL(); {
	case l.Rule.Keep == store.Logs:
		return 0
	case l.Rule.Named:
		return l.Rule.UntilNext(int64(in.Wall))
	case l.Script == IncrExpireAlways, l.Script == IncrExpireNX && ttl < 0:
		return l.Rule.TTL // its EXPIRE is on its way
	case ttl < 0:
		return ratelimit.Never
	default:
		return time.Duration(ttl)
	}
}
