package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/internal/program"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// CompleteSet completes the paths that every scenario has, and the cases, properties and
// measures of the scenario that is named already.
func (a *App) CompleteSet(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
	paths := []string{"until=", "network.delay=", "params."}
	for _, name := range names {
		s, err := a.Load(name, format.Options{})
		if err != nil {
			continue
		}
		if len(s.Variants) > 0 {
			for _, axis := range s.Variants[0].Settings {
				for _, c := range s.Cases(axis.Path) {
					paths = append(paths, axis.Path+"="+c.Name)
				}
			}
		}
		for _, p := range s.Program.Properties {
			paths = append(paths, "expect."+p+"=holds", "expect."+p+"=violated")
		}
		for _, m := range s.Program.Measures {
			paths = append(paths, "expect."+m.Name+"=")
		}
	}
	return paths, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// ParseSets reads the values of --set.
func ParseSets(list []string) ([]result.Setting, error) {
	var sets []result.Setting
	for _, s := range list {
		path, value, ok := strings.Cut(s, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("--set: want path=value, as in params.ttl=5s, got %q", s)
		}
		if value == "" {
			return nil, fmt.Errorf(`--set: %q has no value: want one, as in params.ttl=5s, or null, or "" in quotes for an empty text`, s)
		}
		sets = append(sets, result.Setting{Path: path, Value: value})
	}
	return sets, nil
}

// Twice is the first of some names that comes again, "" if none does.
func Twice(names []string) string {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return name
		}
	}
	return ""
}

// SubjectFlags are flags that are not options as they stand.
type SubjectFlags struct {
	seed  uint64
	sets  []string
	color string
}

// Define defines the flags; seed and out say what these two are to the command.
func (g *SubjectFlags) Define(cmd *cobra.Command, a *App, o *Subject, seed, out string) {
	f := cmd.Flags()
	f.Uint64Var(&g.seed, "seed", 0, seed)
	f.StringArrayVar(&g.sets, "set", nil, "replace a value of the file, as in params.ttl=5s; may be repeated")
	f.BoolVar(&o.NoFaults, "no-faults", false, "leave out the faults of the file")
	f.IntVar(&o.Jobs, "jobs", 0, "runs at the same time; 0 is one per processor. Results do not depend on it")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.BoolVar(&o.Quiet, "quiet", false, "print only the line of verdict")
	f.StringVar(&o.Out, "out", "", out)
	f.StringVar(&g.color, "color", "auto", "colour verdicts: `auto`, always or never")
	a.CompleteSubjectFlags(cmd)
}

// MustRegister panics on an error that only a misspelt flag gives.
func MustRegister(err error) {
	if err != nil {
		panic(err) // there is no such flag
	}
}

// CompleteSubjectFlags completes --color, --set and --out.
func (a *App) CompleteSubjectFlags(cmd *cobra.Command) {
	MustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	MustRegister(cmd.RegisterFlagCompletionFunc("set", a.CompleteSet))
	MustRegister(cmd.MarkFlagDirname("out"))
}

// Bounds of flags.
const (
	MaxJobs = 4096          // worlds at the same time: each has its memory
	MaxRuns = 1_000_000_000 // as in a scenario
)

// CheckRuns says what is wrong with --runs, nil if it is not given.
func CheckRuns(runs *int) error {
	if runs != nil && (*runs < 1 || *runs > MaxRuns) {
		return fmt.Errorf("--runs: want 1 to %d, got %d", MaxRuns, *runs)
	}
	return nil
}

// Complete makes options of the flags, and checks them.
func (g *SubjectFlags) Complete(a *App, o *Subject, names []string, f *pflag.FlagSet) (err error) {
	if len(names) != 1 {
		return fmt.Errorf("want the name or the file of one scenario, got %d; see "+program.Name()+" list", len(names))
	}
	o.Name = names[0]
	if f.Changed("seed") {
		o.Seed = &g.seed
	}
	switch {
	case f.Changed("out") && o.Out == "":
		return errors.New("--out: the path is empty: want one, or leave the flag out")
	case o.Jobs < 0 || o.Jobs > MaxJobs:
		return fmt.Errorf("--jobs: want 0 to %d, got %d", MaxJobs, o.Jobs)
	case o.JSON && o.Quiet:
		return errors.New("want --json or --quiet, not both")
	}
	if o.Sets, err = ParseSets(g.sets); err != nil {
		return err
	}
	o.Color, err = a.Color(g.color)
	return err
}

// CompleteProperty completes the properties of the scenario that is named already.
func (a *App) CompleteProperty(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, name := range names {
		if s, err := a.Load(name, format.Options{}); err == nil {
			list = append(list, s.Program.Properties...)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// CompleteMeasure completes the measures of the scenario that is named already, for a condition on one.
func (a *App) CompleteMeasure(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, name := range names {
		if s, err := a.Load(name, format.Options{}); err == nil {
			for _, m := range s.Program.Measures {
				list = append(list, m.Name+" >= ")
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// CompleteOneName completes the name of the one scenario of a command.
func (a *App) CompleteOneName(cmd *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.CompleteNames(cmd, args, to)
}

// CompleteNames completes the names of embedded scenarios, and then files.
func (a *App) CompleteNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.Names(), cobra.ShellCompDirectiveDefault
}

// AtLeastOne refuses a command line without arguments; what says which it wants.
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: want %s", cmd.Name(), what)
		}
		return nil
	}
}
