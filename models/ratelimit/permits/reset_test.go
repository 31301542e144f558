package permits

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

// TestResetForgetsEverything runs each property through storms and crashes. Afterwards a
// world must begin like one that has never run: a search that compares states relies on
// it.
func TestResetForgetsEverything(t *testing.T) {
	for _, algorithm := range []string{"as-coded", "fixed", "leases"} {
		p := busy(algorithm, func(p *Params) {
			if algorithm == "leases" {
				p.Limiters = 2
			}
		})
		for i, name := range sim.NewProgram(p.System).Properties {
			program := sim.NewProgram(func() sim.System[Msg] {
				s := p.System()
				s.Properties = s.Properties[i : i+1]
				return s
			})
			var c sim.Config
			storm(&c, &program)
			c.Faults = append(c.Faults, sim.Fault{Name: "crash", Do: sim.Crash, Node: program.Node("limiter-1"), When: sim.When{Every: sim.Exponential(5 * time.Second)}, For: sim.Constant(time.Second)},
				sim.Fault{Name: "crash 1", Do: sim.Crash, Node: 1, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})
			w, err := program.NewWorld(c)
			require.NoError(t, err)
			fresh := printOf(w)
			for seed := range uint64(20) {
				r := w.Run(seed)
				require.False(t, r.Panic != nil, "%v", r.Panic)
			}
			assert.Equal(t, fresh, printOf(w), "%s, %s", algorithm, name)
		}
	}
}

// TestCrashes lets limiters and clients crash in a storm: what is in the memory of a
// process is gone with it, and nothing of it is held against the next one.
func TestCrashes(t *testing.T) {
	p := busy("fixed", func(*Params) {})
	program := sim.NewProgram(p.System)
	var c sim.Config
	storm(&c, &program)
	for _, n := range []string{"limiter-1", "client-1", "client-2"} {
		strike(n, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Exponential(300 * ms)})(&c, &program)
	}
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	for seed := range uint64(200) {
		r := w.Run(seed)
		require.False(t, r.Panic != nil, "%v", r.Panic)
		for i, f := range r.Properties {
			require.NotEqual(t, sim.Violated, f.Verdict, "seed %d: %s at %v: %s", seed, program.Properties[i], f.First, w.Why(i))
		}
	}
}
