package scenarios

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/text"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// templates holds a scenario to start from for each model.
//
//go:embed internal/templates/*.yaml
var templates embed.FS

// New is the text of a scenario to start one's own from: of a model, with comments, and
// it runs as it is.
func New(model string) ([]byte, error) {
	template, err := templates.ReadFile("internal/templates/" + model + format.Suffix)
	if err == nil {
		return template, nil
	}
	var names []string
	for _, m := range catalog {
		names = append(names, m.Name)
	}
	if near := text.Nearest(model, names); near != "" && !slices.Contains(names, model) {
		return nil, fmt.Errorf("there is no model %q; did you mean %q?", strict.Excerpt(model), near)
	}
	return nil, fmt.Errorf("there is no model %q: want one of %s", strict.Excerpt(model), strings.Join(names, ", "))
}
