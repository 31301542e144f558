package reports

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// WriteVerdict writes one line that says it all, and where something is not as
// expected the command that shows it again.
func (r *Run) WriteVerdict(out io.Writer, s layout.Style) error {
	line := r.Verdict(s) + "\n"
	if r.Panic != nil && !r.OK {
		line += "  " + r.Panic.What(r.Runs) + "\n"
	}
	if r.Reproduce != "" {
		line += "  reproduce: " + r.Reproduce + "\n"
	}
	_, err := io.WriteString(out, line)
	return err
}

// Verdict is the whole result in one line.
func (r *Run) Verdict(s layout.Style) string {
	tail := "; " + r.Seeds() + ", digest " + r.Digest
	if missing := r.missing(); missing != "" {
		tail += "; " + missing
	}
	for _, i := range r.Inputs {
		tail += caution(&i)
	}
	switch {
	case !r.OK:
		return s.Paint(layout.Red, "NOT AS EXPECTED") + ": " + strings.Join(r.missed(), "; ") + tail
	case len(r.Variants) > 0:
		return s.Paint(layout.Green, "AS EXPECTED") + " at " + units.Plural(len(r.Variants), "point") + tail
	}
	bad, good, shown, checked := []string{}, []string{}, []string{}, 0
	for i := range r.Properties {
		p := &r.Properties[i]
		switch {
		case p.Verdict == Violated && r.onlyShown(p.Name):
			shown = append(shown, p.violation(r.Runs))
		case p.Verdict == Violated:
			bad = append(bad, p.violation(r.Runs))
		case p.Verdict == Holds:
			good = append(good, p.Name+p.loose())
			if checked == 0 || p.Runs < checked {
				checked = p.Runs
			}
		}
	}
	if len(shown) > 0 {
		tail = "; violated, with no expectation: " + strings.Join(shown, ", ") + tail
	}
	switch {
	case len(bad) > 0:
		return s.Paint(layout.Red, "VIOLATED") + " as expected: " + strings.Join(bad, ", ") + tail
	case len(good) == 0 && len(shown) > 0:
		return s.Paint(layout.Green, "AS EXPECTED") + tail
	case len(good) == 0:
		return s.Paint(layout.Yellow, "NOT EXERCISED") + ": no property was exercised" + tail
	case r.Runs == 1:
		return s.Paint(layout.Green, "HELD") + ": " + strings.Join(good, ", ") + tail
	}
	line := s.Paint(layout.Green, "HELD") + " in " + units.Plural(checked, "run")
	if checked > 3 {
		line += ": " + Bound(checked) + " (95%)"
	}
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Verdict == Holds && p.Loose {
			line += "; " + p.Name + p.loose()
		}
	}
	return line + tail
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

// onlyShown reports whether the file names a property under show, and expects nothing of it.
func (r *Run) onlyShown(name string) bool {
	return slices.Contains(r.Show, name) && !slices.ContainsFunc(r.Expectations, func(e Expectation) bool { return e.Name == name })
}

// missing says what an interrupted run lacks.
func (r *Run) missing() string {
	switch {
	case r.PointsWanted > 0:
		n := r.PointsWanted - len(r.Variants)
		return fmt.Sprintf("INTERRUPTED: %s of %s missing", units.Number(n), units.Plural(r.PointsWanted, "point"))
	case r.BrokenOff:
		return "INTERRUPTED before the end of the run"
	case r.RunsWanted > 0:
		return fmt.Sprintf("INTERRUPTED after %s of %s runs", units.Number(r.Runs), units.Number(r.RunsWanted))
	}
	return ""
}

// violation is a violated property in the line of verdict.
func (p *Property) violation(runs int) string {
	if runs > 1 {
		return fmt.Sprintf("%s in %s of %s runs, %s (%s)", p.Name, units.Number(p.Violated), units.Number(p.Runs), units.Percent(p.Share.Value), p.Interval())
	}
	s := p.Name + " at " + units.Instant(p.First.AtNS)
	if len(p.First.Nodes) > 0 {
		s += " (" + strings.Join(p.First.Nodes, ", ") + ")"
	}
	return s
}

// missed is what is not as expected, in words.
func (r *Run) missed() []string {
	var words []string
	for _, e := range r.Expectations {
		if e.Failed() {
			words = append(words, fmt.Sprintf("%s: want %s, got %s", e.Name, e.Want, e.Got))
		}
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if v.OK {
			continue
		}
		at := []string{}
		for _, s := range v.Settings {
			at = append(at, shortPath(s.Path, v.Settings)+"="+s.Value)
		}
		point := Run{Outcome: v.Outcome, Runs: v.Runs}
		words = append(words, "at "+strings.Join(at, " ")+": "+strings.Join(point.missed(), "; "))
	}
	const most = 3
	if len(words) > most {
		words = append(words[:most], fmt.Sprintf("and %d more", len(words)-most))
	}
	return words
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

// word is the word for an expectation.
func (e *Expectation) word(s layout.Style) string {
	switch {
	case e.Met:
		return s.Paint(layout.Green, "met")
	case e.NotExercised:
		return s.Paint(layout.Yellow, "neither")
	}
	return s.Paint(layout.Red, "NOT MET")
}
