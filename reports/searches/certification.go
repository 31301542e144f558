package searches

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/result"
)

// CertifySchema names the form of the document that [Certification] is.
const CertifySchema = "fencepost/certify/v1"

// Certification is whether a property holds for all delays, drawn timers and pauses in their ranges.
type Certification struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"`
	Settings []result.Setting `json:"settings,omitempty"`
	Property string           `json:"property"`
	Over     []Ranged         `json:"over"`             // the ranges that were asked for
	Budget   string           `json:"budget,omitempty"` // of pauses, if it is not the file's

	verdict.Verdict
	OK          bool     `json:"ok"` // Exit is 0
	Explored    Explored `json:"explored"`
	Assumptions []string `json:"assumptions"`
	Bound       string   `json:"bound,omitempty"`  // of unknown and vacuous: why
	Remedy      string   `json:"remedy,omitempty"` // of both: what would help
	Edges       []Edge   `json:"edges"`            // one of each range of pauses
	Law         *Laws    `json:"law,omitempty"`

	Case *Case  `json:"case,omitempty"` // a run that violates the property
	Why  string `json:"why,omitempty"`
	// Explanation is which of its steps lead to the violation, nil if it has too many to find out.
	Explanation Writer `json:"-"`
	Replay      string `json:"replay,omitempty"`
	Reproduce   string `json:"reproduce,omitempty"`
}

// Ranged is a range of values of a path.
type Ranged struct {
	Path    string `json:"path"`
	LeastNS int64  `json:"least_ns"`
	MostNS  int64  `json:"most_ns"`
}

// Explored is how much was looked at.
type Explored struct {
	States  int   `json:"states"`  // each a set of instants, of one state of all nodes
	Events  int   `json:"events"`  // in all states
	Waiting int   `json:"waiting"` // states that were not looked at any more
	Deepest int   `json:"deepest"` // instants that mattered at once, at most
	Bytes   int64 `json:"bytes"`   // that the states take, about
}

// Edge is up to which size of a fault the property holds.
type Edge struct {
	Path     string `json:"path"`
	Fault    string `json:"fault,omitempty"`       // crash, step or step back; a pause otherwise
	Known    bool   `json:"known"`                 // no limit was reached
	Stopped  bool   `json:"interrupted,omitempty"` // why it is not known, in place of a limit
	HoldsNS  int64  `json:"holds_ns"`              // up to and with this; -1: not even without any, or not Known
	AtMostNS int64  `json:"at_most_ns,omitempty"`  // if not Known: it holds with none longer than this; 0: nothing is known
	FromNS   int64  `json:"from_ns,omitempty"`     // a run with this violates it; 0: none was found; between HoldsNS and this nothing is known
	EndNS    int64  `json:"end_ns"`                // the longest that was looked at
	States   int    `json:"states"`                // of the last proof
}

// WriteText writes the whole report for a person.
func (c *Certification) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, c.writeHeader, c.writeAssumptions, c.writeSchedule, c.WriteVerdict)
}

func (c *Certification) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(c.Scenario, c.About, c.Source, c.Model)
	writeSettings(h, c.Settings, c.Mode)
	for _, r := range c.Over {
		h.Line("over", r.Path+" = "+r.text())
	}
	budget := c.Budget
	if budget == "none" {
		budget += ": the faults of the file alone"
	}
	h.Line("budget", budget)
	h.Line("property", c.Property)
	h.Line("explored", c.Explored.text())
	return h.To(out, s)
}

func (r *Ranged) text() string {
	if r.LeastNS == r.MostNS {
		return exact(r.MostNS)
	}
	return exact(r.LeastNS) + " to " + exact(r.MostNS)
}

func (e *Explored) text() string {
	s := fmt.Sprintf("%s, %s events, %s that mattered at once at most, %s", units.Plural(e.States, "symbolic state"), units.Number(e.Events),
		units.Plural(e.Deepest, "instant"), units.Size(e.Bytes))
	if e.Waiting > 0 {
		s += fmt.Sprintf("; %s in the queue", units.Plural(e.Waiting, "state"))
	}
	return s
}

func (c *Certification) writeAssumptions(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString("assumed, and all of it at once\n")
	for _, a := range c.Assumptions {
		fmt.Fprintf(b, "  - %s\n", a)
	}
	_, err := io.WriteString(out, s.Fit(b.String(), len("  - ")))
	return err
}

// writeSchedule says how a violation comes about.
func (c *Certification) writeSchedule(out io.Writer, _ layout.Style) error {
	if c.Case == nil {
		return nil
	}
	lines := slices.Concat(c.Case.Faults, c.Case.Draws)
	if c.Explanation != nil {
		if err := c.Explanation.Write(out); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "%s of messages, timers and faults chosen for it, which --json lists\n", units.Plural(len(lines), "value"))
		return err
	}
	b := &strings.Builder{}
	b.WriteString("a run that violates it\n")
	const most = 12
	for _, x := range lines[:min(len(lines), most)] {
		fmt.Fprintf(b, "  %s\n", x)
	}
	if n := len(lines) - most; n > 0 {
		fmt.Fprintf(b, "  and %s more, which --json lists\n", units.Number(n))
	}
	if c.Why != "" {
		fmt.Fprintf(b, "  then %s\n", c.Why)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// WriteVerdict writes one line that says it all, and where the edge is.
func (c *Certification) WriteVerdict(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString(c.line(s) + "\n")
	for i := range c.Edges {
		fmt.Fprintf(b, "  edge: %s\n", c.Edges[i].text())
	}
	if c.Law != nil {
		for _, line := range c.Law.text() {
			fmt.Fprintf(b, "  %s\n", line)
		}
	}
	if c.Remedy != "" {
		fmt.Fprintf(b, "  %s\n", c.Remedy)
	}
	replay := ""
	switch {
	case c.Replay != "": // to be copied, so in one line
		replay = "  replay: " + c.Replay + "\n"
	case c.Case != nil:
		b.WriteString("  --out DIR writes a file that " + program.Name() + " replay, explain and view take\n")
	}
	_, err := io.WriteString(out, s.Fit(b.String(), len("    "))+replay)
	return err
}

func (c *Certification) line(s layout.Style) string {
	return reports.Paint(s, c.Word) + ": " + c.Sentence
}

// Outcomes of a proof, besides that it was interrupted.
const (
	Proven  = "proven"  // no run violates the property
	Refuted = "refuted" // a run violates it
	Vacuous = "vacuous" // it is proven, and no run exercises it
	Open    = "open"    // a limit was reached, or no run shows what was found
)

// Decide gives the proof its verdict, from its outcome.
func (c *Certification) Decide(outcome string, interrupted bool) {
	e := verdict.Evidence{}
	p := verdict.Property{Name: c.Property, Said: c.Property, Checked: 1, Asked: true}
	switch {
	case outcome == Refuted:
		p.Violated, p.Said = 1, fmt.Sprintf("%s at %s (%s), digest %s", c.Property, units.Instant(c.Case.AtNS), strings.Join(c.Case.Nodes, ", "), c.Case.Digest)
	case outcome == Proven:
		e.All, p.Said = verdict.Certified, with(c.Settings, c.Mode)+c.Property+" holds for all values: no run violates it"
	case outcome == Vacuous:
		p.Checked, p.Needs = 0, "it is proven, and "+c.Bound
	case interrupted:
		e.Interrupted = fmt.Sprintf("after %s, %s in the queue", units.Plural(c.Explored.States, "symbolic state"), units.Plural(c.Explored.Waiting, "state"))
	default:
		e.Limit = c.Property + ": " + c.Bound
	}
	e.Properties = []verdict.Property{p}
	c.Verdict = verdict.Decide(&e)
	c.OK = c.Exit == 0
}

func (e *Edge) text() string {
	p, fault := e.Path, cmp.Or(e.Fault, "pause")
	switch {
	case e.Stopped:
		return p + ": interrupted before it was known" + e.bounds()
	case !e.Known:
		return p + ": a limit was reached before it was known" + e.bounds()
	}
	from := ""
	switch {
	case e.FromNS == e.HoldsNS+1:
		from = "; a failing run exists at " + exact(e.FromNS)
	case e.FromNS > 0:
		from = "; a failing run exists at " + exact(e.FromNS) + "; not known in between"
	}
	switch {
	case e.HoldsNS < 0 && e.FromNS > 0 && e.FromNS == e.EndNS: // it is no range
		return fmt.Sprintf("%s: violated with a %s of %s; --over %s=0s..%s looks for the edge", p, fault, exact(e.FromNS), p, exact(e.EndNS))
	case e.HoldsNS < 0 && e.FromNS > 0: // the range begins there
		return fmt.Sprintf("%s: certified for no %s of the range; a failing run exists at %s", p, fault, exact(e.FromNS))
	case e.HoldsNS < 0:
		return p + ": violated without any " + fault
	case e.HoldsNS >= e.EndNS:
		return fmt.Sprintf("%s: safe for every %s up to %s, the longest that was tried", p, fault, exact(e.HoldsNS))
	}
	return fmt.Sprintf("%s: safe for every %s up to %s%s", p, fault, exact(e.HoldsNS), from)
}

// bounds is what is known of an edge that is not.
func (e *Edge) bounds() (text string) {
	if e.AtMostNS > 0 {
		text = "; the certified part ends at " + exact(e.AtMostNS) + " at the latest"
	}
	if e.FromNS > 0 {
		text += "; a failing run exists at " + exact(e.FromNS)
	}
	return text
}
