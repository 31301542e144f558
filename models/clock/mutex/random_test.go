package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// busy is processes that ask over and over.
func busy(algorithm string, set func(*Params)) Params {
	return params(algorithm, func(p *Params) {
		p.Processes, p.Rounds, p.Within = 5, []int{0}, in(10*time.Second)
		p.Think, p.Work = []sim.Dist{sim.Exponential(50 * ms)}, []sim.Dist{sim.Exponential(20 * ms)}
		if set != nil {
			set(p)
		}
	})
}

// storm is a network in which messages take long now and then, and processes that are
// paused.
func storm(order sim.Order) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		late, err := sim.LogNormal(2*ms, 100*ms)
		if err != nil {
			panic(err)
		}
		c.Until, c.Twice = at(20_000), false
		c.Network = sim.Network{Order: order, Default: sim.Link{Delay: late}}
		simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * ms)})(c, p)
	}
}

// TestRandomSchedules runs both algorithms through storms and checks what they promise in
// them, and that what they do not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	all := []string{"mutual-exclusion", "in-request-order", "progress"}
	dup := func(c *sim.Config, p *sim.Program) {
		storm(sim.FIFO)(c, p)
		c.Network.Default.Duplicate = sim.Certain / 100
	}
	for _, v := range []struct {
		name        string
		params      Params
		storm       simtest.Change
		never, some []string
	}{
		{"lamport", busy("lamport", nil), storm(sim.FIFO), all, nil},
		{"ricart-agrawala", busy("ricart-agrawala", nil), storm(sim.FIFO), all, nil},
		{"ricart-agrawala, messages overtake", busy("ricart-agrawala", nil), storm(sim.Free), all, nil},
		{"lamport, messages overtake", busy("lamport", nil), storm(sim.Free), nil, all},
		{"lamport, some twice", busy("lamport", nil), dup, nil, []string{"mutual-exclusion"}},
		{"ricart-agrawala, some twice", busy("ricart-agrawala", nil), dup, nil, []string{"mutual-exclusion"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			require.Empty(t, v.params.Problems())
			c := simtest.Count(t, v.params.System, sim.Config{}, 100, v.storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}

// TestResetForgetsEverything runs both algorithms through storms and crashes.
func TestResetForgetsEverything(t *testing.T) {
	for _, algorithm := range both {
		for _, durable := range durabilities {
			t.Run(algorithm+" "+durable, func(t *testing.T) {
				p := busy(algorithm, func(p *Params) { p.Durable, p.Within = durable, in(time.Second) })
				simtest.Forgets(t, p.System, sim.Config{}, storm(sim.Free),
					simtest.Inject("process-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Constant(200 * ms)}))
			})
		}
	}
}

// TestPure takes each step of storms with crashes twice.
func TestPure(t *testing.T) {
	for _, algorithm := range both {
		for _, durable := range durabilities {
			p := busy(algorithm, func(p *Params) { p.Durable = durable })
			c := sim.Config{}
			r := simtest.Play(t, p.System, c, storm(sim.Free), func(c *sim.Config, _ *sim.Program) { c.Twice = true },
				simtest.Inject("process-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Constant(200 * ms)}))
			assert.NotZero(t, r.Measure("entries"))
		}
	}
}
