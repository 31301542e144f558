package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// writeDifferences writes by how much the others differ from the baseline.
func (c *Compare) writeDifferences(out io.Writer, s layout.Style) error {
	if c.Runs < 2 {
		return nil
	}
	first, columns := layout.Cells{Column: layout.TextColumn("")}, []layout.Cells(nil)
	for i := range c.Candidates {
		if c.Candidates[i].Name != c.Baseline {
			first.Rows = append(first.Rows, shortName(c.Candidates[i].Name))
		}
	}
	var same, unseen, none []string
	for _, name := range c.compared() {
		col, pairs, differ, seen := c.differences(name)
		switch {
		case pairs == 0:
			none = append(none, name)
		case differ == 0:
			same = append(same, name)
		case !seen:
			unseen = append(unseen, name)
		default:
			columns = append(columns, col)
		}
	}
	title := "difference from " + shortName(c.Baseline) + ", seed by seed"
	switch {
	case len(columns) > 0:
		title += ": 95% intervals, of which one in 20 misses"
	case len(same)+len(unseen)+len(none) > 0:
		if _, err := fmt.Fprintln(out, title); err != nil {
			return err
		}
	}
	title = strings.TrimSpace(s.Wrap("", strings.Split(title, " "), " "))
	if err := layout.WriteColumns(out, title, s.Widest(layout.TextWidth), []layout.Cells{first}, columns); err != nil {
		return err
	}
	_, err := io.WriteString(out, s.Wrap(" no difference seen in any: ", unseen, ", ")+s.Wrap(" the same in every run: ", same, ", ")+
		s.Wrap(" not measured on both sides: ", none, ", "))
	return err
}

// compared names the properties that a candidate violates and the metrics that are shown,
// of those that all have.
func (c *Compare) compared() (names []string) {
	for _, name := range c.properties() {
		if slices.Contains(c.Shared, name) && !c.untouched(name) {
			names = append(names, name)
		}
	}
	for _, name := range c.metrics() {
		if (len(c.Asked) == 0 || slices.Contains(c.Asked, name)) && !c.idle(name) {
			names = append(names, name)
		}
	}
	return names
}

// differences is the column of a property or metric, how many pairs there are and
// differ, and whether any difference is seen.
func (c *Compare) differences(name string) (col layout.Cells, pairs, differ int, seen bool) {
	col.Column = layout.TextColumn(heading(name))
	for i := range c.Candidates {
		if c.Candidates[i].Name == c.Baseline {
			continue
		}
		d := c.Candidates[i].difference(name)
		if d != nil {
			pairs, differ, seen = pairs+d.Pairs, differ+d.Differ, seen || d.Seen
		}
		col.Rows = append(col.Rows, d.text())
	}
	return col, pairs, differ, seen
}

// untouched reports whether no candidate violates a property.
func (c *Compare) untouched(name string) bool {
	for i := range c.Candidates {
		if p := c.Candidates[i].property(name); p != nil && p.Violated > 0 {
			return false
		}
	}
	return true
}

// text is a difference in a cell.
func (d *Difference) text() string {
	switch {
	case d == nil:
		return "not measured"
	case !d.Low.Known():
		return "too few pairs"
	case d.Differ == 0:
		return "same"
	case !d.Seen:
		return "no difference seen"
	}
	low, high := d.signed(d.Low), d.signed(d.High)
	if low == high {
		return low
	}
	return low + " to " + high
}

// signed is a value of a difference with its sign.
func (d *Difference) signed(n result.Number) string {
	f := n.Float64()
	if d.Unit == Proportion {
		return signedPercent(f)
	}
	m := Metric{Unit: d.Unit}
	if f > 0 {
		return "+" + m.quantity(n)
	}
	return m.quantity(n)
}

func signedPercent(share float64) string {
	switch {
	case share < 0:
		return "-" + units.Percent(-share)
	case share > 0:
		return "+" + units.Percent(share)
	}
	return "0%"
}
