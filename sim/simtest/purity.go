package simtest

import (
	"fmt"
	"slices"

	"fencepost/sim"
)

// pureSeeds is how many seeds are played to see whether the nodes are pure.
const pureSeeds = 3

// pure reports whether a step depends on nothing but its node, and a run on nothing but
// its seed, as far as the first few seeds show.
func (x *tester) pure() bool {
	x.t.Helper()
	config := x.search.Config
	config.Twice = true
	twice, one, other := x.world(config), x.world(x.search.Config), x.world(x.search.Config)
	for seed := x.search.Seed; seed < x.search.Seed+uint64(min(pureSeeds, x.search.Runs)); seed++ {
		p := twice.Run(seed).Panic // first: what a variable of the package remembers shows when it changes
		want := keep(one.Run(seed))
		if p != nil && (want.Panic == nil || want.Panic.Value != p.Value) {
			x.t.Errorf("%s is not pure: at %v, with seed %d, it handled %q twice from the same state, and did not do the same.\n"+
				"A step may depend on its node's state, the message and the clocks it is given: not on the order of a map, a variable "+
				"of the package, random numbers or the time of day.\nA node that owns slices or maps implements sim.Resetter.",
				p.Name, p.At, seed, p.Message)
			return false
		}
		for _, w := range []sim.Runner{other, one} {
			if text := x.differs(&want, w.Run(seed)); text != "" {
				x.t.Errorf("seed %d does not give the same run twice: %s\nSome step or property remembers what was before the run: a variable "+
					"of the package, or slices and maps that runs share.\nA node that owns slices or maps implements sim.Resetter; a property forgets all in Reset.", seed, text)
				return false
			}
		}
	}
	return true
}

// keep is a result that outlives the next run.
func keep(r *sim.Result) sim.Result {
	k := *r
	k.Properties, k.Samples = slices.Clone(r.Properties), slices.Clone(r.Samples)
	return k
}

// differs says how two runs of one seed differ, "" if they do not.
func (x *tester) differs(want *sim.Result, got *sim.Result) string {
	if want.Digest != got.Digest || (want.Panic == nil) != (got.Panic == nil) {
		return x.parting(want.Seed)
	}
	for i, p := range x.search.Program.Properties {
		if want.Properties[i] != got.Properties[i] {
			return fmt.Sprintf("the steps are the same, but of %s it found %v and then %v", p, want.Properties[i].Verdict, got.Properties[i].Verdict)
		}
	}
	return ""
}

// parting is the first step at which two runs of one seed part.
func (x *tester) parting(seed uint64) string {
	w := x.world(x.search.Config)
	var first, second sim.Journal
	w.Watch(sim.Watch{Journal: &first})
	w.Run(seed)
	w.Watch(sim.Watch{Journal: &second})
	w.Run(seed)
	names := func(id sim.NodeID) string { return x.search.Program.Nodes[id-1] }
	line := func(j *sim.Journal, i int) string {
		if i >= len(j.Entries) {
			return "it had ended"
		}
		e := &j.Entries[i]
		return fmt.Sprintf("%v  %s", e.At, e.Line(names))
	}
	for i := range max(len(first.Entries), len(second.Entries)) {
		if a, b := line(&first, i), line(&second, i); a != b {
			return fmt.Sprintf("step %d differs,\n  first   %s\n  then    %s", i+1, a, b)
		}
	}
	return "their digests differ"
}
