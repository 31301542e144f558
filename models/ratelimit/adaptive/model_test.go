package adaptive

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/paramstest"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// overload is 150 requests a second for a plant that serves 100.
func overload(algorithm string) Params {
	p := DefaultParams()
	p.Algorithm, p.Limit, p.Min, p.Max, p.Timeout = algorithm, 20, 5, 1000, 500*ms
	p.Cores, p.Capacity = 10, 100
	p.Load = []Phase{{Every: sim.Constant(6666 * time.Microsecond)}}
	return p
}

// play plays half a minute of p, of which mutate changes the system.
func play(t *testing.T, p Params, mutate func(*sim.System[Msg])) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return simtest.Play(t, func() sim.System[Msg] {
		s := p.System()
		mutate(&s)
		return s
	}, halfMinute)
}

// halfMinute is without faults.
var halfMinute = sim.Config{Until: sim.Time(30 * time.Second)}

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

// Each property has a mutant that violates it, and without the mutation it holds.
func TestMutants(t *testing.T) {
	cpu := DefaultParams()
	cpu.Limit, cpu.Band = 200, []int64{60, 80}
	quiet := overload("aimd")
	quiet.Load = []Phase{{Every: sim.Constant(500 * ms)}, {At: 20 * time.Second, Every: sim.Constant(6666 * time.Microsecond)}}
	limiter := func(p *Params) Limiter {
		return Limiter{Load: theLoad, Plant: thePlant, Control: p.controller(), Initial: p.Limit, Sample: p.Sample, Saturated: p.Cores == 0}
	}
	unguarded := limiter(&quiet)
	unguarded.Control.AIMD.Unguarded = true
	boundless := limiter(&cpu)
	boundless.Initial, boundless.Control.CPU.Max = 400, 400
	over := overload("aimd")
	for _, v := range []struct {
		property string
		params   Params
		mutant   sim.Spec[Msg]
		first    sim.Time
	}{
		{"limit-in-range", cpu, sim.Place[Msg]("limiter", boundless), 0},
		{"no-growth-unused", quiet, sim.Place[Msg]("limiter", unguarded), sim.Time(time.Second)},
		{"goodput", over, sim.Place[Msg]("limiter", leaky{limiter(&over)}), sim.Time(30 * time.Second)},
		{"settles", cpu, sim.Place[Msg]("limiter", deaf{limiter(&cpu)}), sim.Time(11 * time.Second)},
	} {
		t.Run(v.property, func(t *testing.T) {
			play(t, v.params, func(*sim.System[Msg]) {}).Holds(v.property)
			r := play(t, v.params, func(s *sim.System[Msg]) { s.Nodes[theLimiter-1] = v.mutant })
			r.Violated(v.property, v.first)
			assert.NotEmpty(t, r.Why[slices.Index(r.Program.Properties, v.property)])
		})
	}
}

// stormy is half a minute in which everything happens.
func stormy() sim.Config {
	c := halfMinute
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(20 * ms), Loss: 2e7, Duplicate: 2e7}}
	for node := theLoad; node <= thePlant; node++ {
		c.Faults = append(c.Faults,
			sim.Fault{Name: fmt.Sprint("pause ", node), Do: sim.Pause, Node: node, When: sim.When{Every: sim.Exponential(5 * time.Second)}, For: sim.Exponential(time.Second)},
			sim.Fault{Name: fmt.Sprint("crash ", node), Do: sim.Crash, Node: node, When: sim.When{Every: sim.Exponential(20 * time.Second)}, For: sim.Exponential(time.Second)})
	}
	return c
}

// Whatever is lost, late, twice, paused or down: nobody panics, the limit stays in its
// bounds and does not grow unused.
func TestStorm(t *testing.T) {
	for _, algorithm := range []string{"static", "aimd", "vegas", "gradient2", "cpu"} {
		t.Run(algorithm, func(t *testing.T) {
			p := overload(algorithm)
			p.Service, p.IgnorePauses, p.Late = sim.Exponential(100*ms), 200*ms, 2
			if algorithm == "static" {
				p.Late = 0
			}
			require.Empty(t, p.Problems())
			properties := []string{"limit-in-range", "no-growth-unused"}
			if algorithm == "static" {
				properties = properties[:1] // which never grows
			}
			simtest.Run(t, simtest.Case[Msg]{System: p.System, Config: stormy(), Properties: properties, Runs: 10})
		})
	}
}

// A world that has run begins like a new one, and allocates nothing any more.
func TestAgain(t *testing.T) {
	p := overload("vegas")
	p.Band = []int64{1, 2}
	simtest.Forgets(t, p.System, stormy())
	p = overload("gradient2")
	simtest.Forgets(t, p.System, stormy())
	assert.Zero(t, simtest.Allocs(t, p.System, halfMinute))
}

func TestProblems(t *testing.T) {
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"nothing at all", func(p *Params) { *p = Params{Algorithm: "cpu"} },
			[]string{"limit", "min", "high", "step", "cost", "sample", "timeout", "patience"}},
		{"too much", func(p *Params) {
			p.Limit, p.Late, p.High, p.Cores, p.Sample, p.Change = 1<<40, 17, 101, 1<<40, 2000*time.Hour, 2000*time.Hour
		}, []string{"limit", "late", "high", "cores", "sample", "change"}},
		{"max below min", func(p *Params) { p.Max = 5 }, []string{"max"}},
		{"low above high", func(p *Params) { p.Low = 90 }, []string{"low"}},
		{"late and static", func(p *Params) { p.Algorithm, p.Late = "static", 1 }, []string{"late"}},
		{"later without an instant", func(p *Params) { p.CostLater = ptr(int64(0)) }, []string{"cost-later", "change"}},
		{"no round trips", func(p *Params) { p.Algorithm = "vegas" }, []string{"cores"}},
		{"nobody serves", func(p *Params) { p.Load = []Phase{{Every: sim.Constant(time.Second)}} }, []string{"load"}},
		{"band", func(p *Params) { p.Band = []int64{5} }, []string{"band"}},
		{"band upside down", func(p *Params) { p.Band = []int64{5, 4} }, []string{"band"}},
		{"pauses", func(p *Params) { p.IgnorePauses = 1 }, []string{"ignore-pauses"}},
		{"phases", func(p *Params) {
			p.Cores = 1
			p.Load = []Phase{{At: time.Second, Every: sim.Constant(1)}, {At: time.Second, Every: sim.Constant(time.Second)}}
		}, []string{"load.0.every", "load.1.at"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}
