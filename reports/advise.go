package reports

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// AdviceSchema names the form of the document that [Advice] is.
const AdviceSchema = "fencepost/advice/v1"

// Advice is what the settings of a lock promise.
type Advice struct {
	Schema   string          `json:"schema"`
	Lock     string          `json:"lock"`
	About    string          `json:"about"`
	Settings []AdviceSetting `json:"settings"`
	Promises []Promise       `json:"promises"`
	Risk     *Risk           `json:"risk,omitempty"`
	Wishes   []Wish          `json:"wishes,omitempty"`
	Assumes  []string        `json:"assumptions,omitempty"`
	Remedies []Remedy        `json:"remedies,omitempty"` // where a wish fails, and other settings help
	Costs    []string        `json:"costs,omitempty"`
	Watch    string          `json:"watch,omitempty"`   // what to alert on
	Verdict  string          `json:"verdict,omitempty"` // of the wishes, safe or unsafe; contradicted if a run contradicts a formula
	OK       bool            `json:"ok"`                // no simulation contradicts a closed form, and no wish fails
	Versus   *Advice         `json:"versus,omitempty"`  // other settings, for comparison

	Explain bool `json:"-"` // say of each number what it means and where it is from
}

// AdviceSetting is a setting, or what is derived from others by a formula.
type AdviceSetting struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Formula string `json:"formula,omitempty"`
	Meaning string `json:"meaning"`
}

// Promise is one number that follows from the settings.
type Promise struct {
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	Says      string     `json:"says"`
	Formula   string     `json:"formula"`
	Relation  string     `json:"relation"` // of what happens to the value: <=, <, = or, on average, ~
	Value     string     `json:"value"`
	Number    float64    `json:"number"` // the same, durations in nanoseconds
	Unit      string     `json:"unit"`   // of the number: ns, count or ratio
	Condition string     `json:"condition,omitempty"`
	Proven    string     `json:"proven,omitempty"` // what a proof says, and by which command; "" is held to runs
	Copied    []Copied   `json:"copied,omitempty"`
	Source    string     `json:"source"`
	Simulated *Simulated `json:"simulated,omitempty"`
}

// Copied is a formula that is often used instead, and its result.
type Copied struct {
	Formula string `json:"formula"`
	Value   string `json:"value"`
	Says    string `json:"says"`
}

// Simulated is what runs of the model gave.
type Simulated struct {
	Runs        int    `json:"runs"`
	Missed      int    `json:"not_exercised,omitempty"` // runs in which what counts did not come about
	Worst       string `json:"worst,omitempty"`
	Mean        string `json:"mean,omitempty"`
	Low         string `json:"low,omitempty"` // of its 95% interval
	High        string `json:"high,omitempty"`
	Harmed      int    `json:"harmed,omitempty"`       // runs just below the number
	HarmedAbove int    `json:"harmed_above,omitempty"` // runs at Above
	Above       string `json:"above,omitempty"`
	Contradicts bool   `json:"contradicts"`
	Tight       bool   `json:"tight"` // the worst run lies nearer to the number than a formula is easily wrong
	Text        string `json:"text"`

	File string `json:"-"` // the scenario of the worst run
	Seed uint64 `json:"-"`
}

// Finish fills in what follows from the promises.
func (a *Advice) Finish() {
	a.OK = true
	for i := range a.Wishes {
		w := &a.Wishes[i]
		if a.Verdict = cmp.Or(a.Verdict, AdviceSafe); w.Verdict == AdviceUnsafe {
			a.Verdict, a.OK = AdviceUnsafe, false
		}
	}
	if len(a.Contradicted()) > 0 {
		a.Verdict, a.OK = AdviceContradicted, false
	}
}

// WriteText writes the advice for a person.
func (a *Advice) WriteText(out io.Writer, s layout.Style) error {
	promises := a.writePromises
	if a.Versus != nil {
		promises = a.writeVersus
	}
	return layout.Sections(out, s, a.writeSettings, promises, a.Risk.write, a.writeWishes, a.WriteVerdict)
}

func (a *Advice) writeSettings(out io.Writer, _ layout.Style) error {
	fmt.Fprintf(out, "%s: %s\n", a.Lock, a.About)
	for _, set := range a.Settings {
		value := set.Name + " = " + set.Value
		if set.Formula != "" && set.Formula != set.Value {
			value = set.Name + " = " + set.Formula + " = " + set.Value
		}
		if _, err := fmt.Fprintf(out, "  %-20s %s\n", value, set.Meaning); err != nil {
			return err
		}
	}
	return nil
}

func (a *Advice) writePromises(out io.Writer, s layout.Style) error {
	var b strings.Builder
	for i := range a.Promises {
		if i > 0 {
			b.WriteString("\n")
		}
		a.Promises[i].write(&b, s, a.Explain)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (p *Promise) write(b *strings.Builder, s layout.Style, explain bool) {
	fmt.Fprintf(b, "%s: %s\n  %s\n", p.Title, p.Value, p.Formula)
	if p.Condition != "" {
		fmt.Fprintf(b, "  %s\n", p.Condition)
	}
	if explain {
		fmt.Fprintf(b, "  %s\n", p.Says)
	}
	proven := "; " + cmp.Or(p.Proven, "not proven")
	switch r := p.Simulated; {
	case r == nil:
	case r.Text == "":
		b.WriteString("  simulated: " + s.Paint(layout.Yellow, "not exercised") + " in " + units.Plural(r.Runs, "run") + "\n")
	case r.Contradicts:
		fmt.Fprintf(b, "  simulated: %s, %s: %s\n", s.Paint(layout.Red, "CONTRADICTS THE FORMULA"), r.Text, units.Plural(r.Runs, "run"))
	default:
		fmt.Fprintf(b, "  simulated: %s; %s%s\n", r.Text, units.Plural(r.Runs, "run"), proven)
	}
	for _, c := range p.Copied {
		fmt.Fprintf(b, "  often copied: %s, which is %s: %s\n", c.Formula, c.Value, c.Says)
	}
	if explain {
		fmt.Fprintf(b, "  source: %s\n", p.Source)
	}
}

// Contradicted are the promises and wishes of which the model does otherwise than the formula says: the formula is wrong.
func (a *Advice) Contradicted() (names []string) {
	for i := range a.Promises {
		if r := a.Promises[i].Simulated; r != nil && r.Contradicts {
			names = append(names, a.Promises[i].Name)
		}
	}
	for i := range a.Wishes {
		if r := a.Wishes[i].Simulated; r != nil && r.Contradicts {
			names = append(names, a.Wishes[i].Name())
		}
	}
	return names
}

// WriteVerdict writes the answer in the last line: of the wishes, or whether the simulation agrees.
func (a *Advice) WriteVerdict(out io.Writer, s layout.Style) error {
	simulated := 0
	for i := range a.Promises {
		if r := a.Promises[i].Simulated; r != nil && r.Text != "" {
			simulated++
		}
	}
	agrees := fmt.Sprintf("no run contradicts a formula; %d of %s simulated", simulated, units.Plural(len(a.Promises), "promise"))
	if simulated == 0 {
		agrees = "formulas only: nothing was simulated"
	}
	agrees += "; each limit in the list above is for one fault alone"
	line := s.Paint(layout.Green, "OK") + ": " + agrees
	switch contradicted := a.Contradicted(); {
	case len(contradicted) > 0:
		line = s.Paint(layout.Red, "CONTRADICTED") + ": " + strings.Join(contradicted, ", ") + ": the model does otherwise than the formula says, which is a defect of " + program.Name()
	case a.Verdict != "":
		line = agrees + "\n" + a.wished(s)
	case simulated == 0:
		line = agrees
	}
	_, err := fmt.Fprintln(out, line)
	return err
}
