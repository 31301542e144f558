// Package format is the format of scenario files: the types by which a file is read, strictly, into what the engine
// runs; what a file may say of a model, and what is wrong with one that cannot be read.
package format

import (
	"time"

	"fencepost/models/product"
	"fencepost/result"
	"fencepost/scenarios/grid"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Suffix ends the name of a scenario file.
const Suffix = ".yaml"

// Scenario is one decoded file, ready to run.
type Scenario struct {
	Name    string // "redlock/gc-pause", or the path as given
	About   string
	Source  string
	Model   string
	Follows []product.Product // that the model has the behaviour of, with the parameters of the file
	Seed    uint64
	Runs    int // 1 and up; the seeds are Seed, Seed+1, ...
	Until   time.Duration

	Program   sim.Program
	Config    sim.Config
	Expect    []Expectation
	Certified []string // properties of which the file expects a proof, whatever Expect is without its faults
	Show      []string // properties and measures that are reported, and of which nothing is expected
	Plots     []result.Plot
	Budget    *explore.Budget // what a search may let go wrong besides; nil if the file does not say

	// Control says how the cause can be taken away: by changed values, where the
	// file has a control block; nil means by running without faults.
	Control []result.Setting
	// Variants are the points of the vary grid, the last axis of the file moving
	// fastest, each a scenario of its own; nil if the file varies nothing.
	Variants []Variant
	// Inputs are the logs and tables that were read, with what was found in them.
	Inputs []result.Input

	// Notes say, with their place, what the file should say otherwise though it is read.
	Notes []string

	// Text is the file as it was read, and Sets are the values that were replaced in
	// it: those of [Options], of the control block and of the point of the grid.
	Text string
	Sets []result.Setting
	// Change is what makes it smaller, as in "params.clients=1", if it is one of
	// package smaller.
	Change string

	origin *origin
}

// Variant is one point of a grid.
type Variant struct {
	Settings []result.Setting
	Scenario *Scenario
}

// Expectation is what a file expects. Exactly one of Property and
// Measure is set.
type Expectation struct {
	Property string
	Verdict  sim.Verdict // unless Low is set
	// Certified is that no run at all violates it, whatever is drawn and whenever its pauses begin.
	Certified bool
	At        *sim.Time // of the first violation, if the file gives it
	Nodes     []string  // concerned in it, if the file names them
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
	Sets []result.Setting // from --set, in order

	// NoFaults drops the faults. The expectations become that every property holds;
	// that it is unknown does as well, since what it checks may be what was dropped.
	NoFaults bool
	// Control applies the control block, to each point of the grid as well. It is
	// an error if there is none. The expectations become those of NoFaults; the
	// faults stay.
	Control bool

	// Files, if not nil, are shared with other scenarios of the same folder.
	Files *Files
}

// Cases lists the cases of an axis, in the order of the file; there are none if the axis
// has values.
func (s *Scenario) Cases(axis string) []grid.Case { return grid.Cases(s.Text, axis) }
