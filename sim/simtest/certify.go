package simtest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/claim"
	"fencepost/sim/certify/nearest"
	"fencepost/sim/explore"
)

// mostStates bounds a proof by the states that it keeps, where a case does not say: a proof that ends
// there ends there on every machine.
const mostStates = 1_000_000

// Certify proves properties of the case: for all delays, drawn timers and pauses in their ranges at
// once, and every order of what happens at one instant. A pause among the faults of Config may begin
// at any moment, and last for any time in its range; Budget has pauses, messages that are lost or
// duplicated, and rates of clocks besides. What package [certify] does not cover is an error, each
// with its place.
//
// Each node is to be a [sim.Symbolic] one, and a property to have the methods Symbolic and Remembers,
// as in the example. Properties that have not are left out, unless the case names them.
//
// If a property is violated the test fails with a run that shows it, as that of [Explore] does, and says
// up to which pause the property holds. It also fails if a proof does not end with States symbolic states.
func Certify[M sim.Message](t testing.TB, c Case[M]) {
	t.Helper()
	x := newTester(t, &c, pureSeeds)
	proofs := x.proofs(c.States)
	x.search.Config.Faults = nil // a schedule has those of its run
	if !x.replays() || !x.pure() {
		return
	}
	for _, s := range proofs {
		if !x.exercised(s.Property) {
			continue
		}
		x.prove(s)
	}
}

// proofs are what to prove of each property. It ends the test where something is not covered.
func (x *tester) proofs(states int) (list []*certify.Search) {
	x.t.Helper()
	if states == 0 {
		states = mostStates
	}
	properties := x.search.Targets
	if !x.named {
		properties = x.provable()
	}
	var errs []error
	for _, p := range properties {
		s, err := claim.Of(x.search.Program, x.search.Config, x.search.Budget, p)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", x.search.Program.Properties[p], err))
			continue
		}
		s.Seed, s.Limits = x.search.Seed, certify.Limits{States: states}
		list = append(list, s)
	}
	if err := errors.Join(errs...); err != nil {
		x.t.Fatalf("simtest: it cannot be certified:\n%v", err)
	}
	longest := time.Duration(0) // of all pauses of a run, which ends so much later
	for _, p := range list[0].Faults {
		longest += time.Duration(p.Count) * p.Most
	}
	x.search.Config.Until = x.search.Config.Until.Add(longest)
	for _, s := range list {
		s.Config.Until = x.search.Config.Until
	}
	return list
}

// provable are the properties that can be checked with time as a symbol. There is one.
func (x *tester) provable() (list []int) {
	x.t.Helper()
	stage, err := x.search.Program.NewStage()
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	for p := range x.search.Program.Properties {
		if stage.RefusesProperty(p) == "" {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		x.t.Fatalf("simtest: no property can be certified: %s", stage.RefusesProperty(0))
	}
	return list
}

// exercised reports whether a property has something to check in one of a few runs, and fails the
// test if it has not.
func (x *tester) exercised(property int) bool {
	x.t.Helper()
	exercised, err := explore.Exercised(&x.search.Program, x.search.Config, property, x.search.Seed, pureSeeds)
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	if exercised {
		return true
	}
	x.t.Errorf("%s was not exercised in %d runs: to prove it says nothing", x.search.Program.Properties[property], pureSeeds)
	return false
}

// prove looks for a run that violates a property, and reports it, or that there is none.
func (x *tester) prove(s *certify.Search) {
	x.t.Helper()
	name := x.search.Program.Properties[s.Property]
	ctx, stop := patience()
	defer stop()
	r, err := s.Run(ctx)
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	if r.Verdict == certify.Certified {
		x.t.Logf("%s is certified: no run violates it, of all delays, drawn timers and pauses in their ranges", name)
		return
	}
	about := fmt.Sprintf("%s is not certified\n", name)
	for k := range s.Faults {
		e, err := s.Edge(ctx, k, r)
		if err == nil {
			err = nearest.Find(ctx, s, k, &r, &e)
		}
		if err != nil {
			x.t.Fatalf("simtest: %v", err)
		}
		about += fmt.Sprintf("edge of %s: %s\n", s.Faults[k].Name, edge(&e))
	}
	if r.Verdict == certify.Violated {
		found := *r.Failure
		found.Run = 0 // it was not one of many
		x.report(&found, about)
		return
	}
	x.t.Errorf("%s%s", about, unknown(s, &r))
}

// edge says up to which pause a property holds.
func edge(e *certify.Edge) string {
	from := ""
	if e.From > 0 {
		from = fmt.Sprintf("; a failing run exists at %v", e.From)
		if e.From > e.Holds+1 && e.Holds >= 0 {
			from += "; not known in between"
		}
	}
	switch {
	case e.Result.Verdict == certify.Certified:
		return fmt.Sprintf("safe for every pause up to %v%s", e.Holds, from)
	case e.Holds < 0 && e.From > 0: // the range begins there
		return fmt.Sprintf("certified for no pause of the range%s", from)
	case e.Holds < 0:
		return "violated without any pause"
	}
	return fmt.Sprintf("not known: %v%s", e.Result.Bound, from)
}

// unknown says why a proof ended without a verdict.
func unknown(s *certify.Search, r *certify.Result) string {
	switch r.Bound {
	case certify.States:
		return fmt.Sprintf("it is not known: the proof ended at %d symbolic states: fewer pauses, shorter ranges or fewer rounds need less, and Case.States allows more", s.Limits.States)
	case certify.Time:
		return fmt.Sprintf("it is not known: the proof ended after its time, with %d symbolic states", r.States)
	}
	return fmt.Sprintf("it is not known: %v", r.Bound)
}
