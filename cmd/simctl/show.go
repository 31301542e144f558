package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newShowCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print the text of a scenario",
		Long:  "Show prints the file of a scenario that simctl brings along: a start for one of your own.",
		Example: `  $ simctl show lock/redlock-gc-pause
  $ simctl show lock/redlock-gc-pause > my.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("show: want the name of one scenario, got %d; see simctl list", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := a.source(args[0])
			if err != nil {
				return usage(err)
			}
			_, err = a.out.Write(text)
			return err
		},
	}
}
