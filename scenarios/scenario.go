// Package scenarios holds the scenario files and decodes them, strictly, into
// what the engine runs.
package scenarios

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Scenario is one decoded file, ready to run.
type Scenario struct {
	Name   string // "lock/redlock-gc-pause", or the path as given
	About  string
	Source string
	Model  string
	Seed   uint64
	Runs   int // 1 and up; the seeds are Seed, Seed+1, ...
	Until  time.Duration

	Program sim.Program
	Config  sim.Config
	Expect  []Expectation
	Show    []string // properties and measures that are reported, and of which nothing is expected
	Plots   []Plot
	Budget  *explore.Budget // what a search may let go wrong besides; nil if the file does not say

	// Control says how the cause can be taken away: by changed values, where the
	// file has a control block; nil means by running without faults.
	Control []Setting
	// Variants are the points of the vary grid, the last axis of the file moving
	// fastest, each a scenario of its own; nil if the file varies nothing.
	Variants []Variant
	// Inputs are the logs and tables that were read, with what was found in them.
	Inputs []Input

	// Notes say, with their place, what the file should say otherwise though it is read.
	Notes []string

	// Text is the file as it was read, and Sets are the values that were replaced in
	// it: those of [Options], of the control block and of the point of the grid.
	Text string
	Sets []Setting
	// Change is what makes it smaller, as in "params.clients=1", if it is one of
	// [Scenario.Smaller].
	Change string

	origin *origin
}

// Setting is one value of the file replaced, as by --set; or, where the path is the name
// of an axis of cases, the changes of the case that the value names.
type Setting struct {
	Path  string `json:"path" yaml:"path,required"`
	Value string `json:"value" yaml:"value,required"`
}

// Variant is one point of a grid.
type Variant struct {
	Settings []Setting
	Scenario *Scenario
}

// Input says what was read from a file that a scenario names.
type Input struct {
	Path    string
	Summary string // "g1.log: unified, series safepoint: 106 pauses, p50 4.1ms, p99 19.2ms, max 20.5ms, total 602ms"
	// Lines is how many lines should be read, and LeftOut how many of them were not.
	Lines, LeftOut int64
}

// Expectation is what a file says must come out. Exactly one of Property and
// Measure is set.
type Expectation struct {
	Property string
	Verdict  sim.Verdict // unless Low is set
	At       *sim.Time   // of the first violation, if the file gives it
	Nodes    []string    // concerned in it, if the file names them
	// Low and High bound the share of runs that are violated, in parts per
	// billion, when the file gives a probability instead of a verdict.
	Low, High *sim.Chance

	Measure string
	Want    Bound

	Row bool // it is of a row of expect-at
}

// Bound is a range of values of a measure, in its unit (ns for durations); for one
// value both ends are equal. A nil end is open.
type Bound struct{ Least, Most *int64 }

// Options change a scenario. What they take away is checked all the same.
type Options struct {
	Sets []Setting // from --set, in order

	// NoFaults drops the faults. The expectations become that every property holds;
	// that it is unknown does as well, since what it judges may be what was dropped.
	NoFaults bool
	// Control applies the control block, to each point of the grid as well. It is
	// an error if there is none. The expectations become those of NoFaults; the
	// faults stay.
	Control bool

	// Files, if not nil, are shared with other scenarios of the same folder.
	Files *Files
}
