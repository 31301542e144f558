package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

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
	Remedy   *Remedy         `json:"remedy,omitempty"`  // where a wish fails, and a longer lease helps
	Verdict  string          `json:"verdict,omitempty"` // of the wishes: safe or unsafe
	OK       bool            `json:"ok"`                // no simulation contradicts a closed form, and no wish fails

	Explain bool `json:"-"` // say of each number what it means and where it is from
}

// Wish is what may happen, held against what the settings promise.
type Wish struct {
	Names    []string `json:"names"` // of what happens, all at once
	Values   []string `json:"values"`
	Promise  string   `json:"promise"`      // that it is held against
	Of       string   `json:"of,omitempty"` // of the names, which must be below the limit
	Limit    string   `json:"limit"`
	LimitNS  int64    `json:"limit_ns"`
	MarginNS int64    `json:"margin_ns"` // by how much it is below the limit
	Safe     bool     `json:"safe"`
	Harm     string   `json:"harm"`             // what happens else
	Spared   string   `json:"spared,omitempty"` // what may happen where it is safe
}

// Remedy is a setting with which no wish fails.
type Remedy struct {
	Set      string `json:"set"`
	Takeover string `json:"takeover"` // after a crash, at most, with it
}

// name is what happens.
func (w *Wish) name() string {
	list := make([]string, len(w.Names))
	for i, n := range w.Names {
		list[i] = n + " " + w.Values[i]
	}
	return strings.Join(list, " and ")
}

// says is the verdict with its reason.
func (w *Wish) says() string {
	switch {
	case w.Safe && w.Of == "":
		return w.Spared
	case w.Safe:
		return fmt.Sprintf("harmless is a %s below %s, a margin of %s", w.Of, w.Limit, units.Exact(w.MarginNS))
	case w.Of == "":
		return w.Harm
	case w.LimitNS <= 0:
		return w.Harm + ", however short the pause is"
	}
	return fmt.Sprintf("%s; harmless is a %s below %s", w.Harm, w.Of, w.Limit)
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
	Value     string     `json:"value"`
	Number    float64    `json:"number"` // the same, durations in nanoseconds
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
	Median      string `json:"median,omitempty"`
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
	for i := range a.Promises {
		r := a.Promises[i].Simulated
		a.OK = a.OK && (r == nil || !r.Contradicts)
	}
	for i := range a.Wishes {
		if a.Verdict = cmp.Or(a.Verdict, "safe"); !a.Wishes[i].Safe {
			a.Verdict, a.OK = "unsafe", false
		}
	}
}

// WriteText writes the advice for a person.
func (a *Advice) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, a.writeSettings, a.writePromises, a.Risk.write, a.writeWishes, a.WriteVerdict)
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
	if explain {
		fmt.Fprintf(b, "  %s\n", p.Says)
	}
	switch r := p.Simulated; {
	case r == nil:
	case r.Text == "":
		b.WriteString("  simulated: " + s.Paint(layout.Yellow, "not exercised") + " in " + units.Plural(r.Runs, "run") + "\n")
	case r.Contradicts:
		fmt.Fprintf(b, "  simulated: %s, %s: %s\n", s.Paint(layout.Red, "CONTRADICTS THE FORMULA"), r.Text, units.Plural(r.Runs, "run"))
	default:
		fmt.Fprintf(b, "  simulated: %s; %s\n", r.Text, units.Plural(r.Runs, "run"))
	}
	for _, c := range p.Copied {
		fmt.Fprintf(b, "  often copied: %s, which is %s: %s\n", c.Formula, c.Value, c.Says)
	}
	if explain {
		fmt.Fprintf(b, "  source: %s\n", p.Source)
	}
}

// writeWishes says of each wish whether it does harm.
func (a *Advice) writeWishes(out io.Writer, s layout.Style) error {
	if len(a.Wishes) == 0 {
		return nil
	}
	rows := [][]string{}
	for i := range a.Wishes {
		w, verdict := &a.Wishes[i], s.Paint(layout.Green, "SAFE")
		if !w.Safe {
			verdict = s.Paint(layout.Red, "UNSAFE")
		}
		rows = append(rows, []string{w.name(), verdict, w.says()})
	}
	if err := s.Table(out, 1, []layout.Column{layout.TextColumn("what may happen"), layout.TextColumn("verdict"), layout.TextColumn("why")}, rows); err != nil {
		return err
	}
	if a.Remedy == nil {
		return nil
	}
	_, err := fmt.Fprintf(out, " set: %s   no wish does harm; a takeover after a crash takes at most %s then\n", a.Remedy.Set, a.Remedy.Takeover)
	return err
}

// WriteVerdict writes one line that says whether the simulation agrees.
func (a *Advice) WriteVerdict(out io.Writer, s layout.Style) error {
	contradicted, simulated := []string(nil), 0
	for i := range a.Promises {
		if r := a.Promises[i].Simulated; r != nil && r.Text != "" {
			simulated++
			if r.Contradicts {
				contradicted = append(contradicted, a.Promises[i].Name)
			}
		}
	}
	line := s.Paint(layout.Green, "OK") + fmt.Sprintf(": no run contradicts a formula; %d of %s simulated", simulated, units.Plural(len(a.Promises), "promise"))
	switch {
	case len(contradicted) > 0:
		line = s.Paint(layout.Red, "CONTRADICTED") + ": " + strings.Join(contradicted, ", ") + ": the model does otherwise than the formula says"
	case simulated == 0:
		line = "formulas only: nothing was simulated"
	}
	line += "; each limit is for one fault alone, unless it names two"
	if a.Verdict != "" && len(contradicted) == 0 { // the last line is the answer
		line = strings.TrimPrefix(line, s.Paint(layout.Green, "OK")+": ") + "\n" + a.wished(s)
	}
	_, err := fmt.Fprintln(out, line)
	return err
}

// wished is the verdict of the wishes: of the last that fails, which has the most in it.
func (a *Advice) wished(s layout.Style) string {
	names := []string{}
	for i := range a.Wishes {
		w := &a.Wishes[len(a.Wishes)-1-i]
		if !w.Safe {
			return s.Paint(layout.Red, "UNSAFE") + ": " + w.name() + ": " + w.says()
		}
		names = append(names, w.name())
	}
	slices.Reverse(names)
	return s.Paint(layout.Green, "SAFE") + ": " + strings.Join(names, "; ")
}
