package reports

// Plot is a figure that a scenario asks for. Package plot draws it.
type Plot struct {
	File   string   `json:"file"` // without folder and ending
	Title  string   `json:"title"`
	Kind   string   `json:"kind"`        // line, step, points, bar, heat, cdf or multiples
	X      string   `json:"x,omitempty"` // the path of an axis, or "time"
	XLabel string   `json:"x_label,omitempty"`
	Y      []string `json:"y"` // such as "worst-window", "p99 of latency" and "P(no-lost-update)"
	YLabel string   `json:"y_label,omitempty"`
	Unit   string   `json:"unit,omitempty"`   // of y; "" is the metric's
	Series string   `json:"series,omitempty"` // the path of another axis
	Names  []string `json:"names,omitempty"`  // of the values of Series, or else of X
	Log    string   `json:"log,omitempty"`    // x, y or xy
	Limit  string   `json:"limit,omitempty"`  // a value of y that is marked
	Within string   `json:"within,omitempty"` // over time: the sum of so long
	Laws   []Law    `json:"laws,omitempty"`
}

// Law is a closed form of x.
type Law struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
}

// Series is the values of a metric in the first run, in the order of time.
type Series struct {
	Metric string  `json:"metric"`
	AtNS   []int64 `json:"at_ns"`
	Values []int64 `json:"values"`
}
