package reports

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// Collect is what a tally holds, in the words of a report. Expectations and the
// reasons of violations are not in a tally.
func Collect(p *sim.Program, c *sim.Config, t *stats.Tally) Outcome {
	o := Outcome{
		Events: t.Steps, Digest: Digest(t.Digest()),
		Faults: []Fault{}, Properties: []Property{}, Metrics: Metrics{}, Expectations: []Expectation{},
	}
	for i, s := range t.Faults {
		o.Faults = append(o.Faults, fault(c.Faults, i, s))
	}
	for i := range t.Properties {
		o.Properties = append(o.Properties, property(p, i, t))
	}
	for i := range t.Measures {
		o.Metrics = append(o.Metrics, metric(t, i))
	}
	if f := t.FirstPanic; f != nil {
		o.Panic = &Panic{t.Panics, f.Run, f.Seed, int64(f.At), f.Name, f.Message, f.Value, f.Stack}
	}
	return o
}

// Digest is a digest as reports print it.
func Digest(d uint64) string { return fmt.Sprintf("%016x", d) }

func fault(faults []sim.Fault, i int, s stats.Injected) Fault {
	r := Fault{Fault: faults[i].Name, Injected: s.Total, Runs: s.Runs, Drawn: Drawn(faults, i)}
	if s.Runs > 0 {
		at := int64(s.First)
		r.FirstAtNS = &at
	}
	return r
}

// Drawn reports whether the i-th fault of a list is injected at random instants, so that a run in which
// it is not injected says nothing. Every other fault is scripted.
func Drawn(faults []sim.Fault, i int) bool {
	f := &faults[i]
	if f.When.After != "" { // an earlier one, where a file says it
		i = slices.IndexFunc(faults[:i], func(g sim.Fault) bool { return g.Name == f.When.After })
		return i >= 0 && Drawn(faults, i)
	}
	return f.When.Note == 0 && (!f.When.Every.IsZero() || len(f.When.Replay) > 0)
}

func property(p *sim.Program, i int, t *stats.Tally) Property {
	j := &t.Properties[i]
	r := Property{
		Name: p.Properties[i], Class: p.Bound(i).Class.String(), Verdict: j.Verdict().String(), Runs: j.Runs(),
		Violated: j.Violated, NotExercised: j.NotExercised, Violations: j.Violations,
	}
	r.Share = shareOf(j, t.Runs)
	r.Bounded = boundOf(p, i, t)
	if v := j.First; v != nil {
		r.First = &First{Run: v.Run, Seed: v.Seed, AtNS: int64(v.At), Nodes: Nodes(p, v)}
	}
	return r
}

// shareOf is the share of the checked runs that were violated, nil of a single run.
func shareOf(j *stats.Checked, runs int) *Share {
	if runs < 2 || j.Runs() == 0 {
		return nil
	}
	share, i := j.Share()
	return &Share{share, i.Low, i.High}
}

// Nodes names the nodes that a violation concerns, each once.
func Nodes(p *sim.Program, v *stats.Violation) []string {
	names := []string{}
	for i, id := range v.Nodes {
		if id != sim.None && !slices.Contains(v.Nodes[:i], id) {
			names = append(names, p.Nodes[id-1])
		}
	}
	return names
}

// fewest is how many values a 99.9th percentile takes: of fewer it is the maximum.
const fewest = 1000

func metric(t *stats.Tally, i int) Metric {
	m := &t.Measures[i]
	r := Metric{Name: m.Name, Unit: Count}
	if m.Unit == sim.Duration {
		r.Unit = Nanoseconds
	}
	if codes := m.Codes(); codes != nil {
		return r.coded(codes)
	}
	switch own, other, ok := t.Ratio(i); {
	case ok:
		ratio, _ := new(big.Rat).SetFrac(own, other).Float64()
		r.Value = r.number(ratio)
		in, ok := t.RatioInterval(i)
		r.bound(in, ok, m.Min())
	case m.Per != "": // to nothing
	case m.Total && m.Count() > 0:
		r.Value = r.number(m.Mean())
		in, ok := m.MeanInterval()
		r.bound(in, ok, m.Min())
	case m.Count() > 0:
		r.Count, r.Mean, r.Max = m.Count(), r.number(m.Mean()), integer(&[]int64{m.Max()}[0])
		p50, p99 := m.Quantile(500), m.Quantile(990)
		r.P50, r.P50Low, r.P50High = integer(&p50.Value), integer(p50.Low), integer(p50.High)
		r.P99, r.P99Low, r.P99High = integer(&p99.Value), integer(p99.Low), integer(p99.High)
		if m.Count() >= fewest {
			p999 := m.Quantile(999)
			r.P999, r.P999Low, r.P999High = integer(&p999.Value), integer(p999.Low), integer(p999.High)
		}
	}
	return r
}

// coded is the metric of a measure of codes.
func (m Metric) coded(list []stats.Coded) Metric {
	m.Unit = Code
	if len(list) == 1 {
		m.Value = result.Int(list[0].Code)
		return m
	}
	for _, c := range list {
		m.Codes = append(m.Codes, Coded(c))
	}
	return m
}

// bound sets the interval of a value, if it has one. The totals of a run are counts and
// lengths of time, so that no mean is below 0 either; one that was, in some run, may be.
func (m *Metric) bound(i stats.Interval, ok bool, least int64) {
	if ok {
		m.Low, m.High = m.number(max(i.Low, float64(min(least, 0)))), m.number(i.High)
	}
}

// number is a computed value in the metric's unit: whole nanoseconds, or a count
// with its decimals.
func (m *Metric) number(v float64) result.Number {
	if m.Unit == Nanoseconds {
		v = math.Round(v)
	}
	return result.Float(v)
}

func integer(v *int64) result.Number {
	if v == nil {
		return result.Number{}
	}
	return result.Int(*v)
}
