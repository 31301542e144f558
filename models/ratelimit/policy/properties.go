package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// OneRulePerVersion holds if every decision names a version and a rule of it that the
// request matches: for one version the same request meets the same rules, whoever
// decides.
type OneRulePerVersion struct {
	sim.Check
	book  *book
	first Msg
}

// Name implements [sim.Property].
func (p *OneRulePerVersion) Name() string { return "one-rule-per-version" }

// Reset implements [sim.Observer].
func (p *OneRulePerVersion) Reset(*sim.View[Msg]) { p.Clear(); p.first = Msg{} }

// Observe implements [sim.Observer].
func (p *OneRulePerVersion) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Decided {
		return
	}
	p.Saw()
	if !p.named(&o.Msg) && p.Violate(v.Now(), o.Node) {
		p.first = o.Msg
	}
}

func (p *OneRulePerVersion) named(m *Msg) bool {
	uses := p.book.match(m.Version, m.Client, m.Tier)
	for _, u := range uses {
		if u.rule == m.Rule {
			return true
		}
	}
	return len(uses) == 0 && m.Rule == noRule
}

// End implements [sim.Observer].
func (p *OneRulePerVersion) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *OneRulePerVersion) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s decided by rule %d and named version %d, in which the request does not match it", v.Name(p.Finding().Nodes[0]), p.first.Rule, p.first.Version)
}

// LastGoodVersion holds if no limiter ever uses a version that does not load, or none.
type LastGoodVersion struct {
	sim.Check
	book *book
}

// Name implements [sim.Property].
func (p *LastGoodVersion) Name() string { return "last-good-version" }

// Reset implements [sim.Observer].
func (p *LastGoodVersion) Reset(*sim.View[Msg]) { p.Clear() }

// Observe implements [sim.Observer].
func (p *LastGoodVersion) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Adopted {
		return
	}
	p.Saw()
	if o.Msg.Version == 0 || p.book.versions[o.Msg.Version].problem != "" {
		p.Violate(v.Now(), o.Node)
	}
}

// End implements [sim.Observer].
func (p *LastGoodVersion) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *LastGoodVersion) Why(v *sim.View[Msg]) string {
	return v.Name(p.Finding().Nodes[0]) + " goes without rules, though it had a version that loads"
}

// ShadowIsSilent holds if whoever only meets rules in shadow mode is answered as without a
// limiter: yes, at once, and without a warning.
type ShadowIsSilent struct{ sim.Check }

// Name implements [sim.Property].
func (p *ShadowIsSilent) Name() string { return "shadow-is-silent" }

// Reset implements [sim.Observer].
func (p *ShadowIsSilent) Reset(*sim.View[Msg]) { p.Clear() }

// Observe implements [sim.Observer].
func (p *ShadowIsSilent) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m := &o.Msg
	if o.Event != sim.Noted || m.Kind != Decided || m.Flags&Watched == 0 || m.Rule == noRule {
		return
	}
	p.Saw()
	if !m.OK || m.X > 0 || m.Flags&Warned != 0 {
		p.Violate(v.Now(), o.Node)
	}
}

// End implements [sim.Observer].
func (p *ShadowIsSilent) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *ShadowIsSilent) Why(v *sim.View[Msg]) string {
	return v.Name(p.Finding().Nodes[0]) + " lets a request feel a rule in shadow mode"
}

// NoLateStart holds if no request that has waited begins after its deadline.
type NoLateStart struct {
	Deadline time.Duration

	sim.Check
	waited time.Duration // at the first violation
}

// Name implements [sim.Property].
func (p *NoLateStart) Name() string { return "no-late-start" }

// Bound implements [sim.Bounded].
func (p *NoLateStart) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a start within %v", p.Deadline)}
}

// Reset implements [sim.Observer].
func (p *NoLateStart) Reset(*sim.View[Msg]) { p.Clear(); p.waited = 0 }

// Observe implements [sim.Observer].
func (p *NoLateStart) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Begun {
		return
	}
	p.Saw()
	if waited := time.Duration(o.Msg.X); waited > p.Deadline && p.Violate(v.Now(), o.Node) {
		p.waited = waited
	}
}

// End implements [sim.Observer].
func (p *NoLateStart) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoLateStart) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("a request begins after %v, and nobody waits for more than %v", p.waited, p.Deadline)
}
