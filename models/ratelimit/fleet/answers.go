package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// questions are the requests of a run: by client less 1, and by their number less 1.
type questions [][]question

// question is a request: whom it was sent to last, and when.
type question struct {
	asked sim.Time // or answered, or excused
	to    sim.NodeID
}

const (
	answered sim.Time = -1 - iota
	excused           // whoever had it has crashed: nobody owes an answer
)

func (q *questions) reset(clients int) {
	for len(*q) < clients {
		*q = append(*q, nil)
	}
	for i := range *q {
		(*q)[i] = (*q)[i][:0]
	}
}

// ask takes in that a request was asked, perhaps again.
func (q questions) ask(id uint64, now sim.Time, to sim.NodeID) {
	list := &q[clientOf(id)-1]
	for len(*list) < int(uint32(id)) {
		*list = append(*list, question{excused, sim.None})
	}
	(*list)[uint32(id)-1] = question{now, to}
}

// of is what is known of a request that has been asked.
func (q questions) of(id uint64) *question { return &q[clientOf(id)-1][uint32(id)-1] }

// OneAnswer holds if every request gets one answer at most, and one that was asked at
// least Patience before the end gets one; a queue may keep it waiting for its turn as
// well. A limiter or a client that crashes takes with
// it what had not been answered; nobody owes those an answer, nor those that are asked
// while the limiter is down.
type OneAnswer struct {
	Layout Layout

	sim.Check
	asked questions
	down  []bool // by limiter
	id    uint64 // of the first violation
	twice bool
}

// patience is how long a client waits for an answer before it counts as none.
const patience = time.Minute

// Name implements [sim.Property].
func (p *OneAnswer) Name() string { return "one-answer" }

// Bound implements [sim.Bounded].
func (p *OneAnswer) Bound() sim.Bound {
	return sim.Bound{Text: "one answer within " + values.Length(p.Layout.Patience)}
}

// Reset implements [sim.Observer].
func (p *OneAnswer) Reset(*sim.View[Msg]) {
	p.Clear()
	p.asked.reset(p.Layout.Clients)
	p.down = resized(p.down, p.Layout.Limiters)
	p.id, p.twice = 0, false
}

// Observe implements [sim.Observer].
func (p *OneAnswer) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	limiter := int(o.Node - p.Layout.First)
	isLimiter := limiter >= 0 && limiter < p.Layout.Limiters
	switch {
	case o.Event == sim.Crashed:
		p.excuse(o.Node)
		if isLimiter {
			p.down[limiter] = true
		}
	case o.Event == sim.Restarted && isLimiter:
		p.down[limiter] = false
	case o.Event != sim.Noted:
	case o.Msg.Kind == Asked:
		p.asked.ask(o.Msg.ID, v.Now(), sim.NodeID(o.Msg.X))
		if to := int(o.Msg.X) - int(p.Layout.First); to >= 0 && to < p.Layout.Limiters && p.down[to] {
			p.asked.of(o.Msg.ID).asked = excused
		}
	case o.Msg.Kind == Answered:
		p.Saw()
		q := p.asked.of(o.Msg.ID)
		if q.asked == answered && p.Violate(v.Now(), o.Node) {
			p.id, p.twice = o.Msg.ID, true
		}
		q.asked = answered
	}
}

// excuse lets go of what a limiter or a client had open when it crashed.
func (p *OneAnswer) excuse(crashed sim.NodeID) {
	for client, list := range p.asked {
		for i := range list {
			if q := &list[i]; q.asked >= 0 && (q.to == crashed || sim.NodeID(client+1) == crashed) {
				q.asked = excused
			}
		}
	}
}

// End implements [sim.Observer].
func (p *OneAnswer) End(v *sim.View[Msg]) {
	for client, list := range p.asked {
		for i, q := range list {
			if q.asked < 0 || v.Now().Sub(q.asked) < p.Layout.Patience {
				continue
			}
			p.Saw()
			if p.Violate(q.asked.Add(p.Layout.Patience), sim.NodeID(client+1)) {
				p.id = requestID(sim.NodeID(client+1), uint32(i+1))
			}
		}
	}
}

// Why implements [sim.Property].
func (p *OneAnswer) Why(v *sim.View[Msg]) string {
	if p.twice {
		return fmt.Sprintf("request %s of %s was answered twice", requestName(p.id), v.Name(clientOf(p.id)))
	}
	return fmt.Sprintf("request %s of %s has no answer after %s", requestName(p.id), v.Name(clientOf(p.id)), values.Length(p.Layout.Patience))
}

// RetryAfterHonest holds if a request that comes when the retry-after of the last
// rejection of its key is over, with no other request of the key in between, is
// admitted.
//
// Source: RFC 9110, section 10.2.3.
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
