package chain

import (
	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
	"fencepost/sim/model"
)

// budgetRespected holds if the clients repeat no call that their budget does not allow:
// attempts, deadline, and what all operations of a client have in common. It keeps the
// books itself, from what is noted.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 21, deciding to retry.
type budgetRespected struct {
	Layout    Layout
	Allowance retry.Allowance
	Budget    retry.Budget // at the start

	Budgets []retry.Budget // by client
	Open    map[uint64]account
}

// account is an operation's.
type account struct {
	begun sim.Mono
	calls int
	price int
}

// Begin gives every client its budget.
func (p *budgetRespected) Begin(*model.Report[Msg]) {
	for range p.Layout.Clients + 1 {
		p.Budgets = append(p.Budgets, p.Budget)
	}
}

// Check implements [model.Checker].
func (p *budgetRespected) Check(r *model.Report[Msg]) {
	if !p.Layout.isClient(r.Node) {
		return
	}
	b := &p.Budgets[r.Node]
	if r.Event == sim.Crashed {
		*b = p.Budget // it is not durable
	}
	if r.Event != sim.Noted {
		return
	}
	m, now := &r.Msg, sim.Mono(r.Read(r.Node, sim.MonoClock))
	a := p.Open[m.ID]
	switch m.Kind {
	case Begun:
		a.begun = now
	case Called:
		p.called(r, a, now)
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
			overdrawn(r, "the retries of all its operations")
		}
	case Succeeded:
		b.Succeeded(a.price)
		delete(p.Open, m.ID)
		return
	case GaveUp:
		delete(p.Open, m.ID)
		return
	}
	p.Open[m.ID] = a
}

// called looks at a call before it is counted.
func (p *budgetRespected) called(r *model.Report[Msg], a account, now sim.Mono) {
	limit := p.Allowance
	if limit == (retry.Allowance{}) && p.Budget.Kind == retry.Unlimited {
		return
	}
	r.Saw()
	switch {
	case limit.Attempts > 0 && a.calls >= limit.Attempts:
		overdrawn(r, "the calls of an operation")
	case limit.Deadline > 0 && now.Sub(a.begun) >= limit.Deadline:
		overdrawn(r, "the time of an operation")
	}
}

func overdrawn(r *model.Report[Msg], what string) {
	if r.Violated(r.Node) {
		r.Why("%s overdraws its budget for %s", r.Name(r.Node), what)
	}
}

// noBlindRetry holds if no client repeats an operation that is neither idempotent nor has a
// key unless it is known that it was not carried out.
//
// Source: RFC 9110, section 9.2.2.
type noBlindRetry struct {
	Operation retry.Operation

	Done map[uint64]bool // operations that have been carried out
}

// Check implements [model.Checker].
func (p *noBlindRetry) Check(r *model.Report[Msg]) {
	m := &r.Msg
	switch m.Kind {
	case Served:
		p.Done[m.Root] = true
	case Called:
		r.Saw()
	case Retrying:
		if p.Operation.MayRepeat(retry.Classify(int(m.Status))) || !r.Violated(r.Node) {
			return
		}
		known := ""
		if p.Done[m.Root] {
			known = ": it had been carried out"
		}
		r.Why("%s repeats an operation without a key although it does not know what became of it%s", r.Name(r.Node), known)
	}
}
