package reports

import (
	"cmp"
	"math"
	"slices"

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
	// Apart are the values in which the scenarios differ.
	Apart []string `json:"differ_in,omitempty"`
	// Axes are the two axes of the grid of which all points are compared; else there are none.
	Axes []GridAxis `json:"axes,omitempty"`
	// Candidates are in the order from the worst to the best.
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
		if d, in, ok := q.Difference(); ok {
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

// Sort puts the candidates in order, the worst first: by the runs in which any shared
// property is violated, then by how many are in all, then by panics, then by how often
// they were violated. What is equal stays in its order.
func (c *Compare) Sort() {
	total := func(k *Candidate, of func(*Property) int) (n int) {
		for i := range k.Properties {
			if slices.Contains(c.Shared, k.Properties[i].Name) {
				n += of(&k.Properties[i])
			}
		}
		return n
	}
	violated := func(k *Candidate) int { return total(k, func(p *Property) int { return p.Violated }) }
	violations := func(k *Candidate) int { return total(k, func(p *Property) int { return p.Violations }) }
	panics := func(k *Candidate) int {
		if k.Panic == nil {
			return 0
		}
		return k.Panic.Runs
	}
	slices.SortStableFunc(c.Candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Unsafe.Runs, a.Unsafe.Runs), cmp.Compare(violated(&b), violated(&a)),
			cmp.Compare(panics(&b), panics(&a)), cmp.Compare(violations(&b), violations(&a)))
	})
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
