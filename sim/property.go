package sim

import (
	"math"
	"time"
)

// Event is what an observer is notified of.
type Event uint8

// The events. What has a node and is no note is done to it by a fault.
const (
	Noted          Event = iota // the node noted Msg
	Paused                      // the node stopped, or its machine was suspended
	Resumed                     // the node continues
	Crashed                     // the node lost what is not durable
	Restarted                   // the node starts again
	ClockChanged                // a clock of the node was stepped, slewed, suspended or resumed
	NetworkChanged              // a cut or a hold began or ended, see [View.Connected]: of no node, and told to a [Selective] observer alone
	Elapsed                     // time has passed that was awaited, see [View.Await]: of no node
	Ended                       // the run is over: only what describes it is notified, and of no node
)

// Observation is one thing that happened at a node, at [View.Now].
type Observation[M Message] struct {
	Event Event
	Node  NodeID
	Msg   M // of Noted
}

// An Observer follows a run from outside: it sees every note at its true instant.
// It keeps its memory between runs and allocates nothing in Observe once it has run.
type Observer[M Message] interface {
	Reset(v *View[M])
	Observe(v *View[M], o *Observation[M])
}

// A Joiner is an observer that knows how others of its package are notified of a note at less cost than by a call of each. Join
// gives who is notified in the place of all, of which it is the first.
type Joiner[M Message] interface {
	Join(all []Observer[M]) []Observer[M]
}

// An Ender is an observer that has something to look at when a run is over, at [View.Now].
type Ender[M Message] interface{ End(v *View[M]) }

// A Selective observer is notified only of what it watches; any other of everything but [NetworkChanged] and [Elapsed]. A search takes a
// property that was notified of nothing to be as it was: what it remembers with others may be changed by a ledger or
// another property that is notified, but not by a meter.
type Selective interface {
	// Watches reports whether it is to be notified of an event and, of a note, of the kind.
	Watches(event Event, note Kind) bool
}

// A Property is an observer that comes to a verdict.
type Property[M Message] interface {
	Observer[M]
	// Name is the name that scenarios use, in kebab case.
	Name() string
	// Finding is the verdict so far.
	Finding() Finding
	// Why says in words what happened at the first violation.
	Why(v *View[M]) string
}

// A Bounded property compares with numbers that the parameters of its system give. They
// are shown beside its verdict.
type Bounded interface{ Bound() Bound }

// Bound is what a property allows.
type Bound struct {
	// Text says it with its numbers, as "at most 200 in any 1m; the limit is 100". It is ""
	// where the property checks nothing.
	Text string
	// Idle says why the property checks nothing, where the parameters leave it nothing to
	// check, as "R + W = 2 is not more than N = 3". It is shown where nothing was exercised.
	Idle string
	// Needs says what would exercise the property, as "a client must ask for the lock while
	// another holds it". It is shown where nothing was exercised and Idle is "".
	Needs string
	// Class is what is lost where the property is violated.
	Class Class
	// Loose says that the file allows more than the name of the property says, so that it
	// is shown wherever the verdict is.
	Loose bool
	// Worst names the measure of which the greatest value is the worst that was seen, and
	// Least the one of which the least is. At most one of them is given.
	Worst, Least string
}

// Class is what is lost where a property is violated: a comparison ranks by it.
type Class uint8

// The classes, the worst first. The zero Class is of a property that is none of these.
const (
	Other     Class = iota
	Data            // a write, an order or a version is lost, or done twice
	Exclusion       // two act where one may
	Liveness        // no client gets on, or not in time
	Written         // the run is not what its file writes down: after a change that says nothing
)

// String is the class as documents write it, "" of Other.
func (c Class) String() string { return [...]string{"", "data", "exclusion", "liveness", "written"}[c] }

// A Leveled property says how close a run was to a violation, so that runs which violate it
// rarely can be reached in steps.
type Leveled interface {
	// Level says what is measured. It is the zero Level where the property has none.
	Level() Level
	// Near is how near the run has come, in the unit of the level: larger is nearer, and it
	// never falls. It is [Unreached] at first.
	Near() int64
}

// Level is what a [Leveled] property measures.
type Level struct {
	Text string // as "by how much a write is later than the lease that it is made under"
	Unit Unit
}

// Unreached is how near a run has come that had nothing to measure.
const Unreached = math.MinInt64

// Verdict is the outcome of a property.
type Verdict uint8

// The verdicts. NotExercised means that the run had nothing that the property checks.
const (
	NotExercised Verdict = iota
	Holds
	Violated
)

// String is the word that scenarios and reports use.
func (v Verdict) String() string { return [...]string{"not-exercised", "holds", "violated"}[v] }

// Finding is what a property found in one run.
type Finding struct {
	Verdict    Verdict
	Violations int
	First      Time      // of the violations
	Nodes      [2]NodeID // concerned in the first; None where there are fewer
}

// Check is the verdict part of a property: embed it, call Saw for whatever the
// property checks and Violate for what is wrong.
type Check struct{ found Finding }

// Clear forgets the run before.
func (c *Check) Clear() { c.found = Finding{First: Never} }

// Saw records that there was something to check.
func (c *Check) Saw() {
	if c.found.Verdict == NotExercised {
		c.found.Verdict = Holds
	}
}

// Violate records a violation at an instant and reports whether it is the first.
func (c *Check) Violate(at Time, nodes ...NodeID) bool {
	c.found.Verdict = Violated
	c.found.Violations++
	if c.found.Violations > 1 {
		return false
	}
	c.found.First = at
	copy(c.found.Nodes[:], nodes)
	return true
}

// Finding is the verdict so far.
func (c *Check) Finding() Finding { return c.found }

// Unit is what a measure's values count.
type Unit uint8

// The units.
const (
	Count    Unit = iota
	Duration      // nanoseconds
	Code          // a name in the form of a number, as the status of an answer: it is counted, and has no mean
)

// Measure is a quantity that a model reports, declared once in its [System].
type Measure struct {
	Name string // in kebab case
	Unit Unit
	// Total measures add up what is recorded in a run; the others keep each value.
	Total bool
	// Signed says that it may be below 0.
	Signed bool
	// Most is what it never exceeds, if that is known whatever the parameters are; else 0.
	Most int64
	// Per makes it the ratio of its own total to the total of the named measure.
	Per string
	// Independent says that it counts some of what the measure of Per counts, each of that for itself:
	// of independent trials those that succeed. Else only runs are taken as independent.
	Independent bool
}

// Summed reports whether of a run only the total counts.
func (m *Measure) Summed() bool { return m.Total || m.Per != "" }

// Sample is one recorded value of a measure, or the total of a run if it is summed.
type Sample struct {
	Measure int // index in [System].Measures
	Value   int64
}

// View is what an observer may look at: true time, the names and the clocks.
type View[M Message] struct{ w *World[M] }

// Now is the true instant.
func (v *View[M]) Now() Time { return v.w.now }

// Nodes is how many nodes there are; they are 1 to Nodes.
func (v *View[M]) Nodes() int { return len(v.w.nodes) - 1 }

// Name is the node's name.
func (v *View[M]) Name(id NodeID) string { return v.w.names[id] }

// Read is what a clock of a node reads now, in ns.
func (v *View[M]) Read(id NodeID, c ClockID) int64 { return v.w.clocks[id].read(c, v.w.now) }

// When is the first instant from now on at which a clock of a node reads at least
// x, if nothing is done to it; [Never] if it then never does.
func (v *View[M]) When(id NodeID, c ClockID, x int64) Time { return v.w.clocks[id].when(c, x, v.w.now) }

// Pending calls f for each message and timer that is on its way, waits at a node or is at hand. One that it does not
// name is never handled; some that it names are over. What the engine plans is a zero message. Call it when an event is observed.
func (v *View[M]) Pending(f func(m *M)) {
	w := v.w
	f(&w.q.Popped().Body.msg)
	for _, k := range w.q.Snapshot() {
		f(&w.q.Entry(k.Slot()).Body.msg)
	}
	for i := range w.saved {
		for j := range w.saved[i].inbox {
			f(&w.saved[i].inbox[j].Body.msg)
		}
		for j := range w.saved[i].effects {
			f(&w.saved[i].effects[j].msg)
		}
	}
}

// PausedSince is the instant at which the node stopped, if it is stopped.
func (v *View[M]) PausedSince(id NodeID) (Time, bool) {
	return v.w.saved[id].since, v.w.nodes[id].state&paused != 0
}

// Down reports whether the node has crashed and not yet restarted.
func (v *View[M]) Down(id NodeID) bool { return v.w.nodes[id].state&down != 0 }

// Connected reports whether messages pass between two nodes, both ways: no [Cut] and no [Hold] is between them.
func (v *View[M]) Connected(a, b NodeID) bool {
	for i := range v.w.plans {
		if p := &v.w.plans[i]; p.active > 0 && p.partitions() && p.parts(a, b) {
			return false
		}
	}
	return true
}

// Describe adds a sentence about an earlier instant, or this one, to the log of the run,
// as of a burst that is known to be over only later. Only a [System].Describe calls it.
func (v *View[M]) Describe(at Time, text string) {
	if v.w.watch.Moments != nil {
		v.w.watch.Moments(Moment{At: at, Text: text})
	}
}

// Await has the observers that watch [Elapsed] notified when time has passed an instant: before they are notified of
// what happens next after it, while all is as it was until then. It holds until they are notified the next time,
// whichever observer awaited that.
func (v *View[M]) Await(t Time) { v.w.awaited = min(v.w.awaited, t) }

// Record adds a value to a measure, by its index in [System].Measures.
func (v *View[M]) Record(measure int, value int64) {
	w := v.w
	if w.goal != nil && w.goal.Measure == measure {
		w.goal.recorded(w.now, value)
	}
	if w.watch.Samples != nil {
		w.watch.Samples(w.now, Sample{measure, value})
	}
	total := &w.totals[measure]
	if *total > 0 {
		s := &w.samples[*total-1]
		s.Value = addSaturated(s.Value, value)
		return
	}
	w.samples = append(w.samples, Sample{measure, value})
	if w.system.Measures[measure].Summed() {
		*total = len(w.samples)
	}
}

// RecordDuration adds a length to a measure.
func (v *View[M]) RecordDuration(measure int, d time.Duration) { v.Record(measure, int64(d)) }

// measured is what a run has measured.
type measured struct {
	samples []Sample
	totals  []int // by measure: where in samples its total is, from 1; 0: it has none yet, or is not summed
}
