package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/batch"
)

// Comparison is several scenarios without grids and how they are to be run.
type Comparison struct {
	Candidates []Candidate
	Baseline   int // index of the one from which the differences of the others are taken
	Seed       uint64
	Runs       int
	Jobs       int
	// Command is the command that runs a candidate with a seed.
	Command func(candidate int, seed uint64) string
	// Progress, if not nil, is told now and then how far it has come: in runs of all.
	Progress func(Progress)

	joined *batch.Compared // of parts: nothing is run
}

// Candidate is one scenario of a comparison.
type Candidate struct {
	Name     string
	Settings []result.Setting
	Scenario *format.Scenario
}

// Axes are those of the grid of which the candidates are all points, in its order; an axis
// with one value is none. What is no grid has no axes.
func Axes(list []Candidate) (axes []reports.GridAxis) {
	points := 1
	for i, set := range list[0].Settings {
		axis := reports.GridAxis{Name: set.Path}
		for k := range list {
			s := list[k].Settings
			if len(s) != len(list[0].Settings) || s[i].Path != set.Path {
				return nil
			}
			if !slices.Contains(axis.Values, s[i].Value) {
				axis.Values = append(axis.Values, s[i].Value)
			}
		}
		if len(axis.Values) > 1 {
			axes = append(axes, axis)
			points *= len(axis.Values)
		}
	}
	if points != len(list) {
		return nil
	}
	return axes
}

// Compare runs the candidates with the same seeds and completes a report. If ctx ends
// before that, the report holds what is done, and the error is that of ctx; it is nil
// if that is nothing.
func Compare(ctx context.Context, c *Comparison, r *reports.Compare) (*reports.Compare, error) {
	return abandon(ctx, r.Subject, patience, func() (*reports.Compare, error) { return c.run(ctx, r) })
}

func (c *Comparison) run(ctx context.Context, r *reports.Compare) (*reports.Compare, error) {
	o := c.options()
	for i := range c.Candidates {
		for _, in := range c.Candidates[i].Scenario.Inputs {
			r.Read(in)
		}
	}
	var err error
	all := c.joined
	if all == nil {
		all, err = batch.Compare(ctx, o, c.progress())
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if all == nil || all.Tallies[0].Runs == 0 {
		return nil, err
	}
	r.Schema, r.Seed, r.Runs = reports.CompareSchema, c.Seed, all.Tallies[0].Runs
	if r.Runs < c.Runs {
		r.RunsWanted = c.Runs
	}
	r.Baseline, r.Apart = c.Candidates[c.Baseline].Name, c.apart()
	if axes := Axes(c.Candidates); len(axes) == 2 {
		r.Axes = axes
	}
	r.Shared, r.Others = Shared(o.Programs)
	for i := range c.Candidates {
		k := &c.Candidates[i]
		s := k.Scenario
		one := reports.CollectCandidate(&s.Program, &s.Config, all.Tallies[i], all.Pairs[i], all.Unsafe[i])
		one.Name, one.Scenario, one.Model, one.Settings, one.UntilNS = k.Name, s.Name, s.Model, k.Settings, int64(s.Until)
		if told := c.tell(i, &one); told != nil {
			return nil, told
		}
		r.Candidates = append(r.Candidates, one)
	}
	r.Sort()
	r.Decide()
	return r, err
}

// progress counts the runs of all candidates, and those of the worst that are violated.
func (c *Comparison) progress() func(*batch.Compared) {
	if c.Progress == nil {
		return nil
	}
	n := len(c.Candidates)
	return func(all *batch.Compared) {
		c.Progress(Progress{Done: n * all.Tallies[0].Runs, Total: n * c.Runs, Violated: slices.Max(all.Unsafe)})
	}
}

// tell runs the first violations again, to say how they came about.
func (c *Comparison) tell(i int, one *reports.Candidate) error {
	s := c.Candidates[i].Scenario
	var w sim.Runner
	for p := range one.Properties {
		f := one.Properties[p].First
		if f == nil {
			continue
		}
		if w == nil {
			var err error
			if w, err = s.Program.NewWorld(s.Config); err != nil {
				return err
			}
		}
		w.Run(f.Seed)
		f.Why = w.Why(p)
		if one.Reproduce == "" && c.Command != nil {
			one.Reproduce = c.Command(i, f.Seed)
		}
	}
	return nil
}

// Shared names the properties and measures that all programs have, and those that only
// some have. A measure is the same if it has the same name, unit and meaning.
func Shared(programs []sim.Program) (all, some []string) {
	count := map[string]int{}
	var names []string
	add := func(name, what string) {
		if count[what]++; count[what] == 1 {
			names = append(names, name+"\x00"+what)
		}
	}
	for i := range programs {
		for _, p := range programs[i].Properties {
			add(p, "property "+p)
		}
		for _, m := range programs[i].Measures {
			add(m.Name, fmt.Sprintf("measure %v", m))
		}
	}
	for _, n := range names {
		name, what, _ := strings.Cut(n, "\x00")
		switch {
		case count[what] == len(programs):
			all = append(all, name)
		case !slices.Contains(some, name):
			some = append(some, name)
		}
	}
	return all, some
}

// apart lists the values in which the files differ: what is compared, and also whatever
// keeps it from being compared on the same workload.
func (c *Comparison) apart() (paths []string) {
	given := make([]map[string]string, len(c.Candidates))
	var all []string
	for i := range c.Candidates {
		given[i] = map[string]string{}
		for _, v := range c.Candidates[i].Scenario.Values() {
			given[i][v.Path] = v.Value
			if !slices.Contains(all, v.Path) {
				all = append(all, v.Path)
			}
		}
	}
	for _, path := range all {
		for i := range given {
			if given[i][path] != given[0][path] {
				paths = append(paths, path)
				break
			}
		}
	}
	return paths
}
