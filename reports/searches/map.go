package searches

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports/figure"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// MapSchema names the form of the document that [Map] is.
const MapSchema = "fencepost/certify-map/v1"

// Map is where a property is certified, over two durations of a scenario, and what plain runs do there.
type Map struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Settings []result.Setting `json:"settings,omitempty"`
	Seed     uint64           `json:"seed"` // of the first run, and of the pauses that are tried
	Property string           `json:"property"`
	Over     []Ranged         `json:"over"` // besides those of the map
	X        Ranged           `json:"x"`
	From     *Ranged          `json:"x_from,omitempty"` // x is the longer end of a range that begins there
	Y        Ranged           `json:"y"`                // of pauses

	Complete    bool     `json:"complete"`          // it was not interrupted, nor stopped
	Stopped     string   `json:"stopped,omitempty"` // which limit of all points was reached
	OK          bool     `json:"ok"`                // each edge is known, and no run inside violates the property
	Assumptions []string `json:"assumptions"`
	Columns     []Column `json:"columns"`
	Violating   int      `json:"violating"` // samples of which a run violates the property
	Inside      int      `json:"inside"`    // how many of these are where the property is certified: none, or the proof is wrong
}

// Column is the edge at a value of x.
type Column struct {
	XNS int64 `json:"x_ns"`
	Edge
	Samples []Sample `json:"samples"`
}

// Sample is a pause with which some runs were played.
type Sample struct {
	YNS      int64 `json:"y_ns"`
	Runs     int   `json:"runs"`
	Violated int   `json:"violated"` // how many of them violate the property
}

// Add adds a column.
func (m *Map) Add(c *Column) {
	m.Columns = append(m.Columns, *c)
	m.OK = m.Inside == 0 && (m.OK || len(m.Columns) == 1) && c.Known
	for _, s := range c.Samples {
		if s.Violated == 0 {
			continue
		}
		m.Violating++
		if c.Known && s.YNS <= c.HoldsNS {
			m.Inside, m.OK = m.Inside+1, false
		}
	}
}

// WriteText writes the whole report for a person.
func (m *Map) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, m.writeHeader, m.writeAssumptions, m.writeColumns, m.WriteVerdict)
}

func (m *Map) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(m.Scenario, m.About, m.Source, m.Model)
	writeSettings(h, m.Settings, "")
	for _, r := range m.Over {
		h.Line("over", r.Path+" = "+r.text())
	}
	h.Line("x", m.x()+" = "+m.X.text())
	h.Line("y", m.Y.Path+" = "+m.Y.text())
	h.Line("property", m.Property)
	return h.To(out, s)
}

func (m *Map) writeAssumptions(out io.Writer, s layout.Style) error {
	return (&Certification{Assumptions: m.Assumptions}).writeAssumptions(out, s)
}

func (m *Map) writeColumns(out io.Writer, s layout.Style) error {
	if len(m.Columns) == 0 {
		return nil // it was stopped before the first
	}
	var rows [][]string
	for i := range m.Columns {
		c := &m.Columns[i]
		first, violating := "", 0
		least := int64(-1)
		for _, p := range c.Samples {
			if p.Violated > 0 {
				violating++
				if least < 0 || p.YNS < least {
					least, first = p.YNS, exact(p.YNS)
				}
			}
		}
		rows = append(rows, []string{exact(c.XNS), c.holds(), first, fmt.Sprintf("%d of %d", violating, len(c.Samples))})
	}
	return s.Table(out, 1, []layout.Column{layout.NumberColumn(m.x()), layout.NumberColumn("certified up to"),
		layout.NumberColumn("shortest of a run that violates it"), layout.NumberColumn("pauses with such a run")}, rows)
}

// x is what x is, in words.
func (m *Map) x() string {
	if m.From != nil {
		return "longest " + m.X.Path
	}
	return m.X.Path
}

// holds is the edge of a column in words.
func (c *Column) holds() string {
	switch {
	case !c.Known:
		return "not known"
	case c.HoldsNS < 0:
		return "no pause"
	case c.HoldsNS >= c.EndNS:
		return exact(c.EndNS) + ", all"
	}
	return exact(c.HoldsNS)
}

// WriteVerdict writes one line that says it all.
func (m *Map) WriteVerdict(out io.Writer, s layout.Style) error {
	tried, unknown := 0, 0
	for i := range m.Columns {
		tried += len(m.Columns[i].Samples)
		if !m.Columns[i].Known {
			unknown++
		}
	}
	inside := "none of them where it is certified"
	word := s.Paint(layout.Green, "MAPPED")
	switch {
	case m.Inside > 0:
		word, inside = s.Paint(layout.Red, "CONTRADICTION"), units.Number(m.Inside)+" of them where it is certified: the proof, or the engine, is wrong"
	case m.Stopped != "":
		word = s.Paint(layout.Yellow, "UNKNOWN") + ": " + m.Stopped
	case !m.Complete:
		word = s.Paint(layout.Yellow, "INTERRUPTED")
	case unknown > 0:
		word = s.Paint(layout.Yellow, "UNKNOWN") + ": a limit was reached at " + units.Plural(unknown, "point")
	}
	_, err := io.WriteString(out, s.Fit(fmt.Sprintf("%s: %s at %s of %s; runs violate it with %s of %s, %s\n", word, m.Property, units.Plural(len(m.Columns), "point"), m.x(),
		units.Number(m.Violating), units.Plural(tried, "pause"), inside), len("    ")))
	return err
}

// Figure draws the region: below the line the property is certified.
func (m *Map) Figure() *figure.Figure {
	region := figure.Series{Name: "certified"}
	violated := figure.Series{Name: "a run violates it", Style: figure.Points}
	held := figure.Series{Name: "no run does", Style: figure.Points, Context: true}
	runs := 0
	for i := range m.Columns {
		c := &m.Columns[i]
		if c.Known && c.HoldsNS >= m.Y.LeastNS {
			region.X, region.Y = append(region.X, float64(c.XNS)), append(region.Y, float64(c.HoldsNS))
			region.Low, region.High = append(region.Low, float64(m.Y.LeastNS)), append(region.High, float64(c.HoldsNS))
		}
		for _, s := range c.Samples {
			to := &held
			if s.Violated > 0 {
				to = &violated
			}
			to.X, to.Y, runs = append(to.X, float64(c.XNS)), append(to.Y, float64(s.YNS)), s.Runs
		}
	}
	var over []string
	if m.From != nil {
		over = append(over, m.X.Path+" "+exact(m.From.LeastNS)+" to x")
	}
	for _, r := range m.Over {
		over = append(over, r.Path+" "+r.text())
	}
	subtitle := m.Scenario
	if len(over) > 0 {
		subtitle += ", for all " + strings.Join(over, ", ")
	}
	return &figure.Figure{
		Title:    fmt.Sprintf("%s is certified for every pause below the line", m.Property),
		Subtitle: fmt.Sprintf("%s; %d runs for each dot, from seed %d", subtitle, runs, m.Seed),
		Caption: fmt.Sprintf("Line: the longest pause up to which no run at all violates it, to the nanosecond at each of %s. Dots: pauses with which one of %d runs does, %d of them below the line; grey: with which none does.",
			units.Plural(len(m.Columns), "point"), runs, m.Inside),
		Panels: []figure.Panel{{
			X:    figure.Axis{Label: m.x(), Unit: figure.Nanoseconds, From: float64(m.X.LeastNS), To: float64(m.X.MostNS)},
			Y:    figure.Axis{Label: "pause, " + m.Y.Path, Unit: figure.Nanoseconds, From: float64(m.Y.LeastNS), To: float64(m.Y.MostNS)},
			Plot: figure.Lines{Series: []figure.Series{held, region, violated}},
		}},
	}
}
