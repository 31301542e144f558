package idempotency

import (
	"time"

	"fencepost/sim"
)

// Provider is a payment provider: it charges once for each key that it knows, and forgets a
// key after TTL. A charge without a key, or with one that is forgotten, is a new charge. The
// same key with another amount is refused. All that it has is durable.
//
// Source: Stripe API reference, "Idempotent requests": keys are kept for at least 24 hours,
// and parameters are compared.
type Provider struct {
	TTL         time.Duration // 0: forever
	Connections connections

	charges []charge // durable; the id of one is its place, from 1
	said    bool     // the last step has made the last charge: durable
}

// charge is one charge, with the key under which it was asked for.
type charge struct {
	key, amount, intent Value

	until sim.Wall // the key is known before that, on the provider's clock
}

// Reset implements [sim.Resetter].
func (p *Provider) Reset(initial *Provider) {
	charges := append(p.charges[:0], initial.charges...)
	last := p.Connections
	last.reset(&initial.Connections)
	*p = *initial
	p.charges, p.Connections = charges, last
}

// Recover implements [sim.Recoverer].
func (p *Provider) Recover(before *Provider) {
	p.charges, p.said = append(p.charges[:0], before.charges...), before.said
}

// Step implements [sim.Node].
func (p *Provider) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start: // a crash may have come between a charge and the note about it
		if p.said {
			p.say(out)
		}
	case Charge:
		if p.Connections.fresh(&in) {
			p.said = false
			p.charge(in, out)
		}
	case Lookup:
		if p.Connections.fresh(&in) {
			i := p.find(m.Values[0])
			out.Send(in.From, m.found(Charged, i >= 0, Value(i+1), 200))
		}
	default:
		panic("idempotency: the provider got " + m.String())
	}
}

func (p *Provider) charge(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	amount, key, intent := m.Values[0], m.Values[1], m.Values[2]
	i := p.find(key)
	switch {
	case i < 0 || p.TTL > 0 && !in.Wall.Before(p.charges[i].until):
		p.charges = append(p.charges, charge{key: key, amount: amount, intent: intent, until: in.Wall.Add(p.TTL)})
		i = len(p.charges) - 1
		p.say(out)
	case p.charges[i].amount != amount:
		out.Send(in.From, m.found(Charged, true, Null, 422))
		return
	default:
		out.Note(payment(ChargeAgain, Value(i+1), amount, key, intent))
	}
	out.Send(in.From, m.found(Charged, true, Value(i+1), 200))
}

// say notes the last charge.
func (p *Provider) say(out *sim.Out[Msg]) {
	p.said = true
	c := &p.charges[len(p.charges)-1]
	out.Note(payment(ChargeMade, Value(len(p.charges)), c.amount, c.key, c.intent))
}

// find is the place of the latest charge under a key, -1 if there is none.
func (p *Provider) find(key Value) int {
	for i := len(p.charges) - 1; i >= 0 && key != Null; i-- {
		if p.charges[i].key == key {
			return i
		}
	}
	return -1
}
