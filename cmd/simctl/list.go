package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/reports"
	"fencepost/scenarios"
)

func newListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [FOLDER]",
		Short: "List the scenarios that simctl brings along",
		Long: `List names the scenarios by model, each with what it is about and where that is told.
With a folder it lists those in it, as a table. On a terminal lines are cut to fit;
elsewhere they are whole. simctl show NAME says more.`,
		Example: `  $ simctl list
  $ simctl list ratelimit
  $ simctl list --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Errorf("list: want one folder of scenarios at most, got %d", len(args)))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return folders(a.names()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.list(strings.Join(args, ""), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// folders are the folders of scenarios, in order.
func folders(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, path.Dir(name))
	}
	return slices.Compact(list)
}

// list lists the scenarios of a folder, or all if it is "".
func (a *app) list(folder string, asJSON bool) error {
	names := a.names()
	if folder = strings.TrimSuffix(folder, "/"); folder != "" {
		if all := folders(names); !slices.Contains(all, folder) {
			if near := terminal.Nearest(folder, all); near != "" {
				return usage(fmt.Errorf("list: there is no folder %q of scenarios; did you mean %q?", folder, near))
			}
			return usage(fmt.Errorf("list: there is no folder %q of scenarios: want %s", folder, strings.Join(all, " or ")))
		}
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return path.Dir(name) != folder })
	}
	l := reports.List{Schema: reports.ListSchema, Scenarios: []reports.Listed{}}
	var invalid []invalidFile
	for _, name := range names {
		h, err := a.headline(name)
		if err != nil {
			invalid = append(invalid, invalidFile{name: name, err: err})
			continue
		}
		l.Scenarios = append(l.Scenarios, reports.Listed{Name: name, Model: h.Model, About: strings.TrimSpace(h.About), Source: strings.TrimSpace(h.Source)})
	}
	if len(invalid) > 0 {
		return a.refuse(invalid, asJSON)
	}
	if asJSON {
		return failed(reports.WriteJSON(a.out, l))
	}
	if folder != "" {
		return failed(l.WriteText(a.out, terminal.Width(a.out.terminal)))
	}
	l.Models = modelsOf(l.Scenarios)
	return failed(l.WriteModels(a.out, terminal.Width(a.out.terminal)))
}

// headline is that of a scenario. Those that are embedded load, by a test; others may not.
func (a *app) headline(name string) (scenarios.Headline, error) {
	if h, ok := scenarios.HeadlineOf(name); ok {
		return h, nil
	}
	s, err := a.load(name, scenarios.Options{})
	if err != nil {
		return scenarios.Headline{}, err
	}
	return scenarios.Headline{Model: s.Model, About: s.About, Source: s.Source}, nil
}

// failed is an error of what a command does, or nil.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure(err)
}

// modelsOf are the models of some scenarios, in the order of the catalog.
func modelsOf(list []reports.Listed) (models []reports.ListedModel) {
	for _, m := range scenarios.Models() {
		models = append(models, reports.ListedModel{Name: m.Name, About: m.About})
	}
	for _, s := range list {
		if !slices.ContainsFunc(models, func(m reports.ListedModel) bool { return m.Name == s.Model }) {
			models = append(models, reports.ListedModel{Name: s.Model})
		}
	}
	return models
}
