package broadcast

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestWhatSeveralParametersSayTogether(t *testing.T) {
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "processes", Says: "got 501: each message goes to all", Set: func(p *Params) { p.Processes = 501 }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Order, p.Processes = "total-lamport", 100 }},
		modeltest.Case[Params]{Path: "processes", Says: "got 101: all acknowledge", Set: func(p *Params) { p.Order, p.Processes = "total-lamport", 101 }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Messages, p.Answers = []int{maxMessages}, []int{maxMessages} }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Messages, p.Gap = []int{maxAtOnce}, dists(0) }},
		modeltest.Case[Params]{Path: "messages", Says: "process-1", Set: func(p *Params) { p.Messages, p.Gap = []int{maxAtOnce + 1}, dists(0) }},
		modeltest.Case[Params]{Path: "messages", Says: "process-2", Set: func(p *Params) { p.Messages, p.Gap = []int{1, 0}, dists(0) }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Messages, p.Gap = []int{0}, []sim.Dist{sim.Exponential(ms)} }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Processes, p.Messages = 32, []int{0} }},
		modeltest.Case[Params]{Path: "messages", Says: "64 processes may deliver at most 1048576", Set: func(p *Params) { p.Processes, p.Messages = 64, []int{0} }},
		modeltest.Case[Params]{Path: "operations.1", Says: `want "add N"`, Set: func(p *Params) { p.Operations = []string{"add 1", "steal 1"} }},
	)
}
