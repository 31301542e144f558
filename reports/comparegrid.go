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

// gridWidth is how wide a table of two axes may be; further columns get a table of their
// own below.
const gridWidth = 120

// writeGridSafety writes a table of each property that is violated at some point.
func (c *Compare) writeGridSafety(out io.Writer, s layout.Style) error {
	j := c.checked()
	what := "share of the runs in which it is violated"
	if c.Runs == 1 {
		what = "the verdict"
	}
	for i, name := range j.bad {
		cell := func(k *Candidate) string { return k.property(name).inGrid(s) }
		if err := c.writeGridTable(out, s, i, name+": "+what, layout.TextColumn, cell); err != nil {
			return err
		}
	}
	return c.writeUnviolated(out, s, j)
}

// inGrid is a property in a cell, nil if the point has none.
func (p *Property) inGrid(s layout.Style) string {
	switch {
	case p == nil:
		return "-"
	case p.Runs == 0, p.Share == nil:
		return VerdictWord(s, p.Verdict)
	case p.Violated == 0:
		return s.Paint(layout.Green, p.share())
	}
	return s.Paint(layout.Red, p.share())
}

// writeGridCost writes a table of each measure that is shown.
func (c *Compare) writeGridCost(out io.Writer, s layout.Style) error {
	shown, idle, left := c.measured()
	for i, name := range shown {
		title := name
		if c.Runs > 1 {
			title += ": mean"
		}
		if slices.ContainsFunc(c.Candidates, func(k Candidate) bool { m := k.metric(name); return m != nil && m.Count > 0 }) {
			title = name + ": median / 99th percentile"
		}
		cell := func(k *Candidate) string { return k.metric(name).inGrid() }
		if err := c.writeGridTable(out, s, i, title, layout.NumberColumn, cell); err != nil {
			return err
		}
	}
	if err := writeUnshown(out, s, idle, left); err != nil {
		return err
	}
	if c.Runs < 2 {
		return nil
	}
	_, err := io.WriteString(out, s.Wrap(" ", strings.Split("differences from "+oneLine(c.Baseline)+": see --json", " "), " "))
	return err
}

// inGrid is a metric in a cell.
func (m *Metric) inGrid() string {
	switch {
	case m != nil && len(m.Codes) > 0:
		return "differs"
	case m == nil, !m.Value.Known() && m.Count == 0:
		return "-"
	case m.Count > 0:
		return m.quantity(m.P50) + " / " + m.quantity(m.P99)
	}
	return m.short()
}

// writeGridTable writes a row for each value of the first axis, with a cell for each of the
// second. Headings are on lines as short as it takes to have all columns in one table.
func (c *Compare) writeGridTable(out io.Writer, s layout.Style, before int, title string, kind func(string) layout.Column, cell func(*Candidate) string) error {
	if before > 0 {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	rows, across := c.Axes[0], c.Axes[1]
	names := layout.Cells{Column: layout.TextColumn(shortName(rows.Name))}
	for _, v := range rows.Values {
		names.Rows = append(names.Rows, shortName(v))
	}
	columns := make([]layout.Cells, len(across.Values))
	for j, v := range across.Values {
		for _, of := range rows.Values {
			columns[j].Rows = append(columns[j].Rows, cell(c.at(of, v)))
		}
	}
	width := s.Widest(gridWidth)
	heads := func(most int) (room int) {
		room = width - names.Width()
		for j, v := range across.Values {
			columns[j].Column = kind(folded(shortName(v), most))
			room -= columns[j].Width()
		}
		return room
	}
	most := 20
	for heads(most) < 0 && most > 8 {
		most -= 2
	}
	if heads(most) < 0 {
		heads(14)
		width = names.Width() + evenly(columns, width-names.Width())
	}
	return layout.WriteColumns(out, title, width, []layout.Cells{names}, columns)
}

// evenly is the least room in which columns take no more tables than in so much.
func evenly(columns []layout.Cells, room int) int {
	tables := func(room int) (n int) {
		for rest := columns; len(rest) > 0; n++ {
			rest = rest[layout.Fitting(rest, room):]
		}
		return n
	}
	for n := tables(room); room > 0 && tables(room-1) == n; {
		room--
	}
	return room
}

// at is the point with a value of each axis.
func (c *Compare) at(first, second string) *Candidate {
	for i := range c.Candidates {
		k := &c.Candidates[i]
		if slices.Contains(k.Settings, result.Setting{Path: c.Axes[0].Name, Value: first}) && slices.Contains(k.Settings, result.Setting{Path: c.Axes[1].Name, Value: second}) {
			return k
		}
	}
	return &Candidate{}
}

// folded is a name on lines of at most this many characters, if its words are no longer.
func folded(name string, most int) string {
	var lines []string
	for _, word := range strings.Fields(name) {
		last := len(lines) - 1
		if last >= 0 && len([]rune(lines[last]+" "+word)) <= most {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return strings.Join(lines, "\n")
}

// gridNotes says at how many points a fault was never injected, and where the model
// panicked first.
func (c *Compare) gridNotes(s layout.Style) (notes string) {
	var faults []string
	points, panics := map[string]int{}, 0
	for i := range c.Candidates {
		k := &c.Candidates[i]
		for _, f := range k.never() {
			if points[f]++; points[f] == 1 {
				faults = append(faults, f)
			}
		}
		if k.Panic == nil {
			continue
		}
		if panics++; panics == 1 {
			notes = s.Wrap(" ", strings.Split(oneLine(k.Name)+": "+k.Panic.What(c.Runs), " "), " ")
		}
	}
	if panics > 1 {
		notes += fmt.Sprintf(" panics at %d points\n", panics)
	}
	for i, f := range faults {
		faults[i] = f + " at " + units.Plural(points[f], "point")
	}
	return s.Wrap(" never injected: ", faults, ", ") + notes
}

// safeThroughout names the values of either axis that are safe whatever the other is.
func (c *Compare) safeThroughout() (texts []string) {
	const most = 8
	for i, axis := range c.Axes {
		var safe []string
		for _, v := range axis.Values {
			unsafe := func(k Candidate) bool {
				return slices.Contains(k.Settings, result.Setting{Path: axis.Name, Value: v}) && !k.safe()
			}
			if !slices.ContainsFunc(c.Candidates, unsafe) {
				safe = append(safe, shortName(v))
			}
		}
		if n := len(safe) - most; n > 0 {
			safe = append(safe[:most], fmt.Sprintf("and %d more", n))
		}
		if len(safe) > 0 {
			texts = append(texts, fmt.Sprintf("%s %s at each %s", shortName(axis.Name), strings.Join(safe, ", "), shortName(c.Axes[1-i].Name)))
		}
	}
	return texts
}
