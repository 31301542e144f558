package fleet

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// Central is a limiter that keeps no counts: it asks the store for each request, and
// decides without it only if the store does not answer.
//
// Source: Redis documentation, INCR, "Pattern: Rate limiter 2"; S2 5 and 8 of
// docs/sources.md.
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
	m := Msg{Kind: command, OK: c.text, N: uint16(c.rid), Cost: c.cost, ID: c.id, Key: c.key, X: c.reading, Y: value}
	if command == Eval || command == ZAdd {
		m.Y = int64(c.rid)
	}
	c.awaiting = command
	c.attempt++
	out.Send(to, m)
	out.After(l.Timeout, Msg{Kind: timedOut, N: c.attempt, ID: c.id, Y: int64(c.rid)})
}

// awaits is the call that a message of the store answers, nil if nobody waits for it.
func (l *Central) awaits(m Msg, command sim.Kind) *call {
	c := l.calls.of(m.ID)
	if c == nil || c.awaiting != command || uint64(uint16(c.rid)) != m.Key {
		return nil
	}
	return c
}

// answered goes on where the store has answered, if somebody still waits for it.
func (l *Central) answered(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	command := Eval
	if m.Kind == StoreReply {
		command = sim.Kind(m.N)
	}
	c := l.awaits(m, command)
	if c == nil {
		return
	}
	if l.breaker.Succeed() {
		out.Note(Msg{Kind: Closed})
	}
	switch l.Script {
	case Atomic:
		l.decide(out, c, ratelimit.Decision{Allowed: m.OK, Wait: time.Duration(m.X), Remaining: m.Y}, m.Cost)
	case IncrExpire, IncrExpireAlways, IncrExpireNX:
		l.incrExpire(in, out, c)
	case GetSet:
		l.getSet(in, out, c)
	case GetIncr:
		l.getIncr(in, out, c)
	case CountAdd:
		l.countAdd(in, out, c)
	case AddCount:
		l.addCount(in, out, c)
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
	show(out, m, d)
	out.Note(Msg{Kind: Admitted, ID: m.ID, Key: m.Key, Cost: m.Cost, Y: int64(life)})
	out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.Send(client, Msg{Kind: Response, OK: true, ID: m.ID, Y: d.Remaining})
}

// failed is an error of the store. That it lacks the script is none.
func (l *Central) failed(in sim.In[Msg], out *sim.Out[Msg]) {
	c := l.awaits(in.Msg, sim.Kind(in.Msg.N))
	if c == nil {
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
