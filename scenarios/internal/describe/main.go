// Command describe writes the JSON Schema of scenario files, the page of reference, and that of
// properties and measures, as go generate ./scenarios calls it.
package main

import (
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
	properties, err := propertiesPage(source.Of)
	if err == nil {
		err = source.Err()
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "scenarios", "scenario.schema.json"), text, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "docs", "properties.md"), properties, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "scenarios.md"), page, 0o644)
}
