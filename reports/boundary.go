package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

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
	Property
}

// Neighbour is a point beside the boundary.
type Neighbour struct {
	BoundaryPoint
	Reproduce string  `json:"reproduce"`
	Stories   []Story `json:"-"`
}

// Odd is a point that differs from two ends that are alike.
type Odd struct {
	Value string `json:"value"`
}

// WriteText writes the whole report for a person.
func (b *Boundary) WriteText(out io.Writer, s Style) error {
	return sections(out, s, b.writeHeader, b.writePoints, b.writeStories, b.WriteVerdict)
}

// sections writes the parts of a report that have something to say, with empty lines
// between them.
func sections(out io.Writer, s Style, parts ...func(io.Writer, Style) error) error {
	first := true
	for _, write := range parts {
		var b bytes.Buffer
		if err := write(&b, s); err != nil {
			return err
		}
		if b.Len() == 0 {
			continue
		}
		if !first {
			if _, err := io.WriteString(out, "\n"); err != nil {
				return err
			}
		}
		first = false
		if _, err := b.WriteTo(out); err != nil {
			return err
		}
	}
	return nil
}

// header is the lines at the top of a report.
type header struct{ strings.Builder }

func newHeader(scenario, about, source, model string) *header {
	h := &header{}
	h.WriteString(scenario + "\n")
	h.line("about", strings.Join(strings.Fields(about), " "))
	h.line("source", source)
	h.line("model", model)
	return h
}

func (h *header) line(name, value string) {
	if value != "" {
		fmt.Fprintf(h, "  %-9s %s\n", name, value)
	}
}

func (h *header) settings(list []result.Setting, mode string) {
	for _, s := range list {
		h.line("set", s.Path+" = "+s.Value)
	}
	if mode == NoFaults {
		h.line("faults", "those of the file are left out")
	}
}

func (h *header) to(out io.Writer) error {
	_, err := io.WriteString(out, h.String())
	return err
}

func (b *Boundary) writeHeader(out io.Writer, _ Style) error {
	h := newHeader(b.Scenario, b.About, b.Source, b.Model)
	h.settings(b.Settings, b.Mode)
	h.line("vary", fmt.Sprintf("%s from %s to %s, in steps of %s", b.Path, b.From, b.To, b.Step))
	each := Run{Seed: b.Seed, Runs: b.Runs}
	h.line("runs", fmt.Sprintf("%s, each %s of %s, %s", plural(len(b.Points), "point"), plural(b.Runs, "run"), Length(b.UntilNS), each.seeds()))
	return h.to(out)
}

func (b *Boundary) writePoints(out io.Writer, s Style) error {
	if len(b.Points) == 0 {
		return nil
	}
	columns := []column{number(b.Path), text(b.Property)}
	if b.Probability > 0 {
		columns = append(columns, number("violated"), number("of runs"), number("share"), text("95% interval"))
	} else {
		columns = append(columns, number("first violation"), text("nodes"))
	}
	var rows [][]string
	for i := range b.Points {
		p := &b.Points[i]
		row := []string{p.Value, p.word(s, b.Probability)}
		rows = append(rows, append(row, p.row(s, b.Probability > 0)[2:len(columns)]...))
	}
	return table(out, columns, rows)
}

// word is the state of a point.
func (p *BoundaryPoint) word(s Style, probability float64) string {
	switch {
	case probability == 0 || p.Runs == 0:
		return s.verdict(p.Verdict)
	case p.Bad:
		return s.paint(red, "at or above")
	}
	return s.paint(green, "below")
}

// writeStories tells the two runs beside the boundary, where each is one run.
func (b *Boundary) writeStories(out io.Writer, s Style) error {
	for i, n := range b.Neighbours {
		for _, story := range n.Stories {
			if i > 0 {
				if _, err := io.WriteString(out, "\n"); err != nil {
					return err
				}
			}
			fmt.Fprintf(out, "what happened at %s = %s\n", b.Path, n.Value)
			if err := writeStory(out, &story); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteVerdict writes one line that says where the boundary is, and the commands that
// show both sides of it.
func (b *Boundary) WriteVerdict(out io.Writer, s Style) error {
	line := b.Verdict(s) + "\n"
	for _, n := range b.Neighbours {
		line += fmt.Sprintf("  %s: %s\n", n.Value, n.Reproduce)
	}
	_, err := io.WriteString(out, line)
	return err
}

// Verdict is the whole result in one line.
func (b *Boundary) Verdict(s Style) string {
	switch {
	case b.Interrupted:
		return s.paint(yellow, "INTERRUPTED") + " after " + plural(len(b.Points), "point")
	case len(b.Neighbours) == 2 && b.Probability > 0:
		line := s.paint(green, "BOUNDARY") + fmt.Sprintf(" of %s at %s: %s at %s, %s at %s", b.Property, Percent(b.Probability),
			b.Neighbours[0].often(), b.Neighbours[0].Value, b.Neighbours[1].often(), b.Neighbours[1].Value)
		if b.blurred() {
			line += "; the intervals of the two overlap: more --runs tell them apart"
		}
		return line + b.several()
	case len(b.Neighbours) == 2:
		return s.paint(green, "BOUNDARY") + fmt.Sprintf(" of %s: %s at %s, %s at %s%s", b.Property,
			b.Neighbours[0].Verdict, b.Neighbours[0].Value, b.Neighbours[1].Verdict, b.Neighbours[1].Value, b.several())
	}
	return s.paint(red, "NO BOUNDARY") + ": " + b.none()
}

func (b *Boundary) several() string {
	if b.Monotone {
		return ""
	}
	return "; this is one of several, since the property comes and goes: another range shows the others"
}

// none says why there is no boundary.
func (b *Boundary) none() string {
	judged := false
	for i := range b.Points {
		judged = judged || b.Points[i].Runs > 0
	}
	is := "is not violated"
	bad := len(b.Points) > 0 && b.Points[0].Bad
	switch {
	case !judged:
		return fmt.Sprintf("%s was not exercised at any of %s: it says nothing here", b.Property, plural(len(b.Points), "point"))
	case bad && b.Probability > 0:
		is = "is violated in " + Percent(b.Probability) + " of the runs or more"
	case bad:
		is = "is violated"
	case b.Probability > 0:
		is = "is violated in less than " + Percent(b.Probability) + " of the runs"
	}
	s := fmt.Sprintf("%s %s, at %s as at %s", b.Property, is, b.From, b.To)
	if b.Odd != nil {
		return s + ", but not at " + b.Odd.Value + ": there are two boundaries, and that value for --from or --to shows one"
	}
	return s + fmt.Sprintf(", and at the %s between them that were looked at", plural(len(b.Points)-2, "point"))
}

// often is how often a point is violated.
func (n *Neighbour) often() string {
	if n.Share == nil {
		return n.Verdict
	}
	return fmt.Sprintf("%s (%s)", Percent(n.Share.Value), n.interval())
}

// blurred reports whether the two neighbours cannot be told apart.
func (b *Boundary) blurred() bool {
	x, y := b.Neighbours[0].Share, b.Neighbours[1].Share
	return x != nil && y != nil && x.Low <= y.High && y.Low <= x.High
}
