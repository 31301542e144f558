package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/certify/claim"
	"fencepost/sim/explore"
)

// expectations reads `expect:`, in the order of the file.
func (d *decoding) expectations() []Expectation {
	if d.words.program == nil {
		return nil
	}
	list := d.expected(d.format.Expect)
	for _, row := range d.format.ExpectAt {
		if own, here := d.expectAt(row); here {
			list = overlaid(list, own)
		}
	}
	return list
}

// expected reads what must come of properties and measures.
func (d *decoding) expected(entries strict.Map[*strict.Value]) []Expectation {
	var list []Expectation
	p := d.words.program
	valid := names(p)
	for _, e := range entries {
		switch i := slices.Index(valid, e.Key); {
		case i < 0:
			d.unknown(e.Pos, e.Key, fmt.Sprintf("there is no property or measure %q", strict.Excerpt(e.Key)), valid)
		case i < len(p.Properties):
			list = append(list, d.verdict(e.Key, e.Value))
			d.noteVacuous(e.Pos, &list[len(list)-1], nil)
		default:
			m := p.Measures[i-len(p.Properties)]
			list = append(list, Expectation{Measure: m.Name, Want: d.bound(e.Value, m)})
			d.noteVacuous(e.Pos, &list[len(list)-1], &m)
		}
	}
	return list
}

var verdicts = map[string]sim.Verdict{"holds": sim.Holds, "violated": sim.Violated, "not-exercised": sim.NotExercised}

// OldNotExercised is the earlier word for not-exercised. It is read, with a note, so that
// files and replays of the release before are.
const OldNotExercised = "unknown"

// certified is the word for what holds in all runs that there are.
const certified = "certified"

// certifiable reports what of the scenario a proof does not cover.
func (d *decoding) certifiable(property string, v *strict.Value) {
	if d.doc.Err() != nil {
		return // what is wrong otherwise comes first
	}
	s := d.scenario
	_, err := claim.Of(*d.words.program, s.Config, s.BudgetOrNone(), slices.Index(d.words.program.Properties, property))
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		v.Errorf("%s cannot be certified: %s", property, strings.TrimSpace(line))
	}
}

// BudgetOrNone is the budget of a scenario, or one that allows nothing.
func (s *Scenario) BudgetOrNone() explore.Budget {
	if s.Budget == nil {
		return explore.Budget{}
	}
	return *s.Budget
}

// verdict reads what is expected of a property.
func (d *decoding) verdict(property string, v *strict.Value) Expectation {
	e := Expectation{Property: property}
	if v.Kind() != strict.Mapping {
		if v.Kind() == strict.Scalar && v.Scalar() == OldNotExercised {
			d.note(v.Pos(), "%s: %s is the old word for not-exercised: the next release does not read it", property, OldNotExercised)
			return e
		}
		word := v.OneOf("holds", "violated", "not-exercised", certified)
		if e.Verdict = verdicts[word]; word == certified {
			e.Verdict, e.Certified = sim.Holds, true
			d.scenario.Certified = append(d.scenario.Certified, property)
			d.certifiable(property, v)
		}
		return e
	}
	switch form, value := v.Choice("violated", "share"); form {
	case "violated":
		e.Verdict = sim.Violated
		d.violation(value, &e)
	case "share":
		d.share(value, &e)
	}
	return e
}

// ViolationFormat is when the first violation must be, and who is concerned.
type ViolationFormat struct {
	At    *strict.Value   `yaml:"at" schema:"duration"`            // the instant of the first violation
	Nodes []*strict.Value `yaml:"nodes,one-or-many" schema:"node"` // at most two that are concerned
}

// violation reads when the first violation must be, and who is concerned.
func (d *decoding) violation(v *strict.Value, e *Expectation) {
	var f ViolationFormat
	if !v.Decode(&f) {
		return
	}
	if at, ok := strict.Read[time.Duration](f.At); ok {
		e.At = new(sim.Time)
		if *e.At = sim.Time(at); d.until > 0 && *e.At >= d.until && !d.changed {
			f.At.Errorf("a violation at %v would be after the run, which ends at %v", at, time.Duration(d.until))
		}
	}
	const most = len(sim.Finding{}.Nodes)
	if len(f.Nodes) > most {
		v.Field("nodes").Errorf("%d nodes: want at most %d, those concerned first", len(f.Nodes), most)
	}
	for _, n := range f.Nodes {
		if name, ok := strict.Read[string](n); ok && d.changed && d.words.ids[name] == sim.None {
			continue // a change took the node away
		}
		if id, ok := d.node(n); ok {
			e.Nodes = append(e.Nodes, d.nameOf(id))
		}
	}
}

// share reads between what the share of violated runs must lie.
func (d *decoding) share(v *strict.Value, e *Expectation) {
	var bounds []sim.Chance
	for _, item := range v.Items() {
		n, ok := strict.Scan(item, strict.Proportion)
		if !ok {
			return
		}
		bounds = append(bounds, sim.Chance(n))
	}
	switch {
	case v.Kind() != strict.List || len(bounds) != 2:
		v.Reject("a share", "its bounds, as in [0.1, 0.3]")
	case bounds[0] > bounds[1]:
		v.Errorf("the first bound is above the second")
	default:
		e.Low, e.High = &bounds[0], &bounds[1]
	}
}

// BoundFormat is what a measure must lie between.
type BoundFormat struct {
	Least *strict.Value `yaml:"least" schema:"quantity"` // it is at least this
	Most  *strict.Value `yaml:"most" schema:"quantity"`  // and at most this
}

// bound reads what is expected of a measure: a value, or {least: A, most: B}, of which
// one may be missing.
func (d *decoding) bound(v *strict.Value, m sim.Measure) (b Bound) {
	if v.Kind() != strict.Mapping {
		if n, ok := quantity(v, m); ok {
			b.Least, b.Most = &n, &n
		}
		return b
	}
	var f BoundFormat
	if !v.Decode(&f) {
		return b
	}
	if f.Least == nil && f.Most == nil {
		v.Errorf("no bound is given: want least, most or both")
		return b
	}
	if n, ok := quantity(f.Least, m); ok {
		b.Least = &n
	}
	if n, ok := quantity(f.Most, m); ok {
		b.Most = &n
	}
	if b.Least != nil && b.Most != nil && *b.Least > *b.Most {
		f.Least.Errorf("least is above most")
	}
	return b
}

// quantity reads a value of a measure.
func quantity(v *strict.Value, m sim.Measure) (int64, bool) {
	switch {
	case v == nil:
		return 0, false
	case m.Unit == sim.Duration:
		d, ok := strict.Scan(v, strict.SignedDuration)
		return int64(d), ok
	}
	return strict.Read[int64](v)
}
