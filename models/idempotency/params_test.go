package idempotency

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func defaults() Params { return *of(reference) }

func TestEachParameterHasItsLimits(t *testing.T) {
	modeltest.Params(t, defaults, (*Params).Problems, (*Params).System)
}

func TestParametersThatDoNotGoTogetherAreRefused(t *testing.T) {
	modeltest.Refused(t, defaults, (*Params).Problems,
		modeltest.Case[Params]{Path: "program", Says: "want one of both", Set: func(p *Params) { p.Flow = "reference" }},
		modeltest.Case[Params]{Path: "flow", Says: "did you mean reference?", Set: func(p *Params) { p.Flow, p.Program = "referense", "" }},
		modeltest.Case[Params]{Path: "program", Says: "line 1, column 8", Set: func(p *Params) { p.Program = "create tabel t (k int); on request { answer 200; }" }},
		modeltest.Case[Params]{Path: "program", Says: "no `on request`", Set: func(p *Params) { p.Program = "every 1s { }" }},
		modeltest.Case[Params]{Path: "relays", Says: "no `every`", Set: func(p *Params) { p.Relays = ptr(1) }},
		modeltest.Case[Params]{Path: "consumers", Says: "no `on event`", Set: func(p *Params) { p.Consumers = ptr(1) }},
		modeltest.Case[Params]{Path: "gap", Says: "nothing between them", Set: func(p *Params) { p.Intents, p.Gap = []int{0}, []sim.Dist{sim.Constant(0)} }},
		modeltest.Case[Params]{Path: "backoff", Says: "nothing between them", Set: func(p *Params) { p.Attempts, p.Backoff = []int{0}, []sim.Dist{sim.Constant(0)} }},
		modeltest.Case[Params]{Path: "program", Says: "5 tables of effects: want at most 4", Set: func(p *Params) {
			p.Program = ""
			for _, t := range []string{"a", "b", "c", "d", "e"} {
				p.Program += "create table " + t + " (id int, intent int); effect " + t + ";\n"
			}
			p.Program += "on request { answer 200; }"
		}},
		modeltest.Case[Params]{Set: func(p *Params) { p.Attempts, p.Timeout = []int{0}, []time.Duration{0} }},
	)
}
