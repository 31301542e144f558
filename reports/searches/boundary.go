package searches

import (
	"fmt"
	"io"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// BoundarySchema names the form of the document that [Boundary] is.
const BoundarySchema = "fencepost/boundary/v1"

// Boundary is where, along the values of one path of a scenario, a property begins to
// be violated.
type Boundary struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"`
	Settings []result.Setting `json:"settings,omitempty"`
	Property string           `json:"property"`
	Path     string           `json:"path"`
	From     string           `json:"from"`
	To       string           `json:"to"`
	Step     string           `json:"step"`
	Seed     uint64           `json:"seed"`
	Runs     int              `json:"runs"` // at each point
	UntilNS  int64            `json:"until_ns"`
	// Probability, if not 0, is the share of violated runs from which on a point counts
	// as violated; it is 0 where each point is one run.
	Probability float64 `json:"probability,omitempty"`

	OK          bool `json:"ok"`       // there is a boundary
	Monotone    bool `json:"monotone"` // no point looked at says otherwise
	Interrupted bool `json:"interrupted,omitempty"`
	// Points are those looked at, in the order from From to To.
	Points []BoundaryPoint `json:"points"`
	// Neighbours are the two points, a step apart, between which the boundary lies.
	Neighbours []*Neighbour `json:"neighbours,omitempty"`
	Odd        *Odd         `json:"odd,omitempty"`
}

// BoundaryPoint is what became of the property at one value.
type BoundaryPoint struct {
	Value string `json:"value"`
	// Bad is whether the point counts as violated.
	Bad bool `json:"bad"`
	reports.Property
}

// Neighbour is a point beside the boundary.
type Neighbour struct {
	BoundaryPoint
	Reproduce string        `json:"reproduce"`
	Logs      []reports.Log `json:"-"`
}

// Odd is a point that differs from two ends that are alike.
type Odd struct {
	Value string `json:"value"`
}

// WriteText writes the whole report for a person.
func (b *Boundary) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, b.writeHeader, b.writePoints, b.writeLogs, b.WriteVerdict)
}

// writeSettings writes which values of the file were replaced.
func writeSettings(h *layout.Header, list []result.Setting, mode string) {
	for _, s := range list {
		h.Line("set", s.Path+" = "+s.Value)
	}
	if mode == reports.NoFaults {
		h.Line("faults", "those of the file are left out")
	}
}

func (b *Boundary) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(b.Scenario, b.About, b.Source, b.Model)
	writeSettings(h, b.Settings, b.Mode)
	h.Line("vary", fmt.Sprintf("%s from %s to %s, in steps of %s", b.Path, b.From, b.To, b.Step))
	each := reports.Run{Seed: b.Seed, Runs: b.Runs}
	h.Line("runs", fmt.Sprintf("%s, each %s of %s, %s", units.Plural(len(b.Points), "point"), units.Plural(b.Runs, "run"), units.Duration(b.UntilNS), each.Seeds()))
	return h.To(out, s)
}

func (b *Boundary) writePoints(out io.Writer, s layout.Style) error {
	if len(b.Points) == 0 {
		return nil
	}
	columns := []layout.Column{layout.NumberColumn(b.Path), layout.TextColumn(b.Property)}
	if b.Probability > 0 {
		columns = append(columns, layout.NumberColumn("violated"), layout.NumberColumn("of runs"), layout.NumberColumn("share"), layout.TextColumn("95% interval"))
	} else {
		columns = append(columns, layout.NumberColumn("first violation"), layout.TextColumn("nodes"))
	}
	var rows [][]string
	for i := range b.Points {
		p := &b.Points[i]
		row := []string{p.Value, p.word(s, b.Probability)}
		rows = append(rows, append(row, p.Row(s, b.Probability > 0)[2:len(columns)]...))
	}
	return layout.Table(out, columns, rows)
}

// word is the state of a point.
func (p *BoundaryPoint) word(s layout.Style, probability float64) string {
	switch {
	case probability == 0 || p.Runs == 0:
		return reports.VerdictWord(s, p.Verdict)
	case p.Bad:
		return s.Paint(layout.Red, "at or above")
	}
	return s.Paint(layout.Green, "below")
}

// writeLogs tells the two runs beside the boundary, where each is one run.
func (b *Boundary) writeLogs(out io.Writer, s layout.Style) error {
	for i, n := range b.Neighbours {
		for _, log := range n.Logs {
			if i > 0 {
				if _, err := io.WriteString(out, "\n"); err != nil {
					return err
				}
			}
			fmt.Fprintf(out, "what happened at %s = %s\n", b.Path, n.Value)
			if err := reports.WriteLog(out, &log); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteVerdict writes one line that says where the boundary is, and the commands that
// show both sides of it.
func (b *Boundary) WriteVerdict(out io.Writer, s layout.Style) error {
	line := b.Verdict(s) + "\n"
	for _, n := range b.Neighbours {
		line += fmt.Sprintf("  %s: %s\n", n.Value, n.Reproduce)
	}
	_, err := io.WriteString(out, line)
	return err
}

// Verdict is the whole result in one line.
func (b *Boundary) Verdict(s layout.Style) string {
	switch {
	case b.Interrupted:
		return s.Paint(layout.Yellow, "INTERRUPTED") + " after " + units.Plural(len(b.Points), "point")
	case len(b.Neighbours) == 2 && b.Probability > 0:
		line := s.Paint(layout.Green, "BOUNDARY") + fmt.Sprintf(" of %s at %s: %s at %s, %s at %s", b.Property, units.Percent(b.Probability),
			b.Neighbours[0].often(), b.Neighbours[0].Value, b.Neighbours[1].often(), b.Neighbours[1].Value)
		if b.blurred() {
			line += "; the intervals of the two overlap: more --runs tell them apart"
		}
		return line + b.several()
	case len(b.Neighbours) == 2:
		return s.Paint(layout.Green, "BOUNDARY") + fmt.Sprintf(" of %s: %s at %s, %s at %s%s", b.Property,
			b.Neighbours[0].Verdict, b.Neighbours[0].Value, b.Neighbours[1].Verdict, b.Neighbours[1].Value, b.several())
	}
	return s.Paint(layout.Red, "NO BOUNDARY") + ": " + b.none()
}

func (b *Boundary) several() string {
	if b.Monotone {
		return ""
	}
	return "; this is one of several, since the property comes and goes: another range shows the others"
}

// none says why there is no boundary.
func (b *Boundary) none() string {
	checked := false
	for i := range b.Points {
		checked = checked || b.Points[i].Runs > 0
	}
	is := "is not violated"
	bad := len(b.Points) > 0 && b.Points[0].Bad
	switch {
	case !checked:
		return fmt.Sprintf("%s was not exercised at any of %s: it says nothing here", b.Property, units.Plural(len(b.Points), "point"))
	case bad && b.Probability > 0:
		is = "is violated in " + units.Percent(b.Probability) + " of the runs or more"
	case bad:
		is = "is violated"
	case b.Probability > 0:
		is = "is violated in less than " + units.Percent(b.Probability) + " of the runs"
	}
	s := fmt.Sprintf("%s %s, at %s as at %s", b.Property, is, b.From, b.To)
	if b.Odd != nil {
		return s + ", but not at " + b.Odd.Value + ": there are two boundaries, and that value for --from or --to shows one"
	}
	return s + fmt.Sprintf(", and at the %s between them that were looked at", units.Plural(len(b.Points)-2, "point"))
}

// often is how often a point is violated.
func (n *Neighbour) often() string {
	if n.Share == nil {
		return n.Verdict
	}
	return fmt.Sprintf("%s (%s)", units.Percent(n.Share.Value), n.Interval())
}

// blurred reports whether the two neighbours cannot be told apart.
func (b *Boundary) blurred() bool {
	x, y := b.Neighbours[0].Share, b.Neighbours[1].Share
	return x != nil && y != nil && x.Low <= y.High && y.Low <= x.High
}
