// Package nodeless is what a program without nodes has in common with any other: a
// [sim.Runner] of which there is nothing to trace, to vary or to search.
package nodeless

import (
	"errors"
	"time"

	"fencepost/sim"
)

// ErrNoNodes is why nothing can be done to a program without nodes.
var ErrNoNodes = errors.New("there are no nodes: no fault can be injected and nothing varied")

// Runner has the methods of a [sim.Runner] but for Run and Why. It is embedded.
type Runner struct {
	ask func(done, total int64) bool
}

// Ask makes runs ask now and then whether to continue: after this part of the work, of
// all of it. A run that ends early has the results until then.
func (r *Runner) Ask(whether func(done, total int64) bool) { r.ask = whether }

// Continue asks whether to continue.
func (r *Runner) Continue(done, total int64) bool { return r.ask == nil || r.ask(done, total) }

// Path is the file that is read: none.
func (*Runner) Path() string { return "" }

// Input says what the last run read: nothing.
func (*Runner) Input() []string { return nil }

// LeftOut is how much of what was read was not used.
func (*Runner) LeftOut() (n, of int64) { return 0, 0 }

// Caution is what the reader of the verdict has to know: nothing.
func (*Runner) Caution() string { return "" }

// Span is the time that the input of the last run takes: none.
func (*Runner) Span() time.Duration { return 0 }

// Watch implements [sim.Runner]; there are no steps, draws, moments or nodes to report.
func (*Runner) Watch(sim.Watch) {}

// Order implements [sim.Runner]; there are no events to put in order.
func (*Runner) Order() sim.EventOrder { return nil }

// SetAdversary implements [sim.Runner]; there is nothing that one could do.
func (*Runner) SetAdversary(sim.Adversary) {}

// Vary implements [sim.Runner]: it refuses.
func (*Runner) Vary(sim.Variation) error { return ErrNoNodes }

// Near implements [sim.Runner]; there is nothing that could be reached in steps.
func (*Runner) Near(int) int64 { return sim.Unreached }

// Fingerprint implements [sim.Runner]; there is no state in between.
func (*Runner) Fingerprint() sim.Print { return sim.Print{} }

// Stop implements [sim.Runner]; see [Runner.Watch].
func (*Runner) Stop() {}
