package simtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fencepost/sim"
)

// Played is one run that was played, and a test's questions about it. A question that
// cannot be answered, or an answer that is not the wanted one, ends the test with the
// log of the run in its log.
type Played struct {
	Program sim.Program
	Result  sim.Result
	Why     []string     // by [sim.Program].Properties: what happened at the first violation, "" without one
	Moments []sim.Moment // the log

	t      testing.TB
	config sim.Config
}

// Play plays one run, that of seed 1, and each of its steps twice, on copies. What goes
// wrong in it is what config and the changes say, which are made in their order. A
// system without Describe says every note. The test ends here if a step panics or
// is not pure, and if there is something wrong with what is asked for.
func Play[M sim.Message](t testing.TB, system func() sim.System[M], config sim.Config, change ...Change) *Played {
	t.Helper()
	if system == nil {
		t.Fatalf("simtest: there is no system to play")
	}
	p := &Played{t: t, Program: sim.NewProgram(func() sim.System[M] { return system().Told() })}
	config.Twice = true
	alter(&config, &p.Program, change)
	p.config = config
	w := newWorld(t, &p.Program, config)
	w.Watch(sim.Watch{Moments: func(m sim.Moment) { p.Moments = append(p.Moments, m) }})
	p.Result = *w.Run(1)
	slices.SortStableFunc(p.Moments, func(a, b sim.Moment) int { return cmp.Compare(a.At, b.At) })
	noPanic(t, &p.Result)
	for i := range p.Program.Properties {
		p.Why = append(p.Why, w.Why(i))
	}
	return p
}

// alter makes changes to a config; that of the caller stays as it was.
func alter(c *sim.Config, p *sim.Program, change []Change) {
	c.Faults, c.Network.Rules, c.Clocks = slices.Clip(c.Faults), slices.Clip(c.Network.Rules), slices.Clone(c.Clocks)
	for _, f := range change {
		f(c, p)
	}
}

// newWorld is a world of a program.
func newWorld(t testing.TB, p *sim.Program, c sim.Config) sim.Runner {
	t.Helper()
	w, err := p.NewWorld(c)
	if err != nil {
		t.Fatalf("simtest: %v", err)
	}
	return w
}

// noPanic ends the test if a step panicked.
func noPanic(t testing.TB, r *sim.Result) {
	t.Helper()
	if p := r.Panic; p != nil {
		t.Fatalf("a step of %s panics at %v, with seed %d, handling %q: %s%s", p.Name, p.At, r.Seed, p.Message, p.Value, frames(p.Stack))
	}
}

// known is the index of a property.
func known(t testing.TB, p *sim.Program, name string) int {
	t.Helper()
	i := slices.Index(p.Properties, name)
	if i < 0 {
		t.Fatalf("simtest: the system has no property %q: it has %s", name, listed(p.Properties))
	}
	return i
}

// Finding is what a property found.
func (p *Played) Finding(property string) sim.Finding {
	p.t.Helper()
	return p.Result.Properties[known(p.t, &p.Program, property)]
}

// Verdicts are the properties that came to a verdict, in the order of the system.
func (p *Played) Verdicts(v sim.Verdict) (properties []string) {
	for i, f := range p.Result.Properties {
		if f.Verdict == v {
			properties = append(properties, p.Program.Properties[i])
		}
	}
	return properties
}

// Violated checks that a property is violated, and first at this instant.
func (p *Played) Violated(property string, first sim.Time) {
	p.t.Helper()
	f := p.Finding(property)
	if f.Verdict != sim.Violated {
		p.t.Fatalf("%s is not violated, but %v; want it violated at %v\n%s", property, f.Verdict, first, p)
	}
	if f.First != first {
		p.t.Fatalf("%s is violated at %v, want at %v\n%s", property, f.First, first, p)
	}
}

// Holds checks that properties hold, and saw something to check.
func (p *Played) Holds(properties ...string) {
	p.t.Helper()
	for _, name := range properties {
		switch f := p.Finding(name); f.Verdict {
		case sim.Violated:
			p.t.Fatalf("%s does not hold: it is violated at %v\n%s", name, f.First, p)
		case sim.NotExercised:
			p.t.Fatalf("%s was not exercised\n%s", name, p)
		}
	}
}

// OnlyViolates checks that these properties are violated, and no others: the rest hold,
// or was not exercised. Without a name it checks that none is violated.
func (p *Played) OnlyViolates(properties ...string) {
	p.t.Helper()
	for _, name := range properties {
		known(p.t, &p.Program, name)
	}
	got, want := p.Verdicts(sim.Violated), slices.Sorted(slices.Values(properties))
	if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		p.t.Fatalf("violated are %s; want %s\n%s", listed(got), listed(properties), p)
	}
}

// listed is names in a sentence.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Measure is the sum of what a measure recorded, 0 if it recorded nothing; nanoseconds
// if it is a duration.
func (p *Played) Measure(name string) int64 {
	p.t.Helper()
	var names []string
	for i, m := range p.Program.Measures {
		if m.Name == name {
			return p.sum(i)
		}
		names = append(names, m.Name)
	}
	p.t.Fatalf("simtest: the system has no measure %q: it has %s", name, listed(names))
	return 0
}

func (p *Played) sum(measure int) (sum int64) {
	for _, s := range p.Result.Samples {
		if s.Measure == measure {
			sum += s.Value
		}
	}
	return sum
}

// Moment is the true instant at which the log first says something.
func (p *Played) Moment(text string) sim.Time {
	p.t.Helper()
	for _, m := range p.Moments {
		if strings.Contains(m.Text, text) {
			return m.At
		}
	}
	p.t.Fatalf("the log does not contain %q\n%s", text, p)
	return sim.Never
}

// Trace is every step of the run, a line each. It plays the run again: a trace of a long
// run takes far longer than the run.
func (p *Played) Trace() string {
	p.t.Helper()
	w := newWorld(p.t, &p.Program, p.config)
	var b strings.Builder
	w.Watch(sim.Watch{Trace: &b})
	w.Run(1)
	return b.String()
}

// Log is what happened, a line each: the instant and what happened.
func (p *Played) Log() string {
	var b strings.Builder
	for _, m := range p.Moments {
		fmt.Fprintf(&b, "%v %s\n", m.At, m.Text)
	}
	return b.String()
}

// Logs checks that lines of the log end so, from the beginning of a word on, one after
// the other; others may stand between them.
func (p *Played) Logs(lines ...string) {
	p.t.Helper()
	rest := strings.Split(p.Log(), "\n")
	for i, l := range lines {
		found := slices.IndexFunc(rest, func(told string) bool { return told == l || strings.HasSuffix(told, " "+l) })
		switch {
		case found >= 0:
			rest = rest[found+1:]
		case i == 0:
			p.t.Fatalf("the log does not contain %q\n%s", l, p)
		default:
			p.t.Fatalf("the log does not contain %q after %q\n%s", l, lines[i-1], p)
		}
	}
}

// String is the log, what the properties found, and the sums of the measures.
func (p *Played) String() string {
	lines := []string{p.Log()}
	for i, name := range p.Program.Properties {
		lines = append(lines, fmt.Sprintf("%-24s %-9v %s", name, p.Result.Properties[i].Verdict, p.Why[i]))
	}
	for i, m := range p.Program.Measures {
		lines = append(lines, fmt.Sprintf("%-24s %d", m.Name, p.sum(i)))
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
