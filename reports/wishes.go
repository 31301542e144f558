package reports

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"fencepost/internal/text"
	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// The goals and the verdicts of wishes.
const (
	AdviceSafe   = "safe"
	AdviceKeep   = "keep-leader"
	AdviceUnsafe = "unsafe"

	AdviceContradicted = "contradicted"
)

// Wish is what may happen, held against the rules of a lock.
type Wish struct {
	Goal      string      `json:"goal"`  // safe, or that the holder keeps the lock: keep-leader
	Names     []string    `json:"names"` // of what happens, all at once
	Values    []string    `json:"values"`
	Limits    []WishLimit `json:"limits,omitempty"` // below which it does no harm, the rest being as it is
	MarginNS  *int64      `json:"margin_ns,omitempty"`
	Verdict   string      `json:"verdict"`
	Harm      string      `json:"harm,omitempty"`           // what happens where it is unsafe
	Harmless  []string    `json:"harmless_kinds,omitempty"` // of outages, where another kind does harm
	Spared    string      `json:"spared,omitempty"`         // why nothing does
	Schedule  string      `json:"schedule,omitempty"`       // the worst
	Simulated *WishRuns   `json:"simulated,omitempty"`
}

// WishLimit is how much of what happens does no harm.
type WishLimit struct {
	Of       string  `json:"of"`
	Relation string  `json:"relation"`
	Value    string  `json:"value"`
	Number   float64 `json:"number"`
	Unit     string  `json:"unit"` // of the number: ns or ppm
}

// WishRuns is what runs of the worst schedules gave.
type WishRuns struct {
	Runs        int    `json:"runs"`
	Harmed      int    `json:"harmed"`
	HarmedBelow int    `json:"harmed_below"`    // just below the first limit
	Above       string `json:"above,omitempty"` // a value above that limit, by as much as a rule may be loose
	HarmedAbove int    `json:"harmed_above"`    // at that
	Tight       bool   `json:"tight"`           // some run there did harm
	Contradicts bool   `json:"contradicts"`     // harm was done where the formula says that there is none

	File string `json:"-"` // the scenario of a run that did harm, "" if none did
	Seed uint64 `json:"-"`
}

// Remedy is settings with which no wish fails.
type Remedy struct {
	Goal     string   `json:"goal"`
	Set      string   `json:"set"`
	Takeover string   `json:"takeover,omitempty"` // after a crash, at most, with it
	Costs    []string `json:"costs,omitempty"`
}

// Name is what happens.
func (w *Wish) Name() string {
	list := make([]string, len(w.Names))
	for i, n := range w.Names {
		list[i] = n + " " + w.Values[i]
	}
	name := cmp.Or(text.List(list), "even if nothing happens")
	if w.Goal == AdviceKeep {
		name = "keep-leader: " + name
	}
	return name
}

// says is the reason of the verdict.
func (w *Wish) says() string {
	var limits []string
	for _, l := range w.Limits {
		switch {
		case l.Relation == ">":
			limits = append(limits, "the server stays down for more than "+l.Value)
		case l.Number > 0:
			limits = append(limits, fmt.Sprintf("the %s is below %s", l.Of, l.Value))
		}
	}
	if len(w.Harmless) > 0 {
		limits = append(limits, "the outage is "+text.Either(w.Harmless))
	}
	safe := "safe if " + strings.Join(limits, ", or ")
	switch {
	case w.Verdict == AdviceUnsafe && len(limits) == 0 && (len(w.Names) == 0 || w.MarginNS == nil):
		return w.Harm
	case w.Verdict == AdviceUnsafe && len(limits) == 0:
		return w.Harm + ", at any length"
	case w.Verdict == AdviceUnsafe:
		return w.Harm + "; " + safe
	case len(limits) == 0:
		return w.Spared
	}
	return safe
}

// runs is what the runs gave, in a word.
func (w *Wish) runs() string {
	switch r := w.Simulated; {
	case r == nil:
		return ""
	case r.Contradicts:
		return fmt.Sprintf("%s of %s, %s just below the limit", units.Number(r.Harmed), units.Number(r.Runs), units.Number(r.HarmedBelow))
	case r.Above == "":
		return fmt.Sprintf("%s of %s", units.Number(r.Harmed), units.Number(r.Runs))
	case !r.Tight:
		return fmt.Sprintf("%s of %s, 0 at %s: the limit may be too strict", units.Number(r.Harmed), units.Number(r.Runs), r.Above)
	default:
		return fmt.Sprintf("%s of %s, %s at %s", units.Number(r.Harmed), units.Number(r.Runs), units.Number(r.HarmedAbove), r.Above)
	}
}

// writeWishes says of each wish whether it does harm.
func (a *Advice) writeWishes(out io.Writer, s layout.Style) error {
	if len(a.Wishes) == 0 {
		return nil
	}
	rows, simulated := [][]string{}, false
	for i := range a.Wishes {
		w := &a.Wishes[i]
		simulated = simulated || w.Simulated != nil
		word := verdictWord(s, w.Verdict)
		if w.Simulated != nil && w.Simulated.Contradicts {
			word = s.Paint(layout.Red, "CONTRADICTED")
		}
		rows = append(rows, []string{a.row(i), word, w.says(), w.runs()})
		if w.Simulated == nil && w.MarginNS != nil {
			rows[i][3] = "not run: it would take too long"
		}
	}
	columns := []layout.Column{layout.TextColumn("what may happen"), layout.TextColumn("verdict"), layout.TextColumn("why"), layout.TextColumn("harm in runs")}
	if !simulated {
		columns = columns[:3]
		for i := range rows {
			rows[i] = rows[i][:3]
		}
	}
	if err := s.Table(out, 1, columns, rows); err != nil {
		return err
	}
	return a.writeRemedies(out)
}

// row is what a row is about: all that happens is named in the rows above it.
func (a *Advice) row(i int) string {
	w := &a.Wishes[i]
	switch {
	case len(w.Names) < 3:
		return w.Name()
	case w.Goal == AdviceKeep:
		return "keep-leader: all at once"
	}
	return "all at once"
}

func verdictWord(s layout.Style, verdict string) string {
	if verdict == AdviceUnsafe {
		return s.Paint(layout.Red, "UNSAFE")
	}
	return s.Paint(layout.Green, "SAFE")
}

// writeRemedies says what to set, what to watch, and what was taken for granted.
func (a *Advice) writeRemedies(out io.Writer) error {
	var b strings.Builder
	if w := a.worst(); w != nil && w.Schedule != "" && len(w.Names) > 0 {
		fmt.Fprintf(&b, " how: %s\n", w.Schedule)
	}
	for _, r := range a.Remedies {
		label, goal := "set", "then all of it is safe"
		if r.Goal == AdviceKeep {
			label, goal = "to keep the leader too, set", "then the holder keeps the lock"
		}
		fmt.Fprintf(&b, " %s: %s   %s", label, r.Set, goal)
		if r.Takeover != "" {
			fmt.Fprintf(&b, "; a takeover after a crash takes at most %s", r.Takeover)
		}
		if len(r.Costs) > 0 {
			fmt.Fprintf(&b, "; %s", strings.Join(r.Costs, ", "))
		}
		b.WriteString("\n")
	}
	if a.Verdict == AdviceUnsafe && len(a.Remedies) == 0 {
		b.WriteString(" set: no lease up to 24h makes this safe; fencing does, see docs/advise.md\n")
	}
	if a.Watch != "" {
		fmt.Fprintf(&b, " watch: %s\n", a.Watch)
	}
	for _, assumed := range a.Assumes {
		fmt.Fprintf(&b, " assumed: %s\n", assumed)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// worst is the wish that fails and has the most in it, of those that are about harm if there is one; nil if none fails.
func (a *Advice) worst() *Wish {
	for _, goal := range []string{AdviceSafe, AdviceKeep} {
		for i := len(a.Wishes) - 1; i >= 0; i-- {
			if w := &a.Wishes[i]; w.Goal == goal && w.Verdict == AdviceUnsafe {
				return w
			}
		}
	}
	return nil
}

// wished is the verdict of the wishes.
func (a *Advice) wished(s layout.Style) string {
	if w := a.worst(); w != nil {
		return verdictWord(s, AdviceUnsafe) + ": " + w.Name() + ": " + w.says()
	}
	names := make([]string, len(a.Wishes))
	for i := range a.Wishes {
		names[i] = a.Wishes[i].Name()
	}
	return verdictWord(s, AdviceSafe) + ": " + strings.Join(names, "; ")
}

// writeVersus compares with other settings, in one table.
func (a *Advice) writeVersus(out io.Writer, s layout.Style) error {
	rows, changed := [][]string{}, []string{}
	for i, set := range a.Settings {
		if other := a.Versus.Settings[i]; other.Value != set.Value {
			rows = append(rows, []string{set.Name, set.Value, other.Value})
			if set.Formula == "" {
				changed = append(changed, set.Name+"="+other.Value)
			}
		}
	}
	for i := range a.Promises {
		rows = append(rows, []string{a.Promises[i].Title, a.Promises[i].Value, a.Versus.Promises[i].Value})
	}
	for i := range a.Wishes {
		w, other := &a.Wishes[i], &a.Versus.Wishes[i]
		rows = append(rows, []string{a.row(i), verdictWord(s, w.Verdict) + w.short(), verdictWord(s, other.Verdict) + other.short()})
	}
	columns := []layout.Column{layout.TextColumn(""), layout.TextColumn("as given"), layout.TextColumn("with " + strings.Join(changed, ","))}
	return s.Table(out, 1, columns, rows)
}

// short is the first limit of a wish, if it has one.
func (w *Wish) short() string {
	if len(w.Limits) == 0 || w.Limits[0].Number <= 0 {
		return ""
	}
	return ": " + w.Limits[0].Of + " < " + w.Limits[0].Value
}
