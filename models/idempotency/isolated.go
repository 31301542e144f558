package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// isolated holds if a key means nothing to another tenant and nothing for another content:
// no client is answered with the effect of an intent of another tenant or content, and no two
// contents have effects under one key of a tenant.
//
// Source: IETF draft-ietf-httpapi-idempotency-key-header, sections 2.2 and 2.7; OWASP,
// "Insecure Direct Object References".
type isolated struct {
	Intents table[scope] // whose, and under what key
	Rows    table[Value] // of the first table of effects, by id: the intent
	Keys    table[scope] // that have an effect: the first
	More    []scope      // of other tenants, with a key that is there
}

// Check implements [model.Checker].
func (p *isolated) Check(r *model.Report[Msg]) {
	m := &r.Msg
	switch m.Kind {
	case Asked:
		*p.Intents.at(m.intent()) = scopeOf(m.demand())
	case Effect:
		p.effect(r, m)
	case Answered:
		p.answer(r, m)
	}
}

func (p *isolated) effect(r *model.Report[Msg], m *Msg) {
	of, intent, id, _ := m.effect()
	if of == 0 {
		*p.Rows.at(id) = intent
	}
	s := p.Intents.find(intent)
	if s == nil {
		return
	}
	r.Saw()
	switch other := p.owner(s); {
	case other == nil:
	case other.fingerprint != s.fingerprint && r.Violated(r.Node):
		r.Why("key %d of tenant %d has an effect for content %d, and has one for content %d", s.key, s.tenant, s.fingerprint, other.fingerprint)
	}
}

// owner is what has the first effect under a key of a tenant; if there was none it is nil, and
// from then on s.
func (p *isolated) owner(s *scope) *scope {
	first := p.Keys.find(s.key)
	if first == nil {
		*p.Keys.at(s.key) = *s
		return nil
	}
	if first.tenant == s.tenant {
		return first
	}
	for i := range p.More {
		if p.More[i].key == s.key && p.More[i].tenant == s.tenant {
			return &p.More[i]
		}
	}
	p.More = append(p.More, *s)
	return nil
}

func (p *isolated) answer(r *model.Report[Msg], m *Msg) {
	intent := p.Rows.find(m.body())
	if intent == nil || !success(m.Status) {
		return
	}
	r.Saw()
	owner := p.Intents.find(*intent)
	if owner == nil {
		return
	}
	switch {
	case owner.tenant != m.tenant() && r.Violated(r.Node):
		r.Why("%s, of tenant %d, is answered with order %d of tenant %d", r.Name(r.Node), m.tenant(), m.body(), owner.tenant)
	case owner.tenant == m.tenant() && owner.fingerprint != m.fingerprint() && r.Violated(r.Node):
		r.Why("%s asks for content %d and is answered with order %d, which is for content %d", r.Name(r.Node), m.fingerprint(), m.body(), owner.fingerprint)
	}
}

func (p *isolated) property() sim.Property[Msg] {
	return model.NewProperty("isolated", p, Asked, Effect, Answered).Needs("a request takes effect, or is answered with the id of an effect")
}
