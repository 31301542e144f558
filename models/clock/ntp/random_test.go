package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	clockOf("server-1", sim.Clock{Rate: 30})(c, p)
	clockOf("server-4", sim.Clock{Offset: 700 * ms})(c, p)
	clockOf("client-1", sim.Clock{Rate: 80_000, Offset: -600 * ms})(c, p)
	clockOf("client-2", sim.Clock{Rate: -60_000, Offset: 90 * ms})(c, p)
	for _, n := range p.Nodes {
		simtest.Strike(n, sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Minute)}, For: sim.Exponential(300 * ms)})(c, p)
		c.Costs = append(c.Costs, sim.Exponential(ms))
	}
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
	runs := uint64(100)
	if testing.Short() {
		runs = 30
	}
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
			program := sim.NewProgram(v.params.System)
			var c sim.Config
			storm(&c, &program)
			w, err := program.NewWorld(c)
			require.NoError(t, err)
			violated, judged := map[string]int{}, map[string]int{}
			for seed := range runs {
				r := w.Run(seed)
				require.Nil(t, r.Panic)
				for i, f := range r.Properties {
					name := program.Properties[i]
					if f.Verdict != sim.Unknown {
						judged[name]++
					}
					if f.Verdict == sim.Violated {
						if violated[name]++; violated[name] == 1 {
							t.Logf("seed %d: %s at %v: %s", seed, name, f.First, w.Why(i))
						}
					}
				}
			}
			for _, name := range v.never {
				assert.Zero(t, violated[name], "%s must hold: %v", name, violated)
				assert.NotZero(t, judged[name], name)
			}
			for _, name := range v.some {
				assert.NotZero(t, violated[name], "%s is not promised, and the storm must show it: %v", name, violated)
			}
		})
	}
}

// Whatever becomes of the clocks of clients, half of the delay is a bound.
func TestRandomClockFaults(t *testing.T) {
	p := busy(func(p *Params) { p.Select = "least-delay" })
	program := sim.NewProgram(p.System)
	var c sim.Config
	storm(&c, &program)
	c.Costs = nil
	faults(&c, &program)
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	judged := 0
	for seed := range uint64(50) {
		r := w.Run(seed)
		require.Nil(t, r.Panic)
		require.NotEqual(t, sim.Violated, r.Properties[0].Verdict, "seed %d at %v: %s", seed, r.Properties[0].First, w.Why(0))
		if r.Properties[0].Verdict == sim.Holds {
			judged++
		}
	}
	assert.Equal(t, 50, judged)
}

// faults are those of clocks, and crashes.
func faults(c *sim.Config, p *sim.Program) {
	every := func(d time.Duration) sim.When { return sim.When{Every: sim.Exponential(d)} }
	for _, n := range []string{"client-1", "client-2", "server-2"} {
		simtest.Strike(n, sim.Fault{Do: sim.Suspend, When: every(20 * time.Minute), For: sim.Exponential(10 * time.Second)})(c, p)
		simtest.Strike(n, sim.Fault{Do: sim.Crash, When: every(20 * time.Minute), For: sim.Exponential(10 * time.Second)})(c, p)
		simtest.Strike(n, sim.Fault{Do: sim.SetRate, Rate: -90_000, When: every(10 * time.Minute), For: sim.Exponential(time.Minute)})(c, p)
	}
	simtest.Strike("client-1", sim.Fault{Do: sim.StepClock, By: -3 * time.Second, When: sim.When{At: at(1_000_003)}})(c, p)
	simtest.Strike("client-1", sim.Fault{Do: sim.StepClock, By: 2 * time.Second, When: sim.When{At: at(2_000_007)}})(c, p)
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
