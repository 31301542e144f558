package main

import (
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/reports"
	"fencepost/scenarios"
)

func newListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios that simctl brings along",
		Example: `  $ simctl list
  $ simctl list --json`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return a.list(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) list(asJSON bool) error {
	l := reports.List{Schema: reports.ListSchema, Scenarios: []reports.Listed{}}
	var invalid []invalidFile
	for _, name := range a.names() {
		s, err := a.load(name, scenarios.Options{})
		if err != nil {
			invalid = append(invalid, invalidFile{name, err})
			continue
		}
		l.Scenarios = append(l.Scenarios, reports.Listed{Name: name, Model: s.Model, About: strings.TrimSpace(s.About)})
	}
	if len(invalid) > 0 {
		return a.refuse(invalid, asJSON)
	}
	if asJSON {
		return failed(reports.WriteJSON(a.out, l))
	}
	return failed(l.WriteText(a.out, terminal.Width(a.out.terminal)))
}

// failed is an error of what a command does, or nil.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure(err)
}
