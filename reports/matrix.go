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

// matrixWidth is how wide a matrix may be; columns that do not fit are only in the
// document.
const matrixWidth = 100

// matrix is the metrics with a name such as gcra/admitted: a row for each gcra, and a
// column for each admitted.
type matrix struct {
	rows, columns []string
	cells         map[string]string // by the name of the metric
}

// inMatrix reports whether a metric is a cell of a matrix.
func (m *Metric) inMatrix() bool { return strings.Contains(m.Name, "/") && m.Count == 0 }

func (r *Run) matrix() *matrix {
	m := &matrix{cells: map[string]string{}}
	for i := range r.Metrics {
		v := &r.Metrics[i]
		row, column, _ := strings.Cut(v.Name, "/")
		if !v.inMatrix() {
			continue
		}
		if !slices.Contains(m.rows, row) {
			m.rows = append(m.rows, row)
		}
		if !slices.Contains(m.columns, column) {
			m.columns = append(m.columns, column)
		}
		m.cells[v.Name] = v.short()
	}
	return m
}

// writeMatrix writes the columns that say something, as far as there is room for them,
// after an empty line if something stands before it.
func (r *Run) writeMatrix(out io.Writer, after bool) error {
	m := r.matrix()
	if len(m.rows) == 0 {
		return nil
	}
	if after {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	columns, room := []layout.Column{layout.TextColumn("")}, matrixWidth-m.width("", m.rows)
	var shown, left, nothing []string
	for _, name := range m.columns {
		switch width := m.width(name, nil); {
		case m.idle(name):
			nothing = append(nothing, name)
		case width > room:
			left = append(left, name)
		default:
			room -= width
			shown = append(shown, name)
			columns = append(columns, layout.NumberColumn(heading(name)))
		}
	}
	var rows [][]string
	for _, row := range m.rows {
		cells := []string{row}
		for _, name := range shown {
			cells = append(cells, m.cells[row+"/"+name])
		}
		rows = append(rows, cells)
	}
	if err := layout.Table(out, columns, rows); err != nil {
		return err
	}
	for _, line := range []struct {
		what  string
		names []string
	}{{"none for any", nothing}, {"also measured, see --json", left}} {
		if len(line.names) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(out, " %s: %s\n", line.what, strings.Join(line.names, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// heading is the name of a column on two lines.
func heading(name string) string {
	first, rest, ok := strings.Cut(name, "-")
	if !ok {
		return name
	}
	return first + "\n" + strings.ReplaceAll(rest, "-", " ")
}

// width is how wide a column is, or the one of the names of the rows.
func (m *matrix) width(name string, rows []string) int {
	texts := append(strings.Split(heading(name), "\n"), rows...)
	for _, row := range m.rows {
		texts = append(texts, m.cells[row+"/"+name])
	}
	widest := 0
	for _, t := range texts {
		widest = max(widest, len([]rune(t)))
	}
	return widest + 2
}

// idle reports whether a column says nothing: it is 0 in every row.
func (m *matrix) idle(name string) bool {
	for _, row := range m.rows {
		if c := m.cells[row+"/"+name]; c != "" && c != "0" && c != "0s" {
			return false
		}
	}
	return true
}

// short is the value of a metric in at most seven characters.
func (m *Metric) short() string {
	f := m.Value.Float64()
	if m.Unit == Nanoseconds || f < 1e6 {
		return m.quantity(m.Value)
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if f >= unit.size {
			part := Metric{Unit: Count}
			return part.quantity(result.Float(f/unit.size)) + unit.name
		}
	}
	return m.quantity(m.Value)
}

// quantity is a value of a metric as a person reads it.
func (m *Metric) quantity(n result.Number) string {
	i, whole := n.Int64()
	switch {
	case !n.Known():
		return ""
	case !whole:
		return units.Decimal(n.Float64())
	case m.Unit == Nanoseconds:
		return units.Duration(i)
	}
	return units.Plain(i)
}
