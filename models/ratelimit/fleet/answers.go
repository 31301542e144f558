package fleet

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// OneAnswer holds if every request gets one answer at most, and one that was asked at
// least Patience before the end gets one.
//
// Source: spec, rate limiting and idempotency, section 0.5, P-ONE.
type OneAnswer struct {
	Layout Layout

	sim.Check
	open  []question
	index map[uint64]int // of open, by request
	id    uint64         // of the first violation
	twice bool
}

// question is a request and when it was asked; -1 when it was answered.
type question struct {
	id    uint64
	asked sim.Time
}

// Patience is how long a client waits for an answer before it counts as none.
const Patience = time.Minute

// Name implements [sim.Property].
func (p *OneAnswer) Name() string { return "one-answer" }

// Reset implements [sim.Observer].
func (p *OneAnswer) Reset(*sim.View[Msg]) {
	p.Clear()
	p.open = p.open[:0]
	if p.index == nil {
		p.index = make(map[uint64]int)
	}
	clear(p.index)
	p.id, p.twice = 0, false
}

// Observe implements [sim.Observer].
func (p *OneAnswer) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Asked:
		p.index[o.Msg.ID] = len(p.open)
		p.open = append(p.open, question{o.Msg.ID, v.Now()})
	case Answered:
		p.Saw()
		q := &p.open[p.index[o.Msg.ID]]
		if q.asked < 0 && p.Violate(v.Now(), o.Node) {
			p.id, p.twice = o.Msg.ID, true
		}
		q.asked = -1
	}
}

// End implements [sim.Observer].
func (p *OneAnswer) End(v *sim.View[Msg]) {
	for _, q := range p.open {
		if q.asked < 0 || v.Now().Sub(q.asked) < Patience {
			continue
		}
		p.Saw()
		if p.Violate(q.asked.Add(Patience), clientOf(q.id)) {
			p.id = q.id
		}
	}
}

// Why implements [sim.Property].
func (p *OneAnswer) Why(v *sim.View[Msg]) string {
	if p.twice {
		return fmt.Sprintf("request %s of %s was answered twice", requestName(p.id), v.Name(clientOf(p.id)))
	}
	return fmt.Sprintf("request %s of %s has no answer after %s", requestName(p.id), v.Name(clientOf(p.id)), length(Patience))
}

// RetryAfterHonest holds if a request that comes when the retry-after of the last
// rejection of its key is over, with no other request of the key in between, is
// admitted.
//
// Source: spec, rate limiting and idempotency, section 0.5, P-HDR.
type RetryAfterHonest struct {
	Layout Layout

	sim.Check
	promised []sim.Time // by key: from when on the next request is to be admitted; Never for no promise
	cost     []uint32   // for at most that cost
	at       sim.Time   // of the promise, at the first violation
}

// Name implements [sim.Property].
func (p *RetryAfterHonest) Name() string { return "retry-after-honest" }

// Reset implements [sim.Observer].
func (p *RetryAfterHonest) Reset(*sim.View[Msg]) {
	p.Clear()
	p.promised, p.cost = resized(p.promised, p.Layout.Keys+1), resized(p.cost, p.Layout.Keys+1)
	for i := range p.promised {
		p.promised[i] = sim.Never
	}
	p.at = 0
}

// Observe implements [sim.Observer].
func (p *RetryAfterHonest) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	admitted, ok := decided(o)
	if !ok {
		return
	}
	m := &o.Msg
	if promised := p.promised[m.Key]; v.Now() >= promised && m.Cost <= p.cost[m.Key] {
		p.Saw()
		if !admitted && p.Violate(v.Now(), o.Node) {
			p.at = promised
		}
	}
	p.promised[m.Key] = sim.Never
	if !admitted && m.X > 0 {
		p.promised[m.Key], p.cost[m.Key] = v.Now().Add(time.Duration(m.X)), m.Cost
	}
}

// End implements [sim.Observer].
func (p *RetryAfterHonest) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *RetryAfterHonest) Why(v *sim.View[Msg]) string {
	f := p.Finding()
	return fmt.Sprintf("%s rejected a request at %v whose key had been told to come back at %v, and had been silent since", v.Name(f.Nodes[0]), f.First, p.at)
}
