package reports

import (
	"fmt"
	"io"

	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// writeFaults says which faults were injected and which were not.
func (r *Run) writeFaults(out io.Writer, s layout.Style) error {
	if len(r.Faults) == 0 {
		return nil
	}
	var rows [][]string
	for i := range r.Faults {
		f := &r.Faults[i]
		rows = append(rows, []string{f.Fault, f.how(s, r.Runs)})
	}
	return layout.Table(out, []layout.Column{layout.TextColumn("fault"), layout.TextColumn("injected")}, rows)
}

func (f *Fault) how(s layout.Style, runs int) string {
	switch {
	case f.Injected == 0 && f.Drawn:
		return s.Paint(layout.Yellow, "never") + " (its instants are drawn)"
	case f.Injected == 0:
		return s.Paint(layout.Red, "NEVER")
	case runs == 1:
		return units.Times(f.Injected) + ", first at " + units.Instant(*f.FirstAtNS)
	}
	return fmt.Sprintf("in %d of %d runs, %s", f.Runs, runs, units.Times(f.Injected))
}

// writeExpectations says what was expected and whether it is so.
func (r *Run) writeExpectations(out io.Writer, s layout.Style) error {
	if len(r.Expectations) == 0 {
		return s.Names(out, " reported, no expectation: ", r.Show)
	}
	var rows [][]string
	for _, e := range r.Expectations {
		rows = append(rows, []string{e.Name, e.Want, e.Got, e.word(s, len(r.Changed) > 0 && !e.Commanded)})
	}
	if err := s.Table(out, 1, []layout.Column{layout.TextColumn("expectation"), layout.TextColumn("want"), layout.TextColumn("got"), layout.TextColumn("")}, rows); err != nil {
		return err
	}
	return s.Names(out, " reported, no expectation: ", r.Show)
}
