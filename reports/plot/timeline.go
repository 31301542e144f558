package plot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/sim"
)

// maxTimelines is how many points of a grid have room in one figure.
const maxTimelines = 6

// stopped are the states in which a node does nothing.
var stopped = []string{sim.StatePaused, sim.StateDown}

// timelines are a panel for each point: who did what when in its first run.
func (d *drawing) timelines() ([]figure.Panel, error) {
	if d.plot.X != "" || d.plot.Series != "" || len(d.plot.Y) > 0 {
		return nil, errors.New("a timeline is of a whole run: want no x, y or series")
	}
	if n := len(d.points); n > maxTimelines {
		return nil, fmt.Errorf("a timeline of each of %d points: want at most %d, as of "+program.Name()+" run --set", n, maxTimelines)
	}
	var list []figure.Panel
	for i := range d.points {
		pt := &d.points[i]
		t := pt.outcome.Timeline
		if t == nil {
			return nil, errors.New("the document has no timeline: a plot of kind timeline in the scenario makes " + program.Name() + " run keep it")
		}
		p := figure.Panel{X: figure.Axis{Label: "time", Unit: figure.Nanoseconds, Marks: violations(t)}, Plot: rows(t)}
		if d.plot.XLabel != "" {
			p.X.Label = d.plot.XLabel
		}
		if len(d.points) > 1 {
			p.Title = d.title(pt)
		}
		list = append(list, p)
	}
	return list, nil
}

// title is what makes a point differ from the others.
func (d *drawing) title(pt *point) string {
	var parts []string
	for _, s := range pt.settings {
		if d.varies(s.Path) {
			words := strings.Split(s.Path, ".")
			parts = append(parts, words[len(words)-1]+" "+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// rows are the nodes that did something, in the order of their first, and those whose
// doing it was.
func rows(t *reports.Timeline) figure.Timeline {
	plot := figure.Timeline{Kinds: t.States, Stopped: stopped, Exclusive: t.Exclusive}
	row := func(name string) *figure.Row {
		i := slices.IndexFunc(plot.Rows, func(r figure.Row) bool { return r.Name == name })
		if i < 0 {
			i = len(plot.Rows)
			plot.Rows = append(plot.Rows, figure.Row{Name: name})
		}
		return &plot.Rows[i]
	}
	for _, name := range t.Nodes {
		row(name)
	}
	for _, s := range t.Spans {
		r := row(s.Node)
		r.Spans = append(r.Spans, figure.Span{From: float64(s.FromNS), To: float64(s.ToNS), Kind: s.State, Text: spanText(&s)})
	}
	for _, i := range t.Instants {
		r := row(i.Node)
		r.Instants = append(r.Instants, figure.Instant{At: float64(i.AtNS), Kind: i.What, By: i.By})
	}
	return plot
}

// spanText is the state, and of one in which a node does nothing how long it lasted.
func spanText(s *reports.Span) string {
	if slices.Contains(stopped, s.State) {
		return s.State + " " + figure.Nanoseconds.Format(float64(s.ToNS-s.FromNS))
	}
	return s.State
}

// violations are marks across all rows, one for all that happen at an instant.
func violations(t *reports.Timeline) (list []figure.Mark) {
	for _, v := range t.Violations {
		i := slices.IndexFunc(list, func(m figure.Mark) bool { return m.At == float64(v.AtNS) })
		if i >= 0 {
			list[i].Label = v.Property + ", " + list[i].Label
			continue
		}
		label := v.Property + " violated"
		if v.Property == reports.PanicViolation {
			label = v.Property
		}
		list = append(list, figure.Mark{At: float64(v.AtNS), Label: label, Alarm: true})
	}
	return list
}

// timelineCaption says what is drawn across rows.
func (d *drawing) timelineCaption() string {
	var parts []string
	some := func(is func(t *reports.Timeline) bool, text string) {
		if slices.ContainsFunc(d.points, func(p point) bool { return p.outcome.Timeline != nil && is(p.outcome.Timeline) }) {
			parts = append(parts, text)
		}
	}
	some(func(t *reports.Timeline) bool { return len(t.Violations) > 0 }, "Red line: a property is first violated.")
	some(func(t *reports.Timeline) bool { return rows(t).Overlap() }, "Shaded: two are in what only one should be in.")
	some(func(t *reports.Timeline) bool {
		return slices.ContainsFunc(t.Instants, func(i reports.Instant) bool { return i.By != "" })
	}, "Black line: from the node that caused it.")
	return strings.Join(parts, " ")
}
