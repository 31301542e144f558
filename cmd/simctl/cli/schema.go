package cli

import (
	"github.com/spf13/cobra"
)

func newSchemaCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files, for editors",
		Long: `Schema prints the JSON Schema (draft 7) of scenario files. An editor with
yaml-language-server completes and checks a file by it whose first line is

  # yaml-language-server: $schema=scenario.schema.json

where the path is that of the schema, from the folder of the file. What it cannot know,
such as which nodes there are, simctl validate does.`,
		Example: "  $ simctl schema > scenario.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.Out.Write(a.Schema())
			return err
		},
	}
}
