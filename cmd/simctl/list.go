package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/listing"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
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
			return listable(a.Names()), cobra.ShellCompDirectiveNoFileComp
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

// startFolder lists some scenarios of all folders.
const startFolder = "start"

// listable are the folders of scenarios, and the models.
func listable(names []string) []string {
	list := []string{startFolder}
	for _, name := range names {
		list = append(list, path.Dir(name))
	}
	for _, m := range scenarios.Models() {
		list = append(list, m.Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// list lists scenarios.
func (a *app) list(o listOptions) error {
	names := a.Names()
	if all := listable(names); o.Of != "" && !slices.Contains(all, o.Of) {
		return cli.Usage(fmt.Errorf("list: there is no folder or model %q%s", o.Of, instead(o.Of, names, all)))
	}
	l := listing.List{Schema: listing.ListSchema, Scenarios: []listing.Listed{}}
	var invalid []cli.InvalidFile
	for _, name := range names {
		if len(o.Find) > 0 && !scenarios.Mentions(name, o.Find) {
			continue
		}
		h, err := a.headline(name)
		switch {
		case err != nil:
			invalid = append(invalid, cli.InvalidFile{Name: name, Err: err})
		case o.Of == "" || path.Dir(name) == o.Of || h.Model == o.Of || o.Of == startFolder && slices.Contains(scenarios.Start(), name):
			l.Scenarios = append(l.Scenarios, listing.Listed{Name: name, Model: h.Model, About: strings.TrimSpace(h.About), Source: strings.TrimSpace(h.Source)})
		}
	}
	switch {
	case len(invalid) > 0:
		return a.Refuse(invalid, o.JSON)
	case o.JSON:
		return cli.Failed(reports.WriteJSON(a.Out, l))
	case len(l.Scenarios) == 0:
		return cli.Usage(fmt.Errorf("list: no scenario has %s", strings.Join(o.Find, " and ")))
	case o.Of != "" || len(o.Find) > 0:
		return cli.Failed(l.WriteText(a.Out, terminal.Width(a.Out.Terminal)))
	}
	l.Folders = foldersOf(l.Scenarios)
	return cli.Failed(l.WriteFolders(a.Out, terminal.Width(a.Out.Terminal)))
}

// instead says what may be meant by a word that is no folder or model: one that is spelt nearly so, or the scenarios
// that have the word.
func instead(word string, names, all []string) string {
	if near := text.Nearest(word, all); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if slices.ContainsFunc(names, func(name string) bool { return scenarios.Mentions(name, []string{word}) }) {
		return "; " + terminal.Quote("simctl", "list", "--find", word) + " lists the scenarios that have the word"
	}
	return ": want " + strings.Join(all, " or ")
}

// headline is that of a scenario. Those that are embedded load, by a test; others may not.
func (a *app) headline(name string) (scenarios.Headline, error) {
	if h, ok := scenarios.HeadlineOf(name); ok {
		return h, nil
	}
	s, err := a.Load(name, format.Options{})
	if err != nil {
		return scenarios.Headline{}, err
	}
	return scenarios.Headline{Model: s.Model, About: s.About, Source: s.Source}, nil
}

// foldersOf are the folders of some scenarios, in the order in which they are shown.
func foldersOf(list []listing.Listed) []listing.ListedFolder {
	folders := []listing.ListedFolder{{Name: startFolder, About: "some to begin with", Only: scenarios.Start()}}
	for _, f := range scenarios.Folders() {
		folders = append(folders, listing.ListedFolder{Name: f.Name, About: f.About})
	}
	for _, s := range list {
		if name := path.Dir(s.Name); !slices.ContainsFunc(folders, func(f listing.ListedFolder) bool { return f.Name == name }) {
			folders = append(folders, listing.ListedFolder{Name: name})
		}
	}
	return folders
}
