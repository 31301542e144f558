package page

// Schema names the form of the document that [Run] is.
const Schema = "fencepost/page/v1"

// MaxEvents is how many events a page has at most: of a longer run those around the first violation.
const MaxEvents = 100_000

// Run is one run as a page shows it. The same run gives the same bytes. Instants and durations are
// in nanoseconds of true time.
type Run struct {
	Schema     string      `json:"schema"`
	Scenario   string      `json:"scenario"`
	About      string      `json:"about,omitempty"`
	Source     string      `json:"source,omitempty"`
	Model      string      `json:"model"`
	Command    string      `json:"command,omitempty"` // that shows the run again
	Text       string      `json:"text,omitempty"`    // the scenario file
	Vary       string      `json:"vary,omitempty"`    // the path that differs from run to run, on a page with a slider
	Value      string      `json:"value,omitempty"`   // what it is here
	Own        bool        `json:"own,omitempty"`     // which is what the scenario file has: the slider starts there
	Seed       uint64      `json:"seed"`
	Digest     string      `json:"digest"`
	EndNS      int64       `json:"end_ns"`
	Nodes      []string    `json:"nodes"`
	Kinds      []string    `json:"kinds"` // of messages
	Strings    []string    `json:"strings"`
	Counted    string      `json:"counted"` // what the events are, in words
	Events     Events      `json:"events"`
	States     []string    `json:"states"`
	Exclusive  []string    `json:"exclusive"` // those of States that no two nodes should be in at once
	Spans      []Span      `json:"spans"`
	Marks      []Mark      `json:"marks"`
	Faults     []string    `json:"faults"` // in words
	Properties []Property  `json:"properties"`
	Costs      []Cost      `json:"costs,omitempty"` // in words
	Figures    []Figure    `json:"figures,omitempty"`
	Violations []Violation `json:"violations"`
	Left       *Left       `json:"left,omitempty"`
}

// Figure is a picture of the run, for which the page shows it as an image: nothing in it is run.
type Figure struct {
	Title string `json:"title"`
	SVG   string `json:"svg"`
}

// Events are the events of a run, in their order: a list for each field, with an entry for each
// event. A list without any value other than 0 is left out.
type Events struct {
	Count int     `json:"count"`
	At    []int64 `json:"at"`             // since the event before; of the first, since the start of the run
	Node  []int   `json:"node"`           // from 1; 0 is the network
	Flags []int   `json:"flags"`          // the sum of those below
	Cause []int   `json:"cause"`          // how many events before it stands the one that sent or armed the message; 0: there is none
	From  []int   `json:"from,omitempty"` // the sender of what it handles, if that is another node
	To    []int   `json:"to,omitempty"`   // the receiver, of what became of a message
	Kind  []int   `json:"kind"`
	Took  []int64 `json:"took,omitempty"` // since what it handles was sent or armed
	Late  []int64 `json:"late,omitempty"` // since that was due: its node was stopped
	Mono  []int64 `json:"mono,omitempty"` // how far the node's clocks are ahead of true time
	Wall  []int64 `json:"wall,omitempty"`
	Fault []int   `json:"fault,omitempty"` // from 1, by [Run].Faults
	Text  [][]int `json:"text"`            // what it handled and did: the parts, by [Run].Strings
	Told  [][]int `json:"told,omitempty"`  // what the model says of it: sentences
	Name  []int   `json:"name,omitempty"`  // of an event of the model's own, from 1, by [Run].Strings; 0: it is none
	// State is what it changed of the state of its node: names and values in turn, by [Run].Strings.
	// The first event of a node on the page has all of its state.
	State [][]int `json:"state,omitempty"`
}

// What an event is.
const (
	IsStep     = 1 << iota // a node handles a message
	IsLost                 // a message does not arrive
	IsBuffered             // a message is buffered by the network
	IsCopy                 // the message had arrived before
	IsAlarm                // the message came from an alarm of the node's wall clock
	IsIdle                 // the step changed nothing
	IsNote                 // the model notes something
	IsEnd                  // what a fault did is over
	IsPanic                // the step panicked
	IsOutside              // its cause is not on the page
	IsPart                 // it is of the same step as the event before it
)

// Span is how long a node was in a state.
type Span struct {
	Node   int   `json:"node"`
	State  int   `json:"state"` // by [Run].States
	FromNS int64 `json:"from_ns"`
	ToNS   int64 `json:"to_ns"`
}

// Mark is something at an instant.
type Mark struct {
	Node int    `json:"node"`
	By   int    `json:"by,omitempty"` // whose doing it is
	AtNS int64  `json:"at_ns"`
	What string `json:"what"`
}

// Property is what was found about a property.
type Property struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Bound   string `json:"bound,omitempty"`
}

// Violation is the first one of a property.
type Violation struct {
	Property string `json:"property"`
	AtNS     int64  `json:"at_ns"`
	Nodes    []int  `json:"nodes"`
	Why      string `json:"why"`
	Expected bool   `json:"expected,omitempty"` // by the scenario file
	Event    int    `json:"event"`              // with which it shows, or the last one before it; -1: none
}

// Cost is one measure of the run, in words.
type Cost struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Left says what of a run is not on its page.
type Left struct {
	Before int   `json:"before"` // events
	After  int   `json:"after"`
	FromNS int64 `json:"from_ns"`
	ToNS   int64 `json:"to_ns"`
}
