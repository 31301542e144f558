package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios/format"
)

func newValidateCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate NAME|FILE...",
		Short: "Check scenario files and report every mistake in them",
		Long: `Validate reads scenarios, with every point of their grids and their control blocks,
and reports all mistakes with line and column. It runs nothing. The exit code is 2 if
there is any mistake.`,
		Example: `  $ simctl validate my.yaml
  $ simctl validate scenarios/*/*.yaml --json
  $ simctl new lock | simctl validate -`,
		Args:              cli.AtLeastOne("the name or the file of a scenario"),
		ValidArgsFunction: a.CompleteNames,
		RunE:              func(_ *cobra.Command, names []string) error { return a.validate(names, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) validate(names []string, asJSON bool) error {
	var files []cli.InvalidFile
	bad := false
	for _, name := range names {
		f := cli.InvalidFile{Name: name, Err: cli.NoRecord(name)}
		if f.Err == nil {
			var s *format.Scenario
			if s, f.Err = a.Load(name, format.Options{}); f.Err == nil {
				f.Notes, f.Err = s.Notes, tryWorlds(s)
			}
		}
		bad = bad || f.Err != nil
		files = append(files, f)
		if !asJSON && f.Err == nil {
			fmt.Fprintf(a.Out, "%s: valid\n", name)
			cli.WriteNotes(a.Out, f.Notes)
		}
	}
	switch {
	case bad:
		return a.Refuse(files, asJSON)
	case asJSON:
		return cli.WriteValidation(a.Out, files)
	}
	return nil
}

// tryWorlds lets the engine check what only it can.
func tryWorlds(s *format.Scenario) error {
	all := []*format.Scenario{s}
	for _, v := range s.Variants {
		all = append(all, v.Scenario)
	}
	for _, one := range all {
		if _, err := one.Program.NewWorld(one.Config); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}
