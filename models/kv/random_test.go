package kv

import (
	"slices"
	"testing"
	"time"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// crowd is six clients that read and write two keys of five nodes, by way of any of them.
func crowd(policy string, set func(*Params)) func(*Params) {
	return func(p *Params) {
		p.Nodes, p.Route, p.Patience = 5, "in-turn", 700*ms
		p.Conflict.Conflict = policy
		p.AntiEntropy, p.Handoff, p.Suspect = 5*time.Second, 2*time.Second, time.Second
		p.Workload = &WorkloadParams{Clients: 6, Gap: sim.Exponential(200 * ms), Reads: sim.Certain / 2, Keys: ptr(2)}
		if set != nil {
			set(p)
		}
	}
}

// once is a network in which no message arrives twice.
func once(c *sim.Config, _ *sim.Program) { c.Network.Default.Duplicate = 0 }

// twice is one in which some do.
func twice(*sim.Config, *sim.Program) {}

// apart is partitions: each node is cut off from the others now and then, without its clients.
func apart(c *sim.Config, p *sim.Program) {
	for i, name := range p.Nodes[:5] {
		others := slices.Delete(slices.Clone(p.Nodes[:5]), i, i+1)
		f := sim.Fault{Do: sim.Cut, Name: "cut " + name, When: sim.When{Every: sim.Exponential(8 * time.Second)}, For: sim.Exponential(time.Second)}
		simtest.Part(f, []string{name}, others)(c, p)
	}
}

// Each policy and quorum in storms: messages are late, lost and out of order, nodes are paused,
// crash and are cut off.
func TestRandomSchedules(t *testing.T) {
	const kq, kl, kf, ka = "quorum-read", "no-lost-write", "concurrent-siblings", "available"
	sloppy := func(p *Params) { p.Quorum, p.Coordinator = "sloppy", "any" }
	quorum := func(r, w int) func(*Params) { return func(p *Params) { p.Read, p.Write = ptr(r), ptr(w) } }
	for _, v := range []struct {
		name            string
		change          simtest.Change
		set             func(*Params)
		holds, violated []string
	}{
		{"dvvset", once, crowd("dvvset", nil), []string{kq, kl, kf}, []string{ka}},
		{"dvvset, repair that blocks", once, crowd("dvvset", func(p *Params) { p.ReadRepair = "blocking" }), []string{kq, kl, kf}, []string{ka}},
		{"dvvset, no repair", once, crowd("dvvset", func(p *Params) { p.ReadRepair, p.AntiEntropy = "none", 0 }), []string{kq, kl, kf}, []string{ka}},
		{"dvvset, R=1 W=3", once, crowd("dvvset", quorum(1, 3)), []string{kq, kl, kf}, []string{ka}},
		{"dvvset, R=1 W=1", once, crowd("dvvset", quorum(1, 1)), []string{kl, kf}, []string{ka}},
		{"dvvset, sloppy", once, crowd("dvvset", sloppy), []string{kl, kf}, []string{kq, ka}},
		// A put that arrives twice is two writes. The client has read the one, and its next write replaces only that.
		{"dvvset, puts arrive twice", twice, crowd("dvvset", nil), []string{kq, kl}, []string{kf, ka}},
		{"vnode-vectors", once, crowd("vnode-vectors", nil), []string{kq, kl}, []string{kf, ka}},
		{"last-write-wins", once, crowd("last-write-wins", nil), []string{kq}, []string{kl, ka}},
		{"last-write-wins-hlc", once, crowd("last-write-wins-hlc", nil), []string{kq}, []string{kl, ka}},
	} {
		t.Run(v.name, func(t *testing.T) {
			modeltest.Storms(t, system(t, v.set), whole.Of(60, 100), v.holds, v.violated, apart, v.change)
		})
	}
}

// TestAStepIsPure takes each step of some runs twice, on copies.
func TestAStepIsPure(t *testing.T) {
	for _, policy := range []string{"last-write-wins", "last-write-wins-hlc", "client-vectors", "server-vectors", "vnode-vectors", "dvvset", "counter", "or-set", "register"} {
		t.Run(policy, func(t *testing.T) {
			set := crowd(policy, func(p *Params) {
				p.Quorum, p.Coordinator = "sloppy", "any"
				if policy == "counter" || policy == "or-set" {
					p.Workload, p.Clients = nil, []ClientParams{script("add x 3", "get x", "remove x 3"), script("wait 10ms", "get x", "add x 5")}
					for i := range p.Clients {
						p.Clients[i].Repeat, p.Clients[i].Think = ptr(1000), sim.Exponential(100*ms)
					}
				}
			})
			simtest.Play(t, system(t, set), sim.Config{}, modeltest.Storm, apart, simtest.Until(modeltest.At(10_000)))
			for _, also := range []func(*Params){
				func(p *Params) {
					p.Spare, p.Changes = 1, []ChangeParams{{At: 500 * ms, Join: "node-6"}, {At: 4 * time.Second, Leave: "node-6"}}
				},
				func(p *Params) { p.Session.Floor, p.Disk = true, "lost" },
				func(p *Params) { p.AntiEntropy, p.Grace = 100*ms, ms },
			} {
				simtest.Play(t, system(t, func(p *Params) { set(p); also(p) }), sim.Config{}, modeltest.Storm, simtest.Until(modeltest.At(10_000)))
			}
		})
	}
}
