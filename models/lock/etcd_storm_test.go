package lock

import (
	"testing"
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// etcdInStorms is a lock in etcd that clients fight over, with the create revision as the token.
func etcdInStorms(set func(*Params)) func() sim.System[core.Msg] {
	p := etcdLock(4, func(p *Params) {
		p.TTL, p.Rounds, p.Fencing = ptr(2*time.Second), []int{0}, "lex"
		p.Work, p.Think = []time.Duration{300 * ms}, []time.Duration{50 * ms}
		p.WriteWait, p.Etcd.Timeout = ptr(time.Second), ptr(time.Second)
		if set != nil {
			set(p)
		}
	})
	return p.System
}

// longPauses are stops that leases do not outlive.
var longPauses = simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Acquired}, For: sim.Uniform(3*time.Second, 5*time.Second)})

// Effects keep the order of the tokens, whatever pauses, crashes and the network do; that
// one client at a time has the lock they do not.
func TestFencedEffectsKeepTheirOrderInStorms(t *testing.T) {
	for name, set := range map[string]func(*Params){
		"mutex":    nil,
		"fresh":    func(p *Params) { p.Etcd.Session = "fresh" },
		"election": func(p *Params) { p.Etcd.Recipe = "election" },
		"txn":      func(p *Params) { p.Etcd.Recipe, p.Etcd.Unlock = "txn", "guarded" },
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Storms(t, etcdInStorms(set), 20, []string{"fenced-order"}, []string{"mutual-exclusion"}, longPauses)
		})
	}
}

func TestWritesUnderTheLocksKeyLoseNothingInStorms(t *testing.T) {
	guarded := etcdInStorms(func(p *Params) { p.Fencing, p.Tokens, p.Etcd.GuardedWrite = "", "own", true })
	modeltest.Storms(t, guarded, 20, []string{"fenced-order", "no-lost-update"}, []string{"mutual-exclusion"}, longPauses)
}

func TestEtcdParamsThatMakeNoSense(t *testing.T) {
	for _, c := range []modeltest.Case[Params]{
		{Path: "ttl", Says: "whole seconds", Set: func(p *Params) { p.TTL = ptr(1500 * ms) }},
		{Path: "etcd.ttl.1", Says: "whole seconds", Set: func(p *Params) { p.Etcd.TTL = []time.Duration{time.Second, 1500 * ms} }},
		{Path: "etcd.margin", Says: "shorter than the TTL of 10s", Set: func(p *Params) { p.Etcd.Margin = 10 * time.Second }},
		{Path: "etcd.shared", Says: "there are 2 clients", Set: func(p *Params) { p.Etcd.Shared = 3 }},
		{Path: "etcd.session", Says: "is kept", Set: func(p *Params) { p.Etcd.Shared, p.Etcd.Session = 2, "fresh" }},
		{Path: "etcd.verify", Says: "recipe election", Set: func(p *Params) { p.Etcd.Recipe, p.Etcd.Verify = "election", ptr(false) }},
		{Path: "etcd.heartbeat", Says: "5 times as heartbeat 300ms, got 1s", Set: func(p *Params) { p.Etcd.Heartbeat = ptr(300 * ms) }},
		{Path: "etcd.election-timeout", Says: "5 times as heartbeat 100ms, got 400ms", Set: func(p *Params) { p.Etcd.Election = ptr(400 * ms) }},
		{Path: "etcd.guarded-write", Says: "tokens: own", Set: func(p *Params) { p.Etcd.GuardedWrite = true }},
		{Path: "etcd", Says: "service redis has none", Set: func(p *Params) { p.Service = "redis" }},
		{Set: func(p *Params) { p.Tokens, p.Etcd.GuardedWrite = "own", true }},
	} {
		modeltest.Refused(t, func() Params { return etcdLock(2, nil) }, (*Params).Problems, c)
	}
}
