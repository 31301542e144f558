package reports

import (
	"io"
	"slices"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// writeGrid writes a row for each point of a grid: its settings, what became of
// each property that is violated somewhere or that the file asks for, and the
// metrics that something is expected of. The other properties get one line.
func (r *Run) writeGrid(out io.Writer, s layout.Style) error {
	if len(r.Variants) == 0 {
		return nil
	}
	columns, rows, good := r.gridTable(s)
	if err := s.Table(out, len(r.Variants[0].Settings), columns, rows); err != nil {
		return err
	}
	if err := s.Names(out, " violated at no point: ", good); err != nil {
		return err
	}
	return r.writeBounds(out, s)
}

// writeBounds says what the properties allow at the points.
func (r *Run) writeBounds(out io.Writer, s layout.Style) error {
	bad, good := r.checked()
	var who []string
	for i := range r.Variants {
		var values []string
		for _, set := range r.Variants[i].Settings {
			values = append(values, set.Value)
		}
		who = append(who, strings.Join(values, " "))
	}
	at := func(i int, name string) *Property { return r.Variants[i].property(name) }
	var differ []string
	for _, line := range boundsOf(append(bad, good...), who, at) {
		if name, _, _ := strings.Cut(line, ":"); slices.Contains(good, name) && !oneBound(len(r.Variants), name, at) {
			differ = append(differ, name)
			continue
		}
		if _, err := io.WriteString(out, s.Wrap(" ", strings.Fields(line), " ")); err != nil {
			return err
		}
	}
	return s.Names(out, differBounds, differ)
}

const differBounds = " whose bound differs from point to point, see --json: "

// oneBound reports whether a property allows the same at all of n points, or more than its
// name says at some.
func oneBound(n int, name string, at func(i int, name string) *Property) bool {
	first := ""
	for i := range n {
		switch p := at(i, name); {
		case p == nil || p.Bound == "":
		case p.Loose:
			return true
		case first != "" && p.Bound != first:
			return false
		default:
			first = p.Bound
		}
	}
	return true
}

// property is the one with a name, nil if there is none.
func (o *Outcome) property(name string) *Property {
	for i := range o.Properties {
		if o.Properties[i].Name == name {
			return &o.Properties[i]
		}
	}
	return nil
}

// gridTable is the table of a grid, and the properties that are violated at no point.
func (r *Run) gridTable(s layout.Style) (columns []layout.Column, rows [][]string, good []string) {
	first := &r.Variants[0]
	for _, set := range first.Settings {
		columns = append(columns, layout.NumberColumn(shortPath(set.Path, first.Settings)))
	}
	bad, good := r.checked()
	for _, name := range bad {
		columns = append(columns, layout.TextColumn(name))
	}
	metrics := r.expected()
	for _, name := range metrics {
		columns = append(columns, layout.NumberColumn(name))
	}
	columns = append(columns, layout.TextColumn("verdict"))
	for i := range r.Variants {
		rows = append(rows, r.Variants[i].row(s, bad, metrics))
	}
	return columns, rows, good
}

func (v *Variant) row(s layout.Style, properties, metrics []string) []string {
	var row []string
	for _, set := range v.Settings {
		row = append(row, set.Value)
	}
	for _, name := range properties {
		cell := ""
		for i := range v.Properties {
			if v.Properties[i].Name == name {
				cell = v.Properties[i].cell(s)
			}
		}
		row = append(row, cell)
	}
	for _, name := range metrics {
		cell := ""
		for i := range v.Metrics {
			if v.Metrics[i].Name == name {
				cell = v.Metrics[i].cell(v.Runs)
			}
		}
		row = append(row, cell)
	}
	return append(row, Paint(s, v.Word))
}

// cell is a property in a cell of a grid.
func (p *Property) cell(s layout.Style) string {
	switch {
	case p.Share == nil && p.First != nil:
		return VerdictWord(s, p.Verdict) + " at " + units.Instant(p.First.AtNS)
	case p.Share == nil:
		return VerdictWord(s, p.Verdict)
	case p.Violated == 0:
		return VerdictWord(s, p.Verdict) + ", " + p.share()
	}
	return p.share() + " (" + p.Interval() + ")"
}

// cell is a metric in a cell of a grid, over a number of runs.
func (m *Metric) cell(runs int) string {
	switch {
	case len(m.Codes) > 0:
		list := make([]string, len(m.Codes))
		for i, c := range m.Codes {
			list[i] = units.Plain(c.Code) + " in " + units.Plural(int(c.Runs), "run")
		}
		return strings.Join(list, ", ")
	case m.noneOf():
		return m.quantity(m.Value) + ", " + Bound(runs)
	case m.Low.Known() && m.Low != m.High:
		return m.quantity(m.Value) + " (" + m.quantity(m.Low) + " to " + m.quantity(m.High) + ")"
	case m.Value.Known():
		return m.quantity(m.Value)
	case m.Count == 1:
		return m.quantity(m.Max)
	case m.Count > 0:
		return m.quantity(m.P50) + ", p99 " + m.quantity(m.P99)
	}
	return ""
}

// checked names the properties that were checked at any point, in their order: those
// that are violated somewhere or asked for, since of these no violation is an answer
// as well, and the others.
func (r *Run) checked() (bad, good []string) {
	for i := range r.Variants[0].Properties {
		runs, violated := 0, 0
		for j := range r.Variants {
			if ps := r.Variants[j].Properties; i < len(ps) {
				runs += ps[i].Runs
				violated += ps[i].Violated
			}
		}
		switch name := r.Variants[0].Properties[i].Name; {
		case violated > 0, runs > 0 && r.asked(name):
			bad = append(bad, name)
		case runs > 0:
			good = append(good, name)
		}
	}
	return bad, good
}

// asked reports whether the file says how often, or that, a property is violated at some
// point, or that it is shown.
func (r *Run) asked(property string) bool {
	if slices.Contains(r.Show, property) {
		return true
	}
	for i := range r.Variants {
		for _, e := range r.Variants[i].Expectations {
			if e.Name == property && strings.HasPrefix(e.Want, Violated) {
				return true
			}
		}
	}
	return false
}

// expected names the metrics that something is expected of at some point, or that are shown.
func (r *Run) expected() []string {
	var names []string
	for i := range r.Variants[0].Metrics {
		name := r.Variants[0].Metrics[i].Name
		wanted := func(v Variant) bool {
			return slices.ContainsFunc(v.Expectations, func(e Expectation) bool { return e.Name == name })
		}
		if slices.Contains(r.Show, name) || slices.ContainsFunc(r.Variants, wanted) {
			names = append(names, name)
		}
	}
	return names
}

// shortPath is the last word of a path, with the indices behind it, or all of it if
// another path ends so too.
func shortPath(path string, all []result.Setting) string {
	word := strings.TrimRight(path, ".0123456789")
	last := path[strings.LastIndexByte(word, '.')+1:]
	for _, s := range all {
		if s.Path != path && strings.HasSuffix("."+s.Path, "."+last) {
			return path
		}
	}
	return last
}
