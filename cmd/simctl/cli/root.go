package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/program"
	"fencepost/internal/text"
)

// commands builds each command by its name.
var commands = []struct {
	name  string
	build func(*app) *cobra.Command
}{
	{"run", carriedOut(newRunCmd)}, {"merge", newMergeCmd}, {"sweep", newSweepCmd}, {"list", newListCmd}, {"show", newShowCmd}, {"new", newNewCmd},
	{"schema", newSchemaCmd}, {"validate", newValidateCmd}, {"explore", carriedOut(newExploreCmd)}, {"reach", carriedOut(newReachCmd)},
	{"certify", carriedOut(newCertifyCmd)}, {"replay", carriedOut(newReplayCmd)}, {"explain", carriedOut(newExplainCmd)},
	{"boundary", carriedOut(newBoundaryCmd)}, {"compare", carriedOut(newCompareCmd)}, {"linearize", carriedOut(newLinearizeCmd)},
	{"order", carriedOut(newOrderCmd)}, {"plot", newPlotCmd}, {"view", carriedOut(newViewCmd)}, {"vet", newVetCmd}, {"version", newVersionCmd},
	{"advise", carriedOut(newAdviseCmd)},
}

// ofShipped are commands about models that ship, which a program without the model lock does not have.
var ofShipped = []string{"advise", "reach"}

// has reports whether the program has a command.
func (a *app) has(command string) bool {
	_, locks := a.Model("lock")
	return locks || !slices.Contains(ofShipped, command)
}

// carriedOut builds a command that is carried out, and not only parsed as in tests.
func carriedOut[O any](build func(*app, func(context.Context, O) error) *cobra.Command) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command { return build(a, nil) }
}

// called is the name of the command that args call or complete, or "" where that takes all commands to say. Building the flags of all is a
// twentieth of a short run.
func called(args []string) string {
	if len(args) > 2 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		args = args[1:]
	}
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name {
			return c.name
		}
	}
	return ""
}

// newRootCmd has the command that args call, or all commands.
func newRootCmd(a *app, args ...string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simctl",
		Short: "Is my lock, rate limiter or clock design safe, and what does it cost?",
		Long:  a.about(),
		Example: `  $ simctl list
  $ simctl run redlock/gc-pause
  $ simctl new ` + a.first() + ` my.yaml
  $ simctl run my.yaml --runs 10000 --set params.ttl=5s
  $ simctl explore my.yaml --budget pauses=1,crashes=1 --out found
  $ simctl replay found/*.replay.json
  $ simctl explain redlock/gc-pause --property no-lost-update
  $ simctl validate scenarios/*/*.yaml`,
		Version:                    version.This().String(),
		SilenceUsage:               true,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
	}
	cmd.SetFlagErrorFunc(flagError)
	name := called(args)
	if !a.has(name) {
		name = ""
	}
	for _, c := range commands {
		if (name == "" || name == c.name) && a.has(c.name) {
			cmd.AddCommand(c.build(a))
		}
	}
	if program.Name() != "simctl" {
		rename(cmd, program.Name(), a.Names())
	}
	cmd.SetHelpCommand(newHelpCmd(cmd))
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.Flags().Bool("version", false, "print the version, as "+program.Name()+" version does")
	return cmd
}

// about says what the commands do.
func (a *app) about() string {
	last := "."
	if a.has("advise") {
		last = `, and reach visits every state of a small model. advise says what the
settings of a lock promise, and the law of a scenario.`
	}
	return `simctl runs a scenario, an algorithm with the pauses, clock errors and message
delays that hit it, in virtual time, and says whether its properties hold, what it
costs, and how a violation came about. The same scenario and seed give the same run
everywhere.

run plays what a file scripts. explore searches for what the file does not script, makes it small
and writes a file that replay plays again; explain tells why it happened, and
boundary from which value on. certify proves a property for all delays and pauses in
their ranges` + last + `

Exit codes: 0 HELD, EXHAUSTED, CERTIFIED, or REPRODUCED as the file predicts; 1 error,
or UNKNOWN; 2 usage, an invalid file, or a question that is not covered; 3 VIOLATED, NOT
REPRODUCED, NOT EXERCISED or PANIC; 130 interrupted; 141 output pipe closed early.`
}

// first is the name of the first model, for an example.
func (a *app) first() string {
	if len(a.Models) == 0 {
		return "MODEL"
	}
	return a.Models[0].Name
}

// addCompletionCmd adds cobra's completion command, but an unknown shell is an error. It
// writes to the output that the root has by then.
func addCompletionCmd(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // there is no such command
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var shells []string
		for _, c := range cmd.Commands() {
			shells = append(shells, c.Name())
		}
		return fmt.Errorf("completion: there is no script for the shell %q: want one of %s", args[0], strings.Join(shells, ", "))
	}
}

// flagError adds to an unknown flag the one that may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	unknown := &pflag.NotExistError{}
	if !errors.As(err, &unknown) {
		return cli.Usage(fmt.Errorf("%s\nsee %s --help", plainly(err), cmd.CommandPath()))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := text.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		err = fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return cli.Usage(fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath()))
}

// newHelpCmd is cobra's help command, but an unknown topic is an error.
func newHelpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about a command",
		Example: "  $ simctl help run",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// plainly says what a flag wants instead of how its value was parsed.
func plainly(err error) string {
	text, parsing, found := strings.Cut(err.Error(), ": strconv.")
	switch {
	case !found:
		return text
	case strings.HasPrefix(parsing, "ParseBool"):
		return text + ": want true or false"
	case strings.HasPrefix(parsing, "ParseUint"):
		return text + ": want a whole number from 0 to 18446744073709551615"
	}
	return text + ": want a whole number, and not too large a one"
}
