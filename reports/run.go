// Package reports turns finished results into text and JSON. It chooses nothing
// and computes nothing that decides: what it writes depends on its arguments
// alone, byte for byte.
package reports

import (
	"encoding/json"
	"io"

	"fencepost/internal/printable"
	"fencepost/reports/verdict"
	"fencepost/result"
	"fencepost/sim"
)

// RunSchema names the form of the document that [Run] is.
const RunSchema = "fencepost/run/v1"

// Run is all results of one scenario.
type Run struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"`     // Control or NoFaults; empty is as the file says
	Settings []result.Setting `json:"settings,omitempty"` // values of the file that were replaced
	// Changed is what the command changed in the scenario: then what its file expects excuses nothing.
	Changed []string       `json:"changed,omitempty"`
	Inputs  []result.Input `json:"inputs,omitempty"`
	Seed    uint64         `json:"seed"` // of the first run; the others have the seeds that follow
	Runs    int            `json:"runs"` // that were done, of each point of a grid
	// RunsWanted is how many runs were to be done, if it was interrupted.
	RunsWanted int `json:"runs_wanted,omitempty"`
	// PointsWanted is how many points the grid has, if it was interrupted.
	PointsWanted int `json:"points_wanted,omitempty"`
	// BrokenOff says that the last run was interrupted before its end.
	BrokenOff bool  `json:"broken_off,omitempty"`
	UntilNS   int64 `json:"until_ns"`
	Outcome
	// Show are the properties and measures that are reported, and of which nothing is expected.
	Show []string `json:"show,omitempty"`
	// Variants are the points of a grid, in the order of the file. The outcome of
	// the whole then has sums and no results of its own.
	Variants []Variant `json:"variants,omitempty"`
	// Plots are the figures that the scenario asks for.
	Plots []result.Plot `json:"plots,omitempty"`
	// Sent is what was answered in the first run, if it was asked for.
	Sent *Sent `json:"sent,omitempty"`
	// Logs are what happened in single runs.
	Logs []Log `json:"-"`
}

// The modes in which a scenario runs without what it shows going wrong.
const (
	Control  = "control"
	NoFaults = "no-faults"
)

// Variant is one point of a grid.
type Variant struct {
	Settings []result.Setting `json:"settings"`
	Seed     uint64           `json:"seed"`
	Runs     int              `json:"runs"`
	Outcome
}

// Outcome is the result of the runs of one scenario, or of one point of a grid.
type Outcome struct {
	verdict.Verdict
	Events       uint64        `json:"events"` // steps, over all runs
	Digest       string        `json:"digest"`
	OK           bool          `json:"ok"` // Exit is 0
	Faults       []Fault       `json:"faults,omitzero"`
	Properties   []Property    `json:"properties,omitzero"`
	Metrics      Metrics       `json:"metrics,omitzero"`
	Expectations []Expectation `json:"expectations,omitzero"`
	Panic        *Panic        `json:"panic,omitempty"`
	// Series are what the plots over time need of the first run.
	Series []Series `json:"series,omitempty"`
	// Timeline is who did what when in the first run, if a plot shows it.
	Timeline *Timeline `json:"timeline,omitempty"`
	// Order is in which order the events of the first run happened, if the model has some.
	Order *EventOrder `json:"order,omitempty"`
	// Reproduce is the command that shows again what was not as expected.
	Reproduce string `json:"reproduce,omitempty"`
}

// Fault says whether a fault was injected.
type Fault struct {
	Fault     string `json:"fault"`
	Injected  int    `json:"injected"`              // times, over all runs
	Runs      int    `json:"runs"`                  // in which it was injected
	FirstAtNS *int64 `json:"first_at_ns,omitempty"` // in the first of these
	Drawn     bool   `json:"drawn,omitempty"`       // it is injected at random instants, perhaps never
}

// Property is what was found about a property.
type Property struct {
	Name         string `json:"name"`
	Class        string `json:"class,omitempty"` // what is lost where it is violated: data, exclusion or liveness
	Verdict      string `json:"verdict"`         // violated, holds or not-exercised
	Runs         int    `json:"runs"`            // that were checked
	Violated     int    `json:"violated"`        // runs
	NotExercised int    `json:"not_exercised"`   // runs that had nothing that it checks
	Violations   int    `json:"violations"`      // over all runs
	Share        *Share `json:"share,omitempty"`
	Bounded
	First *First `json:"first,omitempty"`
}

// Bounded is what a property allows, and the worst that was seen of it, if that is measured.
type Bounded struct {
	Bound   string `json:"bound,omitempty"`
	Loose   bool   `json:"bound_above_limit,omitempty"` // more than the name of the property says
	Idle    string `json:"not_exercised_because,omitempty"`
	Needs   string `json:"needs,omitempty"` // what would exercise it
	Worst   *int64 `json:"worst,omitempty"`
	WorstNS *int64 `json:"worst_ns,omitempty"`
}

// Share is a proportion with its 95% interval.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// First is the first violation of the first run that has one.
type First struct {
	Run   int      `json:"run"` // from 1
	Seed  uint64   `json:"seed"`
	AtNS  int64    `json:"at_ns"`
	Nodes []string `json:"nodes"`
	Why   string   `json:"why"`
}

// Metric is a measured quantity. A total or a ratio has a value, per run; any
// other metric has a mean, percentiles and a maximum.
type Metric struct {
	Name  string        `json:"-"`
	Unit  string        `json:"unit"` // "ns", "count" or "code"
	Value result.Number `json:"value,omitzero"`
	Low   result.Number `json:"low,omitzero"` // of the 95% interval of the value
	High  result.Number `json:"high,omitzero"`
	Count uint64        `json:"count,omitempty"` // of values recorded
	Mean  result.Number `json:"mean,omitzero"`
	P50   result.Number `json:"p50,omitzero"`
	P99   result.Number `json:"p99,omitzero"`
	P999  result.Number `json:"p99_9,omitzero"` // the 99.9th percentile, of 1,000 values or more
	Max   result.Number `json:"max,omitzero"`
	// Codes are those of the runs, where they differ: there is no value then.
	Codes []Coded `json:"codes,omitempty"`
	// The 95% intervals of the percentiles, where there are enough values.
	P50Low   result.Number `json:"p50_low,omitzero"`
	P50High  result.Number `json:"p50_high,omitzero"`
	P99Low   result.Number `json:"p99_low,omitzero"`
	P99High  result.Number `json:"p99_high,omitzero"`
	P999Low  result.Number `json:"p99_9_low,omitzero"`
	P999High result.Number `json:"p99_9_high,omitzero"`
}

// The units of a metric.
const (
	Nanoseconds = "ns"
	Count       = "count"
	Code        = "code"
)

// Coded is how many runs have a code.
type Coded struct {
	Code int64  `json:"code"`
	Runs uint64 `json:"runs"`
}

// Metrics are written as one object, in the order of the model.
type Metrics []Metric

// MarshalJSON implements [json.Marshaler].
func (m Metrics) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i := range m {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m[i].Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m[i])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// Expectation says whether something is as expected.
type Expectation struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // Holds, Violated, NotExercised, Certified or Measured
	Want string `json:"want"` // for a person
	Got  string `json:"got"`
	Met  bool   `json:"met"`
	// Low and High bound the share of violated runs, if the file gives one; AtNS and Nodes are those of the first violation.
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	AtNS  *int64   `json:"at_ns,omitempty"`
	Nodes []string `json:"nodes,omitempty"`
	// Commanded is true for what the command itself expects, by --set expect.NAME: that counts after a change, too.
	Commanded bool `json:"commanded,omitempty"`
	// Implied is true for what every scenario expects: that its scripted faults
	// are injected, that no other property is violated, that the model does not panic.
	Implied bool `json:"implied,omitempty"`
}

// The kinds of an expectation that are no verdict of a property.
const (
	Certified = "certified" // it holds, and is proven
	Measured  = "measure"
)

// Panic is a broken promise inside a model.
type Panic struct {
	Runs    int    `json:"runs"` // that ended so
	Run     int    `json:"run"`  // the first of them, from 1
	Seed    uint64 `json:"seed"`
	AtNS    int64  `json:"at_ns"`
	Node    string `json:"node"`
	Message string `json:"message"` // that it was handling
	Value   string `json:"value"`
	Stack   string `json:"-"` // differs between builds
}

// Log is the decisive moments of one run.
type Log struct {
	Run     int
	Seed    uint64
	Moments []sim.Moment
	// Decisive are the instants at which a property was first violated, or the model panicked.
	Decisive []sim.Time
}

// WriteJSON writes a document with a line for each value. Whatever could move a terminal
// is written as \u001b.
func WriteJSON(out io.Writer, document any) error {
	e := json.NewEncoder(printable.NewJSONWriter(out))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
