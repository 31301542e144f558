package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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

// TestResetForgetsEverything runs each property. Afterwards a world must begin like one
// that has never run: a search that compares states relies on it.
func TestResetForgetsEverything(t *testing.T) {
	p := calm(func(p *Params) {
		p.Algorithm, p.Soft = "log", 200_000_000
		p.Rules = append(p.Rules, RulesFile{20 * time.Second, file(10)}, RulesFile{40 * time.Second, "x"})
	})
	for i, name := range sim.NewProgram(p.System).Properties {
		_, w := world(t, p, func(s *sim.System[Msg]) { s.Properties = s.Properties[i : i+1] }, nil)
		fresh := printOf(w)
		for seed := range uint64(3) {
			w.Run(seed)
		}
		assert.Equal(t, fresh, printOf(w), name)
	}
}
