package idempotency

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// told holds if each client that asks for an intent with an effect learns that it is done. No call ends with an error
// about it, which is a 5xx on which the client gives up or a final 4xx: at once if the effect is there, and if it
// comes later unless another call of the client succeeds. No client comes again while the effect is there and gives up
// on no answer or an answer that says to come again (408, 409, 425, 429). A client that keeps asking has a success, or
// a 202, within Within of the effect. Time in which a client or a store is paused or down, or every server of a role
// is, does not count. A client that does not come again is not checked for an answer that it did not wait for.
//
// Source: Stripe API reference, "Idempotent requests": a retry gets the result of the request that was carried out.
type told struct {
	Layout   *Layout
	Within   time.Duration
	Downtime downtime

	Ledger  ledger
	Callers table[caller] // by intent and client
	Waiting []Value       // callers whose intent has its effect, in the order in which that began
}

// caller is a client that asks for an intent.
type caller struct {
	Client sim.NodeID
	Calls  int    // under way
	Latest uint32 // attempt of these
	Again  bool   // which is not the first, and was made while the effect was there
	Told   bool
	Failed bool          // a call ended with an error before the effect was there
	Judged bool          // an error was reported
	Waits  bool          // it has asked, and the effect is there
	Since  sim.Time      // of Waits
	Lost   time.Duration // until then
	Asked  time.Duration // lost until Latest
	Unsure bool          // it has crashed: Calls may be too few
	Silent bool          // it has crashed and not asked again: it may have its answer
}

// callerOf is the number of a caller. Clients are the first nodes, at most 64.
func callerOf(intent Value, client sim.NodeID) Value { return intent<<7 | Value(client) }

// Check implements [model.Checker].
func (p *told) Check(r *model.Report[Msg]) {
	p.due(r)
	switch m := &r.Msg; {
	case r.Event != sim.Noted:
		p.stop(r)
	case m.Kind == Asked:
		p.asks(r, m)
	case m.Kind == Answered && (m.Status == 202 || p.Layout.success(m.Status)):
		p.succeeded(r, m.intent())
	case m.Kind == Answered || m.Kind == GaveUp:
		p.failed(r, m)
	default:
		p.effect(r, m)
	}
}

func (p *told) stop(r *model.Report[Msg]) {
	p.Downtime.observe(r)
	if r.Event != sim.Crashed {
		return
	}
	for i := range p.Callers.Entries {
		if c := &p.Callers.Entries[i]; c.Client == r.Node {
			c.Calls, c.Unsure, c.Silent = 0, true, true
		}
	}
}

func (p *told) asks(r *model.Report[Msg], m *Msg) {
	who := callerOf(m.intent(), r.Node)
	c := p.Callers.at(who)
	c.Client, c.Silent = r.Node, false
	if m.Attempt <= 1 || c.Calls == 0 {
		c.Calls++
	}
	there := p.Ledger.has(m.intent())
	c.Latest, c.Again, c.Asked = m.Call, there && m.Attempt > 1, p.Downtime.lost(r.Now())
	if there {
		p.wait(r, who, c)
	}
}

// wait begins the time in which a caller has to be told.
func (p *told) wait(r *model.Report[Msg], who Value, c *caller) {
	switch {
	case c.Told:
		r.Saw()
	case !c.Waits:
		c.Waits, c.Since, c.Lost = true, r.Now(), p.Downtime.lost(r.Now())
		p.Waiting = append(p.Waiting, who)
	}
}

func (p *told) succeeded(r *model.Report[Msg], intent Value) {
	c := p.Callers.at(callerOf(intent, r.Node))
	c.Told, c.Failed = true, false
	c.Calls = max(0, c.Calls-1)
	if p.Ledger.has(intent) {
		r.Saw()
	}
}

// failed is the end of a call without a success.
func (p *told) failed(r *model.Report[Msg], m *Msg) {
	c := p.Callers.at(callerOf(m.intent(), r.Node))
	c.Calls = max(0, c.Calls-1)
	switch refused := m.Kind == Answered; {
	case !refused && m.Status < 500 && (m.Call != c.Latest || !c.Again || p.Downtime.lost(r.Now()) > c.Asked): // it has not come again
	case p.Ledger.has(m.intent()):
		c.Judged = true
		if r.Violated(r.Node) {
			r.Why("%s gets %s for intent %d, which has its effect", r.Name(r.Node), lastAnswer(m), m.intent())
		}
	default:
		c.Failed = !refused && !c.Told // a refusal is true at this time
	}
}

// lastAnswer says how a call ended.
func lastAnswer(m *Msg) string {
	if m.Status == 0 {
		return "no answer"
	}
	return "the answer " + answer(m.Status, m.body())
}

// effect begins the time of all callers of an intent that has its effect now.
func (p *told) effect(r *model.Report[Msg], m *Msg) {
	_, intent, _, _ := p.Ledger.take(m)
	if !p.Ledger.has(intent) {
		return
	}
	for client := range p.Layout.Clients {
		who := callerOf(intent, sim.NodeID(client+1))
		if c := p.Callers.find(who); c != nil {
			p.wait(r, who, c)
		}
	}
}

// due looks at the callers whose time is over.
func (p *told) due(r *model.Report[Msg]) {
	for len(p.Waiting) > 0 {
		who := p.Waiting[0]
		c := p.Callers.at(who)
		limit := c.Since.Add(p.Within + p.Downtime.lost(r.Now()) - c.Lost)
		if !c.Told && limit >= r.Now() {
			return
		}
		p.Waiting = append(p.Waiting[:0], p.Waiting[1:]...)
		c.Waits = false
		switch {
		case c.Calls == 0 && c.Failed:
			p.report(r, c.Since, who>>7, c)
		case c.Calls > 0 && !c.Silent:
			p.report(r, limit, who>>7, c)
		}
	}
}

// report reports a caller that was never told.
func (p *told) report(r *model.Report[Msg], at sim.Time, intent Value, c *caller) {
	if c.Told || c.Judged || !p.Ledger.has(intent) {
		return
	}
	c.Judged = true
	if r.ViolatedAt(at, c.Client) {
		how := "is never told"
		if c.Failed {
			how = "has got an error"
		}
		r.Why("%s has asked for intent %d, which has its effect since %v, and %s", r.Name(c.Client), intent, c.Since, how)
	}
}

// End is called when the run is over. A client that has given up on an error will not be told any more.
func (p *told) End(r *model.Report[Msg]) {
	p.due(r)
	for _, who := range p.Waiting {
		if c := p.Callers.at(who); c.Calls == 0 && c.Failed && !c.Unsure {
			p.report(r, c.Since, who>>7, c)
		}
	}
}

// Bound implements [sim.Bounded].
func (p *told) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a success within %v of the effect", p.Within)}
}

func (p *told) property() sim.Property[Msg] {
	return model.NewProperty("told", p, Asked, Answered, GaveUp, Effect, Removed, ChargeMade).
		Also(sim.Paused, sim.Resumed, sim.Crashed, sim.Restarted).
		Loses(sim.Liveness).Needs("a client gets its final answer about an intent that has an effect")
}
