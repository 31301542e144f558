package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim/internal/dist"
)

// Action is what a fault does: the number of a [FaultKind], which [Action.Row] gives.
type Action uint8

// The faults. One that has its constant in a file of its own, as [Slow], takes the number after the largest one: replay files
// have words, so that numbers may have gaps.
const (
	Pause     Action = iota // the process stops, as in a collection or SIGSTOP: its clocks run on
	Suspend                 // the machine is suspended: the oscillator stands still too
	Crash                   // the node loses all that is not durable, and restarts after For
	StepClock               // the wall clock moves by By
	SetRate                 // the oscillator's rate error becomes Rate, for For; the one that began last counts
	Cut                     // messages between Sides are lost
	Hold                    // messages between Sides wait until the fault ends, then travel in the order of their link
	Delay                   // the chosen messages take For, whatever the link says, and keep no order
	Lose                    // the chosen messages are lost
	Duplicate               // the chosen messages arrive twice; the second copy takes For
	FollowLog               // the clocks change from When.At on as Changes says, as those of a real machine did
)

// A Fault is something that goes wrong during a run, scripted or drawn. The zero
// When means at instant 0, before the nodes start.
type Fault struct {
	Name string // as a report calls it; also names the fault's stream of draws
	Do   Action
	When When

	Node    NodeID        // of a pause, suspend, crash or clock fault
	For     Dist          // how long it lasts, of those up to Hold; see Forever
	Forever bool          // it does not end
	By      time.Duration // amount of a kind that has one in durations: of StepClock how far, which may be negative
	Rate    PPB           // of SetRate
	Changes []ClockChange // of FollowLog, in order

	Sides  [][]NodeID // of Cut and Hold: groups that are apart; a node in no group is not concerned
	OneWay bool       // only messages from the first group to the others are concerned

	Msg MsgChoice // of Delay, Lose and Duplicate
}

// When says when a fault is injected: the first of these that is set, else At.
type When struct {
	Note   Kind          // after a note of this kind has left, and before the next effect of the same step leaves
	Before Kind          // before an effect of this kind leaves, be it a message, a timer or a note, and after those before it have
	By     NodeID        // whose note or effect it is; None is the fault's own node
	Nth    int           // which such note or effect, from 1; 0 is each
	Every  Dist          // again and again, this long after the start of the run, then after its last end
	Replay []Stop        // the stops of a log in order, run through from a drawn place in it, again and again
	Span   time.Duration // of Replay: the length of the log, after which it begins again
	After  string        // each time the fault of this name begins or, with Ends, ends, At later
	Ends   bool
	At     Time
}

// A ClockChange is one change of a node's clocks, as a log of them gives it. What it says
// holds in true time: a node that is down or suspended meanwhile has its clocks changed
// all the same, as [SetRate] and [StepClock] do.
type ClockChange struct {
	At   time.Duration // since the fault began
	Rate PPB           // of the oscillator from then on, up to the next change; after the last, to the end of the run
	Step time.Duration // of the wall clock at that instant; may be negative
}

// A Stop is one pause of a real log.
type Stop struct {
	At, For time.Duration // since the log began
}

// MsgChoice chooses messages by kind, link and count.
type MsgChoice struct {
	Kind     Kind
	From, To NodeID // None is any
	Nth      int    // the Nth such message sent since the fault's last When, from 1; 0 is each
}

// Injection is what became of a fault in a run.
type Injection struct {
	Count int  // how often it was injected
	First Time // when it first did, [Never] if it did not
}

// Stream is the name of the fault's stream of draws, so that it draws the same
// whatever other faults there are.
func (f *Fault) Stream() uint64 { return Hash(f.Name) }

// onEffect reports whether the fault waits for an effect of a node.
func (w *When) onEffect() bool { return w.Note != 0 || w.Before != 0 }

// draws reports whether the fault draws anything.
func (f *Fault) draws() bool {
	return dist.Draws(&f.When.Every) || dist.Draws(&f.For) || len(f.When.Replay) > 0
}

// checkAfter refuses faults that come after one that is not there.
func checkAfter(faults []Fault) error {
	var errs []error
	for i := range faults {
		after := faults[i].When.After
		if after != "" && !slices.ContainsFunc(faults, func(f Fault) bool { return f.Name == after }) {
			errs = append(errs, fmt.Errorf("fault %q: after: there is no fault %q", faults[i].Name, after))
		}
	}
	return errors.Join(errs...)
}

// checkStreams refuses faults that would draw alike, for want of names of their own.
func checkStreams(faults []Fault) error {
	var errs []error
	var seen map[uint64]bool // nil as long as none draws
	for i := range faults {
		f := &faults[i]
		if !f.draws() {
			continue
		}
		if seen == nil {
			seen = make(map[uint64]bool)
		}
		if seen[f.Stream()] {
			errs = append(errs, fmt.Errorf("fault %q: another one that draws has this name, and would draw the same", f.Name))
		}
		seen[f.Stream()] = true
	}
	return errors.Join(errs...)
}

// onNetwork reports whether the fault decides about messages.
func (f *Fault) onNetwork() bool { return f.Do.Of() != OneNode }

// check refuses a fault that names what the system does not have, or that cannot be.
func (f *Fault) check(nodes, kinds int) error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("fault %q: "+format, append([]any{f.Name}, args...)...))
	}
	node := func(what string, id NodeID) {
		if id < 0 || int(id) >= nodes {
			bad("%s: there is no node %d, only 1 to %d", what, id, nodes-1)
		}
	}
	kind := func(what string, k Kind) {
		if int(k) >= max(kinds, 1) {
			bad("%s: there is no kind %d, only 0 to %d", what, k, kinds-1)
		}
	}
	row := f.Do.Row()
	if row == nil {
		return fmt.Errorf("fault %q: there is no action %d", f.Name, uint8(f.Do))
	}
	if row.Subject == OneNode && f.Node == None {
		bad("%v needs a node", f.Do)
	}
	node("node", f.Node)
	node("noted by", f.When.By)
	node("from", f.Msg.From)
	node("to", f.Msg.To)
	kind("note", f.When.Note)
	kind("before", f.When.Before)
	kind("message", f.Msg.Kind)
	f.checkSides(node, bad)
	f.When.check(bad)
	if f.Do != FollowLog && len(f.Changes) > 0 {
		bad("%v follows no log", f.Do)
	}
	if row.check != nil {
		for _, wrong := range row.check(f) {
			bad("%s", wrong)
		}
	}
	if f.Rate < -MaxPPB || f.Rate > MaxPPB {
		bad("rate: want at most %v either way, got %v", MaxPPB, f.Rate)
	}
	if f.Msg.Nth < 0 {
		bad("message: want the 1st or a later one, or 0 for each, got %d", f.Msg.Nth)
	}
	return errors.Join(errs...)
}

// maxSides bounds the groups of a partition, since a node's is kept in a byte.
const maxSides = 200

func (f *Fault) checkSides(node func(string, NodeID), bad func(string, ...any)) {
	if !f.partitions() {
		if len(f.Sides) > 0 {
			bad("%v has no sides", f.Do)
		}
		return
	}
	if len(f.Sides) < 2 || len(f.Sides) > maxSides {
		bad("%v needs 2 to %d sides, got %d", f.Do, maxSides, len(f.Sides))
	}
	seen := make(map[NodeID]bool)
	for _, side := range f.Sides {
		if len(side) == 0 {
			bad("a side has no nodes")
		}
		for _, id := range side {
			node("side", id)
			if seen[id] {
				bad("side: node %d is on two sides or twice on one", id)
			}
			seen[id] = true
		}
	}
}

func (w *When) check(bad func(string, ...any)) {
	if w.At < 0 {
		bad("at: must not be negative, got %v", w.At)
	}
	if w.Nth < 0 {
		bad("note: want the 1st or a later one, or 0 for each, got %d", w.Nth)
	}
	if !w.Every.IsZero() && w.Every.Most() == 0 {
		bad("every: %v is always 0", w.Every)
	}
	if len(w.Replay) > 0 && w.Span <= 0 {
		bad("a replayed log needs a span")
	}
	for i, s := range w.Replay {
		if s.At < 0 || s.For < 0 || s.At >= w.Span && w.Span > 0 || i > 0 && s.At < w.Replay[i-1].At {
			bad("replay: stop %d, at %v for %v, is out of order or outside the span of %v", i+1, s.At, s.For, w.Span)
		}
	}
}
