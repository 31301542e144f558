package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// over is a range of a value of the file.
type over struct {
	Path string
	amount.Span
	Cap  bool // Least is what the file says
	Axis bool // the file varies it itself
}

// maxOvers is how many ranges a proof may have: each one multiplies what there is to see.
const maxOvers = 5

// parseOvers reads --over and --cap. Its error has all mistakes.
func parseOvers(ranges, caps []string) (list []over, err error) {
	var errs []error
	if n := len(ranges) + len(caps); n > maxOvers {
		errs = append(errs, fmt.Errorf("--over: want at most %d ranges, got %d", maxOvers, n))
	}
	read := func(flag, text, example string, parse func(string) (amount.Span, error)) {
		path, value, found := strings.Cut(text, "=")
		if !found || path == "" {
			errs = append(errs, fmt.Errorf("--%s: want %s, got %q", flag, example, text))
			return
		}
		span, err := parse(value)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("--%s %s: %w", flag, path, err))
		case slices.ContainsFunc(list, func(o over) bool { return o.Path == path }):
			errs = append(errs, fmt.Errorf("--%s %s: it has a range already", flag, path))
		default:
			list = append(list, over{Path: path, Span: span, Cap: flag == "cap"})
		}
	}
	for _, text := range ranges {
		read("over", text, "PATH=A..B, as in network.delay=0..5ms", amount.ParseSpan)
	}
	for _, text := range caps {
		read("cap", text, "PATH=MOST, as in network.delay=50ms", func(text string) (amount.Span, error) {
			most, err := amount.Duration(text)
			return amount.Span{Most: most}, err
		})
	}
	return list, errors.Join(errs...)
}

func (r *over) flag() string {
	if r.Cap {
		return "cap"
	}
	return "over"
}

// text is the range as the flag has it.
func (r *over) text() string {
	if r.Cap {
		return amount.Span{Least: r.Most, Most: r.Most}.String()
	}
	return r.Span.String()
}

// setting is what gives the value of the file its range.
func (r *over) setting() result.Setting {
	if r.Axis {
		return result.Setting{Path: "vary." + r.Path, Value: "[" + r.Value() + "]"}
	}
	return result.Setting{Path: r.Path, Value: r.Value()}
}

func (o *certifyOptions) settings() (list []result.Setting) {
	for i := range o.Over {
		list = append(list, o.Over[i].setting())
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
				return nil, cli.Usage(fmt.Errorf("certify: --%s %s: --no-faults leaves it out: want one of the two", r.flag(), r.Path))
			}
		}
	}
	var errs []error
	for i := range o.Over {
		r := &o.Over[i]
		r.Axis = len(base.Variants) > 0 && slices.ContainsFunc(base.Variants[0].Settings, func(s result.Setting) bool { return s.Path == r.Path })
		if r.Cap {
			errs = append(errs, r.from(base))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, cli.Usage(prefixed("certify", err))
	}
	s, err := a.LoadPoint(&o.Subject, o.settings()...)
	if e := (*format.Invalid)(nil); errors.As(err, &e) {
		return nil, o.located(e)
	}
	return s, err
}

// from lets a range begin where the value of the file does.
func (r *over) from(s *format.Scenario) error {
	d := drawnAt(s, r.Path)
	switch {
	case d == nil:
		return fmt.Errorf("--cap %s: want network.delay, network.links.N.delay or faults.N.for, or a range by --over", r.Path)
	case d.Least() > r.Most:
		return fmt.Errorf("--cap %s: it is %v at least: want more than that, got %v", r.Path, d.Least(), r.Most)
	}
	r.Least = d.Least()
	return nil
}

// drawnAt is what the file says of a path, nil if that is none of those that have a distribution.
func drawnAt(s *format.Scenario, path string) *sim.Dist {
	var i int
	n := &s.Config.Network
	switch {
	case path == "network.delay":
		return &n.Default.Delay
	case scans(path, "network.links.%d.delay", &i) && i < len(n.Rules):
		return &n.Rules[i].Link.Delay
	case scans(path, "faults.%d.for", &i) && i < len(s.Config.Faults):
		return &s.Config.Faults[i].For
	}
	return nil
}

// scans reads the index of a path.
func scans(path, form string, i *int) bool {
	_, err := fmt.Sscanf(path, form, i)
	return err == nil && *i >= 0 && fmt.Sprintf(form, *i) == path
}

// located says of each mistake in which range it is.
func (o *certifyOptions) located(e *format.Invalid) error {
	for i := range e.Problems {
		p := &e.Problems[i]
		for _, r := range o.Over {
			if strings.HasPrefix(p.Set, r.setting().Path+"=") {
				if strings.HasPrefix(p.Message, "a mapping is not a") {
					p.Message = "it is the same in all of a run, and a range is of what a run draws: want network.delay, faults.0.for or a drawn parameter; --set gives it another value"
				}
				p.File, p.Set, p.Line, p.Column, p.Path, p.Excerpt = fmt.Sprintf("--%s %s=%s", r.flag(), r.Path, r.text()), "", 0, 0, "", ""
			}
		}
	}
	return e
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
