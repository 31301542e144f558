package reports

import (
	"fmt"
	"io"
	"path"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/result"
)

// WriteVerdict writes one line that says it all, and where something is not as
// expected the command that shows it again.
func (r *Run) WriteVerdict(out io.Writer, s layout.Style) error {
	line := r.Line(s) + "\n"
	if r.Reproduce != "" {
		line += "  reproduce: " + r.Reproduce + "\n"
	}
	_, err := io.WriteString(out, line)
	return err
}

// Line is the whole result in one line.
func (r *Run) Line(s layout.Style) string {
	line := Paint(s, r.Word)
	if r.Sentence != "" {
		line += ": " + r.Sentence
	}
	line += "; " + r.Seeds() + ", digest " + r.Digest
	if missing := r.missing(); missing != "" && r.Word != verdict.Interrupted && len(r.Variants) > 0 { // else the sentence says so
		line += "; INTERRUPTED " + missing
	}
	for _, i := range r.Inputs {
		line += caution(&i)
	}
	return line
}

// Paint is the first word of an answer, in its colour.
func Paint(s layout.Style, w verdict.Word) string {
	switch {
	case w.Good():
		return s.Paint(layout.Green, string(w))
	case w.Bad():
		return s.Paint(layout.Red, string(w))
	}
	return s.Paint(layout.Yellow, string(w))
}

// caution says in the line of verdict what was left out of a file, and what else makes the
// result worth less than it seems.
func caution(i *result.Input) (words string) {
	if i.LeftOut > 0 {
		share := units.Percent(float64(i.LeftOut) / float64(i.Lines))
		words = fmt.Sprintf("; %s of %s of %s left out (%s)", units.Number(i.LeftOut), units.Plural(int(i.Lines), "line"), path.Base(i.Path), share)
	}
	if i.Caution != "" {
		words += "; " + i.Caution
	}
	return words
}

// missing says what an interrupted run lacks.
func (r *Run) missing() string {
	switch {
	case r.PointsWanted > 0:
		n := r.PointsWanted - len(r.Variants)
		return fmt.Sprintf("with %s of %s missing", units.Number(n), units.Plural(r.PointsWanted, "point"))
	case r.BrokenOff:
		return "before the end of the run"
	case r.RunsWanted > 0:
		return fmt.Sprintf("after %s of %s runs", units.Number(r.Runs), units.Number(r.RunsWanted))
	}
	return ""
}

// violation is a violated property in the line of verdict.
func (p *Property) violation(runs int) string {
	if runs > 1 && p.Share == nil {
		return fmt.Sprintf("%s in %s of %s runs", p.Name, units.Number(p.Violated), units.Number(p.Runs))
	}
	if runs > 1 {
		return fmt.Sprintf("%s in %s of %s runs, %s (%s)", p.Name, units.Number(p.Violated), units.Number(p.Runs), units.Percent(p.Share.Value), p.Interval())
	}
	s := p.Name + " at " + units.Instant(p.First.AtNS)
	if len(p.First.Nodes) > 0 {
		s += " (" + strings.Join(p.First.Nodes, ", ") + ")"
	}
	return s
}

// What says where the model broke its promise.
func (p *Panic) What(runs int) string {
	s := fmt.Sprintf("panic: %s at %s, handling %q: %s", p.Node, units.Instant(p.AtNS), p.Message, p.Value)
	if runs > 1 {
		s += fmt.Sprintf(" (seed %d; %s of %s)", p.Seed, units.Number(p.Runs), units.Plural(runs, "run"))
	}
	return s
}

// VerdictWord is the word for the verdict of a property.
func VerdictWord(s layout.Style, v string) string {
	switch v {
	case Violated:
		return s.Paint(layout.Red, "VIOLATED")
	case Holds:
		return s.Paint(layout.Green, v)
	case NotExercised:
		return s.Paint(layout.Yellow, "not exercised")
	}
	return s.Paint(layout.Yellow, v)
}

// word is the word for an expectation. After a change by the command none fails.
func (e *Expectation) word(s layout.Style, changed bool) string {
	switch {
	case e.Met:
		return s.Paint(layout.Green, "met")
	case changed:
		return s.Paint(layout.Yellow, "no longer")
	}
	return s.Paint(layout.Red, "NOT MET")
}
