package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/boundary"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/sim"
)

const boundaryLong = `Boundary finds the value of a scenario at which a property begins to be violated, or
ceases to be. It looks at nine points of the range, and then halves the part in
which the verdict changes until two neighbours are left, a step apart: the property
holds at one and is violated at the other. Both can be run again by the command that
stands beside them. It says so if the verdict changes more than once between the nine
points; a band narrower than the distance between two of them goes unseen.

--vary PATH=A..B takes the same paths as --set, such as params.ttl or faults.0.for, and
values as a file writes them: 8060ms, 5, 0.5, 1%, 200ppm, 100/min. certify writes its
ranges the same way. --vary PATH --from A --to B says the same.
Without --step it is a ten-thousandth of the range or a little less, a power of ten.

Where the file has several runs, or with --runs, each point is that many runs, with the
same seeds at each, and the boundary is where the share of violated runs crosses
--probability; the step is then a hundredth of the range.

Exit codes: 0 the boundary is found; 3 there is none between the two ends; 2 usage, or
a value that the scenario refuses; 1 error; 130 interrupted.`

const boundaryExample = `  $ simctl boundary redis/gc-pause --vary faults.0.for=1s..20s --property mutual-exclusion
  $ simctl boundary redlock/clock-jump --vary faults.2.by=1s..20s --property entitled-exclusion
  $ simctl boundary redlock/under-gc --vary params.ttl=14ms..40ms --property mutual-exclusion \
      --runs 10000 --probability 0.1%`

// newBoundaryCmd makes the command; do, if not nil, takes the place of what it does.
func newBoundaryCmd(a *app, do func(context.Context, *boundary.Request) error) *cobra.Command {
	if do == nil {
		do = func(ctx context.Context, o *boundary.Request) error { return boundary.Find(ctx, a.App, o) }
	}
	o, given := &boundary.Request{}, &boundaryFlags{}
	cmd := &cobra.Command{
		Use:               "boundary NAME|FILE --vary PATH=A..B --property P",
		Short:             "Find the value at which a property begins to be violated",
		Long:              boundaryLong,
		Example:           boundaryExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(a, o, names, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("boundary: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	given.Define(cmd, a.App, &o.Subject, "seed of the first run of each point, instead of the file's",
		"write boundary.txt and boundary.json to the new folder `DIR`")
	f := cmd.Flags()
	f.StringVar(&o.Vary, "vary", "", "the `PATH=A..B` of the value to vary, as in faults.0.for=1s..20s")
	f.StringVar(&o.From, "from", "", "one end of the values, if --vary has none")
	f.StringVar(&o.To, "to", "", "the other end, if --vary has none")
	f.StringVar(&o.Step, "step", "", "how far apart the two neighbours are to be")
	f.StringVar(&o.Property, "property", "", "the property")
	f.IntVar(&given.runs, "runs", 0, "how many runs at each point, instead of the file's")
	f.StringVar(&given.probability, "probability", "0.5", "share of violated runs to look for, where a point has several")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("vary", cobra.FixedCompletions([]string{"params.", "network.delay", "faults.0.for", "faults.0.at"},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	return cmd
}

// boundaryFlags are flags that are not options as they stand.
type boundaryFlags struct {
	cli.SubjectFlags
	runs        int
	probability string
}

func (g *boundaryFlags) complete(a *app, o *boundary.Request, names []string, f *pflag.FlagSet) error {
	if err := g.SubjectFlags.Complete(a.App, &o.Subject, names, f); err != nil {
		return err
	}
	if path, span, found := strings.Cut(o.Vary, "="); found {
		if f.Changed("from") || f.Changed("to") {
			return errors.New("--vary has a range: want no --from and no --to as well")
		}
		from, to, found := strings.Cut(span, "..")
		if !found || path == "" || from == "" || to == "" {
			return fmt.Errorf("--vary: want PATH=A..B, as in faults.0.for=1s..20s, got %q", o.Vary)
		}
		o.Vary, o.From, o.To = path, from, to
	}
	for _, want := range []struct{ flag, value, example string }{
		{"vary", o.Vary, "params.ttl"}, {"from", o.From, "1s"}, {"to", o.To, "20s"}, {"property", o.Property, "mutual-exclusion"},
	} {
		if want.value == "" {
			return fmt.Errorf("want --%s as well, such as --%s %s", want.flag, want.flag, want.example)
		}
	}
	if f.Changed("runs") {
		o.Runs = &g.runs
	}
	if err := cli.CheckRuns(o.Runs); err != nil {
		return err
	}
	if f.Changed("probability") {
		n, err := amount.Share(g.probability)
		if err != nil {
			return fmt.Errorf("--probability: %w", err)
		}
		o.Chance = sim.Chance(n)
	}
	return o.CheckRange()
}
