package execute

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// wantsHolds is what is wanted of a property that must not be violated.
const wantsHolds = "holds"

// Evaluate says of each expectation whether it is met: those of the file, and those
// that every scenario has but only where they are not met. A run that shows nothing
// meets nothing.
func Evaluate(s *format.Scenario, t *stats.Tally) []reports.Expectation {
	j := expectations{s, t}
	list := []reports.Expectation{}
	for i := range s.Expect {
		e := &s.Expect[i]
		switch {
		case e.Measure != "":
			list = append(list, j.measure(e))
		default:
			list = append(list, j.property(e))
		}
		list[i].Commanded = commanded(s.Sets, list[i].Name)
	}
	return append(list, j.implied()...)
}

// commanded reports whether one of the settings of a command is what is expected of a name.
func commanded(sets []result.Setting, name string) bool {
	return slices.ContainsFunc(sets, func(set result.Setting) bool {
		return set.Path == "expect."+name || strings.HasPrefix(set.Path, "expect."+name+".")
	})
}

type expectations struct {
	scenario *format.Scenario
	tally    *stats.Tally
}

func (j *expectations) property(e *format.Expectation) reports.Expectation {
	r := reports.Expectation{Name: e.Property, Kind: e.Verdict.String()}
	i := slices.Index(j.scenario.Program.Properties, e.Property)
	if i < 0 {
		r.Want, r.Got = e.Verdict.String(), "there is no such property"
		return r
	}
	p := &j.tally.Properties[i]
	r.Got = j.got(p)
	switch {
	case e.Low != nil && e.High != nil:
		r.Kind, r.Low, r.High = reports.Violated, proportion(*e.Low), proportion(*e.High)
		r.Want = fmt.Sprintf("violated in %s to %s of the runs", percent(*e.Low), percent(*e.High))
		if p.Runs() > 0 {
			r.Got = fmt.Sprintf("in %s of %s, %s", units.Plain(p.Violated), runs(p.Runs()), share(p))
		}
		r.Met = p.Runs() > 0 && !less(p, *e.Low) && !more(p, *e.High)
	case e.Verdict == sim.Violated:
		r.Want = "violated"
		r.Met = p.Violated > 0
		if e.At != nil {
			r.AtNS = (*int64)(e.At)
			r.Want += " at " + e.At.String()
			r.Met = r.Met && p.First.At == *e.At
		}
		if len(e.Nodes) > 0 {
			r.Nodes = e.Nodes
			r.Want += " (" + strings.Join(e.Nodes, ", ") + ")"
			r.Met = r.Met && j.concerned(p.First, e.Nodes)
		}
		if p.Violated > 0 && (e.At != nil || len(e.Nodes) > 0) {
			r.Got = "violated at " + p.First.At.String() + j.nodes(p.First)
		}
	case e.Verdict == sim.NotExercised:
		r.Want = "not exercised"
		r.Met = p.Runs() == 0 && j.tally.Panics == 0
	default:
		r.Want = wantsHolds
		r.Met = p.Violated == 0 && p.Held > 0
	}
	return r
}

// got is the verdict of a property in words.
func (j *expectations) got(p *stats.Checked) string {
	switch {
	case p.Violated > 0 && j.tally.Runs == 1:
		return "violated at " + p.First.At.String() + j.nodes(p.First)
	case p.Violated > 0:
		return fmt.Sprintf("violated in %s of %s", units.Plain(p.Violated), runs(p.Runs()))
	case p.Held == 0 && j.tally.Panics > 0:
		return "not exercised: no run reached its end"
	case p.Held == 0:
		return "not exercised"
	case j.tally.Runs == 1:
		return "holds"
	}
	return "holds in " + runs(p.Held)
}

func (j *expectations) nodes(v *stats.Violation) string {
	names := reports.Nodes(&j.scenario.Program, v)
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// concerned reports whether the nodes are among those of the violation.
func (j *expectations) concerned(v *stats.Violation, names []string) bool {
	for _, name := range names {
		if !slices.Contains(v.Nodes[:], j.scenario.Program.Node(name)) {
			return false
		}
	}
	return true
}

// less and more compare the share of violated runs with a chance, in integers.
func less(p *stats.Checked, c sim.Chance) bool { return compare(p, c) < 0 }
func more(p *stats.Checked, c sim.Chance) bool { return compare(p, c) > 0 }

func compare(p *stats.Checked, c sim.Chance) int {
	is := new(big.Int).Mul(big.NewInt(int64(p.Violated)), big.NewInt(int64(sim.Certain)))
	return is.Cmp(new(big.Int).Mul(big.NewInt(int64(p.Runs())), big.NewInt(int64(c))))
}

func percent(c sim.Chance) string { return units.Percent(*proportion(c)) }

func proportion(c sim.Chance) *float64 {
	f := float64(c) / float64(sim.Certain)
	return &f
}

func share(p *stats.Checked) string {
	s, _ := p.Share()
	return units.Percent(s)
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return units.Plain(n) + " runs"
}

// measure evaluates a measure: the total of every run, each single value, or the ratio
// of the totals over all runs must be within the bounds.
func (j *expectations) measure(e *format.Expectation) reports.Expectation {
	r := reports.Expectation{Name: e.Measure, Kind: reports.Measured}
	i := slices.IndexFunc(j.scenario.Program.Measures, func(m sim.Measure) bool { return m.Name == e.Measure })
	if i < 0 {
		r.Got = "there is no such measure"
		return r
	}
	m := &j.tally.Measures[i]
	r.Want = bound(e.Want, m.Unit)
	switch own, other, ok := j.tally.Ratio(i); {
	case ok:
		ratio, _ := new(big.Rat).SetFrac(own, other).Float64()
		r.Got = decimal(ratio, m.Unit)
		r.Met = within(own, other, e.Want)
	case m.Per != "":
		r.Got = "nothing to divide by: no " + m.Per
	case m.Count() == 0:
		r.Got = "nothing was recorded"
	default:
		r.Got = quantity(m.Min(), m.Unit)
		if m.Min() != m.Max() {
			r.Got += " to " + quantity(m.Max(), m.Unit)
		}
		r.Met = within(big.NewInt(m.Min()), one, e.Want) && within(big.NewInt(m.Max()), one, e.Want)
	}
	return r
}

var one = big.NewInt(1)

// within reports whether n / d, for d above 0, is within the bounds.
func within(n, d *big.Int, b format.Bound) bool {
	above := func(limit *int64) int { return n.Cmp(new(big.Int).Mul(big.NewInt(*limit), d)) }
	return (b.Least == nil || above(b.Least) >= 0) && (b.Most == nil || above(b.Most) <= 0)
}

func bound(b format.Bound, u sim.Unit) string {
	switch {
	case b.Least == nil && b.Most == nil:
		return "anything"
	case b.Most == nil:
		return "at least " + quantity(*b.Least, u)
	case b.Least == nil:
		return "at most " + quantity(*b.Most, u)
	case *b.Least == *b.Most:
		return quantity(*b.Least, u)
	}
	return quantity(*b.Least, u) + " to " + quantity(*b.Most, u)
}

func quantity(v int64, u sim.Unit) string {
	if u == sim.Duration {
		return units.Exact(v)
	}
	return units.Plain(v)
}

func decimal(f float64, u sim.Unit) string {
	if u == sim.Duration {
		return units.Duration(int64(f))
	}
	return units.Decimal(f)
}

// implied is what every scenario expects, where it is not so: no panic, no violation
// that the file does not expect, that each scripted fault is injected and that something is checked at all.
func (j *expectations) implied() []reports.Expectation {
	var list []reports.Expectation
	miss := func(name, want, got string) {
		list = append(list, reports.Expectation{Name: name, Kind: reports.Holds, Want: want, Got: got, Implied: true})
	}
	t, s := j.tally, j.scenario
	if f := t.FirstPanic; f != nil {
		miss("no-panic", "no panic", fmt.Sprintf("%s panicked at %s: %s", f.Name, f.At, f.Value))
	}
	checked := false
	for i, name := range s.Program.Properties {
		p := &t.Properties[i]
		checked = checked || p.Runs() > 0
		expected := slices.ContainsFunc(s.Expect, func(e format.Expectation) bool { return e.Property == name })
		if p.Violated > 0 && !expected {
			miss(name, wantsHolds, j.got(p))
		}
	}
	for i, f := range t.Faults {
		if f.Runs == 0 && !reports.Drawn(s.Config.Faults, i) {
			miss(s.Config.Faults[i].Name, "injected", "never injected")
		}
	}
	if len(s.Expect) == 0 && !checked && t.Panics == 0 {
		miss("some-property", "exercised", "no property was exercised")
	}
	return list
}
