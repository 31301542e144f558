// Package scenarios holds the scenarios that ship and the models that they name.
package scenarios

import (
	"embed"
	"io/fs"
	"slices"

	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
)

// embedded holds a folder for each model: its scenarios, and the logs that they name.
//
//go:embed */*.yaml */gc/*.log */gc/stops/*.csv */logs/*.log
var embedded embed.FS

// templates holds a scenario to start from for each model.
//
//go:embed internal/templates/*.yaml
var templates embed.FS

// schema is what package describe writes.
//
//go:embed scenario.schema.json
var schema []byte

var shipped = func() *catalog.Catalog {
	begun, err := fs.Sub(templates, "internal/templates")
	if err != nil {
		panic(err) // the name of the folder is wrong
	}
	return &catalog.Catalog{Models: models, Scenarios: embedded, Templates: begun, Folders: folders, Start: start, Renamed: aliases, Described: schema}
}()

// Catalog returns all that ships: what simctl has.
func Catalog() *catalog.Catalog {
	c := *shipped
	return &c
}

// Models lists the models.
func Models() []format.Model { return slices.Clone(models) }

// Names is [catalog.Catalog.Names] of the scenarios that ship.
func Names() []string { return shipped.Names() }

// Load is [catalog.Catalog.Load] of the scenarios that ship.
func Load(nameOrPath string, o format.Options) (*format.Scenario, error) {
	return shipped.Load(nameOrPath, o)
}

// Source is [catalog.Catalog.Source] of the scenarios that ship.
func Source(name string) ([]byte, error) { return shipped.Source(name) }
