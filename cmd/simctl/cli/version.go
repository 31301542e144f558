package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/reports"
)

func newVersionCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of simctl and of its digests",
		Example: `  $ simctl version
  $ simctl version --json`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			v := version.This()
			if asJSON {
				return cli.Failed(reports.WriteJSON(a.Out, v))
			}
			_, err := fmt.Fprintln(a.Out, v)
			return cli.Failed(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
