// Package simtest tests a model from go test. A [Case] says what is tested: a system,
// what it runs in, and what may go wrong. [Run] plays a case with many seeds, [Explore]
// searches it for a failure, [Certify] proves that there is none, [Fuzz] lets go test -fuzz
// search, and a [Driver] any library of property tests. [Play] plays one schedule that the
// test itself writes down, [Count] counts what goes wrong in many runs, and [Forgets] checks
// that a run leaves nothing behind for the next. The package needs nothing but the standard
// library.
//
// A test fails when a step panics, when a property is violated, when a property that it
// names was not exercised, or when a node is not pure. Its log then holds the explanation
// of the failure, what had to go wrong for it, and the path of a file: the failure is
// kept in the folder testdata/fencepost of the package under test, and is played first
// whenever the test runs again, as go test does with what a fuzzer found. Keep these
// files with the code, and delete those that you do not need any more.
package simtest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Case is what a test is about.
type Case[M sim.Message] struct {
	// System makes the model. It is called for each world, of which some run at the same
	// time, so what it makes must share nothing.
	System func() sim.System[M]
	Config sim.Config
	// Budget is what may go wrong in one run, besides the faults of Config. [Run] does
	// without it.
	Budget explore.Budget

	// Properties names those that are checked; each must have something to check. Nil is
	// all of them, of which one must.
	Properties []string
	// Mode is how [Explore] searches. [explore.Exhaustive] proves that nothing within the
	// budget, and a fault-free network, violates the properties.
	Mode explore.Mode
	// Runs is the most runs. 0 is 100 for [Run] and 2,000 for [Explore], or 100,000 if it
	// is exhaustive; and a quarter of that with -short.
	Runs int
	// States is the most symbolic states that a proof of [Certify] keeps; 0 is 1,000,000.
	States int
	// Shrink is how long making a failure small may take; 0 is as the flag
	// -fencepost.shrink of go test says, which is 10 s by default. It ends after 20 000
	// runs in any case. The failure is reported as small as it is by then, and its explanation
	// says that it may be smaller yet.
	Shrink time.Duration
	Seed   uint64 // of the first run; 0 is 1
	// Covered makes it a failure if a kind of message or of note never occurs, or a
	// property sees nothing; otherwise the log says so.
	Covered bool
}

// Run plays the case with seed after seed. The first few are played in which each step
// is done twice, on copies, and each run too: a node that is not pure fails the test.
func Run[M sim.Message](t testing.TB, c Case[M]) {
	t.Helper()
	c.Budget, c.Mode = explore.Budget{}, explore.Random
	x := newTester(t, &c, 100)
	if x.replays() && x.pure() {
		x.find()
	}
}

// Explore searches the case for a run that fails, and makes the first that it finds as
// small as it can be. It plays the same runs each time: a test that passes continues to
// pass until the model changes.
func Explore[M sim.Message](t testing.TB, c Case[M]) {
	t.Helper()
	runs := 2000
	if c.Mode == explore.Exhaustive {
		runs = 100_000
	}
	x := newTester(t, &c, runs)
	if x.replays() && x.pure() {
		x.find()
	}
}

// tester is a case in a test, its type of messages forgotten.
type tester struct {
	t       testing.TB
	test    string // its name, and of a fuzz target's runs the name of the target
	search  explore.Search
	watched sim.Program // the same, and what occurs in its runs is seen
	seen    *coverage
	shrink  time.Duration
	named   bool // the properties are named
	covered bool
}

// newTester checks the case, and ends the test if there is something wrong with it.
func newTester[M sim.Message](t testing.TB, c *Case[M], runs int) *tester {
	t.Helper()
	if c.System == nil {
		t.Fatalf("simtest: the case has no system")
	}
	x := &tester{t: t, test: t.Name(), seen: &coverage{}, shrink: c.Shrink, named: len(c.Properties) > 0, covered: c.Covered}
	x.search = explore.Search{Program: sim.NewProgram(func() sim.System[M] { return c.System().Told() }), Config: c.Config, Budget: c.Budget, Mode: c.Mode, Seed: c.Seed, Runs: c.Runs}
	x.watched = watch(c.System, x.seen)
	x.world(c.Config) // a system with wrong parameters has neither properties nor nodes, and its error says why
	if x.search.Seed == 0 {
		x.search.Seed = 1
	}
	if x.search.Runs == 0 {
		if x.search.Runs = runs; testing.Short() {
			x.search.Runs = runs / 4
		}
	}
	for _, name := range c.Properties {
		x.search.Targets = append(x.search.Targets, known(t, &x.search.Program, name))
	}
	if len(x.search.Program.Properties) == 0 {
		t.Fatalf("simtest: the system has no properties: nothing is tested")
	}
	return x
}

// world is a world of the case.
func (x *tester) world(c sim.Config) sim.Runner {
	x.t.Helper()
	return newWorld(x.t, &x.search.Program, c)
}

// checked reports whether a property is one of those checked.
func (x *tester) checked(property int) bool {
	return !x.named || slices.Contains(x.search.Targets, property)
}

// find searches, and reports the result.
func (x *tester) find() {
	x.t.Helper()
	s := x.search
	s.Program = x.watched
	ctx, stop := patience()
	defer stop()
	r, err := explore.Find(ctx, s)
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	if r.Found != nil {
		x.found(r.Found)
		return
	}
	x.t.Logf("%s", verdict(r))
	if r.Faulty == 0 && !s.Budget.IsZero() {
		x.t.Errorf("no fault of the budget was injected in %d runs: there was no place for one", r.Runs)
	}
	x.vacuous(r)
	x.cover(r)
}

// verdict is what a search without a finding says.
func verdict(r *explore.Report) string {
	injected := ""
	if r.Faulty > 0 {
		injected = fmt.Sprintf(", in %d of which a fault of the budget was injected", r.Faulty)
	}
	switch {
	case r.Exhausted && r.States > 0:
		return fmt.Sprintf("holds: exhausted, %d schedules, %d states", r.Runs, r.States)
	case r.Exhausted:
		return fmt.Sprintf("holds: exhausted, %d schedules", r.Runs)
	case r.Bound == "runs":
		return fmt.Sprintf("holds in %d runs%s: p < 3/%d at 95%%", r.Runs, injected, r.Runs)
	}
	return fmt.Sprintf("holds in %d runs%s: the search was broken off for want of %s", r.Runs, injected, r.Bound)
}

// vacuous fails the test if what is checked had nothing to check.
func (x *tester) vacuous(r *explore.Report) {
	x.t.Helper()
	any := false
	for i, name := range x.search.Program.Properties {
		any = any || !r.Vacuous(i)
		switch {
		case !x.checked(i) || !r.Vacuous(i):
		case x.named || x.covered:
			x.t.Errorf("%s was not exercised in %d runs: that it holds says nothing", name, r.Runs)
		default:
			x.t.Logf("%s was not exercised in %d runs", name, r.Runs)
		}
	}
	if !any && !x.named && !x.covered {
		x.t.Errorf("no property was exercised in %d runs: that they hold says nothing", r.Runs)
	}
}
