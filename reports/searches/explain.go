package searches

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// ExplainSchema names the form of the document that [Explanation] is.
const ExplainSchema = "fencepost/explain/v1"

// Explanation is why a property was violated in one run.
type Explanation struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	Replay   string           `json:"replay,omitempty"` // the replay file that it is of
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"`
	Settings []result.Setting `json:"settings,omitempty"`
	UntilNS  int64            `json:"until_ns"`
	Seed     uint64           `json:"seed"` // of the first run looked at
	Runs     int              `json:"runs"` // looked at
	// Wanted are the properties asked for, if not all; Others those that the same run
	// violates besides.
	Wanted []string `json:"wanted,omitempty"`
	Others []string `json:"others,omitempty"`
	// OK is whether there is something to explain, or nothing that was to be expected.
	OK    bool       `json:"ok"`
	Found *Explained `json:"found,omitempty"`
	// Pairs are how events stand to each other, and why, where that was asked for or nothing
	// is violated.
	Pairs []*reports.EventPair `json:"pairs,omitempty"`
}

// Explained is the violation.
type Explained struct {
	Run         int    `json:"run"` // from 1
	Property    string `json:"property,omitempty"`
	Goal        bool   `json:"goal,omitempty"` // the property is a goal, which the run reaches
	Case        Case   `json:"case"`
	Explanation Writer `json:"explanation"`
	Curve       Curve  `json:"curve,omitempty"`
}

// Curve is how probable the violation was, along the run.
type Curve interface {
	Writer
	Sentence() string
}

// WriteText writes the whole report for a person.
func (e *Explanation) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, e.writeHeader, e.writeExplanation, e.writeCurve, e.writePairs, e.writeEnd)
}

func (e *Explanation) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(e.Scenario, e.About, e.Source, e.Model)
	h.Line("replay", e.Replay)
	writeSettings(h, e.Settings, e.Mode)
	if f := e.Found; f != nil {
		h.Line("run", fmt.Sprintf("%s of %s, seed %d, %s events", units.Number(f.Run), units.Duration(e.UntilNS), f.Case.Seed, units.Number(f.Case.Events)))
		for i, x := range f.Case.Faults {
			h.Line(map[bool]string{true: "faults"}[i == 0], x)
		}
		for i, x := range f.Case.Draws {
			h.Line(map[bool]string{true: "draws"}[i == 0], x)
		}
		if f.Case.Minimal {
			h.Line("minimal", "all that is drawn, but for draws that are named, is the shortest delay, no loss")
		}
	}
	return h.To(out, s)
}

func (e *Explanation) writeExplanation(out io.Writer, _ layout.Style) error {
	if e.Found == nil {
		return nil
	}
	return e.Found.Explanation.Write(out)
}

func (e *Explanation) writeCurve(out io.Writer, _ layout.Style) error {
	if e.Found == nil || e.Found.Curve == nil {
		return nil
	}
	return e.Found.Curve.Write(out)
}

// writePairs writes how events stand to each other, and why.
func (e *Explanation) writePairs(out io.Writer, _ layout.Style) error {
	b := &strings.Builder{}
	for i, p := range e.Pairs {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.Write(b)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// WriteVerdict writes one line that says it all.
func (e *Explanation) WriteVerdict(out io.Writer, s layout.Style) error {
	line := e.line(s)
	if f := e.Found; f != nil && f.Curve != nil {
		line += "; " + f.Curve.Sentence()
	}
	_, err := io.WriteString(out, line+"\n")
	return err
}

// writeEnd is the line of verdict below the curve, which says what that shows.
func (e *Explanation) writeEnd(out io.Writer, s layout.Style) error {
	line := e.line(s)
	if len(e.Others) > 0 {
		line += "; violated as well, and explained with --property: " + strings.Join(e.Others, ", ")
	}
	_, err := io.WriteString(out, line+"\n")
	return err
}

// line is the violation in one line.
func (e *Explanation) line(s layout.Style) string {
	f := e.Found
	switch {
	case f == nil && len(e.Pairs) > 0:
		var parts []string
		for _, p := range e.Pairs {
			parts = append(parts, p.Short())
		}
		line := s.Paint(layout.Green, "EXPLAINED") + ": " + strings.Join(parts, ", ")
		if e.Runs > 0 {
			line += fmt.Sprintf("; nothing is violated in %s, %s", units.Plural(e.Runs, "run"), (&reports.Run{Seed: e.Seed, Runs: e.Runs}).Seeds())
		}
		return line
	case f == nil:
		what := "nothing is violated"
		if len(e.Wanted) > 0 {
			what = "no violation of " + strings.Join(e.Wanted, ", ")
		}
		runs := reports.Run{Seed: e.Seed, Runs: e.Runs}
		return s.Paint(layout.Yellow, "NOTHING TO EXPLAIN") + fmt.Sprintf(": %s in %s, %s", what, units.Plural(e.Runs, "run"), runs.Seeds())
	}
	line := s.Paint(layout.Red, "VIOLATED") + ": "
	switch {
	case f.Property == "":
		line += "a step panics"
	case f.Goal:
		line = s.Paint(layout.Green, "REACHED") + ": " + f.Property
	default:
		line += f.Property
	}
	line += " at " + units.Instant(f.Case.AtNS)
	if len(f.Case.Nodes) > 0 {
		line += " (" + strings.Join(f.Case.Nodes, ", ") + ")"
	}
	return line
}
