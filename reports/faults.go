package reports

import (
	"fmt"
	"io"
)

// writeFaults says which faults struck and which did not.
func (r *Run) writeFaults(out io.Writer, s Style) error {
	if len(r.Faults) == 0 {
		return nil
	}
	var rows [][]string
	for i := range r.Faults {
		f := &r.Faults[i]
		rows = append(rows, []string{f.Fault, f.how(s, r.Runs)})
	}
	return table(out, []column{text("fault"), text("struck")}, rows)
}

func (f *Fault) how(s Style, runs int) string {
	switch {
	case f.Struck == 0 && f.Drawn:
		return s.paint(yellow, "never") + " (its instants are drawn)"
	case f.Struck == 0:
		return s.paint(red, "NEVER")
	case runs == 1:
		return Times(f.Struck) + ", first at " + instant(*f.FirstAtNS)
	}
	return fmt.Sprintf("in %s of %s runs, %s", Number(f.Runs), Number(runs), Times(f.Struck))
}

// writeExpectations says what was expected and whether it is so.
func (r *Run) writeExpectations(out io.Writer, s Style) error {
	if len(r.Expectations) == 0 {
		return nil
	}
	var rows [][]string
	for _, e := range r.Expectations {
		rows = append(rows, []string{e.Name, e.Want, e.Got, s.met(e.Met)})
	}
	return s.table(out, 1, []column{text("expectation"), text("want"), text("got"), text("")}, rows)
}
