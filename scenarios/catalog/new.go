package catalog

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fencepost/internal/text"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// New is the text of a scenario to start one's own from: of a model, with comments, and
// it runs as it is.
func (c *Catalog) New(model string) ([]byte, error) {
	if c.Templates != nil {
		if template, err := fs.ReadFile(c.Templates, model+format.Suffix); err == nil {
			return template, nil
		}
	}
	if m, ok := c.Model(model); ok {
		return template(m), nil
	}
	var names []string
	for _, m := range c.Models {
		names = append(names, m.Name)
	}
	if near := text.Nearest(model, names); near != "" && !slices.Contains(names, model) {
		return nil, fmt.Errorf("there is no model %q; did you mean %q?", strict.Excerpt(model), near)
	}
	return nil, fmt.Errorf("there is no model %q: want one of %s", strict.Excerpt(model), strings.Join(names, ", "))
}
