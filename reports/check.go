package reports

import (
	"errors"
	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/stats"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxMistakes is how many mistakes of a document are printed.
const maxMistakes = 10

// validator collects what no run can have brought about, and where: a document that was
// changed by hand may be JSON, and yet say nothing that can be drawn.
type validator struct {
	where    []string
	mistakes []string
	more     int
}

func (d *validator) in(format string, args ...any) func() {
	d.where = append(d.where, fmt.Sprintf(format, args...))
	return func() { d.where = d.where[:len(d.where)-1] }
}

func (d *validator) bad(format string, args ...any) {
	if len(d.mistakes) == maxMistakes {
		d.more++
		return
	}
	d.mistakes = append(d.mistakes, strings.Join(append(slices.Clone(d.where), fmt.Sprintf(format, args...)), ": "))
}

func (d *validator) err() error {
	if d.more > 0 {
		d.mistakes = append(d.mistakes, fmt.Sprintf("and %d more", d.more))
	}
	if len(d.mistakes) == 0 {
		return nil
	}
	return errors.New("the document has been changed: " + strings.Join(d.mistakes, "\n"))
}

// count checks a number of things.
func (d *validator) count(what string, n int64) {
	if n < 0 {
		d.bad("%s is %d: want at least 0", what, n)
	}
}

// check says what is wrong with a document.
func (r *Run) check() error {
	d := &validator{}
	d.count("runs", int64(r.Runs))
	d.count("until_ns", r.UntilNS)
	if len(r.Variants) == 0 {
		d.outcome(&r.Outcome, r.Runs)
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if len(v.Settings) == 0 {
			d.bad("point %d has no settings", i+1)
			continue
		}
		var parts []string
		for _, s := range v.Settings {
			parts = append(parts, s.Path+" "+s.Value)
		}
		out := d.in("point %d (%s)", i+1, clipped(strings.Join(parts, ", ")))
		d.count("runs", int64(v.Runs))
		d.outcome(&v.Outcome, v.Runs)
		out()
	}
	return d.err()
}

// Check says which number of a point that was kept cannot be the result of its runs.
func (v *Variant) Check(runs int, properties []string, faults int) error {
	d := &validator{}
	if !slices.EqualFunc(v.Properties, properties, func(p Property, name string) bool { return p.Name == name }) {
		d.bad("properties has %d: want %s", len(v.Properties), strings.Join(properties, ", "))
	}
	if len(v.Faults) != faults {
		d.bad("faults has %d: want %d", len(v.Faults), faults)
	}
	if v.Runs != runs {
		d.bad("runs is %d: want %d", v.Runs, runs)
	}
	if n, err := strconv.ParseUint(v.Digest, 16, 64); err != nil || Digest(n) != v.Digest {
		d.bad("digest is %q: want 16 hexadecimal digits", clipped(v.Digest))
	}
	d.outcome(&v.Outcome, runs)
	for i := range v.Properties {
		d.counts(&v.Properties[i], runs)
	}
	return d.err()
}

// counts compares the numbers of a property with each other.
func (d *validator) counts(p *Property, runs int) {
	defer d.in("property %q", clipped(p.Name))()
	verdict := sim.NotExercised
	switch {
	case p.Violated > 0:
		verdict = sim.Violated
	case p.Runs > 0:
		verdict = sim.Holds
	}
	share := shareOf(&stats.Checked{Violated: p.Violated, Held: p.Runs - p.Violated}, runs)
	switch {
	case p.Runs+p.NotExercised != runs:
		d.bad("runs and not_exercised are %d and %d: want %d together", p.Runs, p.NotExercised, runs)
	case p.Violations < p.Violated || p.Violated == 0 && p.Violations > 0:
		d.bad("violations is %d: want at least 1 for each of %d runs", p.Violations, p.Violated)
	case p.Verdict != verdict.String():
		d.bad("verdict is %q: want %q", clipped(p.Verdict), verdict)
	case (share == nil) != (p.Share == nil):
		d.bad("share: want it of two runs or more, one of them checked, and only then")
	case share != nil && *share != *p.Share:
		d.bad("share is %v: want %v", *p.Share, *share)
	case (p.First != nil) != (p.Violated > 0):
		d.bad("first: want it where a run is violated, and %d are", p.Violated)
	case p.First != nil && (p.First.Run < 1 || p.First.Run > runs-p.Violated+1):
		d.bad("first.run is %d: want 1 to %d", p.First.Run, runs-p.Violated+1)
	}
}

func (d *validator) outcome(o *Outcome, runs int) {
	for i := range o.Properties {
		d.property(&o.Properties[i], runs)
	}
	for i := range o.Metrics {
		d.metric(&o.Metrics[i])
	}
	for i := range o.Series {
		d.series(&o.Series[i])
	}
	if o.Timeline != nil {
		d.timeline(o.Timeline)
	}
	if o.Order != nil {
		d.order(o.Order)
	}
}

func (d *validator) property(p *Property, runs int) {
	defer d.in("property %q", clipped(p.Name))()
	d.count("violations", int64(p.Violations))
	d.count("not_exercised", int64(p.NotExercised))
	switch {
	case p.Runs < 0 || p.Runs > runs:
		d.bad("runs is %d: want 0 to the %d runs that were done", p.Runs, runs)
	case p.Violated < 0 || p.Violated > p.Runs:
		d.bad("violated is %d: want 0 to %d, the runs that were checked", p.Violated, p.Runs)
	case p.Share != nil && (p.Runs == 0 || math.Abs(p.Share.Value-float64(p.Violated)/float64(p.Runs)) > slack):
		d.bad("share.value is %g: want violated / runs, %d / %d", p.Share.Value, p.Violated, p.Runs)
	}
	if s := p.Share; s != nil {
		if s.Low < -slack || s.Low > s.Value+slack || s.Value > s.High+slack || s.High > 1+slack {
			d.bad("share.low, value and high are %g, %g and %g: want them in order, from 0 to 1", s.Low, s.Value, s.High)
		}
	}
}

// slack is how far shares may be off by rounding.
const slack = 1e-9

func (d *validator) metric(m *Metric) {
	defer d.in("measure %q", clipped(m.Name))()
	if m.Unit != Nanoseconds && m.Unit != Count && m.Unit != Code {
		d.bad("unit is %q: want %q, %q or %q", clipped(m.Unit), Nanoseconds, Count, Code)
	}
	for i, c := range m.Codes {
		if m.Unit != Code || m.Value.Known() || c.Runs == 0 || i > 0 && c.Code <= m.Codes[i-1].Code {
			d.bad("codes[%d] is %d in %d runs: want codes in order, in 1 run or more, and no value beside them", i, c.Code, c.Runs)
		}
	}
	d.bounds("value", m.Value, "low", m.Low, "high", m.High)
	d.bounds("p50", m.P50, "p50_low", m.P50Low, "p50_high", m.P50High)
	d.bounds("p99", m.P99, "p99_low", m.P99Low, "p99_high", m.P99High)
	d.bounds("p99_9", m.P999, "p99_9_low", m.P999Low, "p99_9_high", m.P999High)
}

// bounds checks a value and its interval. That of a quantile may have one end: so few
// values say nothing of the other.
func (d *validator) bounds(name string, value result.Number, lowName string, low result.Number, highName string, high result.Number) {
	v, there := value.Float64(), value.Known()
	l, bounded := low.Float64(), low.Known()
	h, closed := high.Float64(), high.Known()
	switch {
	case bounded && !there:
		d.bad("there is %s without %s", lowName, name)
	case closed && !there:
		d.bad("there is %s without %s", highName, name)
	case bounded && l > v+slack:
		d.bad("%s is %g: want at least %s, which is %g", name, v, lowName, l)
	case closed && v > h+slack:
		d.bad("%s is %g: want at most %s, which is %g", name, v, highName, h)
	}
}

func (d *validator) series(s *Series) {
	defer d.in("series %q", clipped(s.Metric))()
	if len(s.AtNS) != len(s.Values) {
		d.bad("it has %d instants and %d values", len(s.AtNS), len(s.Values))
	}
	for i, at := range s.AtNS {
		if at < 0 || i > 0 && at < s.AtNS[i-1] {
			d.bad("at_ns[%d] is %d: want the instants in order, from 0", i, at)
			return
		}
	}
}

func (d *validator) timeline(t *Timeline) {
	defer d.in("timeline")()
	for i, s := range t.Spans {
		if s.FromNS < 0 || s.ToNS < s.FromNS || s.ToNS > t.EndNS {
			d.bad("spans[%d] is from %d to %d: want it from 0 on, up to %d", i, s.FromNS, s.ToNS, t.EndNS)
		}
		if !slices.Contains(t.States, s.State) {
			d.bad("spans[%d] is of the state %q: want one of %s", i, clipped(s.State), clipped(strings.Join(t.States, ", ")))
		}
		if !slices.Contains(t.Nodes, s.Node) {
			d.bad("spans[%d] is of the node %q, which is not among nodes", i, clipped(s.Node))
		}
	}
	for i, s := range t.Instants {
		if s.AtNS < 0 || s.AtNS > t.EndNS {
			d.bad("instants[%d] is at %d: want it from 0 on, up to %d", i, s.AtNS, t.EndNS)
		}
		if !slices.Contains(t.Nodes, s.Node) {
			d.bad("instants[%d] is of the node %q, which is not among nodes", i, clipped(s.Node))
		}
	}
	for i, v := range t.Violations {
		if v.AtNS < 0 || v.AtNS > t.EndNS {
			d.bad("violations[%d] is at %d: want it from 0 on, up to %d", i, v.AtNS, t.EndNS)
		}
	}
}
