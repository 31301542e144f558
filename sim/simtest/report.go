package simtest

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// shrinkRuns are the most runs that shrinking a failure takes, whatever time there is.
const shrinkRuns = 20_000

var shrinkTime = flag.Duration("fencepost.shrink", 10*time.Second, "`time` for shrinking a failure, where the test does not say; 0 does not shrink")

// patience bounds what a search takes if the model is so slow that the number of runs does
// not: the verdict then says so.
func patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Minute)
}

// found makes a failure small, keeps it, and fails the test with it.
func (x *tester) found(f *explore.Failure) {
	x.t.Helper()
	x.report(f, "")
}

// report is found, and begins with what there is to say about the failure besides.
func (x *tester) report(f *explore.Failure, about string) {
	x.t.Helper()
	limit := x.shrink
	if limit == 0 {
		limit = *shrinkTime
	}
	short, done := context.WithTimeout(context.Background(), limit)
	defer done()
	s, err := explore.Shrink(short, explore.Subject{Program: x.search.Program, Config: x.search.Config, Tries: shrinkRuns}, f, nil)
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	how := about
	if f.Run > 0 {
		how += fmt.Sprintf("found in run %d\n", f.Run)
	}
	switch {
	case s.Whole:
	case s.Tries >= shrinkRuns:
		how += fmt.Sprintf("shrinking was cut off after %d runs: it may be smaller yet\n", s.Tries)
	default:
		how += fmt.Sprintf("shrinking was cut off after %v and %d runs: it may be smaller yet, with -fencepost.shrink or Case.Shrink\n", limit, s.Tries)
	}
	ctx, stop := patience()
	defer stop()
	x.t.Errorf("%s%s\n%s", how, x.tell(ctx, &s.Failure), x.again(&s.Failure))
}

// mostTold is how much of what has to go wrong is told.
const mostTold = 12

// tell is the explanation of a failure, and what has to go wrong for it.
func (x *tester) tell(ctx context.Context, f *explore.Failure) string {
	var b strings.Builder
	p := &x.search.Program
	explanation, err := explain.Explain(ctx, x.world(x.search.Config), p, f)
	if err != nil {
		fmt.Fprintf(&b, "%s, but it cannot be explained: %v\n", x.short(f), err)
	} else {
		_ = explanation.Write(&b) // a strings.Builder takes everything
	}
	if f.Panic != nil {
		b.WriteString(frames(f.Panic.Stack))
	}
	b.WriteString("\nwhat has to go wrong for it:\n")
	var wrong []string
	for i := range f.Faults {
		wrong = append(wrong, explain.Phrase(p, &f.Faults[i]))
	}
	for i := range f.Overrides {
		wrong = append(wrong, explain.DrawPhrase(p, f.Faults, &f.Overrides[i]))
	}
	for _, w := range wrong[:min(len(wrong), mostTold)] {
		fmt.Fprintf(&b, "  %s\n", w)
	}
	if n := len(wrong) - mostTold; n > 0 {
		fmt.Fprintf(&b, "  and %d more, which the file has\n", n)
	}
	switch {
	case !f.Minimal:
		fmt.Fprintf(&b, "  what is drawn is drawn as with seed %d\n", f.Seed)
	case len(f.Faults)+len(f.Overrides) == 0:
		b.WriteString("  nothing\n")
	}
	return b.String()
}

// short says in a few words what a failure is.
func (x *tester) short(f *explore.Failure) string {
	if f.Property == explore.NoProperty {
		return fmt.Sprintf("a step of %s panics", f.Panic.Name)
	}
	return x.search.Program.Properties[f.Property] + " is violated"
}

// again keeps a failure, and says where, and how to see it again.
func (x *tester) again(f *explore.Failure) string {
	where, err := x.keep(f)
	if err != nil {
		return fmt.Sprintf("it could not be kept: %v\nagain:  %s", err, command(x.test))
	}
	return fmt.Sprintf("kept:   %s\nagain:  %s", where, command(x.test))
}

// command is what runs one test.
func command(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + quote(p) + "$"
	}
	return "go test -run '" + strings.Join(parts, "/") + "'"
}

// frames is the part of a stack that the model is concerned with.
func frames(stack string) string {
	_, after, _ := strings.Cut(stack, "\npanic(")
	_, after, _ = strings.Cut(after, "\n") // the place of panic itself
	_, after, _ = strings.Cut(after, "\n")
	before, _, _ := strings.Cut(after, "fencepost/sim.(*World[")
	if before == "" {
		return ""
	}
	return "\n" + before
}
