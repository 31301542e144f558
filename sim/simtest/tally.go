package simtest

import (
	"fmt"
	"testing"

	"fencepost/sim"
)

// Tally is the verdicts of the properties of a system in many runs, and a test's questions
// about it.
type Tally struct {
	Runs                int
	Exercised, Violated map[string]int // by property: in how many runs it came to a verdict, and was violated

	t       testing.TB
	program sim.Program
	config  sim.Config
	world   sim.Runner
	start   sim.Result        // of seed 1
	first   map[string]string // by property: the first run in which it was violated, in words
	culprit func() string     // what it is that remembers a run, see Forgets
}

// Count plays runs of the seeds from 1 on, a quarter of them with -short. What goes wrong
// in them is what config and the changes say, which are made in their order; a storm of
// faults that recur shows both that a model keeps what it promises and that a property
// sees what is not promised. The test ends here if a step panics, and if there is something
// wrong with what is asked for.
func Count[M sim.Message](t testing.TB, system func() sim.System[M], config sim.Config, runs int, change ...Change) *Tally {
	t.Helper()
	if testing.Short() {
		runs = max(runs/4, 1)
	}
	c := &Tally{Runs: runs, Exercised: map[string]int{}, Violated: map[string]int{}, t: t,
		program: sim.NewProgram(system), first: map[string]string{}}
	alter(&config, &c.program, change)
	w := newWorld(t, &c.program, config)
	c.config, c.world, c.culprit = config, w, func() string { return culprit(t, system, config, c.program.Properties) }
	for seed := range uint64(runs) {
		r := w.Run(seed + 1)
		noPanic(t, r)
		if seed == 0 {
			c.start = keep(r)
		}
		for i, f := range r.Properties {
			name := c.program.Properties[i]
			if f.Verdict != sim.NotExercised {
				c.Exercised[name]++
			}
			if f.Verdict != sim.Violated {
				continue
			}
			if c.Violated[name]++; c.Violated[name] == 1 {
				c.first[name] = fmt.Sprintf("first with seed %d, at %v: %s", r.Seed, f.First, w.Why(i))
			}
		}
	}
	return c
}

// Holds checks that properties are violated in no run, and have something to check in
// some.
func (c *Tally) Holds(properties ...string) {
	c.t.Helper()
	for _, name := range properties {
		known(c.t, &c.program, name)
		switch n := c.Violated[name]; {
		case n > 0:
			c.t.Errorf("%s is violated in %d of %d runs, %s", name, n, c.Runs, c.first[name])
		case c.Exercised[name] == 0:
			c.t.Errorf("%s was not exercised in %d runs", name, c.Runs)
		}
	}
}

// Violates checks that properties are violated in some run.
func (c *Tally) Violates(properties ...string) {
	c.t.Helper()
	for _, name := range properties {
		known(c.t, &c.program, name)
		if c.Violated[name] == 0 {
			c.t.Errorf("%s is violated in none of %d runs", name, c.Runs)
		}
	}
}
