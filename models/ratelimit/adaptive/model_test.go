package adaptive

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
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

// world is a world of the system of p, as mutate and change leave it.
func world(t *testing.T, p Params, mutate func(*sim.System[Msg]), change func(*sim.Config)) (*sim.Program, sim.Runner) {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(func() sim.System[Msg] {
		s := p.System()
		if mutate != nil {
			mutate(&s)
		}
		return s
	})
	c := sim.Config{Until: sim.Time(30 * time.Second), Twice: true}
	if change != nil {
		change(&c)
	}
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	return &program, w
}

func finding(t *testing.T, p *sim.Program, r *sim.Result, property string) sim.Finding {
	t.Helper()
	require.Nil(t, r.Panic)
	for i, name := range p.Properties {
		if name == property {
			return r.Properties[i]
		}
	}
	t.Fatalf("no property %s", property)
	return sim.Finding{}
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

// Each property has a mutant that violates it, and without the mutation it holds.
func TestMutants(t *testing.T) {
	cpu := DefaultParams()
	cpu.Limit, cpu.Band = 200, []int64{60, 80}
	quiet := overload("aimd")
	quiet.Load = []Phase{{Every: sim.Constant(500 * ms)}, {At: 20 * time.Second, Every: sim.Constant(6666 * time.Microsecond)}}
	limiter := func(p *Params) Limiter {
		return Limiter{Load: theLoad, Plant: thePlant, Control: p.controller(), Initial: p.Limit, Sample: p.Sample, Saturated: p.Cores == 0}
	}
	place := func(s sim.Spec[Msg]) func(*sim.System[Msg]) {
		return func(system *sim.System[Msg]) { system.Nodes[theLimiter-1] = s }
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
			program, w := world(t, v.params, nil, nil)
			require.Equal(t, sim.Holds, finding(t, program, w.Run(1), v.property).Verdict, "without the mutation")
			program, w = world(t, v.params, place(v.mutant), nil)
			f := finding(t, program, w.Run(1), v.property)
			require.Equal(t, sim.Violated, f.Verdict)
			assert.Equal(t, v.first, f.First)
			for i, name := range program.Properties {
				if name == v.property {
					assert.NotEmpty(t, w.Why(i))
				}
			}
		})
	}
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
			program, w := world(t, p, nil, func(c *sim.Config) {
				c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(20 * ms), Loss: 2e7, Duplicate: 2e7}}
				for node := theLoad; node <= thePlant; node++ {
					c.Faults = append(c.Faults,
						sim.Fault{Name: fmt.Sprint("pause ", node), Do: sim.Pause, Node: node, When: sim.When{Every: sim.Exponential(5 * time.Second)}, For: sim.Exponential(time.Second)},
						sim.Fault{Name: fmt.Sprint("crash ", node), Do: sim.Crash, Node: node, When: sim.When{Every: sim.Exponential(20 * time.Second)}, For: sim.Exponential(time.Second)})
				}
			})
			for seed := range uint64(3) {
				r := w.Run(seed)
				for _, property := range []string{"limit-in-range", "no-growth-unused"} {
					require.NotEqual(t, sim.Violated, finding(t, program, r, property).Verdict, "%s, seed %d", property, seed)
				}
			}
		})
	}
}

// A world that has run begins like a new one, and allocates nothing any more.
func TestAgain(t *testing.T) {
	p := overload("gradient2")
	_, w := world(t, p, nil, func(c *sim.Config) { c.Twice = false })
	first := *w.Run(1)
	w.Run(2)
	again := *w.Run(1)
	assert.Equal(t, first.Digest, again.Digest)
	assert.Equal(t, first.Steps, again.Steps)
	assert.Zero(t, testing.AllocsPerRun(3, func() { w.Run(1) }))
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
			var paths []string
			for _, found := range p.Problems() {
				paths = append(paths, found.Path)
				assert.NotEmpty(t, found.Message)
			}
			assert.Equal(t, v.paths, paths)
		})
	}
}
