package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/result"
	"fencepost/scenarios/format"
)

func (o *certifyOptions) settings() (list []result.Setting) {
	for i := range o.Over {
		list = append(list, o.Over[i].Setting())
	}
	return list
}

// steps are the ranges of steps of clocks.
func (o *certifyOptions) steps() (list []execute.Step) {
	for i := range o.Over {
		if r := &o.Over[i]; r.Step() {
			list = append(list, execute.Step{Path: r.Path, Least: r.Least, Most: r.Most})
		}
	}
	return list
}

// loadOver loads the scenario with its ranges.
func (a *app) loadOver(o *certifyOptions) (*format.Scenario, error) {
	if err := cli.NoRecord(o.Name); err != nil {
		return nil, err
	}
	base, err := a.Load(o.Name, format.Options{Sets: o.Sets, NoFaults: o.NoFaults})
	if err != nil {
		return nil, err
	}
	if o.NoFaults {
		for _, r := range o.Over {
			if strings.HasPrefix(r.Path, "faults.") {
				return nil, cli.Usage(fmt.Errorf("certify: --%s %s: --no-faults leaves it out: want one of the two", r.Flag(), r.Path))
			}
		}
	}
	var errs []error
	for i := range o.Over {
		r := &o.Over[i]
		r.Axis = len(base.Variants) > 0 && slices.ContainsFunc(base.Variants[0].Settings, func(s result.Setting) bool { return s.Path == r.Path })
		if r.Cap {
			errs = append(errs, r.From(base))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, cli.Usage(prefixed("certify", err))
	}
	s, err := a.LoadPoint(&o.Subject, o.settings()...)
	if e := (*format.Invalid)(nil); errors.As(err, &e) {
		return nil, ranges.Located(o.Over, e)
	}
	return s, err
}

// remedies are what helps where something is not covered.
const remedies = `  --over PATH=A..B gives a value its range, --cap PATH=MOST one that has no longest,
  --no-faults leaves out the faults of the file, and --set changes a value, as in --set network.loss=0`

// prefixed begins each line of an error with a word.
func prefixed(word string, err error) error {
	return errors.New(word + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+word+": "))
}

// indented begins each line of an error with spaces.
func indented(err error) error {
	return errors.New("  " + strings.ReplaceAll(err.Error(), "\n", "\n  "))
}
