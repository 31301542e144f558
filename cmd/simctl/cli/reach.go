package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/states"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/sim/reach"
)

// reachOptions say which states to visit.
type reachOptions struct {
	Model  *reach.Model // nil lists the models
	Choice reach.Choice
	Limits reach.Limits
	Memory string        // Limits.Memory, as it was given
	For    time.Duration // 0 is any time
	JSON   bool
}

const reachLong = `Reach visits every state that a model can come to when messages take any time, timers
fire at any moment, and a node may be suspended wherever the model says so. It ends
with a proof for that many nodes and rounds, or with a shortest way to a violation.
Without a model it lists those that there are, with their parameters and properties.

Time passes in ticks. With --crashes, --duplicates and --losses that many faults in all
may happen besides, at any moment: a node loses what it does not keep, and starts
again; a message between two nodes is handled and arrives once more; or is lost.

States are kept whole, so none is lost to a hash. The result does not depend on --jobs.

Exit codes: 0 every state was visited and no property is violated; 3 one is; 1 a limit
was reached before; 2 usage; 130 interrupted, and what was done until then is reported.`

const reachExample = `  $ simctl reach
  $ simctl reach lock/lease
  $ simctl reach lock/lease --set fence=1 --property no-stale-write --crashes 1
  $ simctl reach mutex/lamport --set processes=3 --set rounds=1 --memory 2GiB
  $ simctl reach mutex/ricart-agrawala --duplicates 1 --json`

// newReachCmd makes the command; do, if not nil, takes the place of what it does.
func newReachCmd(a *app, do func(context.Context, *reachOptions) error) *cobra.Command {
	if do == nil {
		do = a.reach
	}
	o := &reachOptions{}
	var sets []string
	memory := "1GiB"
	cmd := &cobra.Command{
		Use:     "reach [MODEL]",
		Short:   "Visit every state that a small model can reach",
		Long:    reachLong,
		Example: reachExample,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return states.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := o.complete(names, sets, memory, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("reach: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&sets, "set", nil, "give a parameter of the model a value: `NAME=N`; may be repeated")
	f.StringArrayVar(&o.Choice.Properties, "property", nil, "check this property only; may be repeated")
	f.IntVar(&o.Choice.Faults.Crashes, "crashes", 0, "how many crashes there may be in all")
	f.IntVar(&o.Choice.Faults.Duplicates, "duplicates", 0, "how many messages may be handled twice in all")
	f.IntVar(&o.Choice.Faults.Losses, "losses", 0, "how many messages may be lost in all")
	f.Int64Var(&o.Limits.States, "states", 0, "how many states to visit at most; 0 is any number")
	f.StringVar(&memory, "memory", memory, "what may be kept in memory")
	f.DurationVar(&o.For, "for", 0, "for how long at most, such as 30s; any time if it is not given")
	f.IntVar(&o.Limits.Workers, "jobs", 0, "processors to work on, 16 at most; 0 is all. Results do not depend on it")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	of := func(list func(*reach.Model) []string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return func(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
			m, err := states.Find(strings.Join(names, " "))
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return list(m), cobra.ShellCompDirectiveNoFileComp
		}
	}
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", of(states.Properties)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("set", of(states.Params)))
	return cmd
}

// complete makes options of the flags, and checks them.
func (o *reachOptions) complete(names, sets []string, memory string, f *pflag.FlagSet) (err error) {
	if len(names) > 1 {
		return fmt.Errorf("want one model, got %d", len(names))
	}
	o.Memory = memory
	if o.Limits.Memory, err = amount.Bytes(memory); err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	switch {
	case o.Limits.States < 0:
		return fmt.Errorf("--states: want 0 or more, got %d", o.Limits.States)
	case o.For < 0 || f.Changed("for") && o.For == 0:
		return fmt.Errorf("--for: want more than 0, such as 30s, got %v", o.For)
	case o.Limits.Workers < 0 || o.Limits.Workers > cli.MaxJobs:
		return fmt.Errorf("--jobs: want 0 to %d, got %d", cli.MaxJobs, o.Limits.Workers)
	case len(names) == 0 && f.NFlag() > 1 || len(names) == 0 && f.NFlag() == 1 && !o.JSON:
		return fmt.Errorf("want a model: one of %s", strings.Join(states.Names(), ", "))
	case len(names) == 0:
		return nil
	}
	if o.Limits.Workers == 0 {
		o.Limits.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Model, err = states.Find(names[0]); err != nil {
		return err
	}
	return states.Choose(o.Model, &o.Choice, sets)
}

// reach visits the states, or lists the models.
func (a *app) reach(ctx context.Context, o *reachOptions) error {
	if o.Model == nil {
		if list := states.ListModels(); o.JSON {
			return cli.Failed(reports.WriteJSON(a.Out, list))
		} else {
			return cli.Failed(list.WriteText(a.Out))
		}
	}
	meter := a.Meter()
	meter.Start(o.Model.Name)
	o.Limits.Progress = func(states int64, depth int) {
		meter.ShowSince(func(since time.Duration) string {
			rate := int64(float64(states) / max(since.Seconds(), 0.001))
			return fmt.Sprintf("%s states, %s/s, %s from the start", units.Number(states), units.Number(rate), text.Count(depth, "move"))
		})
	}
	limited := ctx
	if o.For > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.For)
		defer cancel()
	}
	r, err := o.Model.Visit(limited, o.Choice, o.Limits)
	meter.Clear()
	switch {
	case err != nil && limited.Err() == nil:
		return cli.Failure(err)
	case err != nil && ctx.Err() == nil:
		r.Bound = o.For.String()
	case err != nil:
		r.Bound = "Ctrl-C"
	case r.Bound == fmt.Sprintf("%d bytes", o.Limits.Memory):
		r.Bound = o.Memory + " of memory"
	}
	doc := states.NewReport(o.Model, &o.Choice, &r)
	if o.JSON {
		err = reports.WriteJSON(a.Out, doc)
	} else {
		err = doc.WriteText(a.Out)
	}
	if err != nil {
		return cli.Failure(err)
	}
	switch {
	case r.Violation != nil:
		return cli.End(cli.ExitNotExpected, nil)
	case ctx.Err() != nil && r.Bound == "Ctrl-C":
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case r.Bound == reach.TooWide:
		return cli.End(cli.ExitError, errors.New("reach: not every state was visited: more memory does not help; make the model smaller, see --set"))
	case !r.Exhausted:
		return cli.End(cli.ExitError, errors.New("reach: not every state was visited: see --memory, --states and --for, or make the model smaller"))
	}
	return nil
}
