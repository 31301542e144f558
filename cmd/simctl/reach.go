package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/text"
	"fencepost/models/clock/mutex"
	"fencepost/models/lock/lease"
	"fencepost/reports/units"
	"fencepost/sim/reach"
)

// reachModels are the models all of whose states can be visited.
func reachModels() []reach.Model { return slices.Concat(lease.Models(), mutex.Models()) }

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
			return reachNames(), cobra.ShellCompDirectiveNoFileComp
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
			m, err := findReach(strings.Join(names, " "))
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return list(m), cobra.ShellCompDirectiveNoFileComp
		}
	}
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", of(claimsOf)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("set", of(paramsOf)))
	return cmd
}

func reachNames() (names []string) {
	for _, m := range reachModels() {
		names = append(names, m.Name)
	}
	return names
}

func claimsOf(m *reach.Model) (names []string) {
	for _, p := range m.Properties {
		names = append(names, p.Name)
	}
	return names
}

func paramsOf(m *reach.Model) (names []string) {
	for _, p := range m.Params {
		names = append(names, p.Name+"=")
	}
	return names
}

// findReach is the model of a name.
func findReach(name string) (*reach.Model, error) {
	models := reachModels()
	if i := slices.Index(reachNames(), name); i >= 0 {
		return &models[i], nil
	}
	return nil, unknownWord("model", name, reachNames())
}

// unknownWord says what may have been meant.
func unknownWord(what, word string, words []string) error {
	if near := text.Nearest(word, words); near != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, word, near)
	}
	return fmt.Errorf("there is no %s %q: want one of %s", what, word, strings.Join(words, ", "))
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
		return fmt.Errorf("want a model: one of %s", strings.Join(reachNames(), ", "))
	case len(names) == 0:
		return nil
	}
	if o.Limits.Workers == 0 {
		o.Limits.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Model, err = findReach(names[0]); err != nil {
		return err
	}
	return o.choose(sets)
}

// choose reads the parameters and checks the names.
func (o *reachOptions) choose(sets []string) error {
	o.Choice.Values = map[string]int{}
	for _, set := range sets {
		name, text, found := strings.Cut(set, "=")
		if !found {
			return fmt.Errorf("--set: want NAME=N, got %q", set)
		}
		if params := paramsOf(o.Model); !slices.Contains(params, name+"=") {
			return fmt.Errorf("--set: %w", unknownWord("parameter", name, strings.Split(strings.TrimSuffix(strings.Join(params, " "), "="), "= ")))
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("--set %s: want a whole number, got %q", name, text)
		}
		o.Choice.Values[name] = v
	}
	for _, name := range o.Choice.Properties {
		if claims := claimsOf(o.Model); !slices.Contains(claims, name) {
			return fmt.Errorf("--property: %w", unknownWord("property", name, claims))
		}
	}
	faults := []int{o.Choice.Faults.Crashes, o.Choice.Faults.Duplicates, o.Choice.Faults.Losses}
	for i, name := range []string{"crashes", "duplicates", "losses"} {
		if faults[i] < 0 || faults[i] > 255 {
			return fmt.Errorf("--%s: want 0 to 255, got %d", name, faults[i])
		}
	}
	if err := o.Model.Check(&o.Choice); err != nil {
		return fmt.Errorf("--set %w", err)
	}
	return nil
}

func (a *app) reach(ctx context.Context, o *reachOptions) error {
	if o.Model == nil {
		return cli.Failed(a.listReach(o.JSON))
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
	if err := a.tellReach(o, reportOf(o, &r)); err != nil {
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
