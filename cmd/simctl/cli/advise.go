package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/advise"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/proving"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/models/lock/promises"
	"fencepost/reports"
)

// adviseOptions say which lock, with which settings.
type adviseOptions struct {
	load     advise.Loader
	Settings *advise.Settings
	Events   *advise.Events
	Versus   *advise.Settings // nil, or other settings to compare with
	Runs     int
	Logs     advise.Logs
	Explain  bool
	JSON     bool
	Out      string
	Color    bool
}

const adviseLong = `Advise says what the settings of a lock promise: how long after a crash or a release
the next client has it, which outage of the server and which pause of the holder it
survives, by how much clocks may differ in rate, how long two may hold it at once, and
what an acquisition costs in messages. Each is a number with the formula that it is
calculated from, in the words of the settings, and beside it what runs of the model
gave: the worst of many, at phases and delays that are drawn. Where a formula that is
often copied says otherwise, both numbers are shown.

Of a scenario it says up to which pause of the file a property holds, for every delay and
drawn timer, and by what law that depends on its durations, or why there is no law.
--set and --over change and range its values, as they do for simctl certify.

Of a lock --explain says of each number what it means and where it is from, --runs 0
leaves out the runs, and --out DIR writes the scenario of the worst run of each promise.

What may happen is given by --pause, --outage, --crash, --skew and --step: advise says SAFE or
UNSAFE of each alone, and of all at once, with the worst schedule, and which settings would
do. --pause has a default, for the numbers; it may happen only if it is given. An outage is the worst of four kinds, or the one that is given: refused (requests fail at
once), hanging (they wait), cut (they are lost), crash (the servers are restarted). With
--keep-leader it says too whether the holder keeps the lock. --vs compares with other settings.

Exit codes: 0 what may happen does no harm, or nothing is said to happen; 3 it is UNSAFE; 2
usage, or settings that the lock refuses; 1 error, or a run contradicts a formula; 130
interrupted.`

const adviseExample = `  $ simctl advise k8s-lease --lease 15s --renew 10s --retry 2s --pause 12s --outage 20s
  $ simctl advise k8s-lease --pause 12s --outage 20s --keep-leader --vs lease=25s,renew=15s
  $ simctl advise redis --ttl 10s --work 2s --delay 5ms --explain
  $ simctl advise redlock --instances 7 --runs 10000 --json
  $ simctl advise redis/pause-certified --set params.ttl=2s`

// newAdviseCmd makes the command; do, if not nil, takes the place of what it does.
func newAdviseCmd(a *app, do func(context.Context, *adviseOptions) error) *cobra.Command {
	if do == nil {
		do = a.advise
	}
	law, given := &adviseLawOptions{Request: proving.Request{Verb: "advise"}}, &adviseLawFlags{}
	cmd := &cobra.Command{
		Use: "advise LOCK|SCENARIO", Short: "Say what the settings of a lock or a scenario promise",
		Long: adviseLong, Example: adviseExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && isScenario(args[0]) {
				if err := given.complete(a, law, args, cmd.Flags()); err != nil {
					return cli.Usage(proving.Prefixed("advise", err))
				}
				return a.adviseLaw(cmd.Context(), law)
			}
			var names []string
			for _, l := range promises.Locks() {
				names = append(names, l.Name)
			}
			want := "want one of " + strings.Join(names, ", ") + ", or a scenario"
			if len(args) == 0 {
				return cli.Usage(errors.New("advise: which lock? " + want))
			}
			if near := cmp.Or(text.Nearest(args[0], names), lockOf(args[0])); near != "" {
				want = "did you mean " + near + "?"
			}
			return cli.Usage(fmt.Errorf("advise: there is no lock %q; %s", args[0], want))
		},
	}
	given.define(cmd, a, law)
	cmd.SetFlagErrorFunc(adviseFlagError)
	for _, l := range promises.Locks() {
		cmd.AddCommand(newAdviseLockCmd(a, &l, do))
	}
	return cmd
}

// lockOf is the lock whose name begins with a word, or which is about it: "" if there is not one.
func lockOf(word string) (found string) {
	for _, l := range promises.Locks() {
		if strings.HasPrefix(l.Name, strings.ToLower(word)) || slices.ContainsFunc(strings.Fields(l.About), func(of string) bool { return strings.EqualFold(strings.TrimSuffix(of, "'s"), word) }) {
			if found != "" {
				return ""
			}
			found = l.Name
		}
	}
	return found
}

// adviseFlagError says of a flag of locks alone that a scenario has none, and the reverse.
func adviseFlagError(cmd *cobra.Command, err error) error {
	unknown := &pflag.NotExistError{}
	if !errors.As(err, &unknown) {
		return flagError(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	if of := cmd.Parent(); !cmd.HasSubCommands() && of.Flags().Lookup(name) != nil {
		return cli.Usage(fmt.Errorf("advise %s: --%s is for a scenario, as in "+program.Name()+" advise redis/pause-certified --%s\nsee %s --help", cmd.Name(), name, name, cmd.CommandPath()))
	}
	for _, lock := range cmd.Commands() {
		if lock.Flags().Lookup(name) == nil {
			continue
		}
		instead := "a scenario has none"
		if slices.ContainsFunc(promises.Locks(), func(l promises.Lock) bool {
			return slices.ContainsFunc(l.Settings, func(s promises.Setting) bool { return s.Name == name })
		}) {
			instead = "of a scenario --set changes a value, as in --set params.ttl=2s"
		}
		return cli.Usage(fmt.Errorf("advise: --%s is for a lock, behind its name, as in "+program.Name()+" advise %s --%s: %s\nsee %s --help", name, lock.Name(), name, instead, cmd.CommandPath()))
	}
	return flagError(cmd, err)
}

// newAdviseLockCmd makes the command of one lock: each of its settings is a flag.
func newAdviseLockCmd(a *app, l *promises.Lock, do func(context.Context, *adviseOptions) error) *cobra.Command {
	o, given, color := &adviseOptions{load: a.LoadText}, map[string]*string{}, "auto"
	keeps, versus := false, ""
	cmd := &cobra.Command{
		Use: l.Name, Short: "What the settings promise of " + l.About, Example: adviseExample,
		Long: "What the settings promise of " + l.About + ".\n\n" + adviseLong,
		Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := o.complete(l, given, keeps, versus, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("advise %s: %w", l.Name, err))
			}
			if o.Color, err = a.Color(color); err != nil {
				return cli.Usage(err)
			}
			return do(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	for _, s := range l.Settings {
		given[s.Name] = f.String(s.Name, s.Default, s.Meaning)
		cli.MustRegister(cmd.RegisterFlagCompletionFunc(s.Name, cobra.FixedCompletions([]string{s.Default}, cobra.ShellCompDirectiveNoFileComp)))
	}
	for _, h := range promises.Happens() {
		if usage := happenUsage[h.Name]; usage != "" {
			given[h.Name] = f.String(h.Name, "", usage)
		}
	}
	cli.MustRegister(cmd.RegisterFlagCompletionFunc(promises.Outage, cobra.FixedCompletions([]string{"20s", "refused:20s", "hanging:20s", "cut:20s", "crash:20s"}, cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc(promises.Crash, cobra.FixedCompletions([]string{"holder", "server:20s"}, cobra.ShellCompDirectiveNoFileComp)))
	f.BoolVar(&keeps, "keep-leader", false, "say too whether the holder keeps the lock")
	f.StringVar(&versus, "vs", "", "compare with other `settings`, as in lease=25s,renew=15s")
	f.IntVar(&o.Runs, "runs", 1000, "how many runs put each promise to the test; 0 is none")
	f.StringVar(&o.Logs.GC, "gclog", "", "the holder stops as in this `FILE`, a log of a garbage collector")
	f.StringVar(&o.Logs.Latency, "latency", "", "messages take as long as in this `CSV`, one way")
	f.StringVar(&o.Logs.Clock, "clocklog", "", "the clock that counts the lease is as wrong as in this `FILE`, a log of a time daemon")
	f.IntVar(&o.Logs.Acquisitions, "acquisitions", 10_000, "how many are sampled from the logs")
	f.Float64Var(&o.Logs.PerDay, "per-day", 1000, "acquisitions a day")
	f.Float64Var(&o.Logs.Below, "below", 0, "look for the shortest lease with which an update is lost with less than this `probability`, as 1e-6")
	f.DurationVar(&o.Logs.Gap, "gap", 100*time.Microsecond, "from the check to when the write leaves")
	f.BoolVar(&o.Explain, "explain", false, "say of each number what it means and where it is from")
	f.StringVar(&o.Out, "out", "", "write the scenario of the worst run of each promise to the new folder `DIR`")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.StringVar(&color, "color", "auto", "colour verdicts: `auto`, always or never")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.MarkFlagDirname("out"))
	return cmd
}

// happenUsage is what a flag of what may happen says; that of pause is a setting of every lock.
var happenUsage = map[string]string{
	promises.Outage: "the holder gets no answer for up to this time, as 20s or `kind`:20s; kinds: refused, hanging, cut, crash",
	promises.Crash:  "`who` crashes: holder, server:20s for a server that is back after 20s, or both with a comma",
	promises.Skew:   "each clock runs up to this `share` wrong, as 500ppm or 0.1%",
	promises.Step:   "wall clocks are stepped by up to this `length`",
}

// maxAdviceRuns is the largest --runs: more show nothing that these do not.
const maxAdviceRuns = 1_000_000

// complete makes options of the flags, and checks them: all mistakes at once.
func (o *adviseOptions) complete(l *promises.Lock, given map[string]*string, keeps bool, versus string, f *pflag.FlagSet) error {
	values := map[string]string{}
	for name, v := range given {
		if f.Changed(name) {
			values[name] = *v
		}
	}
	wrong := o.completeLogs(values, f)
	if o.Logs.Given() && len(l.Tuned) == 0 {
		wrong = append(wrong, fmt.Sprintf("--gclog, --latency, --clocklog: a log is held against the length of a lease, and a lock of %s has none", l.Name))
	}
	var err error
	var refused advise.Mistakes
	if o.Settings, err = advise.Read(l, values, o.load); err != nil && !errors.As(err, &refused) {
		return err
	}
	wrong = append(refused, wrong...)
	if o.Events, err = advise.ReadEvents(l, values, keeps); errors.As(err, &refused) {
		wrong = append(wrong, refused...)
	}
	if f.Changed("vs") {
		if o.Versus, err = advise.ReadOther(l, values, versus, o.load); errors.As(err, &refused) {
			wrong = append(wrong, refused...)
		}
	}
	if o.Runs < 0 || o.Runs > maxAdviceRuns {
		wrong = append(wrong, fmt.Sprintf("--runs: want 0 to %d, got %d", maxAdviceRuns, o.Runs))
	}
	if f.Changed("out") && (o.Out == "" || o.Runs == 0) {
		wrong = append(wrong, "--out: want a path, and --runs above 0: without runs there is no scenario to write")
	}
	if len(wrong) > 0 {
		return wrong
	}
	return nil
}

// completeLogs checks what is asked of logs. The longest delay of a table is the delay of
// the formulas, unless that is given.
func (o *adviseOptions) completeLogs(values map[string]string, f *pflag.FlagSet) (wrong advise.Mistakes) {
	g := &o.Logs
	if g.Acquisitions < 1 || g.Acquisitions > cli.MaxRuns {
		wrong = append(wrong, fmt.Sprintf("--acquisitions: want 1 to %d, got %d", cli.MaxRuns, g.Acquisitions))
	}
	if !(g.PerDay > 0 && g.PerDay <= 1e12) {
		wrong = append(wrong, fmt.Sprintf("--per-day: want more than 0, up to 1e12, got %g", g.PerDay))
	}
	if f.Changed("below") && !(g.Below > 0 && g.Below < 1) {
		wrong = append(wrong, fmt.Sprintf("--below: want a probability between 0 and 1, got %g", g.Below))
	}
	if g.Gap < 0 || g.Gap > time.Hour {
		wrong = append(wrong, fmt.Sprintf("--gap: want 0s to 1h, got %v", g.Gap))
	}
	for _, name := range []string{"acquisitions", "per-day", "below", "gap"} {
		if f.Changed(name) && !g.Given() {
			wrong = append(wrong, "--"+name+": there is no log to sample from: want --gclog, --latency or --clocklog as well")
		}
	}
	if g.Latency != "" && !f.Changed("delay") {
		longest, err := g.LongestDelay(o.load)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("--latency: %v", err))
		}
		values["delay"] = longest.String()
	}
	if err := g.Read(); err != nil {
		wrong = append(wrong, err.Error())
	}
	return wrong
}

// advise calculates, simulates and prints.
func (a *app) advise(ctx context.Context, o *adviseOptions) error {
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	meter := a.Meter()
	meter.Start(o.Settings.Lock.Name)
	doc, err := o.Settings.Full(ctx, o.Events, o.Runs, meter.Show)
	if err == nil && o.Logs.Given() {
		doc.Risk, err = o.Settings.Risk(ctx, &o.Logs, func(what string) { meter.Show(what) })
	}
	if err == nil && o.Versus != nil {
		doc.Versus, err = o.Versus.Full(ctx, o.Events, o.Runs, meter.Show)
	}
	meter.Clear()
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, errors.New("advise: interrupted"))
	case err != nil:
		return cli.Failure(err)
	}
	doc.Explain = o.Explain
	if o.JSON {
		err = reports.WriteJSON(a.Out, doc)
	} else {
		err = doc.WriteText(a.Out, a.Style(o.Color))
	}
	if err == nil && dir != nil {
		err = writeAdvice(dir, doc)
	}
	switch {
	case err != nil:
		return cli.Failure(err)
	case len(doc.Contradicted()) > 0:
		return cli.End(cli.ExitError, nil)
	case !doc.OK:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}

// writeAdvice writes the scenario of the worst run of each promise and of each wish that fails, and the report.
func writeAdvice(dir *files.Dir, doc *reports.Advice) error {
	write := func(name, about string, seed uint64, scenario string) error {
		if scenario == "" {
			return nil
		}
		return dir.Write(name+".yaml", func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "about: %q\nseed: %d\n%s", about, seed, scenario)
			return err
		})
	}
	for i := range doc.Promises {
		if p := &doc.Promises[i]; p.Simulated != nil {
			if err := write(p.Name, p.Title+": "+p.Formula+" = "+p.Value+". "+p.Says, p.Simulated.Seed, p.Simulated.File); err != nil {
				return err
			}
		}
	}
	for i := range doc.Wishes {
		if w := &doc.Wishes[i]; w.Simulated != nil {
			name := "unsafe-" + strings.Join(w.Names, "-")
			if w.Goal == reports.AdviceKeep {
				name = "lost-" + strings.Join(w.Names, "-")
			}
			if err := write(name, w.Name()+": "+w.Harm+". "+w.Schedule, w.Simulated.Seed, w.Simulated.File); err != nil {
				return err
			}
		}
	}
	if err := cli.WriteReport(dir, "advice", doc); err != nil {
		return err
	}
	return dir.Finish()
}
