package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/scenarios/format"
)

// isScenario reports whether what order is given is a scenario, by name or as a file.
func (a *app) isScenario(name string) bool {
	ending := filepath.Ext(name)
	return ending == ".yaml" || ending == ".yml" || slices.Contains(a.Names(), name)
}

// orderOfRun is the order of the events of a scenario's first run.
func (a *app) orderOfRun(o *orderOptions) (*execute.Ordering, error) {
	if o.Read.Expression != "" || o.Read.Delimiter != "" || o.Read.Execution != "" || o.Read.Format != "auto" {
		return nil, cli.Usage(errors.New("order: a scenario is run: --format, --regex, --delimiter and --execution are for logs"))
	}
	s, err := a.Load(o.File, format.Options{})
	switch {
	case err != nil:
		return nil, a.LoadFailed(&cli.Subject{Name: o.File, JSON: o.JSON}, err)
	case len(s.Variants) > 0:
		return nil, cli.Usage(fmt.Errorf("order: %s: the file has a grid of %d points, and this is about one", s.Name, len(s.Variants)))
	case s.Replays():
		return nil, cli.Usage(cli.NoNodes(s, "order"))
	}
	run, err := execute.Order(s)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("order: %w", err))
	}
	return run, nil
}
