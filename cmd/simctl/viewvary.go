package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports/page"
)

// viewRange says which value differs from run to run, on a page with a slider.
type viewRange struct {
	Path           string // "" is how long the only fault lasts
	From, To, Step string
}

// given reports whether the page has a slider.
func (v *viewRange) given() bool { return *v != viewRange{} }

func (v *viewRange) define(f *pflag.FlagSet) {
	f.StringVar(&v.Path, "vary", "", "the `PATH` of a value that a slider of the page goes through, as in --set; by default how long the only fault lasts")
	f.StringVar(&v.From, "from", "", "one end of the values")
	f.StringVar(&v.To, "to", "", "the other end")
	f.StringVar(&v.Step, "step", "", "how far apart two values are; by default it fits the range")
}

// values are what the slider goes through.
func (v *viewRange) values() (r amount.Range, err error) {
	if v.From == "" || v.To == "" {
		return r, errors.New("a slider has two ends: want --from and --to, such as --from 1s --to 20s")
	}
	if r, err = rangeOf(v.From, v.To, v.Step, 10); err != nil {
		return r, err
	}
	for v.Step == "" && r.Steps() >= page.MostValues {
		coarser, ok := r.Coarser()
		if !ok {
			break
		}
		r = coarser
	}
	if r.Steps() >= page.MostValues {
		return r, fmt.Errorf("--step: from %s to %s there are %d runs %s apart, and a page has at most %d: want a longer step", v.From, v.To, r.Steps()+1, r.Step(), page.MostValues)
	}
	return r, nil
}

// vary is a run of the scenario with each of the values.
func (a *app) vary(ctx context.Context, o *cli.Subject, v *viewRange) ([]*page.Run, error) {
	values, err := v.values()
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("view: %w", err))
	}
	path := v.Path
	if path == "" {
		s, err := a.LoadPoint(o)
		if err != nil {
			return nil, a.LoadFailed(o, err)
		}
		if path = "faults.0.for"; len(s.Config.Faults) != 1 {
			return nil, cli.Usage(fmt.Errorf("view: %s has %d faults: want --vary with the path of one value, such as faults.0.for or params.ttl", s.Name, len(s.Config.Faults)))
		}
	}
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
			return nil, pageFailed(ctx, err)
		}
		r.Vary, r.Value = page.Harmless(path), page.Harmless(value)
		runs = append(runs, r)
	}
	return runs, nil
}
