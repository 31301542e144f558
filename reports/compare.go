package reports

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"fencepost/reports/verdict"
	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// CompareSchema names the form of the document that [Compare] is.
const CompareSchema = "fencepost/compare/v1"

// Compare is the result of several scenarios, or several points of one, that were
// run with the same seeds.
type Compare struct {
	Schema   string           `json:"schema"`
	Subject  string           `json:"subject"` // "lock", or the scenarios
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Mode     string           `json:"mode,omitempty"` // NoFaults, or empty
	Settings []result.Setting `json:"settings,omitempty"`
	Inputs   []result.Input   `json:"inputs,omitempty"` // that any of them reads
	Seed     uint64           `json:"seed"`             // of the first run of each
	Runs     int              `json:"runs"`             // of each
	// RunsWanted is how many runs were to be done, if it was interrupted.
	RunsWanted int    `json:"runs_wanted,omitempty"`
	Baseline   string `json:"baseline"`
	// Keeps says who loses nothing of a class, the worst class first.
	Keeps []Keepers `json:"keeps,omitempty"`
	// Required are the properties that no candidate may violate, and the verdict is about them; without any there is none.
	Required []string `json:"required,omitempty"`
	verdict.Verdict
	// Apart are the values in which the scenarios differ.
	Apart []string `json:"differ_in,omitempty"`
	// Axes are the two axes of the grid of which all points are compared; else there are none.
	Axes []GridAxis `json:"axes,omitempty"`
	// Candidates are in the order from the best to the worst.
	Candidates []Candidate `json:"candidates"`
	// Shared are the properties and measures that all have, Others those that only some
	// have.
	Shared []string `json:"shared"`
	Others []string `json:"others,omitempty"`
	// Asked are the measures that the text shows: those that the scenarios expect
	// something of. Without any it shows all, or of two axes none.
	Asked []string `json:"-"`
}

// GridAxis is an axis of a grid: a path or a name, with values or the names of cases.
type GridAxis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // in the order of the file
}

// Read adds a file that one of them reads, once.
func (c *Compare) Read(in result.Input) {
	if !slices.Contains(c.Inputs, in) {
		c.Inputs = append(c.Inputs, in)
	}
}

// Candidate is one of those that are compared.
type Candidate struct {
	Name       string           `json:"name"`
	Scenario   string           `json:"scenario"`
	Model      string           `json:"model"`
	Settings   []result.Setting `json:"settings,omitempty"`
	UntilNS    int64            `json:"until_ns"`
	Events     uint64           `json:"events"`
	Digest     string           `json:"digest"`
	Unsafe     Unsafe           `json:"unsafe"`
	Faults     []Fault          `json:"faults"`
	Properties []Property       `json:"properties"`
	Metrics    Metrics          `json:"metrics"`
	Panic      *Panic           `json:"panic,omitempty"`
	// Differences are those from the baseline, which has none.
	Differences []Difference `json:"differences,omitempty"`
	// Reproduce is the command that runs its first violation again.
	Reproduce string `json:"reproduce,omitempty"`
}

// Unsafe is in how many runs any of the shared properties was violated.
type Unsafe struct {
	Runs  int    `json:"runs"`
	Share *Share `json:"share,omitempty"`
}

// Difference is by how much a candidate is above the baseline in the runs with the
// same seeds: in the share of runs in which a property is violated, or in the mean of
// a metric.
type Difference struct {
	Name  string        `json:"name"`
	Unit  string        `json:"unit"` // Proportion, or that of the metric
	Pairs int           `json:"pairs"`
	Value result.Number `json:"value"`
	Low   result.Number `json:"low,omitzero"` // of the 95% interval
	High  result.Number `json:"high,omitzero"`
	// Seen says that the interval does not hold 0.
	Seen bool `json:"seen"`
	// Differ is how many pairs are not the same.
	Differ int `json:"differ"`
	// OnlyBaseline and OnlyThis are how many pairs have a violation on one side alone.
	OnlyBaseline *int `json:"only_baseline,omitempty"`
	OnlyThis     *int `json:"only_this,omitempty"`
}

// Proportion is the unit of a share of runs.
const Proportion = "share"

// CollectCandidate is what tallies hold of a candidate, in the words of a report.
func CollectCandidate(p *sim.Program, c *sim.Config, t *stats.Tally, pairs *stats.Paired, unsafe int) Candidate {
	o := Collect(p, c, t)
	r := Candidate{Events: o.Events, Digest: o.Digest, Faults: o.Faults, Properties: o.Properties, Metrics: o.Metrics, Panic: o.Panic}
	r.Unsafe.Runs = unsafe
	if t.Runs > 1 {
		i := stats.Wilson(unsafe, t.Runs)
		r.Unsafe.Share = &Share{float64(unsafe) / float64(t.Runs), i.Low, i.High}
	}
	if pairs == nil {
		return r
	}
	for i := range pairs.Properties {
		q := &pairs.Properties[i]
		if d, in, ok := q.Difference(); ok {
			one := Difference{Name: q.Name, Unit: Proportion, Pairs: q.Runs, Differ: q.OnlyBase + q.OnlyOther,
				OnlyBaseline: &q.OnlyBase, OnlyThis: &q.OnlyOther, Value: result.Float(d)}
			one.bound(in, q.Runs, result.Float)
			r.Differences = append(r.Differences, one)
		}
	}
	for i := range pairs.Measures {
		q := &pairs.Measures[i]
		if d, in, ok := q.Difference(); ok && q.Unit != sim.Code {
			m := Metric{Unit: Count}
			if q.Unit == sim.Duration {
				m.Unit = Nanoseconds
			}
			one := Difference{Name: q.Name, Unit: m.Unit, Pairs: q.Runs, Differ: q.Differ, Value: m.number(d)}
			one.bound(in, q.Runs, m.number)
			r.Differences = append(r.Differences, one)
		}
	}
	return r
}

// bound sets the interval of a difference; a single pair has none.
func (d *Difference) bound(i stats.Interval, pairs int, number func(float64) result.Number) {
	if pairs < 2 || math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		return
	}
	d.Low, d.High, d.Seen = number(i.Low), number(i.High), !i.Holds(0)
}

// Sort puts the candidates in order, the best first: by the runs in which data is lost, then exclusion, then liveness, then
// anything else, then by how often, and then by the cost of the first measure that is asked for. What is equal stays in its order.
func (c *Compare) Sort() {
	slices.SortStableFunc(c.Candidates, func(a, b Candidate) int {
		for _, class := range classes {
			if d := cmp.Compare(a.lost(class), b.lost(class)); d != 0 {
				return d
			}
		}
		return cmp.Or(cmp.Compare(a.panics(), b.panics()), cmp.Compare(a.lost(""), b.lost("")), cmp.Compare(a.violations(), b.violations()),
			cmp.Compare(c.price(&a), c.price(&b)))
	})
}

// classes are what a property may lose, the worst first.
var classes = []string{sim.Data.String(), sim.Exclusion.String(), sim.Liveness.String()}

// lost is in how many runs that property of a class was violated that was violated most.
func (k *Candidate) lost(class string) (runs int) {
	for i := range k.Properties {
		if p := &k.Properties[i]; p.Class == class {
			runs = max(runs, p.Violated)
		}
	}
	return runs
}

func (k *Candidate) panics() int {
	if k.Panic == nil {
		return 0
	}
	return k.Panic.Runs
}

func (k *Candidate) violations() (n int) {
	for i := range k.Properties {
		n += k.Properties[i].Violations
	}
	return n
}

// price is the mean of the first measure that is asked for.
func (c *Compare) price(k *Candidate) float64 {
	if len(c.Asked) == 0 {
		return 0
	}
	m := k.metric(c.Asked[0])
	switch {
	case m == nil:
		return 0
	case m.Value.Known():
		return m.Value.Float64()
	}
	return m.Mean.Float64()
}

// Keepers are the candidates that were checked for a class and lost nothing of it, in their order.
type Keepers struct {
	Class string   `json:"class"`
	Names []string `json:"candidates"`
	Of    int      `json:"of"`   // that were checked for it
	Idle  int      `json:"idle"` // that were not: nothing exercised it
}

// Decide fills Keeps, and gives the comparison the verdict of its worst candidate about the required properties. Call it last.
func (c *Compare) Decide() {
	c.Keeps = nil
	for _, class := range classes {
		if k := c.keepers(class); k.Of > 0 {
			c.Keeps = append(c.Keeps, k)
		}
	}
	if len(c.Required) == 0 {
		return
	}
	var points []verdict.Verdict
	var names []string
	for i := range c.Candidates {
		k := &c.Candidates[i]
		points, names = append(points, k.required(c.Required, c.Runs)), append(names, shortName(k.Name))
	}
	c.Verdict = verdict.Worst("candidates", points, names)
}

func (c *Compare) keepers(class string) Keepers {
	k := Keepers{Class: class, Names: []string{}}
	for i := range c.Candidates {
		one := &c.Candidates[i]
		if !one.checkedFor(class) {
			k.Idle++
			continue
		}
		if k.Of++; one.lost(class) == 0 && one.Panic == nil {
			k.Names = append(k.Names, one.Name)
		}
	}
	return k
}

// required is the verdict of a candidate about some properties.
func (k *Candidate) required(names []string, runs int) verdict.Verdict {
	var e verdict.Evidence
	if k.Panic != nil {
		e.Panic = strings.TrimPrefix(k.Panic.What(runs), "panic: ")
	}
	for i := range k.Properties {
		if p := &k.Properties[i]; slices.Contains(names, p.Name) {
			one := p.evidence(runs)
			one.Asked = true
			e.Properties = append(e.Properties, one)
		}
	}
	return verdict.Decide(&e)
}

func (k *Candidate) property(name string) *Property {
	for i := range k.Properties {
		if k.Properties[i].Name == name {
			return &k.Properties[i]
		}
	}
	return nil
}

func (k *Candidate) metric(name string) *Metric {
	for i := range k.Metrics {
		if k.Metrics[i].Name == name {
			return &k.Metrics[i]
		}
	}
	return nil
}

func (k *Candidate) difference(name string) *Difference {
	for i := range k.Differences {
		if k.Differences[i].Name == name {
			return &k.Differences[i]
		}
	}
	return nil
}
