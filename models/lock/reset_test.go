package lock

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

// TestResetForgetsEverything runs each property through storms. Afterwards a world must
// begin like one that has never run: a search that compares states relies on it.
func TestResetForgetsEverything(t *testing.T) {
	p := contended(func(p *Params) {
		p.Tokens, p.Fencing, p.Extend, p.Work = "counter", "lex", 300*ms, []time.Duration{2 * time.Second}
	})
	for i, name := range sim.NewProgram(p.System).Properties {
		program := sim.NewProgram(func() sim.System[Msg] {
			s := p.System()
			s.Properties = s.Properties[i : i+1]
			return s
		})
		var c sim.Config
		storm(&c, &program)
		c.Faults = append(c.Faults, sim.Fault{Name: "crash", Do: sim.Crash, Node: 4, When: sim.When{Every: sim.Exponential(5 * time.Second)}, For: sim.Constant(time.Second)},
			sim.Fault{Name: "crash 1", Do: sim.Crash, Node: 1, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		fresh := printOf(w)
		for seed := range uint64(20) {
			w.Run(seed)
		}
		assert.Equal(t, fresh, printOf(w), name)
	}
}
