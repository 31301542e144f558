// Command describe writes the JSON Schema of scenario files, with models and without, the page of reference, and that of
// properties and measures, as go generate ./scenarios calls it.
package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"fencepost/scenarios/internal/comments"
)

func main() {
	if err := describe(".."); err != nil {
		fmt.Fprintln(os.Stderr, "describe:", err)
		os.Exit(1)
	}
}

// describe writes the files of a module that is at root.
func describe(root string) error {
	source := &comments.Source{FS: os.DirFS(root), Module: "fencepost"}
	text, page, err := schemaAndReference(source.Of)
	if err != nil {
		return err
	}
	bare, err := fileSchema(source.Of)
	if err != nil {
		return err
	}
	properties, err := propertiesPage(source.Of)
	if err = cmp.Or(err, source.Err()); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{
		{"scenarios/scenario.schema.json", text}, {"scenarios/catalog/file.schema.json", bare},
		{"docs/properties.md", properties}, {"docs/scenarios.md", page},
	} {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(f.name)), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
