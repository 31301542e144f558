// Package ranges reads the ranges of values over which simctl certify proves a property.
package ranges

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/reports/searches"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Value is the range of a value of the file.
type Value struct {
	Path string
	amount.Span
	Cap  bool   // Least is what the file says
	Axis bool   // the file varies it itself
	Map  string // which axis of --map it is, "" if it is none
}

// Max is how many ranges a proof may have: each one multiplies what there is to see.
const Max = 5

// Parse reads --over and --cap. Its error has all mistakes.
func Parse(ranges, caps []string) (list []Value, err error) {
	var errs []error
	if n := len(ranges) + len(caps); n > Max {
		errs = append(errs, fmt.Errorf("--over: want at most %d ranges, got %d", Max, n))
	}
	read := func(flag, text, example string, parse func(string) (amount.Span, error)) {
		path, value, found := strings.Cut(text, "=")
		if !found || path == "" {
			errs = append(errs, fmt.Errorf("--%s: want %s, got %q", flag, example, text))
			return
		}
		span, err := parse(value)
		v := Value{Path: path, Span: span, Cap: flag == "cap"}
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", v.Name(), err))
		case slices.ContainsFunc(list, func(o Value) bool { return o.Path == path }):
			errs = append(errs, fmt.Errorf("%s: it has a range already", v.Name()))
		default:
			list = append(list, v)
		}
	}
	for _, text := range ranges {
		parse := amount.ParseSpan
		if path, _, _ := strings.Cut(text, "="); (&Value{Path: path}).Step() {
			parse = amount.ParseSignedSpan
		}
		read("over", text, "PATH=A..B, as in network.delay=0..5ms", parse)
	}
	for _, text := range caps {
		read("cap", text, "PATH=MOST, as in network.delay=50ms", func(text string) (amount.Span, error) {
			most, err := amount.Duration(text)
			if err != nil && strings.Contains(text, "..") {
				err = fmt.Errorf("want the longest alone, such as 5ms, got %q: --over has both ends", text)
			}
			return amount.Span{Most: most}, err
		})
	}
	return list, errors.Join(errs...)
}

// Ranged is the range as a document has it.
func (r *Value) Ranged() searches.Ranged {
	return searches.Ranged{Path: r.Path, LeastNS: int64(r.Least), MostNS: int64(r.Most)}
}

// Flag is the flag that gave the range.
func (r *Value) Flag() string {
	if r.Cap {
		return "cap"
	}
	return "over"
}

// Name is the value behind the flag that gave its range, as in --over network.delay.
func (r *Value) Name() string {
	if r.Map != "" {
		return "--map " + r.Map + "=" + r.Path
	}
	return "--" + r.Flag() + " " + r.Path
}

// Text is the range as the flag has it.
func (r *Value) Text() string {
	if r.Cap {
		return amount.Span{Least: r.Most, Most: r.Most}.String()
	}
	return r.Span.String()
}

// Step reports whether the range is of a step of a clock, of which a file has a single amount.
func (r *Value) Step() bool {
	var i int
	return scans(r.Path, "faults.%d.by", &i)
}

// Setting is what gives the value of the file its range.
func (r *Value) Setting() result.Setting {
	if r.Step() { // the end that is no step of 0
		by := cmp.Or(r.Most, r.Least)
		return result.Setting{Path: r.Path, Value: amount.Span{Least: by, Most: by}.String()}
	}
	if r.Axis {
		return result.Setting{Path: "vary." + r.Path, Value: "[" + r.Span.Value() + "]"}
	}
	return result.Setting{Path: r.Path, Value: r.Span.Value()}
}

// From lets a range begin where the value of the file does.
func (r *Value) From(s *format.Scenario) error {
	d := DrawnAt(s, r.Path)
	switch {
	case d == nil:
		return fmt.Errorf("%s: want network.delay, network.links.N.delay or faults.N.for, or a range by --over", r.Name())
	case d.Least() > r.Most:
		return fmt.Errorf("%s: it is %v at least: want more than that, got %v", r.Name(), d.Least(), r.Most)
	}
	r.Least = d.Least()
	return nil
}

// DrawnAt is what the file says of a path, nil if that is none of those that have a distribution.
func DrawnAt(s *format.Scenario, path string) *sim.Dist {
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

// OfBudget is the key of a budget whose range it is, "" if it is none.
func (r *Value) OfBudget() string {
	if key, found := strings.CutPrefix(r.Path, "budget."); found {
		return key
	}
	return ""
}

// scans reads the index of a path.
func scans(path, form string, i *int) bool {
	_, err := fmt.Sscanf(path, form, i)
	return err == nil && *i >= 0 && fmt.Sprintf(form, *i) == path
}

// notDrawn is what is wrong with the range of a value that no run draws.
const notDrawn = "it is the same in all of a run, and a range is of what a run draws: want network.delay, faults.0.for or a drawn parameter; --set gives it another value"

// Located says of each mistake of a scenario in which range it is. Other errors are as they are.
func Located(list []Value, err error) error {
	e := (*format.Invalid)(nil)
	if !errors.As(err, &e) {
		return err
	}
	for i := range e.Problems {
		p := &e.Problems[i]
		for k := range list {
			if r := &list[k]; r.gave(p) {
				if strings.HasPrefix(p.Message, "a mapping is not a") {
					p.Message = notDrawn
				}
				between := "="
				if r.Map != "" {
					between = ":"
				}
				p.File, p.Set, p.Line, p.Column, p.Path, p.Excerpt = r.Name()+between+r.Text(), "", 0, 0, "", ""
			}
		}
	}
	return err
}

// gave reports whether the range is where a mistake is: in its --set, or in its part of --budget.
func (r *Value) gave(p *format.Problem) bool {
	key := r.OfBudget()
	return strings.HasPrefix(p.Set, r.Setting().Path+"=") || key != "" && strings.HasPrefix(p.File, "--budget "+key+"=")
}
