package reports

import (
	"fmt"
	"io"
)

// writeFaults says which faults were injected and which were not.
func (r *Run) writeFaults(out io.Writer, s Style) error {
	if len(r.Faults) == 0 {
		return nil
	}
	var rows [][]string
	for i := range r.Faults {
		f := &r.Faults[i]
		rows = append(rows, []string{f.Fault, f.how(s, r.Runs)})
	}
	return table(out, []column{text("fault"), text("injected")}, rows)
}

func (f *Fault) how(s Style, runs int) string {
	switch {
	case f.Injected == 0 && f.Drawn:
		return s.paint(yellow, "never") + " (its instants are drawn)"
	case f.Injected == 0:
		return s.paint(red, "NEVER")
	case runs == 1:
		return Times(f.Injected) + ", first at " + instant(*f.FirstAtNS)
	}
	return fmt.Sprintf("in %d of %d runs, %s", f.Runs, runs, Times(f.Injected))
}

// writeExpectations says what was expected and whether it is so.
func (r *Run) writeExpectations(out io.Writer, s Style) error {
	if len(r.Expectations) == 0 {
		return s.names(out, " reported, no expectation: ", r.Show)
	}
	var rows [][]string
	for _, e := range r.Expectations {
		rows = append(rows, []string{e.Name, e.Want, e.Got, s.met(&e)})
	}
	if err := s.table(out, 1, []column{text("expectation"), text("want"), text("got"), text("")}, rows); err != nil {
		return err
	}
	return s.names(out, " reported, no expectation: ", r.Show)
}
