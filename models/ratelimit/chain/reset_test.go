package chain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network that loses, delays and doubles, and nodes that stop and crash.
func storm(c *sim.Config, p *sim.Program) {
	c.Until = at(20_000)
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(5 * ms), Loss: 1e7, Duplicate: 1e7}}
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * ms)})(c, p)
	simtest.InjectAll(sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})(c, p)
}

// busy is a chain in which everything happens.
func busy() Params {
	p := usual()
	p.Rate[0], p.Layers = perSecond(120), 1
	p.Timeout = ptr(200 * ms)
	p.Limiter.Kind, p.Limiter.Credits, p.Queue.Size, p.Queue.Drop = "credits", 15, 10, "hopeless"
	p.Database.Service = ptr(sim.Exponential(10 * ms))
	p.Retry.Adaptive = 20
	return p
}

// What a client promises it keeps in storms.
func TestStorms(t *testing.T) {
	p := busy()
	require.Empty(t, p.Problems())
	var c sim.Config
	program := sim.NewProgram(p.System)
	storm(&c, &program)
	simtest.Run(t, simtest.Case[Msg]{System: p.System, Config: c, Properties: []string{"budget-respected", "no-blind-retry", "calls-bound"}, Runs: 20})
}

// TestResetForgetsEverything runs the chain through storms.
func TestResetForgetsEverything(t *testing.T) {
	p := busy()
	require.Empty(t, p.Problems())
	simtest.Forgets(t, p.System, sim.Config{}, storm)
}

// BenchmarkQueueTooLong is a minute of 150 requests a second, with all properties and
// measures.
func BenchmarkQueueTooLong(b *testing.B) {
	p := overload(1000)
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_001)})
}
