package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/central/limiter"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

const us = time.Microsecond

// overloaded are four limiters that ask a store 50,000 times a second for a tenth of a second.
func overloaded(s central.StoreParams) Params {
	s.Timeout = ptr(10 * ms)
	return atStore(4, "fixed-window", 1000, time.Minute, s, core.ClientParams{Phases: []core.Phase{each(0, 5000, 20*us)}})
}

// inPipelines is a store that takes 25 us for one command and 29.245 us for 16, which come at once or do not.
func inPipelines(most int) central.StoreParams {
	return central.StoreParams{Pipeline: most, Flush: ptr(2 * ms), FlushCost: 24717 * time.Nanosecond, CommandCost: 283 * time.Nanosecond}
}

// costs makes each step of the store take this long.
func costs(d time.Duration) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		c.Costs = make([]sim.Dist, p.Node("store"))
		c.Costs[p.Node("store")-1] = sim.Constant(d)
	}
}

// A pipeline of one command is none: the store that takes 25 us for each is as late as one whose steps cost 25 us.
func TestAPipelineOfOneIsNone(t *testing.T) {
	none := play(t, overloaded(central.StoreParams{}), simtest.Delay(500*us), costs(25*us), simtest.Until(at(1000)))
	one := play(t, overloaded(inPipelines(1)), simtest.Delay(500*us), simtest.Until(at(1000)))
	for _, measure := range []string{"admitted", "rejected", "fell-back", "store-operations", "worst-window"} {
		assert.Equal(t, none.Measure(measure), one.Measure(measure), measure)
	}
	assert.Equal(t, none.verdicts("client-1"), one.verdicts("client-1"))
	none.Violated("window-limit", one.Finding("window-limit").First)
	assert.Positive(t, one.Measure("fell-back"))
}

// In pipelines of 16 the same store is idle most of the time, and serves all.
func TestAPipelineServesWhatOneByOneDoesNot(t *testing.T) {
	r := play(t, overloaded(inPipelines(16)), simtest.Delay(500*us), simtest.Until(at(110)))
	r.Holds("window-limit", "no-false-rejection", "one-answer", "no-lost-count")
	assert.Zero(t, r.Measure("fell-back"))
	assert.EqualValues(t, 5000, r.Measure("store-operations"))
	assert.EqualValues(t, 4000, r.Measure("rejected"))
	assert.EqualValues(t, 316*24717+5000*283, 9_225_572)
	assert.EqualValues(t, 838, r.Measure("store-busy-per-10000"), "9.226 ms of 110 ms")
}

// A command waits until its flush is full, or for the flush time; the timer of a flush that was full before does not
// end the next one early.
func TestWhenAFlushLeaves(t *testing.T) {
	p := atStore(1, "fixed-window", 9, time.Minute, central.StoreParams{Pipeline: 2, Flush: ptr(5 * ms), FlushCost: 300 * us, CommandCost: 100 * us},
		asks(1, core.Phase{}, core.Phase{At: ms}, core.Phase{At: 3 * ms}))
	r := play(t, p)
	r.Holds("one-answer")
	assert.Regexp(t, `(?m)^0\.001s +store .* flushed 2 at once, busy for 500µs`, r.Trace(), "full")
	assert.Regexp(t, `(?m)^0\.008s +store .* flushed 1 at once, busy for 400µs`, r.Trace(), "5 ms after 3 ms")
}

// impatient is a limiter that holds nothing, and stuck is one whose flush is never due.
type impatient struct{ limiter.Limiter }

type stuck struct{ limiter.Limiter }

// Reset implements [sim.Resetter].
func (l *impatient) Reset(initial *impatient) {
	l.Limiter.Reset(&initial.Limiter)
	l.Pipeline.Most = 1
}

// Reset implements [sim.Resetter].
func (l *stuck) Reset(initial *stuck) { l.Limiter.Reset(&initial.Limiter) }

// Step implements [sim.Node].
func (l *stuck) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind != message.Flush {
		l.Limiter.Step(in, out)
	}
}

// TestPipelineMutants: a limiter that does not send together, and one that never sends what does not fill a flush, are
// caught by properties.
func TestPipelineMutants(t *testing.T) {
	mutated := func(p Params, mutant sim.Spec[message.Msg]) func() sim.System[message.Msg] {
		return func() sim.System[message.Msg] {
			s := p.System()
			for i := range p.Limiters {
				name := s.Nodes[1+i].Name
				s.Nodes[1+i] = mutant
				s.Nodes[1+i].Name = name
			}
			return s
		}
	}
	many := overloaded(inPipelines(16))
	change := []simtest.Change{simtest.Delay(500 * us), simtest.Until(at(1000))}
	r := playSystem(t, mutated(many, sim.Place[message.Msg]("", impatient{many.Store.Limiter(many.fleet())})), change...)
	require.Equal(t, sim.Violated, r.Finding("window-limit").Verdict, "the store reads one by one, and is late")

	few := overloaded(inPipelines(16))
	few.Limiters, few.Limit, few.Store.Errors = 1, 5, ptr(0)
	few.Clients = []core.ClientParams{asks(1, burst(0, 8))}
	play(t, few, change...).Holds("window-limit", "no-false-rejection")
	open := sim.Place[message.Msg]("", stuck{few.Store.Limiter(few.fleet())})
	playSystem(t, mutated(few, open), change...).Violated("window-limit", at(10).Add(500*us))
	few.Store.Fallback = "closed"
	shut := sim.Place[message.Msg]("", stuck{few.Store.Limiter(few.fleet())})
	playSystem(t, mutated(few, shut), change...).Violated("no-false-rejection", at(10).Add(500*us))
}

// A limiter that crashes takes with it what it holds, and a store what it has read; both go on after it.
func TestPipelinesAfterACrash(t *testing.T) {
	for _, who := range []string{"limiter-1", "store"} {
		p := atStore(1, "fixed-window", 9, time.Minute, central.StoreParams{Pipeline: 2, Flush: ptr(4 * ms), FlushCost: 3 * ms, Fallback: "closed"}, asks(1, core.Phase{}, burst(100*ms, 3)))
		r := play(t, p, simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{At: at(2).Add(map[string]time.Duration{"store": 3 * ms}[who])}, For: sim.Constant(ms)}))
		assert.EqualValues(t, 3, r.Measure("admitted"), who)
		r.Holds("one-answer", "no-lost-count")
	}
}
