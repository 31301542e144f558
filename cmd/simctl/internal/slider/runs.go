package slider

import (
	"context"
	"fmt"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/viewing"
	"fencepost/reports/page"
)

// Runs runs the scenario with each of the values, for a page.
func Runs(ctx context.Context, a *cli.App, o *cli.Subject, v *Range) ([]*page.Run, error) {
	s, err := a.LoadPoint(o)
	if err != nil {
		return nil, a.LoadFailed(o, err)
	}
	own, err := v.Complete(s)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("view: %w", err))
	}
	values, err := v.Values()
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("view: %w", err))
	}
	path := v.Path
	set, err := a.Varied("view", o, path)
	if err != nil {
		return nil, a.LoadFailed(o, err)
	}
	meter := a.Meter()
	meter.Start(o.Name)
	defer meter.Clear()
	var runs []*page.Run
	for k := range values.Steps() + 1 {
		value := values.At(k).String()
		meter.Show(fmt.Sprintf("run %d of %d, %s=%s", k+1, values.Steps()+1, path, value))
		change := set(value)
		s, err := a.LoadPoint(o, change)
		if err != nil {
			return nil, a.LoadFailed(o, err)
		}
		command := o.Command("run", s.Seed, "--runs", "1", "--set", change.Path+"="+change.Value)
		r, err := execute.Page(ctx, s, command, page.MaxEvents/int(values.Steps()+1))
		if err != nil {
			return nil, viewing.Failed(ctx, err)
		}
		r.Vary, r.Value, r.Own = page.Harmless(path), page.Harmless(value), value == own
		runs = append(runs, r)
	}
	return runs, nil
}
