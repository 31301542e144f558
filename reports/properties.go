package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
)

func (r *Run) writeProperties(out io.Writer, s layout.Style) error {
	if len(r.Properties) == 0 {
		return nil
	}
	columns := []layout.Column{layout.TextColumn("property"), layout.TextColumn("verdict")}
	if r.Runs > 1 {
		columns = append(columns, layout.NumberColumn("violated"), layout.NumberColumn("of runs"), layout.NumberColumn("share"), layout.TextColumn(layout.Interval95))
	}
	switch {
	case r.Runs == 1:
		columns = append(columns, layout.NumberColumn("first violation"), layout.TextColumn("nodes"))
	case r.violatedAtAll():
		columns = append(columns, layout.NumberColumn("first in run"), layout.NumberColumn("at"), layout.TextColumn("nodes"))
	}
	bounds := false
	for i := range r.Properties {
		bounds = bounds || r.Properties[i].Bound != ""
	}
	var rows [][]string
	var silent []string
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.Verdict == NotExercised && !r.expects(p.Name) {
			silent = append(silent, p.Name)
			continue
		}
		row := p.Row(s, r.Runs > 1)[:len(columns)]
		if bounds {
			row = append(row, p.allowed())
		}
		rows = append(rows, row)
	}
	if bounds {
		columns = append(columns, layout.TextColumn("bound"))
	}
	if len(rows) > 0 {
		if err := s.Table(out, 1, columns, rows); err != nil {
			return err
		}
	}
	if err := s.Names(out, " not exercised: ", silent); err != nil {
		return err
	}
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Idle != "" {
			if _, err := fmt.Fprintf(out, " %s checks nothing: %s\n", p.Name, p.Idle); err != nil {
				return err
			}
		}
	}
	return r.writeReasons(out)
}

// expects reports whether the file says what must come of a property or measure, or that
// it is shown, and that counts.
func (r *Run) expects(property string) bool {
	return slices.Contains(r.Show, property) || slices.ContainsFunc(r.Expectations, func(e Expectation) bool { return e.Name == property })
}

func (r *Run) violatedAtAll() bool {
	for i := range r.Properties {
		if r.Properties[i].First != nil {
			return true
		}
	}
	return false
}

// writeReasons says in words how each property was first violated.
func (r *Run) writeReasons(out io.Writer) error {
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.First == nil || p.First.Why == "" {
			continue
		}
		where := ""
		if r.Runs > 1 {
			where = " in run " + units.Number(p.First.Run)
		}
		if _, err := fmt.Fprintf(out, " %s%s: %s\n", p.Name, where, p.First.Why); err != nil {
			return err
		}
	}
	return nil
}

// Row is the property as a row of a table of properties: of one run, or of many.
func (p *Property) Row(s layout.Style, many bool) []string {
	row := []string{p.Name, VerdictWord(s, p.Verdict)}
	run, at, nodes := "", "", ""
	if f := p.First; f != nil {
		run, at, nodes = units.Plain(f.Run), units.Instant(f.AtNS), strings.Join(f.Nodes, ", ")
	}
	if !many {
		return append(row, at, nodes)
	}
	share, interval := "", ""
	if p.Share != nil {
		share, interval = p.share(), p.Interval()
	}
	return append(row, units.Plain(p.Violated), units.Plain(p.Runs), share, interval, run, at, nodes)
}

// share is the share of runs that were violated; none of N is given as the bound
// that it shows.
func (p *Property) share() string {
	if p.Violated > 0 {
		return units.Percent(p.Share.Value)
	}
	return Bound(p.Runs)
}

// Bound is what 0 violated runs of n show, with 95%: the rule of three.
func Bound(n int) string {
	if n <= 3 {
		return "0 of " + units.Plain(n)
	}
	return "p < " + units.Percent(3/float64(n))
}

// Interval is the 95% interval of the share of runs that were violated.
func (p *Property) Interval() string {
	return units.Percent(p.Share.Low) + " to " + units.Percent(p.Share.High)
}
