package ntp

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network and a set of pauses in which everything happens but faults of clocks
// and crashes. One server of four is wrong, and the clocks of clients drift.
func storm(c *sim.Config, p *sim.Program) {
	late, err := sim.LogNormal(20*ms, 500*ms)
	if err != nil {
		panic(err)
	}
	c.Until, c.Twice = at(3_600_000), false
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: late, Loss: sim.Certain / 20, Duplicate: sim.Certain / 20}}
	simtest.Clock("server-1", sim.Clock{Rate: 30})(c, p)
	simtest.Clock("server-4", sim.Clock{Offset: 700 * ms})(c, p)
	simtest.Clock("client-1", sim.Clock{Rate: 80_000, Offset: -600 * ms})(c, p)
	simtest.Clock("client-2", sim.Clock{Rate: -60_000, Offset: 90 * ms})(c, p)
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Minute)}, For: sim.Exponential(300 * ms)})(c, p)
	c.Costs = slices.Repeat([]sim.Dist{sim.Exponential(ms)}, len(p.Nodes))
}

// busy is two clients of four servers.
func busy(set func(*Params)) Params {
	return params(func(p *Params) {
		p.Servers, p.Clients, p.Poll, p.Work = 4, 2, 16*time.Second, sim.Exponential(2*ms)
		p.Settle, p.Epsilon = 2*time.Minute, 400*ms
		set(p)
	})
}

// TestRandomSchedules runs each selection through storms and checks what it promises in
// them, and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	for _, v := range []struct {
		name        string
		params      Params
		never, some []string
	}{
		{"marzullo", busy(func(p *Params) { p.Select = "marzullo" }),
			[]string{"within-bound", "no-falseticker", "bounded-error", "monotonic"}, nil},
		{"marzullo, ntpd", busy(func(p *Params) { p.Select, p.Discipline, p.Settle = "marzullo", "ntpd", 20*time.Minute }),
			[]string{"within-bound", "no-falseticker", "bounded-error"}, nil},
		{"latest", busy(func(p *Params) { p.Threshold = ptr(time.Hour) }),
			[]string{"within-bound", "monotonic"}, []string{"no-falseticker", "bounded-error"}},
		{"least delay", busy(func(p *Params) { p.Select = "least-delay" }),
			[]string{"within-bound", "monotonic"}, []string{"no-falseticker", "bounded-error"}},
		{"broadcast", busy(func(p *Params) { p.Mode, p.Work, p.Assumed = "broadcast", sim.Dist{}, 20*ms }),
			nil, []string{"within-bound", "no-falseticker", "bounded-error"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			require.Empty(t, v.params.Problems())
			c := simtest.Count(t, v.params.System, sim.Config{}, whole.Of(60, 100), storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}

// Whatever becomes of the clocks of clients, half of the delay is a bound.
func TestRandomClockFaults(t *testing.T) {
	p := busy(func(p *Params) { p.Select = "least-delay" })
	c := simtest.Count(t, p.System, sim.Config{}, 50, storm, faults, func(c *sim.Config, _ *sim.Program) { c.Costs = nil })
	c.Holds("within-bound")
	assert.Equal(t, c.Runs, c.Exercised["within-bound"])
}

// faults are those of clocks, and crashes.
func faults(c *sim.Config, p *sim.Program) {
	every := func(d time.Duration) sim.When { return sim.When{Every: sim.Exponential(d)} }
	for _, n := range []string{"client-1", "client-2", "server-2"} {
		simtest.Inject(n, sim.Fault{Do: sim.Suspend, When: every(20 * time.Minute), For: sim.Exponential(10 * time.Second)})(c, p)
		simtest.Inject(n, sim.Fault{Do: sim.Crash, When: every(20 * time.Minute), For: sim.Exponential(10 * time.Second)})(c, p)
		simtest.Inject(n, sim.Fault{Do: sim.SetRate, Rate: -90_000, When: every(10 * time.Minute), For: sim.Exponential(time.Minute)})(c, p)
	}
	simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: -3 * time.Second, When: sim.When{At: at(1_000_003)}})(c, p)
	simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: 2 * time.Second, When: sim.When{At: at(2_000_007)}})(c, p)
}

// TestResetForgetsEverything runs clients and servers through storms and faults.
func TestResetForgetsEverything(t *testing.T) {
	for _, v := range []Params{
		busy(func(p *Params) { p.Select, p.Discipline = "marzullo", "ntpd" }),
		busy(func(p *Params) { p.Select = "least-delay" }),
		busy(func(p *Params) { p.Mode, p.Work, p.Settle, p.Panic = "broadcast", sim.Dist{}, 0, ptr(2*time.Second) }),
	} {
		simtest.Forgets(t, v.System, sim.Config{}, storm, faults)
	}
}
