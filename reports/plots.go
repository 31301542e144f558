package reports

// PanicViolation is what a panic of the model is called among the violations of a timeline.
const PanicViolation = "panic"

// Timeline is who did what when in the first run.
type Timeline struct {
	Nodes      []string    `json:"nodes"`               // that did something or had something done to them, in their order
	States     []string    `json:"states"`              // all that there are, in the order in which they are drawn
	Exclusive  []string    `json:"exclusive,omitempty"` // those that no two nodes should be in at once
	Spans      []Span      `json:"spans"`
	Instants   []Instant   `json:"instants"`
	Violations []Violation `json:"violations"`
	EndNS      int64       `json:"end_ns"` // of the run
}

// Span is how long a node was in a state.
type Span struct {
	Node   string `json:"node"`
	State  string `json:"state"`
	FromNS int64  `json:"from_ns"`
	ToNS   int64  `json:"to_ns"`
}

// Instant is something without a length.
type Instant struct {
	Node string `json:"node"`
	By   string `json:"by,omitempty"` // the node whose doing it is, if it is another
	What string `json:"what"`
	AtNS int64  `json:"at_ns"`
}

// Violation is the first of a property in the run, or a panic.
type Violation struct {
	Property string   `json:"property"`
	Nodes    []string `json:"nodes"`
	AtNS     int64    `json:"at_ns"`
}

// Series is the values of a metric in the first run, in the order of time.
type Series struct {
	Metric string  `json:"metric"`
	AtNS   []int64 `json:"at_ns"`
	Values []int64 `json:"values"`
}
