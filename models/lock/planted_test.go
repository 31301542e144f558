package lock

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/models/lock/redislock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Bugs as people write them, planted one at a time. The search is given a budget of
// faults and a property, and must find each; with the bug mended, and the same
// budget, it must not.

// hasty is a Redis whose keys are gone in the last millisecond in which they should
// be alive: >= for > at the expiry.
type hasty struct{ redisserver.Server }

func (h *hasty) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.Set {
		in.Msg = core.NewSet(in.Msg.LockValue(), in.Msg.TTL()-time.Millisecond).Of(in.Msg.Try)
	}
	h.Server.Step(in, out)
}

// forgetting is a counter that begins at 1 again after a restart.
type forgetting struct{ last uint64 }

func (f *forgetting) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	c := Counter{f.last}
	c.Step(in, out)
	f.last = c.last
}

// redlocks changes the rules or ways of the clients of Redlock.
func redlocks(change func(*redislock.Redlock)) func(*Params) func() sim.System[core.Msg] {
	return func(p *Params) func() sim.System[core.Msg] {
		return func() sim.System[core.Msg] { return p.build(p.withRedlock(change)) }
	}
}

// withRedlock is the plan of Redlock with clients that are changed.
func (p *Params) withRedlock(change func(*redislock.Redlock)) *plan {
	s, r := p.plan(), p.redlock()
	r.Servers = p.firstServer()
	change(&r)
	s.worker = worker(r)
	return s
}

func nodes(prefix string, make func(name string) sim.Spec[core.Msg]) func(*Params) func() sim.System[core.Msg] {
	return func(p *Params) func() sim.System[core.Msg] { return mutate(p, prefix, make) }
}

func TestPlantedBugs(t *testing.T) {
	for _, v := range []struct {
		name     string
		property string
		set      func(*Params)
		net      sim.Dist
		budget   explore.Budget
		bug      func(*Params) func() sim.System[core.Msg]
	}{
		{"off-by-one quorum", "entitled-exclusion", func(p *Params) { p.Start, p.Tries = nil, ptr(1) }, sim.Constant(5 * ms),
			explore.Budget{Lost: 3}, redlocks(func(r *redislock.Redlock) { r.Rules.Quorum-- })},
		{"validity without drift", "entitled-exclusion",
			func(p *Params) {
				p.Instances, p.Work, p.Retry = ptr(3), []time.Duration{9_980 * ms}, ptr(sim.Constant(40*ms))
			}, sim.Constant(ms),
			explore.Budget{Slews: 2, SlewTo: []sim.PPB{8_000_000, -8_000_000}, Pauses: 1},
			redlocks(func(r *redislock.Redlock) { r.Rules.Drift = 0 })},
		{">= for > at the expiry", "entitled-exclusion",
			func(p *Params) {
				p.TTL, p.DriftMin, p.Rounds = ptr(50*ms), ptr(time.Duration(0)), []int{12}
				p.Service, p.Retry = "redis", ptr(sim.Uniform(100*time.Microsecond, ms))
				p.Work, p.Think, p.PerNode = []time.Duration{200 * ms}, []time.Duration{ms}, ptr(10*ms)
			}, sim.Uniform(time.Microsecond, 100*time.Microsecond), // above 0, so that time passes in the fault-free run, in which each draw is the least
			explore.Budget{Pauses: 1}, nodes("redis-", func(name string) sim.Spec[core.Msg] { return sim.Place[core.Msg](name, hasty{}) })},
		// Replies that come after the timeout: their keys stay for ten seconds.
		{"forgotten release to all", "deadlock-free", func(p *Params) { p.Instances, p.DeadlockBound = ptr(3), ptr(5*time.Second) }, sim.Constant(5 * ms),
			explore.Budget{Late: 2, LateBy: explore.Lengths{List: []time.Duration{time.Second}}, Nodes: []sim.NodeID{3, 4, 5}}, redlocks(func(r *redislock.Redlock) { r.Cleanup = redislock.CleanGranted })},
		{"token reused after restart", "increasing-tokens", func(p *Params) { p.Tokens, p.Service = "counter", "redis" }, sim.Constant(5 * ms),
			explore.Budget{Crashes: 1}, nodes("counter", func(name string) sim.Spec[core.Msg] { return sim.Place[core.Msg](name, forgetting{}) })},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := two()
			v.set(&p)
			require.Empty(t, p.Problems())
			find := func(build func() sim.System[core.Msg], runs int) *explore.Report {
				program := sim.NewProgram(build)
				r, err := explore.Find(context.Background(), explore.Search{
					Program: program, Budget: v.budget, Seed: 1, Runs: runs,
					Config:  sim.Config{Until: at(30_000), Network: sim.Network{Default: sim.Link{Delay: v.net}}},
					Targets: []int{slices.Index(program.Properties, v.property)},
				})
				require.NoError(t, err)
				return r
			}
			r := find(v.bug(&p), 50_000)
			require.NotNil(t, r.Found, "in %d runs", r.Runs)
			mended := find(p.System, max(2*r.Found.Run, 1000))
			require.NotZero(t, mended.Faulty)
			require.Nil(t, mended.Found)
		})
	}
}
