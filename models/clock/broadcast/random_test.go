package broadcast

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// busy is processes that broadcast and answer, for half of the run.
func busy(order string, set func(*Params)) Params {
	return params(order, func(p *Params) {
		p.Processes, p.Messages, p.Answers, p.Within = 4, []int{50}, []int{20}, 2*time.Second
		p.Gap, p.Operations = []sim.Dist{sim.Exponential(50 * ms)}, []string{"add 100", "interest 1%", "add -7", "interest 2%"}
		if set != nil {
			set(p)
		}
	})
}

// storm is a network in which messages take long now and then, and processes that are
// paused.
func storm(order sim.Order, duplicate sim.Chance) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		late, err := sim.LogNormal(2*ms, 100*ms)
		if err != nil {
			panic(err)
		}
		c.Until, c.Twice = at(10_000), false
		c.Network = sim.Network{Order: order, Default: sim.Link{Delay: late, Duplicate: duplicate}}
		simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(200 * ms)})(c, p)
	}
}

// TestRandomSchedules runs each order through storms and checks what it promises in them,
// and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	delivery := []string{"agreement", "validity"}
	for _, v := range []struct {
		name        string
		order       string
		storm       simtest.Change
		never, some []string
	}{
		{"total", "total-lamport", storm(sim.FIFO, 0), all, nil},
		{"total, messages overtake", "total-lamport", storm(sim.Free, 0), delivery, []string{"same-order", "causal-order", "replicas-agree"}},
		{"causal, messages overtake", "causal", storm(sim.Free, 0), []string{"fifo-order", "causal-order", "agreement", "validity", "no-duplicates"}, []string{"same-order", "replicas-agree"}},
		{"causal, some twice", "causal", storm(sim.Free, sim.Certain/10), []string{"fifo-order", "causal-order", "agreement", "validity", "no-duplicates"}, []string{"same-order"}},
		{"fifo, some twice", "fifo", storm(sim.Free, sim.Certain/10), []string{"fifo-order", "agreement", "validity", "no-duplicates"}, []string{"causal-order", "same-order"}},
		{"none, some twice", "none", storm(sim.Free, sim.Certain/10), delivery, []string{"fifo-order", "causal-order", "same-order", "no-duplicates", "replicas-agree"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := busy(v.order, nil)
			require.Empty(t, p.Problems())
			c := simtest.Count(t, p.System, sim.Config{}, 40, v.storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}

var crashes = simtest.Inject("process-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Constant(200 * ms)})

// TestResetForgetsEverything runs each order through storms and crashes.
func TestResetForgetsEverything(t *testing.T) {
	for _, order := range orders {
		t.Run(order, func(t *testing.T) {
			p := busy(order, nil)
			simtest.Forgets(t, p.System, sim.Config{}, storm(sim.Free, sim.Certain/10), crashes)
		})
	}
}

// TestPure takes each step of a storm with crashes twice.
func TestPure(t *testing.T) {
	for _, order := range orders {
		p := busy(order, nil)
		r := simtest.Play(t, p.System, sim.Config{}, storm(sim.Free, sim.Certain/10), crashes, func(c *sim.Config, _ *sim.Program) { c.Twice = true })
		assert.NotZero(t, r.Measure("deliveries"))
	}
}
