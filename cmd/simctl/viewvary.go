package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports/page"
	"fencepost/scenarios/format"
)

// viewRange says which value differs from run to run, on a page with a slider.
type viewRange struct {
	Slider         bool   // over a range that fits the value, where none is given
	Path           string // "" is that of the only number among the faults
	From, To, Step string
}

// given reports whether the page has a slider. One has up to 50 runs, and so takes up to 50 times the room and the
// time of a page without: it has to be asked for.
func (v *viewRange) given() bool { return *v != viewRange{} }

func (v *viewRange) define(f *pflag.FlagSet) {
	f.BoolVar(&v.Slider, "slider", false, "make a slider over the only number among the faults, up to twice its value")
	f.StringVar(&v.Path, "vary", "", "the `PATH` of a value that a slider of the page goes through, as in --set; by default the only number among the faults")
	f.StringVar(&v.From, "from", "", "one end of the values")
	f.StringVar(&v.To, "to", "", "the other end")
	f.StringVar(&v.Step, "step", "", "how far apart two values are; by default it fits the range")
}

// values are what the slider goes through.
func (v *viewRange) values() (r amount.Range, err error) {
	if v.From == "" || v.To == "" {
		return r, errors.New("a slider has two ends: want --from and --to, such as --from 1s --to 20s, or --slider alone for the only number among the faults")
	}
	if r, err = cli.ParseRange(v.From, v.To, v.Step, 10); err != nil {
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
	s, err := a.LoadPoint(o)
	if err != nil {
		return nil, a.LoadFailed(o, err)
	}
	own, err := v.complete(s)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("view: %w", err))
	}
	values, err := v.values()
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
			return nil, pageFailed(ctx, err)
		}
		r.Vary, r.Value, r.Own = page.Harmless(path), page.Harmless(value), value == own
		runs = append(runs, r)
	}
	return runs, nil
}

// number is a number among the faults of a scenario.
type number struct {
	path  string
	value amount.Value
}

// numbers are the durations, steps, rates and shares among the faults.
func numbers(s *format.Scenario) (list []number) {
	add := func(path, text string) {
		if v, err := amount.Parse(text); err == nil && v.Grains != 0 {
			list = append(list, number{path, v})
		}
	}
	for i := range s.Config.Faults {
		f, path := &s.Config.Faults[i], fmt.Sprintf("faults.%d.", i)
		if !f.Forever {
			add(path+"for", f.For.String())
		}
		add(path+"by", f.By.String())
		add(path+"to", f.Rate.String())
	}
	add("network.loss", s.Config.Network.Default.Loss.String())
	add("network.duplicate", s.Config.Network.Default.Duplicate.String())
	return list
}

// complete fills in the path and the ends that are not given, from the only number among the faults; own is the value
// that the scenario has there, "" if that is not known.
func (v *viewRange) complete(s *format.Scenario) (own string, err error) {
	list := numbers(s)
	for _, n := range list {
		if n.path == v.Path {
			list = []number{n}
		}
	}
	switch {
	case len(list) == 1 && (v.Path == "" || v.Path == list[0].path):
	case v.Path != "" && !v.Slider:
		return "", nil
	case v.Path != "":
		return "", fmt.Errorf("--vary %s is no number among the faults of %s: want --from and --to instead of --slider", v.Path, s.Name)
	case len(list) == 0:
		return "", fmt.Errorf("%s has no number among its faults: want --vary with the path of a value, and --from and --to, such as --vary params.ttl --from 1s --to 20s", s.Name)
	default:
		var paths []string
		for _, n := range list {
			paths = append(paths, n.path)
		}
		return "", fmt.Errorf("%s has %d numbers among its faults: want --vary with one of %s", s.Name, len(list), strings.Join(paths, ", "))
	}
	n := list[0]
	if v.Path = n.path; v.From == "" && v.To == "" {
		v.From, v.To, v.Step = n.value.Around(v.Step)
	}
	return n.value.String(), nil
}
