package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/division"
	"fencepost/cmd/simctl/internal/output"
	"fencepost/cmd/simctl/internal/parts"
)

const mergeLong = `Merge prints what a command with --shard would have printed on one machine, of the parts
that several have done: the same bytes, the same files, the same exit code. It proves
first that the parts are all of one command and build of simctl, and that no run is in
two of them or in none. It reads the scenario again, which must be the same, and runs
again only what a report tells of: the first violations.

A search that has found something needs the parts up to that one, and shrinks it.

--json, --output, --quiet, --out and --color are those of the command.`

const mergeExample = `  $ simctl run redlock/gc-pause --runs 1000 --shard 1/2 --out parts
  $ simctl run redlock/gc-pause --runs 1000 --shard 2/2 --out parts
  $ simctl merge parts`

// mergeFlags are those of the command that are about what is printed.
var mergeFlags = []string{"json", "output", "quiet", "out", "color"}

func newMergeCmd(a *app) *cobra.Command {
	var json, quiet bool
	var form, out, color string
	cmd := &cobra.Command{
		Use:     "merge DIR...",
		Short:   "Print the report of a command whose parts several machines have done",
		Long:    mergeLong,
		Example: mergeExample,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, folders []string) error {
			if len(folders) == 0 {
				return cli.Usage(fmt.Errorf("merge: want the folders in which the parts are"))
			}
			if folder := cli.Twice(folders); folder != "" {
				return cli.Usage(fmt.Errorf("merge: %s is named twice", folder))
			}
			var flags []string
			for _, name := range mergeFlags {
				if cmd.Flags().Changed(name) {
					flags = append(flags, "--"+name+"="+cmd.Flags().Lookup(name).Value.String())
				}
			}
			return a.merge(cmd.Context(), folders, flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&json, "json", false, "print one JSON document")
	f.StringVar(&form, "output", output.Table, "of run: what to print: `table`, json, csv, junit or markdown")
	f.BoolVar(&quiet, "quiet", false, "of run and explore: print only the line of verdict")
	f.StringVar(&out, "out", "", "write what the command writes to the new folder `DIR`")
	f.StringVar(&color, "color", "auto", "colour verdicts: `auto`, always or never")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Forms(), cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.MarkFlagDirname("out"))
	return cmd
}

// merge carries out the command that the parts are of, with their results.
func (a *app) merge(ctx context.Context, folders, flags []string) error {
	set, err := parts.Open(folders)
	if err != nil {
		return cli.Failure(fmt.Errorf("merge: %w", err))
	}
	verb, args := set.Job.Command[0], set.Job.Command[1:]
	if err := a.canonical(verb, args); err != nil {
		return cli.Failure(err)
	}
	cmd := a.sharedCmd(verb, set)
	cmd.SetArgs(append(slices.Clone(args), flags...))
	cmd.SetOut(a.Out)
	cmd.SetErr(a.ErrOut)
	return cmd.ExecuteContext(ctx)
}

// sharedCmd is a command whose runs can be divided, with parts of all of them; nil if it is
// another.
func (a *app) sharedCmd(verb string, set *parts.Set) (cmd *cobra.Command) {
	switch verb {
	case "run":
		cmd = newRunCmd(a, func(ctx context.Context, o *runOptions) error {
			o.Division = division.Merged(set)
			return a.run(ctx, o)
		})
	case "explore":
		cmd = newExploreCmd(a, func(ctx context.Context, o *exploreOptions) error {
			o.Division = division.Merged(set)
			return a.explore(ctx, o)
		})
	case "compare":
		cmd = newCompareCmd(a, func(ctx context.Context, o *compareOptions) error {
			o.Division = division.Merged(set)
			return a.compare(ctx, o)
		})
	default:
		return nil
	}
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// canonical refuses arguments that no part has: such as a file to write to.
func (a *app) canonical(verb string, args []string) error {
	cmd := a.sharedCmd(verb, nil)
	if cmd == nil {
		return fmt.Errorf("merge: the parts are of %q: want run, explore or compare", verb)
	}
	if err := cmd.ParseFlags(args); err != nil {
		return fmt.Errorf("merge: the command of the parts: %w", err)
	}
	if same := division.Arguments(cmd.Flags().Args(), cmd.Flags()); !slices.Equal(same, args) {
		return fmt.Errorf("merge: the command of the parts is %q: want %q", strings.Join(args, " "), strings.Join(same, " "))
	}
	return nil
}
