package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// sameAnswer holds if all final answers to one tenant, key and content are equal, code and
// body.
//
// Source: IETF draft-ietf-httpapi-idempotency-key-header, section 2.6.
type sameAnswer struct {
	Answers table[given] // by key: the first
	More    []given      // to other tenants, or for other contents, with a key that is there
}

// given is an answer that a client has got.
type given struct {
	to     scope
	client sim.NodeID
	status uint16
	body   Value
}

// Check implements [model.Checker].
func (p *sameAnswer) Check(r *model.Report[Msg]) {
	m := &r.Msg
	r.Saw()
	to := scope{m.tenant(), m.key(), m.fingerprint()}
	g := p.before(to)
	if g == nil {
		p.first(given{to, r.Node, m.Status, m.body()})
		return
	}
	if (g.status != m.Status || g.body != m.body()) && r.Violated(r.Node, g.client) {
		r.Why("%s gets the answer %s for key %d, for which %s got %s", r.Name(r.Node), answer(m.Status, m.body()), to.key, r.Name(g.client), answer(g.status, g.body))
	}
}

// before is the first answer in a scope, nil if there is none.
func (p *sameAnswer) before(to scope) *given {
	if g := p.Answers.find(to.key); g != nil && g.to == to {
		return g
	}
	for i := range p.More {
		if p.More[i].to == to {
			return &p.More[i]
		}
	}
	return nil
}

func (p *sameAnswer) first(g given) {
	if p.Answers.find(g.to.key) == nil {
		*p.Answers.at(g.to.key) = g
		return
	}
	p.More = append(p.More, g)
}

func (p *sameAnswer) property() sim.Property[Msg] {
	return model.NewProperty("same-answer", p, Answered).Needs("a client gets a final answer")
}
