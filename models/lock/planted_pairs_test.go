package lock

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/models/lock/k8slock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Bugs that need two faults. The search finds each; it finds none with the bug mended, and none with one fault alone.

// uncached is a Redis that has no scripts after a restart: the first release then falls back to DEL, as in a library that
// takes NOSCRIPT for a server without scripts.
type uncached struct {
	redisserver.Server
	cold bool
}

func (u *uncached) Reset(initial *uncached) {
	u.Server.Reset(&initial.Server)
	u.cold = initial.cold
}

func (u *uncached) Recover(before *uncached) {
	u.Server.Recover(&before.Server)
	u.cold = true
}

func (u *uncached) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.DelIf {
		if u.cold {
			in.Msg.Kind = core.Del
		}
		u.cold = false
	}
	u.Server.Step(in, out)
}

// unversioned is an API server that takes the first update after a restart, whatever version it is of.
type unversioned struct {
	k8slock.APIServer
	version uint64
	any     bool
}

func (u *unversioned) Recover(before *unversioned) {
	u.APIServer.Recover(&before.APIServer)
	u.version, u.any = before.version, true
}

func (u *unversioned) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; {
	case m.Kind == core.CreateObject && u.version == 0:
		u.version++
	case m.Kind == core.UpdateObject && (u.any || m.Lease().Version == u.version):
		lease := m.Lease()
		lease.Version = u.version
		m.SetLease(lease)
		u.version, u.any = u.version+1, false
	}
	u.APIServer.Step(in, out)
}

// unsaved is a counter that reads its file when it starts, and writes it when it next changes: a second crash before that loses it.
type unsaved struct {
	Counter
	saved bool
}

func (u *unsaved) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	u.saved = u.saved || in.Msg.Kind == core.Incr
	u.Counter.Step(in, out)
}

func (u *unsaved) Recover(before *unsaved) {
	if before.saved {
		u.Counter.Recover(&before.Counter)
	}
}

func TestPlantedPairs(t *testing.T) {
	one := func(d time.Duration) explore.Lengths { return explore.Lengths{List: []time.Duration{d}} }
	for _, v := range []struct {
		name, property, server string
		params                 Params
		budget                 explore.Budget
		mutant                 func(*Params, string) sim.Spec[core.Msg]
	}{
		{"a script that a restart loses", "owner-release", "redis-1",
			Params{Service: "redis", Clients: 2, Persistence: "aof-always", PerNode: ptr(time.Duration(0)), Start: []time.Duration{0, 200 * ms}, Rounds: []int{2}},
			explore.Budget{Pauses: 1, PauseFor: one(15 * time.Second), Crashes: 1, DownFor: one(10 * ms)},
			func(p *Params, name string) sim.Spec[core.Msg] {
				s := redisserver.NewServer(p.Clients)
				s.Persistence = redis.Always
				return sim.Place[core.Msg](name, uncached{Server: s})
			}},
		{"a version that a restart forgets", "leader-per-term", "api-server",
			Params{Service: "k8s-lease", Clients: 2, WorkAs: "leader", Tokens: "own", Start: []time.Duration{0, 200 * ms}, Hold: []time.Duration{20 * time.Second}, Rounds: []int{3}},
			explore.Budget{Pauses: 1, PauseFor: one(20 * time.Second), Crashes: 1, DownFor: one(time.Second)},
			func(_ *Params, name string) sim.Spec[core.Msg] { return sim.Place[core.Msg](name, unversioned{}) }},
		{"a file that is written late", "increasing-tokens", "counter",
			Params{Service: "zookeeper", Clients: 2, Tokens: "counter", Start: []time.Duration{0, 200 * ms}, Rounds: []int{4}},
			explore.Budget{Crashes: 2, DownFor: one(100 * ms)},
			func(_ *Params, name string) sim.Spec[core.Msg] { return sim.Place[core.Msg](name, unsaved{}) }},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := v.params
			require.Empty(t, p.Problems())
			planted := mutate(&p, v.server, func(name string) sim.Spec[core.Msg] { return v.mutant(&p, name) })
			find := func(build func() sim.System[core.Msg], b explore.Budget, runs int) *explore.Report {
				program := sim.NewProgram(build)
				b.CrashNodes = slices.DeleteFunc([]sim.NodeID{program.Node(v.server)}, func(id sim.NodeID) bool { return b.Crashes == 0 })
				r, err := explore.Find(t.Context(), explore.Search{
					Program: program, Budget: b, Seed: 1, Runs: runs,
					Config:  sim.Config{Until: at(90_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}},
					Targets: []int{slices.Index(program.Properties, v.property)},
				})
				require.NoError(t, err)
				return r
			}
			r := find(planted, v.budget, 20_000)
			require.NotNil(t, r.Found, "in %d runs", r.Runs)
			runs := max(2*r.Found.Run, 2000)
			require.Nil(t, find(p.System, v.budget, runs).Found, "without the bug")
			for _, alone := range []explore.Budget{{Pauses: v.budget.Pauses, PauseFor: v.budget.PauseFor}, {Crashes: 1, DownFor: v.budget.DownFor}} {
				if alone.Faults() == 1 {
					x := find(planted, alone, runs)
					require.NotZero(t, x.Faulty)
					require.Nil(t, x.Found, "with one fault: %+v", alone)
				}
			}
		})
	}
}
