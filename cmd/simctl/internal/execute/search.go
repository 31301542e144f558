package execute

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/scenarios/smaller"
	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
	"fencepost/sim/stats"
)

// Search is a scenario and how it is to be searched for a violation.
type Search struct {
	Scenario *format.Scenario
	explore.Search
	Usual     []string      // the faults of the budget, where neither the file nor the command has one
	For       time.Duration // for how long, 0 forever
	ShrinkFor time.Duration // for how long what is found is made smaller, 0 not at all
	// Shrinking, if not nil, is told what has been found so far.
	Shrinking func(*explore.Shrunk)

	fewer  *searches.Fewer // the search for fewer faults that did not reach the goal
	joined []*explore.Part // in their order: no other runs are done
	last   *Part           // the last of them
}

// Found is the result of a search.
type Found struct {
	Report *explore.Report
	// Shrunk is the violation, if there is one: made smaller, if that was wanted.
	Shrunk *explore.Shrunk
	// Scenario is the one that Shrunk is of, which may be smaller than the one searched.
	Scenario *format.Scenario
}

// Do searches, and makes what it finds smaller. If ctx ends before that, it returns what
// is known, which is no error; it is [ErrNoEnd] if a run does not stop.
func (s *Search) Do(ctx context.Context) (*Found, error) {
	find, cancel := Timed(ctx, s.For)
	defer cancel()
	r, err := s.look(find)
	if err != nil || r.Found == nil {
		return &Found{Report: r, Scenario: s.Scenario}, err
	}
	f, err := s.small(ctx, r)
	if err != nil {
		return f, err
	}
	return s.fewest(ctx, find, f)
}

// look does the runs of the search.
func (s *Search) look(ctx context.Context) (*explore.Report, error) {
	return abandon(ctx, s.Scenario.Name, patience, func() (*explore.Report, error) {
		if s.joined != nil {
			return s.join(ctx)
		}
		return explore.Find(ctx, s.Search)
	})
}

// small makes what was found smaller.
func (s *Search) small(ctx context.Context, r *explore.Report) (*Found, error) {
	f := &Found{Report: r, Scenario: s.Scenario}
	f.Shrunk = &explore.Shrunk{Failure: *r.Found, Subject: explore.Subject{Program: s.Program, Config: s.Config}}
	if s.ShrinkFor == 0 {
		return f, nil
	}
	shrink, stop := Timed(ctx, s.ShrinkFor)
	defer stop()
	k, small, err := Shrink(shrink, s.Scenario, r.Found, s.Shrinking)
	switch {
	case errors.Is(err, ErrNoEnd):
		return f, nil // what was found stands, as it was found
	case err != nil:
		return f, err
	}
	f.Shrunk, f.Scenario = k, small
	return f, nil
}

// Shrink makes a failure of a scenario smaller, and the scenario with it.
func Shrink(ctx context.Context, c *format.Scenario, f *explore.Failure, progress func(*explore.Shrunk)) (*explore.Shrunk, *format.Scenario, error) {
	l := ladder{}
	k, err := abandon(ctx, c.Name, patience, func() (*explore.Shrunk, error) {
		return explore.Shrink(ctx, l.subject(c, ""), f, progress)
	})
	if err != nil {
		return nil, nil, err
	}
	return k, l[k.Subject.Label], nil
}

// ladder is a scenario and those smaller that were looked at, by what made them so.
type ladder map[string]*format.Scenario

// subject is a scenario as what schedules are played on; before is what has made it
// smaller already.
func (l ladder) subject(c *format.Scenario, before string) explore.Subject {
	label := strings.Trim(before+", "+c.Change, ", ")
	l[label] = c
	return explore.Subject{Program: c.Program, Config: c.Config, Label: label, Smaller: func() (list []explore.Subject) {
		for _, small := range smaller.Of(c) {
			list = append(list, l.subject(small, label))
		}
		return list
	}}
}

func Timed(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// Explored puts the result of a search into a report, which has no verdict yet.
func (s *Search) Explored(f *Found) (e *searches.Exploration, err error) {
	c, r := s.Scenario, f.Report
	e = &searches.Exploration{
		Schema: searches.ExploreSchema, Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model,
		Search: s.Mode.String(), Budget: BudgetText(&s.Budget, &s.Program), Seed: s.Seed, UntilNS: int64(c.Until),
		RunsWanted: s.Runs, Runs: r.Runs, Events: r.Steps, States: r.States, Pruned: r.Pruned, Faulty: r.Faulty, Points: r.Points,
		Exhausted: r.Exhausted, Bound: r.Bound, Properties: []reports.Property{}, NotExercised: []string{},
		Scripted: len(s.Config.Faults),
	}
	if s.Mode != explore.Exhaustive && s.Search.Budget.Faults() > 1 {
		e.Meetings = &searches.Meetings{Together: r.Together, Met: r.Met, WindowNS: int64(r.Window)}
	}
	if e.Usual = s.Usual; len(s.Usual) > 0 {
		e.Budget += "; the file has no budget: " + strings.Join(s.Usual, ", ") + "; --budget says otherwise"
	}
	properties := s.Program.Properties
	if s.Program.Goal != nil {
		properties = properties[:len(properties)-1]
	} else {
		for _, i := range s.Targets {
			e.Wanted = append(e.Wanted, properties[i])
		}
	}
	for i, name := range properties {
		e.Properties = append(e.Properties, s.property(r, i, name))
		if r.Vacuous(i) {
			e.NotExercised = append(e.NotExercised, name)
		}
	}
	if s.Mode == explore.PCT && r.Choices > 0 {
		p := r.Guarantee(&s.Search)
		e.Guarantee = &searches.Guarantee{Depth: r.Depth, PerRun: p, InAll: -math.Expm1(float64(max(r.Runs, s.Runs)) * math.Log1p(-p))}
	}
	if f.Shrunk != nil {
		e.Found = s.found(f)
	}
	e.Goal, err = s.goal(f)
	return e, err
}

func (s *Search) property(r *explore.Report, i int, name string) reports.Property {
	p := reports.Property{Name: name, Verdict: sim.NotExercised.String(), Runs: r.Exercised[i], Violated: r.Violated[i],
		NotExercised: r.Runs - r.Exercised[i], Violations: r.Violated[i], Bounded: reports.Bounded{Needs: s.Program.Bound(i).Needs}}
	switch {
	case p.Violated > 0:
		p.Verdict = sim.Violated.String()
	case p.Runs > 0:
		p.Verdict = sim.Holds.String()
	}
	// Of an exhaustive search the runs are no sample, and one that ends with what it
	// finds has a biased one.
	if s.Mode != explore.Exhaustive && r.Found == nil && p.Runs > 0 {
		i := stats.Wilson(p.Violated, p.Runs)
		p.Share = &reports.Share{Value: float64(p.Violated) / float64(p.Runs), Low: i.Low, High: i.High}
	}
	return p
}

// found is what was found, in words.
func (s *Search) found(f *Found) *searches.Found {
	r, k := f.Report.Found, f.Shrunk
	x := &searches.Found{Run: r.Run, Seed: r.Seed, Faults: phrases(&s.Program, r.Faults), Case: *Case(&k.Subject.Program, &k.Failure)}
	if p := k.Panic; p != nil {
		x.Panic = &reports.Panic{Runs: 1, Run: r.Run, Seed: r.Seed, AtNS: int64(p.At), Node: p.Name, Message: p.Message, Value: p.Value}
	} else {
		x.Property = k.Subject.Program.Properties[k.Property]
	}
	if s.ShrinkFor > 0 {
		x.Shrunk = &searches.Shrunk{Tries: k.Tries, Whole: k.Whole, Smaller: k.Subject.Label}
	}
	return x
}

// phrases is faults in words.
func phrases(p *sim.Program, faults []sim.Fault) []string {
	words := []string{}
	for i := range faults {
		words = append(words, explain.Phrase(p, &faults[i]))
	}
	return words
}

// Case is a schedule that fails, in words.
func Case(p *sim.Program, f *explore.Failure) *searches.Case {
	c := &searches.Case{Seed: f.Seed, Minimal: f.Minimal, Events: f.Steps, Digest: reports.Digest(f.Digest),
		Faults: phrases(p, f.Faults), Draws: []string{}}
	for i := range f.Overrides {
		c.Draws = append(c.Draws, drawWords(p, &f.Overrides[i]))
	}
	if f.Property == explore.NoProperty {
		c.AtNS = int64(f.Panic.At)
		return c
	}
	v := stats.Violation{At: f.Finding.First, Nodes: f.Finding.Nodes}
	c.AtNS, c.Nodes = int64(v.At), reports.Nodes(p, &v)
	return c
}

// Same reports whether a run fails as another did: the same property is violated,
// between the same nodes, or the same node panics.
func Same(f *explore.Failure, r *sim.Result) bool {
	if f.Property == explore.NoProperty {
		return r.Panic != nil && r.Panic.Name == f.Panic.Name && r.Panic.Value == f.Panic.Value
	}
	if f.Property >= len(r.Properties) {
		return false
	}
	g := &r.Properties[f.Property]
	return g.Verdict == sim.Violated && g.Nodes == f.Finding.Nodes
}

// TargetsOf are the properties with the given names, without doubles.
func TargetsOf(p *sim.Program, names []string) []int {
	var list []int
	for _, name := range names {
		if i := slices.Index(p.Properties, name); i >= 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}
