// Package limiter is a limiter that asks a store for each request, by a script or by several commands.
package limiter

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Limiter is one that keeps no counts: it asks the store for each request, and
// decides without it only if the store does not answer.
//
// Source: Redis documentation, INCR, "Pattern: Rate limiter 2"; S2 5 and 8 of
// docs/sources.md.
type Limiter struct {
	Store, Reader sim.NodeID // who is written to, and who is read from
	Script        Script
	Rule          store.Rule
	Timeout       time.Duration // of each attempt
	Retries       int           // attempts beside the first
	Fallback      Fallback
	Clock         sim.ClockID // of the fallback's algorithm
	Breaker       Breaker
	Local         core.Keys // of the fallback; nil without
	Pipeline      Pipeline

	calls calls
	made  uint32
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
func (l *Limiter) Reset(initial *Limiter) {
	calls, local, held := l.calls, l.Local, l.Pipeline.held
	*l = *initial
	l.calls = calls
	l.calls.copyFrom(&initial.calls)
	l.Local = core.CopyKeys(local, initial.Local)
	l.Pipeline.held = append(held[:0], initial.Pipeline.held...)
}

// Recover implements [sim.Recoverer]: the name of a call is never used twice.
func (l *Limiter) Recover(before *Limiter) { l.made = before.made }

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
	case message.Request:
		l.request(in, out)
	case message.StoreReply, message.StoreAnswer:
		l.answered(in, out)
	case message.StoreError:
		l.failed(in, out)
	case message.TimedOut:
		if c := l.calls.of(m.ID); c != nil && c.attempt == m.Attempt() && c.rid == m.Call() {
			l.fail(&in, out)
			l.again(in, out, c, message.NoAnswer)
		}
	case message.Flush:
		if m.Flush() == l.Pipeline.flushes {
			l.flush(out)
		}
	case message.Promoted:
		l.Store, l.Reader = in.From, in.From
	case message.Serve:
		out.Note(message.Of(message.Started, m))
		out.Send(message.ClientOf(m.ID), message.NewAdmission(m.ID, m.Remaining()))
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// request asks the store, unless the breaker is open. A copy of a request that is under
// way is nothing new.
func (l *Limiter) request(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if l.calls.of(m.ID) != nil {
		return
	}
	c := call{id: m.ID, key: m.Key, cost: m.Cost, reading: int64(in.Wall)}
	if !l.Breaker.Allow(in.Mono) {
		l.fallBack(in, out, &c, message.BreakerOpen)
		return
	}
	l.made++
	c.rid = uint64(in.Self)<<32 | uint64(l.made)
	l.ask(out, l.calls.add(c), firsts[l.Script], 0)
}

// ask sends a command for a call, and waits at most this long for the answer.
func (l *Limiter) ask(out *sim.Out[message.Msg], c *call, command sim.Kind, value int64) {
	to := l.Store
	if command == message.Get {
		to = l.Reader
	}
	m := message.NewCommand(command, c.request(), c.rid, c.reading)
	if command == message.Set {
		m = message.NewSet(c.request(), c.rid, c.reading, value)
	}
	m.OK = c.text
	c.awaiting = command
	c.attempt++
	l.send(out, to, m)
	out.After(l.Timeout, message.NewTimedOut(c.id, c.rid, c.attempt))
}

// awaits is the call that a message of the store answers, nil if no call waits for it.
func (l *Limiter) awaits(m message.Msg, command sim.Kind) *call {
	c := l.calls.of(m.ID)
	if c == nil || c.awaiting != command || !m.Answers(c.rid) {
		return nil
	}
	return c
}

// answered continues the call that the store has answered, if it still waits.
func (l *Limiter) answered(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	command := message.Eval
	if m.Kind == message.StoreReply {
		command = m.Command()
	}
	c := l.awaits(m, command)
	if c == nil {
		return
	}
	if l.Breaker.Succeed() {
		out.Note(message.Msg{Kind: message.Closed})
	}
	switch l.Script {
	case Atomic:
		l.decide(out, c, ratelimit.Decision{Allowed: m.OK, Wait: m.Wait(), Remaining: m.Remaining()}, m.Life())
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
func (l *Limiter) decide(out *sim.Out[message.Msg], c *call, d ratelimit.Decision, life uint32) {
	m, client := c.request(), message.ClientOf(c.id)
	l.calls.remove(c.id)
	if !d.Allowed || d.Delay() > 0 {
		core.Answer(out, m, client, d)
		return
	}
	core.Show(out, m, d)
	out.Note(message.NewAdmittedBy(m, life))
	out.Note(message.Of(message.Started, m))
	out.Send(client, message.NewAdmission(m.ID, d.Remaining))
}

// failed is an error of the store. That it lacks the script is none.
func (l *Limiter) failed(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	c := l.awaits(in.Msg, in.Msg.Command())
	if c == nil {
		return
	}
	if in.Msg.Err() == redis.NoScript && !c.text {
		c.text = true
		l.ask(out, c, message.Eval, 0)
		return
	}
	l.fail(&in, out)
	l.fallBack(in, out, c, message.StoreFailed)
}

// fail tells the breaker.
func (l *Limiter) fail(in *sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if l.Breaker.Fail(in.Mono) {
		out.Note(message.NewOpened(l.Breaker.Rest))
	}
}

// again makes another attempt at a call, if there is one left.
func (l *Limiter) again(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call, why uint16) {
	if int(c.attempt) <= l.Retries && c.awaiting == message.Eval && l.Breaker.Allow(in.Mono) {
		l.ask(out, c, message.Eval, 0)
		return
	}
	l.fallBack(in, out, c, why)
}

// fallBack decides a request without the store.
func (l *Limiter) fallBack(in sim.In[message.Msg], out *sim.Out[message.Msg], c *call, why uint16) {
	m, client := c.request(), message.ClientOf(c.id)
	if l.calls.of(c.id) != nil {
		l.calls.remove(c.id)
	}
	out.Note(message.NewFellBack(m, why))
	switch l.Fallback {
	case FailOpen:
		core.Admit(out, m, client, 0)
	case FailClosed:
		core.Reject(out, m, client, 0)
	case FailLocal:
		core.Answer(out, m, client, l.Local.Take(m.Key, core.Reading(&in, l.Clock), int64(m.Cost)))
	}
}
