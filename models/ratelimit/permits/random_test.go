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
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * ms)})(c, p)
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
	all := []string{"permits-conserved", "concurrency-limit", "one-answer", "no-start-after-drain", "no-start-for-gone", "drains", "no-panic"}
	for _, v := range []struct {
		name               string
		params             Params
		never, some, blind []string
	}{
		{"fixed", busy("fixed", func(*Params) {}), append(all, "fifo", "queue-bound"), nil, nil},
		{"fixed, newest first", busy("fixed", func(p *Params) { p.Order = "lifo" }), append(all, "queue-bound"), nil, []string{"fifo"}},
		{"fixed, no queue", busy("fixed", func(p *Params) { p.Queue = ptr(0) }), append(all, "fifo"), nil, []string{"queue-bound"}},
		{"as written", busy("as-written", func(p *Params) { p.DispatcherLog = sim.Exponential(5 * ms) }),
			[]string{"concurrency-limit"},
			[]string{"permits-conserved", "fifo", "one-answer", "queue-bound", "no-start-for-gone", "no-panic"}, nil},
		{"leases, renewed", busy("leases", func(p *Params) { p.Limiters = 3 }),
			[]string{"no-start-after-drain", "no-start-for-gone", "drains", "no-panic"}, nil, nil},
		{"leases, too short", busy("leases", func(p *Params) { p.Limiters, p.TTL, p.Heartbeat = 3, 150*ms, 0 }),
			[]string{"no-start-after-drain"}, []string{"permits-conserved", "concurrency-limit"}, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			require.Empty(t, v.params.Problems())
			c := simtest.Count(t, v.params.System, sim.Config{}, 200, storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
			for _, name := range v.blind {
				assert.Zero(t, c.Exercised[name], name)
			}
		})
	}
}
