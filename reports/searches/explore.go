// Package searches writes the results of the commands that run a scenario many times in search of something: explore, explain,
// boundary and replay.
package searches

import (
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

// ExploreSchema names the form of the document that [Exploration] is.
const ExploreSchema = "fencepost/explore/v1"

// Exploration is the result of a search for a violation.
type Exploration struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"` // NoFaults, or as the file says
	Settings []result.Setting `json:"settings,omitempty"`

	Search     string   `json:"search"` // random, exhaustive or pct
	Budget     string   `json:"budget"`
	Usual      []string `json:"usual,omitempty"`       // the faults of the budget, of a file without one
	Scripted   int      `json:"scripted"`              // faults that are injected in every run besides
	Wanted     []string `json:"wanted,omitempty"`      // the properties asked for, if not all
	Goal       *Goal    `json:"goal,omitempty"`        // what it looks for, if no violation
	Seed       uint64   `json:"seed"`                  // of the first run
	RunsWanted int      `json:"runs_wanted"`           // at most; 0 is any number
	ForNS      int64    `json:"for_ns,omitempty"`      // at most; 0 is any time
	Memory     int64    `json:"memory_bytes,omitzero"` // of an exhaustive search, at most
	UntilNS    int64    `json:"until_ns"`

	Runs      int        `json:"runs"`
	Events    uint64     `json:"events"`
	States    int        `json:"states,omitempty"`
	Pruned    int        `json:"pruned,omitempty"`   // runs broken off in a state seen before
	Faulty    int        `json:"faulty"`             // runs in which a fault of the budget was injected
	Meetings  *Meetings  `json:"meetings,omitempty"` // of a budget of two faults or more
	Points    int        `json:"points"`             // places at which one can be injected
	Exhausted bool       `json:"exhausted"`
	Bound     string     `json:"bound,omitempty"` // what stopped it: runs, time, memory or found
	Guarantee *Guarantee `json:"guarantee,omitempty"`

	verdict.Verdict
	OK           bool               `json:"ok"` // Exit is 0
	Properties   []reports.Property `json:"properties"`
	NotExercised []string           `json:"unjudged"` // properties that saw nothing in any run
	Found        *Found             `json:"found,omitempty"`
}

// Meetings is in how many runs faults of the budget came together.
type Meetings struct {
	Together int   `json:"together"`  // runs with two or more
	Met      int   `json:"met"`       // runs in which two overlapped, or one followed another within the window
	WindowNS int64 `json:"window_ns"` // the longest timer of the run without a fault
}

// hardly reports whether two faults met in less than one run in a hundred.
func (m *Meetings) hardly(runs int) bool { return m != nil && 100*m.Met < runs }

// Guarantee is what a PCT search promises.
type Guarantee struct {
	Depth  int     `json:"depth"`
	PerRun float64 `json:"per_run"` // probability that one run finds a violation of this depth
	InAll  float64 `json:"in_all"`  // that all of them do
}

// Found is a violation that a search found.
type Found struct {
	Run      int            `json:"run"` // from 1
	Seed     uint64         `json:"seed"`
	Property string         `json:"property,omitempty"` // none if the model panics
	Panic    *reports.Panic `json:"panic,omitempty"`
	Faults   []string       `json:"faults"` // of the run in which it was found
	Shrunk   *Shrunk        `json:"shrunk,omitempty"`
	Case     Case           `json:"case"` // the same, made smaller
	Why      string         `json:"why,omitempty"`
	// Replay is the name of the replay file, Reproduce a command that shows it.
	Replay    string `json:"replay,omitempty"`
	Reproduce string `json:"reproduce,omitempty"`
	// Redrawn says that the command shows the same violation in another run: what is
	// drawn is what its seed gives.
	Redrawn     bool   `json:"redrawn,omitempty"`
	Explanation Writer `json:"explanation,omitempty"`
}

// Writer is an explanation that writes itself.
type Writer interface{ Write(io.Writer) error }

// Shrunk says how a violation was made smaller.
type Shrunk struct {
	Tries   int    `json:"tries"`             // runs that it took
	Whole   bool   `json:"whole"`             // nothing more can be taken away; else it was broken off
	Smaller string `json:"smaller,omitempty"` // the values of the file that make the system smaller
}

// Case is one schedule that fails.
type Case struct {
	Seed    uint64   `json:"seed"`
	Minimal bool     `json:"calm"` // every draw but those named is minimal
	Faults  []string `json:"faults"`
	Draws   []string `json:"draws"`
	AtNS    int64    `json:"at_ns"`
	Nodes   []string `json:"nodes,omitempty"`
	Events  uint64   `json:"events"`
	Digest  string   `json:"digest"`
}

// Decide gives the search its verdict. It is called when all else is there.
func (e *Exploration) Decide(interrupted bool) {
	x := verdict.Evidence{Scope: with(e.Settings, "") + e.scope()}
	if e.Found != nil && e.Found.Panic != nil {
		x.Panic = e.violation()
	}
	for i := range e.Properties {
		p := &e.Properties[i]
		one := verdict.Property{Name: p.Name, Said: p.Name, Checked: p.Runs, Violated: p.Violated, Needs: p.Needs, Asked: slices.Contains(e.Wanted, p.Name)}
		if e.Found != nil && e.Found.Property == p.Name {
			one.Violated, one.Said, one.Asked = 1, e.violation(), len(e.Wanted) > 0
		}
		x.Properties = append(x.Properties, one)
	}
	switch {
	case interrupted:
		x.Interrupted = "after " + units.Plural(e.Runs, "run")
	case e.Runs == 0:
		x.Idle = e.bound() + " stopped the search before the end of its first run"
	case e.Budget != NoBudget && e.Faulty == 0:
		x.Idle = e.notInjected()
	case e.Search == "random" && e.Meetings.hardly(e.Runs):
		x.Idle = fmt.Sprintf("two faults of the budget met in %s of %s, where one within %s after another counts: give --runs, or a longer run",
			units.Number(e.Meetings.Met), units.Plural(e.Runs, "run"), units.Exact(e.Meetings.WindowNS))
	case e.Exhausted:
		x.All = verdict.Exhausted
	case e.Search == "exhaustive":
		x.Limit = fmt.Sprintf("stopped by %s after %s, no violation so far", e.bound(), e.looked())
	}
	e.aim(&x)
	e.Verdict = verdict.Decide(&x)
	e.OK = e.Exit == 0
}

// with names what a command changes in a scenario, before what was found of it.
func with(sets []result.Setting, mode string) string {
	list := []string{}
	for _, set := range sets {
		list = append(list, strings.TrimPrefix(set.Path, "params.")+"="+units.Brief(set.Value, 40))
	}
	switch mode {
	case reports.NoFaults:
		list = append(list, "no faults")
	case reports.Control:
		list = append(list, "control")
	}
	if len(list) == 0 {
		return ""
	}
	return "with " + strings.Join(list, ", ") + ": "
}

// scope is what the search tried, before the names of the properties that held in it.
func (e *Exploration) scope() string {
	if e.Exhausted {
		return e.looked() + ": no violation of "
	}
	s := "no violation in " + units.Plural(e.Runs, "run")
	if e.Budget == NoBudget && e.Scripted == 0 {
		s += " without a fault"
	}
	if e.Budget != NoBudget {
		s += fmt.Sprintf(", faults injected in %s of them", units.Number(e.Faulty))
	}
	if m := e.Meetings; m != nil {
		s += fmt.Sprintf("; two faults met in %s", units.Number(m.Met))
	}
	if n := e.checked(); n < e.Runs {
		s += fmt.Sprintf(", checked in at least %s", units.Number(n))
	}
	return s + ": "
}

// checked is in how many runs each property was checked, of those asked for, that was checked in any.
func (e *Exploration) checked() int {
	least := e.Runs
	for i := range e.Properties {
		if p := &e.Properties[i]; p.Runs > 0 && (len(e.Wanted) == 0 || slices.Contains(e.Wanted, p.Name)) {
			least = min(least, p.Runs)
		}
	}
	return least
}

// looked is how much an exhaustive search has seen.
func (e *Exploration) looked() string {
	return units.Plural(e.Runs, "schedule") + ", " + units.Plural(e.States, "state")
}

// NoBudget is the budget of a search that allows no faults besides those of the file.
const NoBudget = "nothing"

// WriteText writes the whole report for a person.
func (e *Exploration) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, e.writeHeader, e.writeCase, e.writeExplanation, e.writeProperties, e.WriteVerdict)
}

func (e *Exploration) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(e.Scenario, e.About, e.Source, e.Model)
	writeSettings(h, e.Settings, e.Mode)
	if e.Scripted > 0 {
		h.Line("faults", units.Plural(e.Scripted, "fault")+" of the file in every run; --no-faults leaves them out")
	}
	h.Line("budget", e.Budget)
	if len(e.Wanted) > 0 {
		h.Line("property", strings.Join(e.Wanted, ", "))
	}
	if e.Goal != nil {
		h.Line("reach", e.Goal.Text)
	}
	what := e.Search
	if e.Search == "pct" {
		if e.Guarantee != nil {
			what += fmt.Sprintf(" of depth %d", e.Guarantee.Depth)
		}
		what += ""
	}
	if e.Search == "exhaustive" {
		what += ", all draws minimal"
	}
	var most []string
	if e.RunsWanted > 0 {
		most = append(most, units.Plural(e.RunsWanted, "run"))
	}
	if e.ForNS > 0 {
		most = append(most, units.Duration(e.ForNS))
	}
	h.Line("search", fmt.Sprintf("%s, for at most %s; each run %s, from seed %d on", what, strings.Join(most, " and "), units.Duration(e.UntilNS), e.Seed))
	h.Line("covered", e.covered())
	if m := e.Meetings; m != nil {
		h.Line("met", fmt.Sprintf("two faults were injected in %s, and met in %s: they overlapped, or one began within %s after another had ended",
			units.Plural(m.Together, "run"), units.Plural(m.Met, "run"), units.Exact(m.WindowNS)))
	}
	if g := e.Guarantee; g != nil {
		h.Line("promise", fmt.Sprintf("a violation of depth %d is found in one run with a probability of at least %s, in %s of at least %s",
			g.Depth, units.Percent(g.PerRun), units.Plural(max(e.Runs, e.RunsWanted), "run"), units.Percent(g.InAll)))
	}
	return h.To(out, s)
}

// covered says how much was looked at.
func (e *Exploration) covered() string {
	s := fmt.Sprintf("%s, %s events, faults in %s", units.Plural(e.Runs, "run"), units.Number(e.Events), units.Plural(e.Faulty, "run"))
	if e.Search == "exhaustive" {
		return s + fmt.Sprintf("; %s, %s broken off in one seen before", units.Plural(e.States, "state"), units.Plural(e.Pruned, "run"))
	}
	if e.Points == 0 {
		return s
	}
	return s + fmt.Sprintf("; %s to inject at", units.Plural(e.Points, "place"))
}

// writeCase says what it takes to violate the property.
func (e *Exploration) writeCase(out io.Writer, _ layout.Style) error {
	f := e.Found
	if f == nil {
		return nil
	}
	b := &strings.Builder{}
	switch {
	case e.Goal == nil || f.Panic != nil:
		b.WriteString("what it takes")
	case f.Shrunk == nil:
		fmt.Fprintf(b, "schedule for %s", e.Goal.Text)
	default:
		fmt.Fprintf(b, "minimal schedule for %s", e.Goal.Text)
	}
	if k := f.Shrunk; k != nil {
		fmt.Fprintf(b, ", shrunk from %s", units.Plural(len(f.Faults), "fault"))
		if !k.Whole {
			b.WriteString(", and broken off: --shrink-for gives it more time")
		}
	}
	b.WriteByte('\n')
	writeFirst(b, f.Case.Faults)
	writeFirst(b, f.Case.Draws)
	if k := f.Shrunk; k != nil && k.Smaller != "" {
		fmt.Fprintf(b, "  with %s\n", k.Smaller)
	}
	if len(f.Case.Faults)+len(f.Case.Draws) == 0 {
		b.WriteString("  nothing goes wrong\n")
	}
	if f.Case.Minimal {
		b.WriteString("  and all draws are minimal: the shortest delays, no loss\n")
	} else {
		fmt.Fprintf(b, "  and what is drawn from seed %d\n", f.Case.Seed)
	}
	if e.Goal != nil {
		b.WriteString(e.minimal())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeFirst writes the first of many lines, and how many more there are.
func writeFirst(b *strings.Builder, lines []string) {
	const most = 40
	for _, x := range lines[:min(len(lines), most)] {
		fmt.Fprintf(b, "  %s\n", x)
	}
	if n := len(lines) - most; n > 0 {
		fmt.Fprintf(b, "  and %s more, which --json lists\n", units.Number(n))
	}
}

func (e *Exploration) writeExplanation(out io.Writer, _ layout.Style) error {
	if e.Found == nil || e.Found.Explanation == nil {
		return nil
	}
	return e.Found.Explanation.Write(out)
}

// writeProperties says of each property how often it was checked; those that saw
// nothing get one line.
func (e *Exploration) writeProperties(out io.Writer, s layout.Style) error {
	columns := []layout.Column{layout.TextColumn("property"), layout.TextColumn("verdict"), layout.NumberColumn("violated"), layout.NumberColumn("of runs")}
	if e.Found == nil && e.Search != "exhaustive" {
		columns = append(columns, layout.NumberColumn("share"), layout.TextColumn("95% interval"))
	}
	var rows [][]string
	for i := range e.Properties {
		if p := &e.Properties[i]; p.Runs > 0 {
			rows = append(rows, p.Row(s, true)[:len(columns)])
		}
	}
	if len(rows) > 0 {
		if err := layout.Table(out, columns, rows); err != nil {
			return err
		}
	}
	if len(e.NotExercised) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, " not exercised in any run: %s\n", strings.Join(e.NotExercised, ", "))
	return err
}

// WriteVerdict writes one line that says it all, and how to see a violation again.
func (e *Exploration) WriteVerdict(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString(e.Line(s) + "\n")
	if f := e.Found; f != nil {
		if f.Replay != "" {
			fmt.Fprintf(b, "  replay: %s\n", f.Replay)
		}
		switch {
		case f.Reproduce != "" && f.Redrawn:
			fmt.Fprintf(b, "  the same with other draws: %s\n", f.Reproduce)
		case f.Reproduce != "":
			fmt.Fprintf(b, "  reproduce: %s\n", f.Reproduce)
		}
		if f.Replay == "" {
			b.WriteString("  --out DIR writes a file that " + program.Name() + " replay plays, and the explanation\n")
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Line is the whole result in one line.
func (e *Exploration) Line(s layout.Style) string {
	return reports.Paint(s, e.Word) + ": " + e.Sentence
}

func (e *Exploration) bound() string {
	switch e.Bound {
	case "time":
		return "--for " + units.Duration(e.ForNS)
	case "runs":
		return "--runs " + units.Number(e.RunsWanted)
	}
	return "--memory"
}

// notInjected says why no fault of the budget was injected.
func (e *Exploration) notInjected() string {
	switch {
	case e.Runs <= 1 && e.Search != "exhaustive":
		return "no fault of the budget was injected, since the first run has none: want --runs 2 or more"
	case e.Points == 0:
		return "no fault of the budget can be injected: the runs offer no place for one"
	}
	s := "no fault of the budget was injected in " + units.Plural(e.Runs, "run")
	if e.Search == "exhaustive" && !e.Exhausted {
		s += ", after which " + e.bound() + " stopped the search"
	}
	return s
}

// violation is what was found, and where.
func (e *Exploration) violation() string {
	f := e.Found
	s := ""
	if f.Panic != nil {
		s = strings.TrimPrefix(f.Panic.What(1), "panic: ")
	} else {
		s = f.Property + " at " + units.Instant(f.Case.AtNS)
		if len(f.Case.Nodes) > 0 {
			s += " (" + strings.Join(f.Case.Nodes, ", ") + ")"
		}
	}
	return s + e.run()
}

// run is the run in which it was found, and what became of it.
func (e *Exploration) run() string {
	f := e.Found
	s := "; found in run " + units.Number(f.Run)
	if e.RunsWanted > 0 {
		s += " of " + units.Number(e.RunsWanted)
	}
	s += fmt.Sprintf(" (seed %d)", f.Seed)
	if k := f.Shrunk; k != nil {
		s += map[bool]string{true: ", shrunk to ", false: ", shrinking broken off at "}[k.Whole] + units.Plural(len(f.Case.Faults), "fault")
	}
	s += ", digest " + f.Case.Digest
	if f.Run == 1 && e.Scripted > 0 {
		s += "; the faults of the file do it alone: --no-faults leaves them out"
	}
	return s
}
