// Package selection picks the scenarios that simctl list shows.
package selection

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports/listing"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
)

// Start is a folder that lists some scenarios of all folders.
const Start = "start"

// Words are the folders of scenarios, and the models.
func Words(a *cli.App) []string {
	var list []string
	if len(a.Start) > 0 {
		list = append(list, Start)
	}
	for _, name := range a.Names() {
		list = append(list, path.Dir(name))
	}
	for _, m := range a.Models {
		list = append(list, m.Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Of are the scenarios in a folder or of a model, "" for all, that have all the words; and the files among them that are
// invalid. An error says that there is no such folder or model, and what may be meant.
func Of(a *cli.App, of string, find []string) (l *listing.List, invalid []cli.InvalidFile, err error) {
	names := a.Names()
	if all := Words(a); of != "" && !slices.Contains(all, of) {
		return nil, nil, fmt.Errorf("there is no folder or model %q%s", of, instead(a, of, all))
	}
	l = &listing.List{Schema: listing.ListSchema, Scenarios: make([]listing.Listed, 0, len(names))}
	for _, name := range names {
		if len(find) > 0 && !a.Mentions(name, find) {
			continue
		}
		h, err := headline(a, name)
		switch {
		case err != nil:
			invalid = append(invalid, cli.InvalidFile{Name: name, Err: err})
		case of == "" || path.Dir(name) == of || h.Model == of || of == Start && slices.Contains(a.Start, name):
			l.Scenarios = append(l.Scenarios, listing.Listed{Name: name, Model: h.Model, About: strings.TrimSpace(h.About), Source: strings.TrimSpace(h.Source)})
		}
	}
	return l, invalid, nil
}

// instead says what may be meant by a word that is no folder or model: one that is spelt nearly so, or the scenarios
// that have the word.
func instead(a *cli.App, word string, all []string) string {
	if near := text.Nearest(word, all); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if slices.ContainsFunc(a.Names(), func(name string) bool { return a.Mentions(name, []string{word}) }) {
		return "; " + terminal.Quote(program.Name(), "list", "--find", word) + " lists the scenarios that have the word"
	}
	return ": want " + strings.Join(all, " or ")
}

// headline is that of a scenario. Those that are embedded load, by a test; others may not.
func headline(a *cli.App, name string) (catalog.Headline, error) {
	if h, ok := a.HeadlineOf(name); ok {
		return h, nil
	}
	s, err := a.Load(name, format.Options{})
	if err != nil {
		return catalog.Headline{}, err
	}
	return catalog.Headline{Model: s.Model, About: s.About, Source: s.Source}, nil
}

// Folders are the folders of some scenarios, in the order in which they are shown.
func Folders(a *cli.App, list []listing.Listed) []listing.ListedFolder {
	folders := []listing.ListedFolder{{Name: Start, About: "some to begin with", Only: a.Start}}
	for _, f := range a.Catalog.Folders {
		folders = append(folders, listing.ListedFolder{Name: f.Name, About: f.About})
	}
	for _, s := range list {
		if name := path.Dir(s.Name); !slices.ContainsFunc(folders, func(f listing.ListedFolder) bool { return f.Name == name }) {
			folders = append(folders, listing.ListedFolder{Name: name})
		}
	}
	return folders
}
