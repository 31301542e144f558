package process

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network that loses, doubles and reorders, in which processes stop.
func storm(c *sim.Config, p *sim.Program) {
	c.Until = at(5000)
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(20 * ms), Loss: sim.Certain / 20, Duplicate: sim.Certain / 20}}
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(time.Second)}, For: sim.Exponential(100 * ms)})(c, p)
	for i := range p.Nodes {
		c.Clocks = append(c.Clocks, sim.Clock{Rate: sim.PPB(i * 20_000), Offset: time.Duration(i) * ms})
	}
}

// crashes are those of all processes.
var crashes = simtest.InjectAll(sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(time.Second)}, For: sim.Exponential(100 * ms)})

// steps are those of the wall clock of the second process.
func clockSteps(c *sim.Config, p *sim.Program) {
	for i, by := range []time.Duration{-500 * ms, 400 * ms, -300 * ms} {
		simtest.Inject(p.Nodes[1], sim.Fault{Do: sim.StepClock, By: by, When: when(int64(1000 + 1000*i))})(c, p)
	}
}

// busy is a pattern of four processes.
func busy(clock, pattern string, change func(*Params)) Params {
	return with(func(p *Params) {
		gap := sim.Exponential(20 * ms)
		p.Clock, p.Pattern, p.Processes, p.Events, p.Locals, p.Gap = clock, pattern, 5, new(int), 1, &gap
		p.Keep = 3
		change(p)
	})
}

// TestRandomSchedules runs each clock under each pattern through storms and checks that
// it keeps what it promises, and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	same := func(*Params) {}
	durable := func(p *Params) { p.Durable = true }
	order, both := []string{"orders-causally", "total-order"}, []string{"orders-causally", "detects-concurrency"}
	hybrid := []string{"orders-causally", "total-order", "counter-bound"}
	for _, v := range []struct {
		name, clock string
		change      func(*Params)
		schedule    []simtest.Change
		never, some []string
	}{
		{"lamport", "lamport", same, nil, order, nil},
		{"lamport, taken for causality", "lamport", func(p *Params) { p.Claims = both }, nil, both[:1], both[1:]},
		{"lamport, crashes", "lamport", same, []simtest.Change{crashes}, nil, order},
		{"lamport, crashes, durable", "lamport", durable, []simtest.Change{crashes}, order, nil},
		{"vector", "vector", same, nil, both, nil},
		{"vector, crashes", "vector", same, []simtest.Change{crashes}, nil, both},
		{"vector, crashes, durable", "vector", durable, []simtest.Change{crashes}, both, nil},
		{"pruned", "pruned", same, nil, nil, both},
		{"pruned, all kept", "pruned", func(p *Params) { p.Keep, p.Durable = 5, true }, []simtest.Change{crashes}, both, nil},
		{"wall", "wall", same, []simtest.Change{clockSteps}, nil, order},
		{"hlc", "hlc", func(p *Params) { p.Epsilon = ptr(5 * ms) }, nil, append(hybrid, "close-to-physical"), nil},
		{"hlc, steps", "hlc", func(p *Params) { p.Epsilon = ptr(5 * ms) }, []simtest.Change{clockSteps}, hybrid, []string{"close-to-physical"}},
		{"hlc, steps and crashes", "hlc", same, []simtest.Change{clockSteps, crashes}, nil, order},
		{"hlc, steps and crashes, durable", "hlc", durable, []simtest.Change{clockSteps, crashes}, hybrid, nil},
		{"hlc, guarded", "hlc", func(p *Params) { p.MaxOffset, p.Epsilon, p.MaxCounter = 3*ms, ptr(8*ms), 2 }, nil, append(hybrid, "close-to-physical"), nil},
		{"hlc, full counters wait", "hlc", func(p *Params) { p.MaxCounter, p.Overflow = 1, "wait" }, nil, hybrid, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			violated := map[string]int{}
			for _, pattern := range []string{"ring", "random", "client-server", "gossip"} {
				p := busy(v.clock, pattern, v.change)
				require.Empty(t, p.Problems())
				c := simtest.Count(t, p.System, sim.Config{}, whole.Of(5, 10), append([]simtest.Change{storm}, v.schedule...)...)
				c.Holds(v.never...)
				for _, name := range v.never {
					assert.Equal(t, c.Runs, c.Exercised[name], "%s, %s", pattern, name)
				}
				for name, n := range c.Violated {
					violated[name] += n
				}
			}
			for _, name := range v.some {
				assert.NotZero(t, violated[name], "%s is not promised, and the storm must show it: %v", name, violated)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// TestCheckedAtOnce compares what is checked of each event as it happens with a look at all
// pairs when the run is over.
func TestCheckedAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found, pairs := 0, 0
	for range 300 {
		p := scripted([]string{"vector", "pruned", "lamport"}[r.IntN(3)], randomScript(r, 4, 24, false), "")
		p.Keep, p.Claims = 2+r.IntN(3), []string{"orders-causally", "detects-concurrency"}
		var change []simtest.Change
		if r.IntN(2) == 0 {
			change = append(change, func(c *sim.Config, p *sim.Program) {
				simtest.Inject(p.Nodes[0], sim.Fault{Do: sim.Crash, When: sim.When{Note: Received, Nth: 1}, For: sim.Constant(0)})(c, p)
			})
		}
		run, l := playAll(t, p, change...)
		wrongOrder, wrong := false, false
		for b := range clock.Event(len(l.events)) {
			for a := range b {
				says := l.relation(a, b)
				if says == clock.Equal && l.scalar() {
					says = clock.Concurrent
				}
				is := l.history.Relation(a, b)
				wrong = wrong || is != says
				wrongOrder = wrongOrder || is == clock.Before && says != is
				pairs++
			}
		}
		if wrong {
			found++
		}
		verdict := map[bool]sim.Verdict{true: sim.Violated, false: sim.Holds}
		require.Equal(t, verdict[wrongOrder], run.Finding("orders-causally").Verdict, "%s\n%s", p.Script, run)
		require.Equal(t, verdict[wrong], run.Finding("detects-concurrency").Verdict, "%s\n%s", p.Script, run)
	}
	assert.Greater(t, found, 30)
	assert.Less(t, found, 270)
	assert.Greater(t, pairs, 10_000)
}
