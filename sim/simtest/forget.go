package simtest

import (
	"slices"
	"testing"

	"fencepost/sim"
)

// forgetSeeds is how many runs a world is to forget.
const forgetSeeds = 20

// Forgets checks that a world that has run begins like one that never has, and runs like
// it: that each property, meter and node forgets all that was in the runs before. A
// search that compares states relies on it. Let as much as possible happen in the runs:
// what a property never remembers it cannot forget.
func Forgets[M sim.Message](t testing.TB, system func() sim.System[M], config sim.Config, change ...Change) {
	t.Helper()
	p := sim.NewProgram(system)
	alter(&config, &p, change)
	if how := remembers(t, &p, config); how != "" {
		t.Errorf("%s\n%s", how, culprit(t, system, config, p.Properties))
	}
}

// Forgets checks what the function [Forgets] does of the world in which the runs were, so that these are not
// made once more.
func (c *Tally) Forgets() {
	c.t.Helper()
	if how := forgotten(c.t, &c.program, c.config, c.world, &c.start); how != "" {
		c.t.Errorf("%s\n%s", how, c.culprit())
	}
}

// culprit says what it is in a world that remembers.
func culprit[M sim.Message](t testing.TB, system func() sim.System[M], c sim.Config, names []string) string {
	t.Helper()
	among := func(first, end int) bool { // no properties but these
		p := sim.NewProgram(func() sim.System[M] {
			s := system()
			s.Properties = s.Properties[first:end]
			return s
		})
		return remembers(t, &p, c) != ""
	}
	if among(0, 0) {
		return "It is a node or a meter. A node that owns slices or maps implements sim.Resetter; a meter forgets all in Reset."
	}
	var guilty []string
	for i, name := range names {
		if among(i, i+1) {
			guilty = append(guilty, name)
		}
	}
	return "It is a property: " + listed(guilty) + ". A property forgets all in Reset."
}

// remembers says how a world that has run differs from one that has not, "" if it does
// not.
func remembers(t testing.TB, p *sim.Program, c sim.Config) string {
	t.Helper()
	w := newWorld(t, p, c)
	first := w.Run(1)
	noPanic(t, first)
	start := keep(first)
	for seed := range uint64(forgetSeeds) {
		noPanic(t, w.Run(seed+2))
	}
	return forgotten(t, p, c, w, &start)
}

// forgotten says how a world that has run differs from one that has not, whose run of seed 1 is known.
func forgotten(t testing.TB, p *sim.Program, c sim.Config, w sim.Runner, want *sim.Result) string {
	t.Helper()
	fresh := beginning(newWorld(t, p, c))
	if fresh == (sim.Print{}) {
		t.Fatalf("simtest: no node takes a step: there is nothing to forget")
	}
	if beginning(w) != fresh {
		return "a world that has run does not begin like one that has not"
	}
	got := w.Run(1)
	switch {
	case got.Digest != want.Digest:
		return "a world that has run does not take the steps that it first took with the same seed"
	case !slices.Equal(got.Samples, want.Samples):
		return "a world that has run does not measure what it first measured with the same seed"
	}
	for i, name := range p.Properties {
		if got.Properties[i] != want.Properties[i] {
			return "a world that has run does not find of " + name + " what it first found with the same seed"
		}
	}
	return ""
}

// beginning is the fingerprint of a world before its first step.
func beginning(w sim.Runner) sim.Print {
	o := &opening{world: w}
	w.SetAdversary(o)
	w.Run(1)
	w.SetAdversary(nil)
	return o.print
}

// opening is an adversary that takes the fingerprint of a world at its first step, and
// ends the run there.
type opening struct {
	world sim.Runner
	print sim.Print
}

// Choose implements [sim.Adversary].
func (o *opening) Choose(sim.Choice) (sim.FaultChoice, bool) {
	if o.print == (sim.Print{}) {
		o.print = o.world.Fingerprint()
		o.world.Stop()
	}
	return sim.FaultChoice{}, false
}
