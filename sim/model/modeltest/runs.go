package modeltest

import (
	"strings"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// At is an instant in milliseconds.
func At(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// Play plays one run of a minute in which a message takes 5 ms, and each step twice. The
// changes come after that, so they may say otherwise: see [simtest.Until], [simtest.Delay].
func Play[M sim.Message](t testing.TB, system func() sim.System[M], change ...simtest.Change) *simtest.Played {
	t.Helper()
	c := sim.Config{Until: At(60_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * time.Millisecond)}}}
	return simtest.Play(t, system, c, change...)
}

// Storm is half a minute in which everything happens: messages are late, lost, duplicated
// and out of order, and every node is paused and crashes now and then.
func Storm(c *sim.Config, p *sim.Program) {
	c.Until = At(30_000)
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(5 * time.Millisecond), Loss: sim.Certain / 100, Duplicate: sim.Certain / 100}}
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(300 * time.Millisecond)})(c, p)
	simtest.InjectAll(sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})(c, p)
}

// Storms plays runs of a system in storms, changed as the changes say: some properties hold
// in all of them, others are violated in some, and all forget the run before.
func Storms[M sim.Message](t testing.TB, system func() sim.System[M], runs int, holds, violated []string, change ...simtest.Change) {
	t.Helper()
	change = append([]simtest.Change{Storm}, change...)
	tally := simtest.Count(t, system, sim.Config{}, runs, change...)
	tally.Holds(holds...)
	tally.Violates(violated...)
	tally.Forgets()
}

// Mutant is a system that violates a property, and the same without what is wrong with it.
type Mutant[M sim.Message] struct {
	Property string
	Correct  func() sim.System[M]
	Mutant   func() sim.System[M]
	Changes  []simtest.Change // of both, see [Play]
}

// Mutants checks each mutant: the property is violated and says why, and without the mutation
// it is not. Every property of the systems has one, since a checker that cannot fail checks
// nothing.
func Mutants[M sim.Message](t *testing.T, mutants ...Mutant[M]) {
	t.Helper()
	caught := map[string]bool{}
	for _, m := range mutants {
		caught[m.Property] = true
		t.Run(m.Property, func(t *testing.T) {
			if r := Play(t, m.Correct, m.Changes...); r.Finding(m.Property).Verdict == sim.Violated {
				t.Fatalf("%s is violated without the mutation\n%s", m.Property, r)
			}
			r := Play(t, m.Mutant, m.Changes...)
			if r.Finding(m.Property).Verdict != sim.Violated {
				t.Fatalf("%s is not violated by its mutant\n%s", m.Property, r)
			}
			for i, name := range r.Program.Properties {
				if name == m.Property && r.Why[i] == "" {
					t.Fatalf("%s is violated and does not say why\n%s", m.Property, r)
				}
			}
		})
	}
	for _, m := range mutants {
		for _, p := range m.Correct().Properties {
			if name := p.Name(); !caught[name] {
				caught[name] = true
				t.Errorf("modeltest: no mutant violates %s", name)
			}
		}
	}
}

// Needs checks that each property of a system says what would exercise it.
func Needs[M sim.Message](t testing.TB, s sim.System[M]) {
	t.Helper()
	for _, p := range s.Properties {
		if b, ok := p.(sim.Bounded); !ok || b.Bound().Needs == "" {
			t.Errorf("modeltest: %s does not say what would exercise it", p.Name())
		}
	}
}

// Replace is a system with other nodes in the place of those whose names begin so.
func Replace[M sim.Message](system func() sim.System[M], prefix string, mutant func(name string) sim.Spec[M]) func() sim.System[M] {
	return func() sim.System[M] {
		s := system()
		for i, n := range s.Nodes {
			if strings.HasPrefix(n.Name, prefix) {
				s.Nodes[i] = mutant(n.Name)
			}
		}
		return s
	}
}
