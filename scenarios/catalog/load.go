package catalog

import (
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// Load reads a scenario: a built-in one by its name, such as "lock/naive-crash",
// or a file by its path. What ends in .yaml or .yml is a path, and so is what holds
// a path separator and exists; all else is a name, perhaps one that the scenario had before ([Catalog.Now]).
//
// The files that a scenario names are looked up in its own folder; those of a
// built-in scenario are built in, too. A file that a setting names is looked up in
// the working directory.
//
// An error is an [*format.Invalid], with every mistake: those of the file, of the settings,
// of each point of the grid and of the control.
func (c *Catalog) Load(nameOrPath string, o format.Options) (*format.Scenario, error) {
	nameOrPath = c.current(nameOrPath)
	doc, where, err := c.find(nameOrPath)
	if err != nil {
		return nil, err
	}
	return format.Load(nameOrPath, doc, where, o, c.Models)
}

// LoadText reads a scenario that is no file of its own, such as one from standard input;
// name stands for it in messages. The files that it names are looked up in the working
// directory. A text of more than [format.MaxText] bytes is refused, and an error is an [*format.Invalid],
// as of [Catalog.Load].
func (c *Catalog) LoadText(name string, text []byte, o format.Options) (*format.Scenario, error) {
	doc, err := strict.Parse(name, text)
	if err := format.InvalidOf(err); err != nil {
		return nil, err
	}
	return format.Load(name, doc, format.Folder{Dir: ".", Shipped: c.files()}, o, c.Models)
}
