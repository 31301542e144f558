package reports

import (
	"fmt"
	"io"
	"slices"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// writeCosts writes what was measured: the totals, ratios and single values, then the
// distributions. What is 0, and is not asked for, has a line together.
func (r *Run) writeCosts(out io.Writer, s layout.Style) error {
	totals, spreads, codes, nothing := [][]string{}, [][]string{}, []*Metric{}, []string{}
	tail := slices.ContainsFunc(r.Metrics, func(m Metric) bool { return m.P999.Known() })
	leftOut := r.leftOut()
	for i := range r.Metrics {
		m := &r.Metrics[i]
		switch {
		case m.inMatrix() || leftOut[m.Name]:
		case m.nothing() && !r.expects(m.Name):
			nothing = append(nothing, m.Name)
		case m.Value.Known():
			totals = append(totals, m.total(r.Runs))
		case len(m.Codes) > 0:
			codes = append(codes, m)
		case m.Count == 1 && r.Runs == 1:
			totals = append(totals, []string{m.Name, m.quantity(m.Max)})
		case m.Count > 0:
			spreads = append(spreads, m.spread(r.Runs > 1, tail))
		}
	}
	if len(totals) > 0 {
		columns := []layout.Column{layout.TextColumn("cost"), layout.NumberColumn("value")}
		if r.Runs > 1 {
			columns = []layout.Column{layout.TextColumn("cost"), layout.NumberColumn("mean per run"), layout.TextColumn(layout.Interval95)}
		}
		if err := s.Table(out, 1, columns, totals); err != nil {
			return err
		}
	}
	for _, m := range codes {
		if _, err := fmt.Fprintf(out, " %s: %s\n", m.Name, m.cell(r.Runs)); err != nil {
			return err
		}
	}
	if err := s.Names(out, " none: ", nothing); err != nil {
		return err
	}
	if err := writeLeftOut(out, leftOut); err != nil {
		return err
	}
	if len(totals) > 0 && len(spreads) > 0 {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	if len(spreads) == 0 {
		return r.writeMatrix(out, len(totals) > 0)
	}
	columns := []layout.Column{layout.TextColumn("cost"), layout.NumberColumn("count"), layout.NumberColumn("mean"), layout.NumberColumn("p50"), layout.NumberColumn("p99")}
	if r.Runs > 1 {
		columns = []layout.Column{layout.TextColumn("cost"), layout.NumberColumn("count"), layout.NumberColumn("mean"), layout.NumberColumn("p50"), layout.TextColumn(layout.Interval95),
			layout.NumberColumn("p99"), layout.TextColumn(layout.Interval95)}
	}
	if tail {
		columns = append(columns, layout.NumberColumn("p99.9"))
	}
	columns = append(columns, layout.NumberColumn("max"))
	if err := s.Table(out, 1, columns, spreads); err != nil {
		return err
	}
	return r.writeMatrix(out, true)
}

// nothing reports whether a total is 0 in every run.
func (m *Metric) nothing() bool {
	return m.Value == result.Int(0) && (!m.Low.Known() || m.Low == result.Int(0))
}

// noneOf reports whether a count is 0 in every run, so that the end of its interval is
// that of a share of the runs.
func (m *Metric) noneOf() bool { return m.nothing() && m.High.Known() && m.High != result.Int(0) }

func (m *Metric) total(runs int) []string {
	row := []string{m.Name, m.quantity(m.Value)}
	switch {
	case runs <= 1:
		return row
	case m.noneOf():
		return append(row, Bound(runs))
	case m.Low.Known():
		return append(row, m.quantity(m.Low)+" to "+m.quantity(m.High))
	}
	return append(row, "")
}

// spread is the row of a distribution: with intervals over many runs, and with the 99.9th
// percentile if some distribution of the table has one.
func (m *Metric) spread(many, tail bool) []string {
	row := []string{m.Name, units.Plain(m.Count), m.quantity(m.Mean)}
	last := []string{m.quantity(m.Max)}
	if tail {
		last = []string{m.quantity(m.P999), m.quantity(m.Max)}
	}
	if !many {
		return append(append(row, m.quantity(m.P50), m.quantity(m.P99)), last...)
	}
	between := func(low, high string) string {
		switch {
		case low == "" && high == "":
			return "too few values"
		case low == "":
			return "up to " + high
		case high == "":
			return "from " + low
		}
		return low + " to " + high
	}
	row = append(row, m.quantity(m.P50), between(m.quantity(m.P50Low), m.quantity(m.P50High)),
		m.quantity(m.P99), between(m.quantity(m.P99Low), m.quantity(m.P99High)))
	return append(row, last...)
}

// Costs are the names of what was measured in one run, each with its values in words. What is 0 is left out.
func (o *Outcome) Costs() (list [][2]string) {
	for i := range o.Metrics {
		switch m := &o.Metrics[i]; {
		case m.inMatrix() || m.nothing():
		case m.Value.Known():
			list = append(list, [2]string{m.Name, m.quantity(m.Value)})
		case m.Count == 1:
			list = append(list, [2]string{m.Name, m.quantity(m.Max)})
		case m.Count > 1:
			list = append(list, [2]string{m.Name, fmt.Sprintf("%d, of %s on average and at most %s", m.Count, m.quantity(m.Mean), m.quantity(m.Max))})
		}
	}
	return list
}
