package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/ordering"
	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
)

// checkBetween says what does not go together with two events.
func (o *explainOptions) checkBetween(f *pflag.FlagSet) error {
	switch {
	case !f.Changed("between"):
		return nil
	case !strings.Contains(o.Between, ","):
		return fmt.Errorf("--between: want two events, as A,B, got %q", o.Between)
	case len(o.Properties) > 0 || o.NoCurve || o.Redraws > 0:
		return errors.New("--between is about two events: want no --property, --redraws and --no-curve")
	case cli.IsRecord(o.Name):
		return errors.New("--between is for scenarios, not for replay files")
	}
	return nil
}

// explainBetween explains how two events of the first run stand to each other.
func (a *app) explainBetween(o *explainOptions, c *format.Scenario, e *searches.Explanation, dir *files.Dir) error {
	run, err := execute.Order(c)
	if err != nil {
		return cli.Failure(err)
	}
	pair, err := run.Between(o.Between)
	if err != nil {
		return cli.Failure(fmt.Errorf("%s: --between: %w: %s", c.Name, err, ordering.EventNames(run.Log)))
	}
	e.Pairs, e.OK = []*reports.EventPair{pair}, true
	if err := a.DeliverTo(&o.Subject, dir, "explain", e); err != nil {
		return cli.Failure(err)
	}
	return nil
}

// tellPairs explains two pairs of events of a run in which nothing is violated.
func tellPairs(c *format.Scenario, e *searches.Explanation) error {
	run, err := execute.Order(c)
	var long *execute.TooLongError
	switch {
	case errors.As(err, &long):
		return nil // without them there is nothing to explain, which the verdict says
	case err != nil:
		return err
	}
	e.Pairs = run.Telling()
	return nil
}
