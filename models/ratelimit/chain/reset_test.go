package chain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// first is an adversary that takes the fingerprint of the world before its first step.
type first struct {
	world sim.Runner
	print sim.Print
}

func (f *first) Choose(sim.Choice) (sim.Deed, bool) {
	if f.print == (sim.Print{}) {
		f.print = f.world.Fingerprint()
		f.world.Stop()
	}
	return sim.Deed{}, false
}

func printOf(w sim.Runner) sim.Print {
	f := &first{world: w}
	w.SetAdversary(f)
	w.Run(1)
	w.SetAdversary(nil)
	return f.print
}

// storm is a network that loses, delays and doubles, and nodes that stop and crash.
func storm(c *sim.Config, p *sim.Program) {
	c.Until = at(20_000)
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(5 * ms), Loss: 1e7, Duplicate: 1e7}}
	for _, n := range p.Nodes {
		fault(n, sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * ms)})(c, p)
		fault(n, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})(c, p)
	}
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

// Afterwards a world must begin like one that has never run: a search that compares states
// relies on it. Steps are run twice, on copies.
func TestStormsAndReset(t *testing.T) {
	p := busy()
	require.Empty(t, p.Problems())
	for i, name := range sim.NewProgram(p.System).Properties {
		program := sim.NewProgram(func() sim.System[Msg] {
			s := p.System()
			s.Properties = s.Properties[i : i+1]
			return s
		})
		var c sim.Config
		storm(&c, &program)
		c.Twice = i == 0
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		fresh := printOf(w)
		for seed := range uint64(4) {
			r := w.Run(seed)
			require.Nil(t, r.Panic)
			if name == "budget-respected" || name == "no-blind-retry" || name == "calls-bound" {
				assert.NotEqual(t, sim.Violated, r.Properties[0].Verdict, "%s, seed %d: %s", name, seed, w.Why(0))
			}
		}
		assert.Equal(t, fresh, printOf(w), name)
	}
}

// BenchmarkQueueTooLong is a minute of 150 requests a second, with all properties and
// measures.
func BenchmarkQueueTooLong(b *testing.B) {
	p := overload(1000)
	w, err := sim.NewWorld(p.System(), sim.Config{Until: at(60_001)})
	require.NoError(b, err)
	w.Run(1)
	b.ReportAllocs()
	steps := uint64(0)
	for i := 0; b.Loop(); i++ {
		steps += w.Run(uint64(i)).Steps
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
