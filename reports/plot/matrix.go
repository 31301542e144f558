package plot

import (
	"errors"
	"fmt"
	"slices"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/figure"
)

// Matrix is the kind of a plot of the order of the events of a run: neither x nor y.
const Matrix = "matrix"

// WholeRun reports whether a kind of plot is of a whole run, and has neither x nor y.
func WholeRun(kind string) bool { return kind == Timeline || kind == Matrix }

// maxMatrixEvents is how many events have room.
const maxMatrixEvents = 64

// What a cell of the matrix is.
var standings = []string{"row happened before column", "concurrent", "row happened after column"}

// matrixCaption says what is drawn.
const matrixCaption = "Colour: what caused what. Sign: what the stamps say of row and column."

// matrices are a panel for each point: how each two events of its first run stand to each
// other.
func (d *drawing) matrices() ([]figure.Panel, error) {
	if d.plot.X != "" || d.plot.Series != "" || len(d.plot.Y) > 0 {
		return nil, errors.New("a matrix is of a whole run: want no x, y or series")
	}
	if n := len(d.points); n > maxTimelines {
		return nil, fmt.Errorf("a matrix of each of %d points: want at most %d, as of "+program.Name()+" run --set", n, maxTimelines)
	}
	var list []figure.Panel
	for i := range d.points {
		pt := &d.points[i]
		o := pt.outcome.Order
		switch {
		case o == nil || o.Total == 0:
			return nil, errors.New("the document has no order of events: a plot of kind matrix in a scenario whose model has events of its own makes " + program.Name() + " run keep it")
		case o.Total > maxMatrixEvents || o.LeftOut > 0:
			return nil, fmt.Errorf("a matrix of %d events: want at most %d, as of a shorter run", o.Total, maxMatrixEvents)
		}
		p := figure.Panel{X: figure.Axis{Label: "event"}, Y: figure.Axis{Label: "event and its stamp (" + o.Clock + ")"}, Plot: cells(o)}
		if len(d.points) > 1 {
			p.Title = d.title(pt)
		}
		list = append(list, p)
	}
	return list, nil
}

// cells are the events by node, and how each two stand to each other.
func cells(o *reports.EventOrder) figure.Matrix {
	m := figure.Matrix{Kinds: standings}
	var nodes []string
	for i := range o.Events {
		if !slices.Contains(nodes, o.Events[i].Node) {
			nodes = append(nodes, o.Events[i].Node)
		}
	}
	slices.Sort(nodes)
	at := map[string]int{}
	for n, node := range nodes {
		if n > 0 {
			m.Groups = append(m.Groups, len(m.Names))
		}
		for i := range o.Events {
			if e := &o.Events[i]; e.Node == node {
				at[e.Name] = len(m.Names)
				m.Names = append(m.Names, e.Name)
				m.Stamps = append(m.Stamps, e.Name+": "+e.Stamp)
			}
		}
	}
	for range m.Names {
		kinds := make([]int, len(m.Names))
		for j := range kinds {
			kinds[j] = -1
		}
		m.Kind, m.Sign = append(m.Kind, kinds), append(m.Sign, make([]string, len(m.Names)))
	}
	reverse := map[string]string{"<": ">", ">": "<", "||": "||", "=": "="}
	for _, p := range o.Pairs {
		a, b := at[p.A], at[p.B]
		m.Kind[a][b], m.Kind[b][a] = 0, 2
		if p.Relation == "||" {
			m.Kind[a][b], m.Kind[b][a] = 1, 1
		}
		m.Sign[a][b], m.Sign[b][a] = p.Stamps, reverse[p.Stamps]
	}
	return m
}
