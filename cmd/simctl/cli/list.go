package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/selection"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/reports"
)

// listOptions are what a command line asks of list.
type listOptions struct {
	Of   string   // a folder or a model; "" is all
	Find []string // words that each must have
	JSON bool
}

func newListCmd(a *app) *cobra.Command {
	o, find := listOptions{}, ""
	cmd := &cobra.Command{
		Use:   "list [FOLDER|MODEL]",
		Short: "List the scenarios that ship",
		Long: `List names the scenarios by folder, each with what it is about and where that is told.
With a folder or a model it lists those in it or of it, as a table; start is some to begin
with. --find WORD lists those whose name or file has the word; of several words, all. On a
terminal lines are cut to fit; elsewhere they are whole. simctl show NAME says more.`,
		Example: `  $ simctl list
  $ simctl list start
  $ simctl list ratelimit
  $ simctl list --find "fair share"
  $ simctl list --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage(fmt.Errorf("list: want one folder or model at most, got %d", len(args)))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return selection.Words(a.App), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Find = strings.Fields(find); cmd.Flags().Changed("find") && len(o.Find) == 0 {
				return cli.Usage(errors.New("list: --find is empty: want a word, such as fencing"))
			}
			o.Of = strings.TrimSuffix(strings.Join(args, ""), "/")
			return a.list(o)
		},
	}
	cmd.Flags().StringVar(&find, "find", "", "list those whose name or file has this `WORD`")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON document")
	return cmd
}

// list lists scenarios.
func (a *app) list(o listOptions) error {
	l, invalid, err := selection.Of(a.App, o.Of, o.Find)
	if err != nil {
		return cli.Usage(fmt.Errorf("list: %w", err))
	}
	switch {
	case len(invalid) > 0:
		return a.Refuse(invalid, o.JSON)
	case o.JSON:
		return cli.Failed(reports.WriteJSON(a.Out, l))
	case len(l.Scenarios) == 0 && len(o.Find) == 0:
		return cli.Failed(a.listModels(o.Of))
	case len(l.Scenarios) == 0:
		return cli.Usage(fmt.Errorf("list: no scenario has %s", strings.Join(o.Find, " and ")))
	case o.Of != "" || len(o.Find) > 0:
		return cli.Failed(l.WriteText(a.Out, terminal.Width(a.Out.Terminal)))
	}
	l.Folders = selection.Folders(a.App, l.Scenarios)
	return cli.Failed(l.WriteFolders(a.Out, terminal.Width(a.Out.Terminal)))
}

// listModels lists the models, or one of them, of a program that has no scenario of it.
func (a *app) listModels(of string) error {
	for _, m := range a.Models {
		if of == "" || of == m.Name {
			fmt.Fprintf(a.Out, "%s: %s\n  it has no scenario; write one: %s\n", m.Name, m.About, terminal.Quote(program.Name(), "new", m.Name, "my.yaml"))
		}
	}
	return nil
}
