package chain

import (
	"fmt"

	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
)

// BudgetRespected holds if the clients repeat no call that their budget does not allow:
// attempts, deadline, and what all operations of a client have in common. It keeps the
// books itself, from what is noted.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 21, deciding to retry.
type BudgetRespected struct {
	Layout Layout
	Policy Client // Allowance and Budget

	sim.Check
	budgets []retry.Budget // by client
	open    map[uint64]account
	why     string
}

// account is an operation's.
type account struct {
	begun sim.Mono
	calls int
	price int
}

// Name implements [sim.Property].
func (p *BudgetRespected) Name() string { return "budget-respected" }

// Reset implements [sim.Observer].
func (p *BudgetRespected) Reset(*sim.View[Msg]) {
	p.Clear()
	if p.budgets == nil {
		p.budgets = make([]retry.Budget, p.Layout.Clients+1)
	}
	for i := range p.budgets {
		p.budgets[i] = p.Policy.Budget
	}
	clear(p.open)
	p.why = ""
}

// Observe implements [sim.Observer].
func (p *BudgetRespected) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if !p.Layout.isClient(o.Node) {
		return
	}
	b := &p.budgets[o.Node]
	if o.Event == sim.Crashed {
		*b = p.Policy.Budget // it is not durable
	}
	if o.Event != sim.Noted {
		return
	}
	m, now := &o.Msg, sim.Mono(v.Read(o.Node, sim.MonoClock))
	if p.open == nil {
		p.open = make(map[uint64]account)
	}
	a := p.open[m.ID]
	switch m.Kind {
	case Begun:
		a.begun = now
	case Called:
		p.called(v, o.Node, a, now)
		if a.calls++; a.calls == 1 {
			b.Called(now)
		}
	case Refused, TimedOut:
		if action := retry.Classify(int(m.Status)); action == retry.Later || action == retry.Unsure {
			b.Failed()
		}
		return
	case Retrying:
		price, ok := b.Take(now, m.Status == retry.NoAnswer)
		if a.price = price; !ok {
			p.violate(v, o.Node, "the retries of all its operations")
		}
	case Succeeded:
		b.Succeeded(a.price)
		delete(p.open, m.ID)
		return
	case GaveUp:
		delete(p.open, m.ID)
		return
	default:
		return
	}
	p.open[m.ID] = a
}

// called looks at a call before it is counted.
func (p *BudgetRespected) called(v *sim.View[Msg], id sim.NodeID, a account, now sim.Mono) {
	limit := p.Policy.Allowance
	if limit == (retry.Allowance{}) && p.Policy.Budget.Kind == retry.Unlimited {
		return
	}
	p.Saw()
	switch {
	case limit.Attempts > 0 && a.calls >= limit.Attempts:
		p.violate(v, id, "the calls of an operation")
	case limit.Deadline > 0 && now.Sub(a.begun) >= limit.Deadline:
		p.violate(v, id, "the time of an operation")
	}
}

func (p *BudgetRespected) violate(v *sim.View[Msg], id sim.NodeID, what string) {
	if p.Violate(v.Now(), id) {
		p.why = what
	}
}

// End implements [sim.Observer].
func (p *BudgetRespected) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *BudgetRespected) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s overdraws its budget for %s", v.Name(p.Finding().Nodes[0]), p.why)
}

// NoBlindRetry holds if no client repeats an operation that is neither idempotent nor has a
// key unless it is known that it was not carried out.
//
// Source: RFC 9110, section 9.2.2.
type NoBlindRetry struct {
	Layout Layout

	sim.Check
	done   map[uint64]bool // operations that have been carried out
	status uint16
	twice  bool
}

// Name implements [sim.Property].
func (p *NoBlindRetry) Name() string { return "no-blind-retry" }

// Reset implements [sim.Observer].
func (p *NoBlindRetry) Reset(*sim.View[Msg]) {
	p.Clear()
	clear(p.done)
	p.status, p.twice = 0, false
}

// Observe implements [sim.Observer].
func (p *NoBlindRetry) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	m := &o.Msg
	switch m.Kind {
	case Served:
		if p.done == nil {
			p.done = make(map[uint64]bool)
		}
		p.done[m.Root] = true
	case Called:
		p.Saw()
	case Retrying:
		action := retry.Classify(int(m.Status))
		if p.Layout.Operation.MayRepeat(action) {
			return
		}
		if p.Violate(v.Now(), o.Node) {
			p.status, p.twice = m.Status, p.done[m.Root]
		}
	}
}

// End implements [sim.Observer].
func (p *NoBlindRetry) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoBlindRetry) Why(v *sim.View[Msg]) string {
	text := fmt.Sprintf("%s repeats an operation without a key although it does not know what became of it", v.Name(p.Finding().Nodes[0]))
	if p.twice {
		text += ": it had been carried out"
	}
	return text
}
