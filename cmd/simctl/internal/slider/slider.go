// Package slider reads which values a page of simctl view goes through, of one run for each.
package slider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports/page"
	"fencepost/scenarios/format"
)

// Range says which value differs from run to run, on a page with a slider.
type Range struct {
	Slider         bool   // over a range that fits the value, where none is given
	Path           string // "" is that of the only number among the faults
	From, To, Step string
}

// Given reports whether the page has a slider. One has up to 50 runs, and so takes up to 50 times the room and the
// time of a page without: it has to be asked for.
func (v *Range) Given() bool { return *v != Range{} }

// Define adds the flags.
func (v *Range) Define(f *pflag.FlagSet) {
	f.BoolVar(&v.Slider, "slider", false, "make a slider over the only number among the faults, up to twice its value")
	f.StringVar(&v.Path, "vary", "", "the `PATH` of a value that a slider of the page goes through, as in --set; by default the only number among the faults")
	f.StringVar(&v.From, "from", "", "one end of the values")
	f.StringVar(&v.To, "to", "", "the other end")
	f.StringVar(&v.Step, "step", "", "how far apart two values are; by default it fits the range")
}

// Values are what the slider goes through.
func (v *Range) Values() (r amount.Range, err error) {
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

// Number is a number among the faults of a scenario.
type Number struct {
	Path  string
	Value amount.Value
}

// Numbers are the durations, steps, rates and shares among the faults.
func Numbers(s *format.Scenario) (list []Number) {
	add := func(path, text string) {
		if v, err := amount.Parse(text); err == nil && v.Grains != 0 {
			list = append(list, Number{path, v})
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

// Complete fills in the path and the ends that are not given, from the only number among the faults; own is the value
// that the scenario has there, "" if that is not known.
func (v *Range) Complete(s *format.Scenario) (own string, err error) {
	list := Numbers(s)
	for _, n := range list {
		if n.Path == v.Path {
			list = []Number{n}
		}
	}
	switch {
	case len(list) == 1 && (v.Path == "" || v.Path == list[0].Path):
	case v.Path != "" && !v.Slider:
		return "", nil
	case v.Path != "":
		return "", fmt.Errorf("--vary %s is no number among the faults of %s: want --from and --to instead of --slider", v.Path, s.Name)
	case len(list) == 0:
		return "", fmt.Errorf("%s has no number among its faults: want --vary with the path of a value, and --from and --to, such as --vary params.ttl --from 1s --to 20s", s.Name)
	default:
		var paths []string
		for _, n := range list {
			paths = append(paths, n.Path)
		}
		return "", fmt.Errorf("%s has %d numbers among its faults: want --vary with one of %s", s.Name, len(list), strings.Join(paths, ", "))
	}
	n := list[0]
	if v.Path = n.Path; v.From == "" && v.To == "" {
		v.From, v.To, v.Step = n.Value.Around(v.Step)
	}
	return n.Value.String(), nil
}
