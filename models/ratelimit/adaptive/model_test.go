package adaptive

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// overload is 150 requests a second for a plant that serves 100.
func overload(algorithm string) Params {
	p := DefaultParams()
	p.Algorithm, p.Limit, p.Min, p.Max, p.Timeout = algorithm, 20, 5, 1000, 500*ms
	p.Cores, p.Capacity = 10, 100
	p.Load = []Phase{{Every: sim.Constant(6666 * time.Microsecond)}}
	return p
}

// leaky is a limiter that forgets to give permits back.
type leaky struct{ Limiter }

func (l *leaky) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	l.Limiter.Step(in, out)
	if in.Msg.Kind == Done {
		l.inflight++
	}
}

// deaf is a limiter that does not hear what the load is.
type deaf struct{ Limiter }

func (d *deaf) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != CPULoad {
		d.Limiter.Step(in, out)
	}
}

// undisturbed is half a minute in which messages take no time.
var undisturbed = []simtest.Change{simtest.Until(modeltest.At(30_000)), simtest.Delay(0)}

// Each property has a mutant that violates it, and without the mutation it holds.
func TestMutants(t *testing.T) {
	cpu := DefaultParams()
	cpu.Limit, cpu.Band = 200, []int64{60, 80}
	quiet, over := overload("aimd"), overload("aimd")
	quiet.Load = []Phase{{Every: sim.Constant(500 * ms)}, {At: 20 * time.Second, Every: sim.Constant(6666 * time.Microsecond)}}
	unguarded, boundless := quiet.limiter(quiet.controller()), cpu.limiter(cpu.controller())
	unguarded.Control.AIMD.Unguarded = true
	boundless.Initial, boundless.Control.CPU.Max = 400, 400
	mutant := func(property string, p *Params, limiter sim.Spec[Msg]) modeltest.Mutant[Msg] {
		replaced := modeltest.Replace(p.System, "limiter", func(string) sim.Spec[Msg] { return limiter })
		return modeltest.Mutant[Msg]{Property: property, Correct: p.System, Mutant: replaced, Changes: undisturbed}
	}
	modeltest.Mutants(t,
		mutant("limit-in-range", &cpu, sim.Place[Msg]("limiter", boundless)),
		mutant("no-growth-unused", &quiet, sim.Place[Msg]("limiter", unguarded)),
		mutant("goodput", &over, sim.Place[Msg]("limiter", leaky{over.limiter(over.controller())})),
		mutant("settles", &cpu, sim.Place[Msg]("limiter", deaf{cpu.limiter(cpu.controller())})),
	)
}

// Whatever is lost, late, twice, paused or down: no node panics, the limit stays in its
// bounds and does not grow unused.
func TestStorm(t *testing.T) {
	for _, algorithm := range algorithmNames {
		t.Run(algorithm, func(t *testing.T) {
			p := overload(algorithm)
			p.Service, p.IgnorePauses, p.Late, p.Band = sim.Exponential(100*ms), 200*ms, 2, []int64{1, 2}
			holds := []string{"limit-in-range", "no-growth-unused"}
			if algorithm == "static" {
				p.Late, holds = 0, holds[:1] // which never grows
			}
			require.Empty(t, p.Problems())
			modeltest.Storms(t, p.System, 10, holds, nil)
		})
	}
}

// A run allocates nothing.
func TestAllocs(t *testing.T) {
	p := overload("gradient2")
	assert.Zero(t, simtest.Allocs(t, p.System, sim.Config{}, undisturbed...))
}

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{Kind: Work}, Msg{Kind: Done}, Msg{Kind: Done, ok: true}, Msg{Kind: Done, n: 1}, Msg{Kind: Done, x: 1}, Msg{Kind: Done, y: 1}, Msg{Kind: Done, z: 1})
}

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestParamsThatContradictEachOther(t *testing.T) {
	second, early := Phase{Every: sim.Constant(time.Second)}, Phase{Every: sim.Constant(1)}
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "max", Says: "at least min, which is 20, got 5", Set: func(p *Params) { p.Max = 5 }},
		modeltest.Case[Params]{Path: "low", Says: "at most high, which is 80, got 90", Set: func(p *Params) { p.Low = 90 }},
		modeltest.Case[Params]{Path: "late", Says: "static", Set: func(p *Params) { p.Algorithm, p.Late = "static", 1 }},
		modeltest.Case[Params]{Path: "change", Says: "cost-later begins", Set: func(p *Params) { p.CostLater = new(int64(1)) }},
		modeltest.Case[Params]{Path: "cores", Says: "vegas", Set: func(p *Params) { p.Algorithm = "vegas" }},
		modeltest.Case[Params]{Path: "load", Says: "without cores", Set: func(p *Params) { p.Load = []Phase{second} }},
		modeltest.Case[Params]{Path: "load", Says: "at most 100 values", Set: func(p *Params) {
			p.Cores = 1
			for i := range 101 {
				p.Load = append(p.Load, Phase{At: time.Duration(i), Every: second.Every})
			}
		}},
		modeltest.Case[Params]{Path: "load.0.every", Says: "10µs", Set: func(p *Params) { p.Cores, p.Load = 1, []Phase{early} }},
		modeltest.Case[Params]{Path: "load.1.at", Says: "after 0s", Set: func(p *Params) { p.Cores, p.Load = 1, []Phase{second, second} }},
		modeltest.Case[Params]{Path: "band", Says: "two numbers", Set: func(p *Params) { p.Band = []int64{5} }},
		modeltest.Case[Params]{Path: "band", Says: "lower one first", Set: func(p *Params) { p.Band = []int64{5, 4} }},
		modeltest.Case[Params]{Path: "ignore-pauses", Says: "at least 1ms", Set: func(p *Params) { p.IgnorePauses = 1 }},
	)
}
