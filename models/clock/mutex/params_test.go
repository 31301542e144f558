package mutex

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestRoundsWithoutEndTakeTime(t *testing.T) {
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Set: func(p *Params) { p.Rounds, p.Work = []int{maxAtOnce}, dists(0) }},
		modeltest.Case[Params]{Path: "rounds", Says: "process-1", Set: func(p *Params) { p.Rounds, p.Work = []int{maxAtOnce + 1}, dists(0) }},
		modeltest.Case[Params]{Path: "rounds", Says: "process-3", Set: func(p *Params) { p.Rounds, p.Work = []int{0}, dists(5, 5, 0) }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Rounds, p.Work, p.Think = []int{0}, dists(0), []sim.Dist{sim.Exponential(ms)} }},
		modeltest.Case[Params]{Path: "processes", Says: "got 1001: messages and memory", Set: func(p *Params) { p.Processes = 1001 }},
	)
}

// Three that work for 20 s each, one after the other, make progress.
func TestLongWorkIsNoLackOfProgress(t *testing.T) {
	p := DefaultParams()
	p.Work = dists(20_000)
	modeltest.Play(t, p.System, simtest.Until(at(100_000))).Holds("progress", "mutual-exclusion")
}
