package fleet

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// Central is a limiter that keeps no counts: it asks the store for each request, and
// decides without it only if the store does not answer.
//
// Source: spec, rate limiting and idempotency, sections B1, B2, B3, B8 and B10.
type Central struct {
	Store, Reader sim.NodeID // who is written to, and who is read from
	Script        Script
	Rule          StoreRule
	Timeout       time.Duration // of each attempt
	Retries       int           // attempts beside the first
	Fallback      Fallback
	Clock         sim.ClockID // of the fallback's algorithm

	breaker Breaker
	calls   calls
	local   keys // of the fallback; nil without
	made    uint32
}

// Script is the way to the verdict: a script at the store, or several commands, between
// which others may come.
type Script uint8

// The ways; what stands behind a name is what it does.
const (
	Atomic           Script = iota // one script, whichever
	IncrExpire                     // INCR, and EXPIRE if it was the first
	IncrExpireAlways               // INCR, and EXPIRE in any case
	GetSet                         // GET, compare, SET
	GetIncr                        // GET, compare, INCR
	CountAdd                       // ZCARD, compare, ZADD
	AddCount                       // ZADD, ZCARD, compare
)

// firsts are the commands with which they begin.
var firsts = [...]sim.Kind{Atomic: Eval, IncrExpire: Incr, IncrExpireAlways: Incr, GetSet: Get, GetIncr: Get, CountAdd: ZCard, AddCount: ZAdd}

// Fallback is what becomes of a request when the store does not decide it.
type Fallback uint8

// All are admitted; none is; an algorithm in the limiter's memory decides.
const (
	FailOpen Fallback = iota
	FailClosed
	FailLocal
)

// Reset implements [sim.Resetter].
func (l *Central) Reset(initial *Central) {
	calls, local := l.calls, l.local
	*l = *initial
	l.calls = calls
	l.calls.copyFrom(&initial.calls)
	l.local = copyKeys(local, initial.local)
}

// Recover implements [sim.Recoverer]: the name of a call is never used twice.
func (l *Central) Recover(before *Central) { l.made = before.made }

// Step implements [sim.Node].
func (l *Central) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
	case Request:
		l.request(in, out)
	case StoreReply, StoreAnswer:
		l.answered(in, out)
	case StoreError:
		l.failed(in, out)
	case timedOut:
		if c := l.calls.of(m.ID); c != nil && c.attempt == m.N && c.rid == uint64(m.Y) {
			l.fail(&in, out)
			l.again(in, out, c, noAnswer)
		}
	case Promoted:
		l.Store, l.Reader = in.From, in.From
	case serve:
		out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
		out.Send(clientOf(m.ID), Msg{Kind: Response, OK: true, ID: m.ID, Y: m.Y})
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// request asks the store, unless the breaker is open. A copy of a request that is under
// way is nothing new.
func (l *Central) request(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	if l.calls.of(m.ID) != nil {
		return
	}
	c := call{id: m.ID, key: m.Key, cost: m.Cost, reading: int64(in.Wall)}
	if !l.breaker.Allow(ratelimit.Reading(in.Mono)) {
		l.fallBack(in, out, &c, breakerOpen)
		return
	}
	l.made++
	c.rid = uint64(in.Self)<<32 | uint64(l.made)
	l.ask(out, l.calls.add(c), firsts[l.Script], 0)
}

// ask sends a command for a call, and waits so long for the answer.
func (l *Central) ask(out *sim.Out[Msg], c *call, command sim.Kind, value int64) {
	to := l.Store
	if command == Get {
		to = l.Reader
	}
	m := Msg{Kind: command, OK: c.text, Cost: c.cost, ID: c.id, Key: c.key, X: c.reading, Y: value}
	if command == Eval || command == ZAdd {
		m.Y = int64(c.rid)
	}
	c.awaiting = command
	c.attempt++
	out.Send(to, m)
	out.After(l.Timeout, Msg{Kind: timedOut, N: c.attempt, ID: c.id, Y: int64(c.rid)})
}

// answered goes on where the store has answered, if somebody still waits for it.
func (l *Central) answered(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	command := Eval
	if m.Kind == StoreReply {
		command = sim.Kind(m.N)
	}
	c := l.calls.of(m.ID)
	if c == nil || c.awaiting != command {
		return
	}
	if l.breaker.Succeed() {
		out.Note(Msg{Kind: Closed})
	}
	limit, value := l.Rule.Limit, m.X
	switch command {
	case Eval:
		l.decide(out, c, ratelimit.Decision{Allowed: m.OK, Wait: time.Duration(m.X), Remaining: m.Y}, m.Cost)
	case Incr:
		if value == int64(c.cost) && l.Script != IncrExpireAlways || l.Script == IncrExpireAlways {
			out.Send(l.Store, Msg{Kind: Expire, ID: c.id, Key: c.key, X: c.reading}) // nobody waits for the answer
		}
		l.verdict(in, out, c, l.Script == GetIncr || value <= limit, limit-value)
	case Get:
		switch {
		case value+int64(c.cost) > limit:
			l.verdict(in, out, c, false, 0)
		case l.Script == GetSet:
			l.ask(out, c, Set, value+int64(c.cost))
		default:
			l.ask(out, c, Incr, 0)
		}
	case ZAdd:
		if l.Script == CountAdd {
			l.verdict(in, out, c, true, 0)
			return
		}
		l.ask(out, c, ZCard, 0)
	case ZCard:
		if l.Script == CountAdd && value < limit {
			l.ask(out, c, ZAdd, 0)
			return
		}
		l.verdict(in, out, c, l.Script == AddCount && value <= limit, limit-value)
	case Set:
		l.verdict(in, out, c, true, limit-value)
	}
}

// verdict is what the limiter makes of the last reply to a call.
func (l *Central) verdict(in sim.In[Msg], out *sim.Out[Msg], c *call, admitted bool, remaining int64) {
	d := ratelimit.Decision{Allowed: admitted, Remaining: max(0, remaining)}
	if !admitted {
		d.Wait = l.wait(&in)
	}
	l.decide(out, c, d, in.Msg.Cost)
}

// wait is what a limiter knows of when a rejected request may come again: 0 is nothing.
func (l *Central) wait(in *sim.In[Msg]) time.Duration {
	switch gone := in.Msg.Y; {
	case l.Rule.Keep == Logs:
		return 0
	case l.Rule.Named:
		return l.Rule.untilNext(int64(in.Wall))
	case l.Script == IncrExpireAlways:
		return l.Rule.TTL
	case gone < 0:
		return ratelimit.Never
	default:
		return max(0, time.Duration(gone-int64(in.Wall)))
	}
}

// decide ends a call, of which the store's counter with that life knows.
func (l *Central) decide(out *sim.Out[Msg], c *call, d ratelimit.Decision, life uint32) {
	m, client := Msg{ID: c.id, Key: c.key, Cost: c.cost}, clientOf(c.id)
	l.calls.remove(c.id)
	if !d.Allowed || d.Delay() > 0 {
		answer(out, m, client, d)
		return
	}
	out.Note(Msg{Kind: Admitted, ID: m.ID, Key: m.Key, Cost: m.Cost, Y: int64(life)})
	out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.Send(client, Msg{Kind: Response, OK: true, ID: m.ID, Y: d.Remaining})
}

// failed is an error of the store. That it lacks the script is none.
func (l *Central) failed(in sim.In[Msg], out *sim.Out[Msg]) {
	c := l.calls.of(in.Msg.ID)
	if c == nil || c.awaiting != sim.Kind(in.Msg.N) {
		return
	}
	if isNoScript(in.Msg) && !c.text {
		c.text = true
		l.ask(out, c, Eval, 0)
		return
	}
	l.fail(&in, out)
	l.fallBack(in, out, c, storeFailed)
}

// fail tells the breaker.
func (l *Central) fail(in *sim.In[Msg], out *sim.Out[Msg]) {
	if l.breaker.Fail(ratelimit.Reading(in.Mono)) {
		out.Note(Msg{Kind: Opened, X: int64(l.breaker.Rest)})
	}
}

// again makes another attempt at a call, if there is one left.
func (l *Central) again(in sim.In[Msg], out *sim.Out[Msg], c *call, why uint16) {
	if int(c.attempt) <= l.Retries && c.awaiting == Eval && l.breaker.Allow(ratelimit.Reading(in.Mono)) {
		l.ask(out, c, Eval, 0)
		return
	}
	l.fallBack(in, out, c, why)
}

// fallBack decides a request without the store.
func (l *Central) fallBack(in sim.In[Msg], out *sim.Out[Msg], c *call, why uint16) {
	m, client := Msg{ID: c.id, Key: c.key, Cost: c.cost}, clientOf(c.id)
	if l.calls.of(c.id) != nil {
		l.calls.remove(c.id)
	}
	out.Note(Msg{Kind: FellBack, N: why, ID: m.ID, Key: m.Key, Cost: m.Cost})
	switch l.Fallback {
	case FailOpen:
		admit(out, m, client, 0)
	case FailClosed:
		reject(out, m, client, 0)
	case FailLocal:
		answer(out, m, client, l.local.take(m.Key, reading(&in, l.Clock), int64(m.Cost)))
	}
}
