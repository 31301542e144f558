// Package catalog is what a program knows of scenarios: the models that they may name, and the scenarios that are built in.
package catalog

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fencepost/scenarios/format"
)

// Catalog is the models of a program and its scenarios. Everything but the models may be left out.
type Catalog struct {
	Models    []format.Model           // in the order in which they are shown
	Scenarios fs.FS                    // FOLDER/NAME.yaml, and the files that they name
	Templates fs.FS                    // MODEL.yaml: what [Catalog.New] writes; without one it makes it from the parameters
	Folders   []Folder                 // of Scenarios, in the order in which they are shown
	Start     []string                 // some scenarios to begin with
	Renamed   func() map[string]string // by the name that a scenario had before, the one it has now
	Described []byte                   // the JSON Schema with these models; without it [Catalog.Schema] makes it
}

// Folder is what some scenarios are about, those whose names begin with it.
type Folder struct{ Name, About string }

// files are the scenarios, none if there are none.
func (c *Catalog) files() fs.FS {
	if c.Scenarios == nil {
		return embed.FS{}
	}
	return c.Scenarios
}

// Model returns the model of a name.
func (c *Catalog) Model(name string) (m format.Model, ok bool) {
	i := slices.IndexFunc(c.Models, func(m format.Model) bool { return m.Name == name })
	if i < 0 {
		return m, false
	}
	return c.Models[i], true
}

// Now returns the name that a built-in scenario has now, for one that it had before; ok is false where the name
// is none of those, or a path of a file.
func (c *Catalog) Now(nameOrPath string) (now string, ok bool) {
	if c.Renamed == nil || isPath(nameOrPath) {
		return "", false
	}
	now, ok = c.Renamed()[nameOrPath]
	return now, ok
}

// current is the name that a scenario has now.
func (c *Catalog) current(name string) string {
	if now, ok := c.Now(name); ok {
		return now
	}
	return name
}

// FoldersOf are the folders that have scenarios of a model, in the order in which they are shown.
func (c *Catalog) FoldersOf(model string) (list []string) {
	for _, f := range c.Folders {
		if slices.ContainsFunc(c.Names(), func(name string) bool {
			h, ok := c.HeadlineOf(name)
			return ok && h.Model == model && path.Dir(name) == f.Name
		}) {
			list = append(list, f.Name)
		}
	}
	return list
}

// Mentions reports whether the name or the file of a built-in scenario has each of some words, in capitals or not.
func (c *Catalog) Mentions(name string, words []string) bool {
	text, err := fs.ReadFile(c.files(), name+format.Suffix)
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), "\n") // the first line names the schema
	all := strings.ToLower(name + "\n" + rest)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, strings.ToLower(w)) })
}
