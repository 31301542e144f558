package reports

import (
	"fmt"
	"io"

	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// Risk is how often a lock fails, in acquisitions that are sampled from logs.
type Risk struct {
	Inputs       []string  `json:"inputs"` // what was read
	Acquisitions int       `json:"acquisitions"`
	PerDay       float64   `json:"per_day"`
	Below        float64   `json:"below,omitempty"`
	Rows         []RiskRow `json:"rows"`
	Notes        []string  `json:"notes,omitempty"` // what else can be said, a sentence each
}

// RiskRow is how often something happens, with its 95% interval.
type RiskRow struct {
	What     string  `json:"what"`
	Count    int     `json:"count"`
	Of       int     `json:"of"`
	P        float64 `json:"p"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Year     float64 `json:"year"` // that it happens at least once in a year
	YearLow  float64 `json:"year_low"`
	YearHigh float64 `json:"year_high"`
}

func (r *Risk) write(out io.Writer, _ layout.Style) error {
	if r == nil {
		return nil
	}
	for _, in := range r.Inputs {
		fmt.Fprintf(out, "%s\n", in)
	}
	columns := []layout.Column{layout.TextColumn("on these logs"), layout.NumberColumn("acquisitions"), layout.TextColumn("per acquisition"), layout.TextColumn(fmt.Sprintf("in a year of %g a day", r.PerDay))}
	var rows [][]string
	for _, row := range r.Rows {
		each, year := fmt.Sprintf("%.1e (%.1e to %.1e)", row.P, row.Low, row.High), fmt.Sprintf("%s (%s to %s)", units.Percent(row.Year), units.Percent(row.YearLow), units.Percent(row.YearHigh))
		if row.Count == 0 {
			each, year = fmt.Sprintf("p < %.1e", row.High), "p < "+units.Percent(row.YearHigh)
		}
		rows = append(rows, []string{row.What, fmt.Sprintf("%s of %s", units.Number(row.Count), units.Number(row.Of)), each, year})
	}
	if err := layout.Table(out, columns, rows); err != nil {
		return err
	}
	for _, note := range r.Notes {
		if _, err := fmt.Fprintf(out, "  %s\n", note); err != nil {
			return err
		}
	}
	return nil
}
