package proving

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// pick says how to pick one point of the grid of a file that varies how long its faults are: these are given a range, as a
// distribution may have no longest.
func (r *Request) pick(base *format.Scenario) error {
	s := *base
	s.Variants = cli.FirstOf(s.Variants, func(path string) bool {
		return slices.ContainsFunc(r.Over, func(v ranges.Value) bool { return v.Path == path })
	})
	if err := cli.PickPoints(&s, r.Sets); err != nil || len(s.Variants) < 2 || r.NoFaults || r.Verb != "" {
		return nil // which the scenario says when it is loaded; without a budget a range of pauses that come again is not covered
	}
	var words []string
	ranged := false
	for _, axis := range cli.Axes(&s) {
		d := ranges.DrawnAt(s.Variants[0].Scenario, axis.Path)
		if strings.HasPrefix(axis.Path, "faults.") && d != nil && d.Least() < d.Most() {
			words, ranged = append(words, "--over", axis.Path+"=0s..10s"), true
		} else {
			words = append(words, "--set", axis.Path+"="+axis.Value)
		}
	}
	if !ranged {
		return nil
	}
	if r.Budget == "" && again(s.Variants[0].Scenario) {
		words = append(words, "--budget", "pauses=1")
	}
	return cli.Usage(fmt.Errorf("%s: the file has a grid of %d points, and a proof is of one: pick it with %s", s.Name, len(s.Variants), terminal.Quote(words...)))
}

// again reports whether a pause of the file comes again and again, and nothing says how often.
func again(s *format.Scenario) bool {
	return s.BudgetOrNone().Pauses == 0 && slices.ContainsFunc(s.Config.Faults, func(f sim.Fault) bool {
		return f.Do == sim.Pause && !f.When.Every.IsZero()
	})
}
