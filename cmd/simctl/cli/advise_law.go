package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/proving"
	"fencepost/cmd/simctl/internal/ranges"
)

// adviseLawOptions say of which scenario, over which ranges, a law is looked for.
type adviseLawOptions struct {
	proving.Request
	Points int
}

// mostAdvised is how many states a proof and the searches for its law may keep: a number of states, so that the
// advice is the same on every machine.
const mostAdvised, mostAdvisedLaw = 10_000, 300_000

// adviseLawFlags are flags that are not options as they stand.
type adviseLawFlags struct {
	cli.SubjectFlags
	over []string
}

// define defines the flags of simctl advise for a scenario.
func (g *adviseLawFlags) define(cmd *cobra.Command, a *app, o *adviseLawOptions) {
	g.Define(cmd, a.App, &o.Subject, "seed of the random scenarios at which a law is checked, instead of the file's",
		"write advice.txt and advice.json to the new folder `DIR`")
	f := cmd.Flags()
	f.Lookup("jobs").Usage = "states expanded at the same time; 0 is one per processor. Results do not depend on it"
	f.StringArrayVar(&g.over, "over", nil, "of a scenario: a range of a value of the file, as in `PATH=A..B`; up to five times")
	f.StringVar(&o.Property, "property", "", "of a scenario: the property; without, the first that can be proven")
	f.IntVar(&o.Limits.States, "states", mostAdvised, "of a scenario: how many symbolic states one search may keep")
	f.IntVar(&o.Points, "points", 10, "of a scenario: at how many random scenarios its law is checked")
}

func (g *adviseLawFlags) complete(a *app, o *adviseLawOptions, names []string, f *pflag.FlagSet) (err error) {
	errs := []error{g.SubjectFlags.Complete(a.App, &o.Subject, names, f)}
	if o.Over, err = ranges.Parse(g.over, nil); err != nil {
		errs = append(errs, err)
	}
	if o.Limits.States < 1 {
		errs = append(errs, fmt.Errorf("--states: want 1 or more, got %d", o.Limits.States))
	}
	if o.Points < 0 || o.Points > maxPoints {
		errs = append(errs, fmt.Errorf("--points: want 0 to %d, got %d", maxPoints, o.Points))
	}
	o.LawStates = max(mostAdvisedLaw, o.Limits.States)
	return errors.Join(errs...)
}

// isScenario reports whether a name is of a scenario and not of a lock: it has a folder, or is a file.
func isScenario(name string) bool { return name == "-" || strings.ContainsAny(name, "/.") }

// adviseLaw says up to which pause a scenario holds, and the law of that.
func (a *app) adviseLaw(ctx context.Context, o *adviseLawOptions) error {
	c, err := o.Load(a.App)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	meter := a.Meter()
	meter.Start(c.Name)
	d, err := o.Advise(ctx, a.App, c, o.Points, meter.Show)
	meter.Clear()
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, errors.New("advise: interrupted"))
	case err == nil:
		err = a.DeliverTo(&o.Subject, dir, "advice", d)
	}
	switch {
	case err != nil:
		return cli.Failure(err)
	case len(d.Law.Wrong) > 0 || d.Law.Own != nil:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}
