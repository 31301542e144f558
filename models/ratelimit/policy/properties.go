package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// oneRulePerVersion holds if every decision names a version and a rule of it that the
// request matches: for one version the same request meets the same rules, whichever
// decides.
type oneRulePerVersion struct{ Book *book }

// Check implements [model.Checker].
func (p *oneRulePerVersion) Check(r *model.Report[Msg]) {
	r.Saw()
	if m := &r.Msg; !p.named(m) && r.Violated(r.Node) {
		r.Why("%s decided by rule %d and named version %d, in which the request does not match it", r.Name(r.Node), m.Rule, m.Version)
	}
}

func (p *oneRulePerVersion) named(m *Msg) bool {
	uses := p.Book.match(m.Version, m.Client, m.Tier)
	for _, u := range uses {
		if u.rule == m.Rule {
			return true
		}
	}
	return len(uses) == 0 && m.Rule == noRule
}

// lastGoodVersion holds if no limiter ever uses a version that does not load, or none.
//
// Source: envoyproxy/ratelimit, src/service/ratelimit.go, reloadConfig: an error leaves the old
// configuration in force.
type lastGoodVersion struct{ Book *book }

// Check implements [model.Checker].
func (p *lastGoodVersion) Check(r *model.Report[Msg]) {
	r.Saw()
	if v := r.Msg.Version; (v == 0 || p.Book.versions[v].problem != "") && r.Violated(r.Node) {
		r.Why("%s goes without rules, though it had a version that loads", r.Name(r.Node))
	}
}

// shadowIsSilent holds if a client that meets only rules in shadow mode is answered as without a
// limiter: yes, at once, and without a warning.
//
// Source: envoyproxy/ratelimit, README, ShadowMode.
type shadowIsSilent struct{}

// Check implements [model.Checker].
func (*shadowIsSilent) Check(r *model.Report[Msg]) {
	m := &r.Msg
	if m.Flags&Watched == 0 || m.Rule == noRule {
		return
	}
	r.Saw()
	if (!m.OK || m.wait() > 0 || m.Flags&Warned != 0) && r.Violated(r.Node) {
		r.Why("%s lets a request feel a rule in shadow mode", r.Name(r.Node))
	}
}

// noLateStart holds if no request that has waited begins after its deadline.
type noLateStart struct{ Deadline time.Duration }

// Bound implements [sim.Bounded].
func (p *noLateStart) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a start within %v", p.Deadline)}
}

// Check implements [model.Checker].
func (p *noLateStart) Check(r *model.Report[Msg]) {
	r.Saw()
	if waited := r.Msg.waited(); waited > p.Deadline && r.Violated(r.Node) {
		r.Why("a request begins after %v, and no caller waits for more than %v", waited, p.Deadline)
	}
}
