package sim

import "time"

// Action is what a fault does.
type Action uint8

// The faults.
const (
	Pause     Action = iota // the process stops, as in a collection or SIGSTOP: its clocks run on
	Suspend                 // the machine is suspended: the oscillator stands still too
	Crash                   // the node loses all that is not durable, and restarts after For
	StepClock               // the wall clock moves by By
	SetRate                 // the oscillator's rate error becomes Rate, for For
	Cut                     // messages between Sides are lost
	Hold                    // messages between Sides wait until the fault ends, then travel
	Delay                   // the chosen messages take For, whatever the link says, and keep no order
	Lose                    // the chosen messages are lost
	Duplicate               // the chosen messages arrive twice; the second copy takes For
)

// String is the word that scenarios use.
func (a Action) String() string {
	return [...]string{"pause", "suspend", "crash", "step-clock", "set-rate", "cut", "hold", "delay", "lose", "duplicate"}[a]
}

// A Fault is something that goes wrong during a run, scripted or drawn. The zero
// When means at instant 0.
type Fault struct {
	Name string // as a report calls it; also names the fault's stream of draws
	Do   Action
	When When

	Node    NodeID        // whom a pause, suspend, crash or clock fault strikes
	For     Dist          // how long it lasts; see Forever
	Forever bool          // it does not end
	By      time.Duration // of StepClock; may be negative
	Rate    PPB           // of SetRate

	Sides  [][]NodeID // of Cut and Hold: groups that are apart; a node in no group is not concerned
	OneWay bool       // only messages from the first group to the others are concerned

	Msg MsgChoice // of Delay, Lose and Duplicate
}

// When says when a fault strikes: the first of these that is set, else At.
type When struct {
	Note   Kind          // after a note of this kind has left, and before the next effect of the same step leaves
	By     NodeID        // who notes it; None is the fault's own node
	Nth    int           // which such note, from 1; 0 is each
	Every  Dist          // again and again, this long after it last struck
	Replay []Stop        // the stops of a log, one run through from a drawn place in it
	Span   time.Duration // of Replay: the length of the log, after which it begins again
	At     Time
}

// A Stop is one pause of a real log.
type Stop struct {
	At, For time.Duration // since the log began
}

// MsgChoice chooses messages by kind, link and count.
type MsgChoice struct {
	Kind     Kind
	From, To NodeID // None is any
	Nth      int    // the Nth such message sent since the fault's When, from 1; 0 is each
}

// Strike is what became of a fault in a run.
type Strike struct {
	Count int  // how often it struck
	First Time // when it first did, [Never] if it did not
}

// Stream is the name of the fault's stream of draws, so that it draws the same
// whatever other faults there are.
func (f *Fault) Stream() uint64 { return Hash(f.Name) }

// onNetwork reports whether the fault decides about messages.
func (f *Fault) onNetwork() bool { return f.Do >= Cut }
