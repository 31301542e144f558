// Package result has the words in which scenario files, commands, reports and figures speak of a run: which values it
// was given, which files it read, and which plots are asked for. They are plain values, written as JSON as they are, so
// that none of these packages has a copy of its own to keep in step.
package result

// Setting is one value of a scenario file replaced, as by --set; or, where the path is the name of an axis of cases, the
// changes of the case that the value names.
type Setting struct {
	Path  string `json:"path" yaml:"path,required"`
	Value string `json:"value" yaml:"value,required"`
}

// Input says what was read from a file that a scenario names.
type Input struct {
	Path    string `json:"path"`
	Summary string `json:"summary"` // "g1.log: unified, series safepoint: 106 pauses, p50 4.1ms, p99 19.2ms, max 20.5ms, total 602ms"
	// Lines is how many lines should be read, and LeftOut how many of them were not.
	Lines   int64 `json:"lines,omitempty"`
	LeftOut int64 `json:"left_out,omitempty"`
	// Caution is what makes the result worth less than it seems.
	Caution string `json:"caution,omitempty"`
	// Client is one of the clients of an access log that asked for more than the limit. An
	// exact log refuses Refused of its Requests.
	Client   string `json:"client,omitempty"`
	Requests int64  `json:"requests,omitempty"`
	Refused  int64  `json:"refused,omitempty"`
}

// Parting is the first step at which a run that is replayed differs from its record. A run that has ended there has "".
type Parting struct {
	Step     int    `json:"step"` // from 1
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
}
