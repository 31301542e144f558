package permits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network and a set of pauses in which everything happens but crashes.
func storm(c *sim.Config, p *sim.Program) {
	late, err := sim.LogNormal(2*ms, 100*ms)
	if err != nil {
		panic(err)
	}
	c.Until, c.Twice = at(20_000), false
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: late}}
	for _, n := range p.Nodes {
		simtest.Strike(n, sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * ms)})(c, p)
	}
}

// busy is more clients than there is room for, of whom some give up and some set
// deadlines, and two shutdowns at the end.
func busy(algorithm string, set func(*Params)) Params {
	p := DefaultParams()
	p.Algorithm, p.Clients, p.Permits, p.Queue, p.Timeout = algorithm, 10, 2, ptr(3), ptr(300*ms)
	p.Requests, p.Work = []int{0}, []sim.Dist{sim.Exponential(100 * ms)}
	p.Think = []sim.Dist{sim.Exponential(300 * ms)}
	p.Patience, p.Deadline = list(200, 0, 0, 250, 0, 0, 0, 150, 0, 0), list(0, 100, 0, 0, 0)
	p.Drain, p.Shutdown = ptr(200*ms), list(18_000, 18_100)
	if algorithm == "leases" {
		p.Queue, p.Timeout, p.Deadline, p.TTL, p.Heartbeat = nil, nil, nil, 2*time.Second, 200*ms
	}
	set(&p)
	return p
}

// TestRandomSchedules runs each limiter through storms and checks what it promises in
// them, and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	all := []string{"permits-conserved", "concurrency-limit", "fifo", "one-answer", "queue-bound", "no-start-after-drain", "no-start-for-gone", "drains", "no-panic"}
	runs := uint64(200)
	if testing.Short() {
		runs = 60
	}
	for _, v := range []struct {
		name        string
		params      Params
		never, some []string
	}{
		{"fixed", busy("fixed", func(*Params) {}), all, nil},
		{"fixed, newest first", busy("fixed", func(p *Params) { p.Order = "lifo" }), all, nil},
		{"fixed, no queue", busy("fixed", func(p *Params) { p.Queue = ptr(0) }), all, nil},
		{"as coded", busy("as-coded", func(p *Params) { p.DispatcherLog = sim.Exponential(5 * ms) }),
			[]string{"concurrency-limit"},
			[]string{"permits-conserved", "fifo", "one-answer", "queue-bound", "no-start-for-gone", "no-panic"}},
		{"leases, renewed", busy("leases", func(p *Params) { p.Limiters = 3 }),
			[]string{"no-start-after-drain", "no-start-for-gone", "drains", "no-panic"}, nil},
		{"leases, too short", busy("leases", func(p *Params) { p.Limiters, p.TTL, p.Heartbeat = 3, 150*ms, 0 }),
			[]string{"no-start-after-drain"}, []string{"permits-conserved", "concurrency-limit"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			require.Empty(t, v.params.Problems())
			program := sim.NewProgram(v.params.System)
			var c sim.Config
			storm(&c, &program)
			w, err := program.NewWorld(c)
			require.NoError(t, err)
			violated, judged := map[string]int{}, map[string]int{}
			for seed := range runs {
				r := w.Run(seed)
				require.False(t, r.Panic != nil, "seed %d: %v", seed, r.Panic)
				for i, f := range r.Properties {
					if f.Verdict != sim.Unknown {
						judged[program.Properties[i]]++
					}
					if f.Verdict == sim.Violated {
						if violated[program.Properties[i]]++; violated[program.Properties[i]] == 1 {
							t.Logf("seed %d: %s at %v: %s", seed, program.Properties[i], f.First, w.Why(i))
						}
					}
				}
			}
			for _, name := range v.never {
				assert.Zero(t, violated[name], "%s must hold: %v", name, violated)
				unseen := name == "fifo" && v.params.Order == "lifo" || name == "queue-bound" && v.params.queue() == 0
				assert.Equal(t, !unseen, judged[name] > 0, "%s was judged in %d runs", name, judged[name])
			}
			for _, name := range v.some {
				assert.NotZero(t, violated[name], "%s is not promised, and the storm must show it: %v", name, violated)
			}
		})
	}
}
