package candidates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/plan"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports"
)

// Comparison is how the candidates are compared, and the report to fill.
func (q *Query) Comparison(list []execute.Candidate) (*execute.Comparison, *reports.Compare, error) {
	c := &execute.Comparison{Candidates: list, Jobs: q.Jobs, Seed: list[0].Scenario.Seed}
	var err error
	if c.Baseline, err = q.baseline(list); err != nil {
		return nil, nil, err
	}
	for i := range list {
		c.Runs = max(c.Runs, list[i].Scenario.Runs, 1)
	}
	if q.Seed != nil {
		c.Seed = *q.Seed
	}
	if q.Runs != nil {
		c.Runs = *q.Runs
	}
	asked, err := q.asked(list)
	if err != nil {
		return nil, nil, err
	}
	if err := q.known(list); err != nil {
		return nil, nil, err
	}
	c.Command = func(i int, seed uint64) string { return q.command(&list[i], seed) }
	return c, q.report(list, asked), nil
}

// known reports what is required of which no candidate says anything.
func (q *Query) known(list []execute.Candidate) error {
	var names []string
	for i := range list {
		for _, name := range list[i].Scenario.Program.Properties {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, name := range q.Required {
		if slices.Contains(names, name) {
			continue
		}
		if near := text.Nearest(name, names); near != "" {
			return fmt.Errorf("--require: no candidate has a property %q; did you mean %q?", name, near)
		}
		return fmt.Errorf("--require: no candidate has a property %q: want one of %s", name, strings.Join(names, ", "))
	}
	return nil
}

// report begins the report.
func (q *Query) report(list []execute.Candidate, asked []string) *reports.Compare {
	r := &reports.Compare{Subject: "compare " + strings.Join(q.Names, " "), Asked: asked, Required: q.Required}
	if first := list[0].Scenario; len(q.Names) == 1 {
		r.About, r.Source = first.About, first.Source
	}
	if q.NoFaults {
		r.Mode = reports.NoFaults
	}
	r.Settings = q.Sets
	return r
}

// baseline is the index of the candidate that --baseline names.
func (q *Query) baseline(list []execute.Candidate) (int, error) {
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	i := slices.Index(names, q.Baseline)
	switch near := text.Nearest(q.Baseline, names); {
	case q.Baseline == "":
		return 0, nil
	case i >= 0:
		return i, nil
	case near != "":
		return 0, fmt.Errorf("--baseline: no candidate named %q; did you mean %q?", q.Baseline, near)
	}
	return 0, fmt.Errorf("--baseline: no candidate named %q: want one of %s", q.Baseline, strings.Join(names, ", "))
}

// asked are the measures that the text shows: those of --measure, those of the family, and
// those that a file expects something of; none of them if it shows all.
func (q *Query) asked(list []execute.Candidate) ([]string, error) {
	var names, asked []string
	for i := range list {
		s := list[i].Scenario
		for _, m := range s.Program.Measures {
			names = append(names, m.Name)
		}
		for _, m := range s.Program.Measures {
			if slices.Contains(s.Show, m.Name) {
				asked = append(asked, m.Name)
			}
		}
		for _, e := range s.Expect {
			if e.Measure != "" {
				asked = append(asked, e.Measure)
			}
		}
	}
	if err := plan.CheckMeasures(q.Measures, names); err != nil {
		return nil, err
	}
	asked = append(asked, q.Measures...)
	if f := Find(q.Names[0]); f != nil && len(q.Names) == 1 {
		asked = append(asked, f.Measures...)
	}
	return asked, nil
}

// command is the command that runs a candidate with a seed.
func (q *Query) command(c *execute.Candidate, seed uint64) string {
	words := []string{program.Name(), "run", cli.PathArgument(c.Scenario.Name), "--seed", strconv.FormatUint(seed, 10), "--runs", "1"}
	if q.NoFaults {
		words = append(words, "--no-faults")
	}
	for _, s := range q.Sets {
		words = append(words, "--set", s.Path+"="+s.Value)
	}
	for _, s := range c.Settings {
		if !slices.Contains(q.Sets, s) {
			words = append(words, "--set", s.Path+"="+s.Value)
		}
	}
	return terminal.Quote(words...)
}
