// Package figure turns finished numbers into a figure: lines with bands, steps,
// points with intervals, distributions, bars, heat maps, timelines, and small
// multiples of them, as SVG, PNG or PDF. It knows no model and no run.
//
// The same Figure gives the same bytes of SVG everywhere: nothing depends on the
// order of a map, on an instant, or on how a processor rounds. All text is cut to
// the room there is; nothing is drawn over data; axes are never narrower than their
// data.
package figure

import (
	"io"
)

// A Figure is a title and panels.
type Figure struct {
	Title    string // what it shows, as a finding; required
	Subtitle string // model, runs and seed
	Caption  string // below: what lines, dots and bands are
	Panels   []Panel
	Columns  int // of panels, 1 to 6; 0 leaves it to the number of panels
}

// A Panel is one pair of axes. Panels whose axes have the same label, unit and scale
// share one range, so that they can be compared, and a name has one colour in all
// panels.
type Panel struct {
	Title string // what makes it differ from the other panels
	Note  string // one line under the title, such as "peak 189, over for 2.4 s"
	X, Y  Axis
	Plot  Plot
}

// A Plot is what is in a panel: [Lines], [Bars], [Heat], [Matrix] or [Timeline].
type Plot interface {
	check(c *checker, p *Panel)
	extent(x, y *extent)
	entries() []entry
	// names are the rows of an axis that has names instead of numbers.
	names() (x, y []string)
	// height is what the plot wants, in points, in a figure with this many rows.
	height(rows int) float64
	draw(f *frame)
}

// An Axis says what a direction of a panel is. An axis of names (the rows of bars, of
// a timeline, a matrix and a heat map) needs no unit.
type Axis struct {
	Label    string
	Unit     Unit
	Scale    Scale
	From, To float64 // shown at least; both zero: what the data needs
	Marks    []Mark
}

// A Mark is a line across the panel at a value of an axis, such as a limit.
type Mark struct {
	At    float64
	Label string
	Alarm bool // it is what went wrong
}

// A Scale says where on an axis a value is.
type Scale uint8

// Scales.
const (
	Linear Scale = iota
	Log          // decades are equally far apart; values are positive, and what was measured as 0 is at the edge
	Nines        // 0, 90%, 99%, 99.9% are equally far apart; values are shares
)

// WriteSVG writes the figure as SVG, the same bytes on every machine.
func (f *Figure) WriteSVG(w io.Writer) error {
	p, err := f.page()
	if err != nil {
		return err
	}
	return p.svg(w)
}

// WritePNG writes the figure as PNG, two pixels per point, with a font of its own.
func (f *Figure) WritePNG(w io.Writer) error {
	p, err := f.page()
	if err != nil {
		return err
	}
	return p.png(w)
}

// WritePDF writes the figure as PDF. Its bytes hold the date, and characters outside
// of Windows code page 1252 become question marks.
func (f *Figure) WritePDF(w io.Writer) error {
	p, err := f.page()
	if err != nil {
		return err
	}
	return p.pdf(w)
}
