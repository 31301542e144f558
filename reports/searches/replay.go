package searches

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/result"
)

// The forms of the documents that [Replay] and [Replays] are.
const (
	ReplaySchema  = "fencepost/replay-report/v1"
	ReplaysSchema = "fencepost/replay-reports/v1"
)

// Replays is what came of several replay files.
type Replays struct {
	Schema string    `json:"schema"`
	OK     bool      `json:"ok"`
	Files  []*Replay `json:"files"`
}

// Sum is how many there are, and how many were reproduced.
func (r *Replays) Sum() string {
	good := 0
	for _, f := range r.Files {
		if f.OK {
			good++
		}
	}
	return fmt.Sprintf("%s, %d reproduced, %d not", units.Plural(len(r.Files), "file"), good, len(r.Files)-good)
}

// Replay is what came of a replay file.
type Replay struct {
	Schema   string `json:"schema"`
	File     string `json:"file"`
	Edited   bool   `json:"edited,omitempty"` // and replayed all the same
	Scenario string `json:"scenario"`
	About    string `json:"about,omitempty"`
	Source   string `json:"source,omitempty"`
	Model    string `json:"model"`
	Version  string `json:"fencepost"`         // that recorded it
	Command  string `json:"command,omitempty"` // that found it

	Seed    uint64   `json:"seed"`
	Minimal bool     `json:"calm"`
	Faults  []string `json:"faults"`
	Draws   []string `json:"draws"`

	verdict.Verdict
	OK           bool            `json:"ok"`   // the same property is violated between the same nodes
	Same         bool            `json:"same"` // the whole run is the same, step by step
	OtherDigests bool            `json:"other_digests,omitempty"`
	Recorded     Side            `json:"recorded"`
	Replayed     Side            `json:"replayed"`
	Parting      *result.Parting `json:"parting,omitempty"`
}

// Side is the result of one of two runs.
type Side struct {
	Property string   `json:"property,omitempty"`
	Panic    bool     `json:"panic,omitempty"`
	Violated bool     `json:"violated"`
	AtNS     int64    `json:"at_ns"`
	Nodes    []string `json:"nodes,omitempty"`
	Why      string   `json:"why,omitempty"`
	Events   uint64   `json:"events"`
	Digest   string   `json:"digest"`
}

// WriteText writes the whole report for a person.
func (r *Replay) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, r.writeHeader, r.WriteVerdict)
}

func (r *Replay) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(r.Scenario, r.About, r.Source, r.Model)
	h.Line("file", r.File)
	h.Line("recorded", "by fencepost "+r.Version)
	h.Line("found by", r.Command)
	for i, x := range r.Faults {
		h.Line(map[bool]string{true: "faults"}[i == 0], x)
	}
	for i, x := range r.Draws {
		h.Line(map[bool]string{true: "draws"}[i == 0], x)
	}
	if r.Minimal {
		h.Line("minimal", "everything else that is drawn: the shortest delays, no loss")
	} else {
		h.Line("seed", fmt.Sprint(r.Seed))
	}
	if r.Edited {
		h.Line("edited", "the file was changed after it was written, and is replayed since --force says so")
	}
	return h.To(out, s)
}

// WriteVerdict writes the line of verdict, and where two runs part both lines.
func (r *Replay) WriteVerdict(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString(reports.Paint(s, r.Word) + ": " + r.Sentence + "\n")
	if r.Replayed.Violated && r.Replayed.Why != "" {
		fmt.Fprintf(b, "  %s\n", r.Replayed.Why)
	}
	if p := r.Parting; p != nil {
		ended := func(line string) string {
			if line == "" {
				return "(nothing more, up to the violation that was recorded)"
			}
			return line
		}
		fmt.Fprintf(b, "  step %s as recorded: %s\n", units.Number(p.Step), ended(p.Recorded))
		fmt.Fprintf(b, "  step %s as replayed: %s\n", units.Number(p.Step), ended(p.Replayed))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Short is the line that one of several files gets.
func (r *Replay) Short(s layout.Style) string {
	word := "ok  "
	if !r.OK {
		word = "FAIL"
	}
	return word + "  " + r.File + ": " + reports.Paint(s, r.Word) + ": " + r.Sentence + "\n"
}

// Decide gives the replay its verdict: the file predicts its violation, in a run that is the same step by step.
func (r *Replay) Decide() {
	p := verdict.Property{Name: r.Recorded.Property, Checked: 1, Want: verdict.WantViolated, Met: r.OK}
	e := verdict.Evidence{}
	if r.Replayed.Violated {
		p.Violated, p.Said = 1, r.Replayed.what()
	}
	switch {
	case r.OK && r.Replayed.Panic: // the file predicts that, too
		e.Properties = []verdict.Property{p}
	case r.Replayed.Panic:
		e.Panic = r.Replayed.what()
	default:
		e.Properties = []verdict.Property{p}
	}
	r.Verdict = verdict.Decide(&e)
	r.Sentence = r.sentence()
}

// sentence says what was reproduced, and where the runs part.
func (r *Replay) sentence() string {
	switch {
	case r.OK && r.Same:
		return r.Replayed.what() + ", every step as recorded, digest " + r.Replayed.Digest
	case r.OK && r.Replayed.AtNS == r.Recorded.AtNS:
		return r.Replayed.what() + ", but the run differs" + r.where()
	case r.OK:
		return r.Replayed.what() + " instead of " + units.Instant(r.Recorded.AtNS) + ": the run differs" + r.where()
	}
	now := "it is not violated"
	if r.Replayed.Violated {
		now = "instead " + r.Replayed.what()
	}
	if r.Replayed.Digest == r.Recorded.Digest && !r.OtherDigests && r.Parting == nil {
		return "the run is as recorded, but not what the file says of it, " + r.Recorded.what() + ": " + now
	}
	return r.Recorded.what() + " was recorded, and now " + now + "; the run differs" + r.where()
}

// where is where the runs part.
func (r *Replay) where() string {
	digests := ", digest " + r.Replayed.Digest + " instead of " + r.Recorded.Digest
	if r.OtherDigests {
		digests = ", and digests of another encoding cannot be compared"
	}
	if r.Parting != nil {
		return " from step " + units.Number(r.Parting.Step) + " on" + digests
	}
	return ", in what the file does not tell" + digests
}

// what is a violation in words.
func (b *Side) what() string {
	line := b.Property
	if b.Panic {
		line = "a panic"
	}
	line += " at " + units.Instant(b.AtNS)
	if len(b.Nodes) > 0 {
		line += " (" + strings.Join(b.Nodes, ", ") + ")"
	}
	return line
}
