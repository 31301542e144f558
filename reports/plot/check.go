package plot

import (
	"errors"
	"fmt"
	"slices"

	"fencepost/reports"
	"fencepost/result"
)

// agree checks what the parts of a plot need of each other, as it is checked of a file.
func (d *drawing) agree() error {
	p := d.plot
	switch {
	case len(p.Y) == 0:
		return fmt.Errorf("kind %s: want a measure as y; a timeline and a matrix have none", p.Kind)
	case p.Kind == "cdf" && p.X != "":
		return errors.New("a cdf is of the values of a measure: want no x")
	case p.X == result.TimeAxis && !slices.Contains([]string{"line", "step", "points", "multiples"}, p.Kind):
		return fmt.Errorf("kind %s over time: want line, step, points or multiples", p.Kind)
	case p.X != "" && p.X == p.Series:
		return fmt.Errorf("x and series are both %s: want another axis", short(p.X))
	case p.Kind == "heat" && (p.Series == "" || len(p.Y) != 1):
		return errors.New("a heat map is of one measure by x and series: want one y, and series")
	case p.Kind == "multiples" && p.Series == "" && len(p.Y) == 1:
		return errors.New("multiples are a panel for each series: want series, or several y")
	case p.Windows != "" && (p.X != result.TimeAxis || p.Kind != "step" || p.Within == "" || len(p.Y) != 1 || p.Series != ""):
		return errors.New("windows are of the sum of one measure over time: want kind step, x: time, within, one y and no series")
	}
	for _, y := range p.Y {
		if _, ok := property(y); ok && d.timed() {
			return fmt.Errorf("%s is the share of some runs, and this is about one: want a measure", short(y))
		}
	}
	return nil
}

// CheckMeasures checks that a document has what the y of a plot name. It returns an
// [UnknownError] of the first that it does not have.
func CheckMeasures(r *reports.Run, p *result.Plot) error {
	d := &drawing{run: r, plot: p}
	d.find()
	for _, y := range p.Y {
		if _, err := estimateOf(d.points[0].outcome, y); errors.As(err, new(*UnknownError)) {
			return fmt.Errorf("plot %s: %w", short(p.File), err)
		}
	}
	return nil
}
