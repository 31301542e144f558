package execute

import (
	"context"

	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// fewest repeats a search that has reached its goal with a smaller budget, until no run reaches it: what was found cannot lose
// a fault, but other faults may do with fewer. A fault of the file is in every run, so there it would say little.
func (s *Search) fewest(ctx, find context.Context, f *Found) (*Found, error) {
	for s.again(f) {
		less := *s
		less.Budget.Most = len(f.Shrunk.Faults) - 1
		r, err := less.look(find)
		if err != nil {
			return f, err
		}
		s.fewer = &searches.Fewer{Most: less.Budget.Most, Runs: r.Runs}
		if r.Found == nil {
			return f, nil
		}
		next, err := less.small(ctx, r)
		if err != nil || next.Shrunk.Property == explore.NoProperty {
			return f, err
		}
		s.Budget, s.fewer, f = less.Budget, nil, next
	}
	return f, nil
}

// again reports whether a search for fewer faults makes sense.
func (s *Search) again(f *Found) bool {
	k := f.Shrunk
	return s.Program.Goal != nil && k.Property != explore.NoProperty && s.Mode != explore.Exhaustive && s.ShrinkFor > 0 &&
		len(s.Config.Faults) == 0 && s.Budget.Loss == 0 && len(k.Faults) > 1
}

// goal is what the report says of the goal, nil if there is none.
func (s *Search) goal(f *Found) (*searches.Goal, error) {
	g := s.Program.Goal
	if g == nil {
		return nil, nil
	}
	m := s.Program.Measures[g.Measure]
	x := &searches.Goal{Text: g.Text, Measure: m.Name, Unit: reports.Count, Fewer: s.fewer}
	switch {
	case m.Per != "":
		x.Unit = "billionths"
	case m.Unit == sim.Duration:
		x.Unit = reports.Nanoseconds
	}
	k := f.Shrunk
	if k == nil || k.Property == explore.NoProperty {
		return x, nil
	}
	p := &k.Subject.Program
	w, err := p.NewWorld(k.Subject.Config)
	if err != nil {
		return nil, err
	}
	r, err := k.Play(w)
	if err != nil {
		return nil, err
	}
	best, _ := p.Goal.Best(p.Measures, r.Samples)
	x.Reached, x.Value, x.Said = true, &best, m.Name+" is "+p.Goal.Words(p.Measures, best)
	return x, nil
}
