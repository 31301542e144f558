package result

import (
	"slices"
	"strings"

	"fencepost/sim"
)

// TimeAxis is the x of a plot of one run over time.
const TimeAxis = "time"

// Plot is a figure that a scenario asks for. Package plot draws it.
type Plot struct {
	File    string   `json:"file"`              // its name, without folder and ending
	Title   string   `json:"title"`             // what it shows, as a finding
	Kind    string   `json:"kind"`              // line, step, points, bar, heat, cdf, multiples, timeline or matrix
	X       string   `json:"x,omitempty"`       // the path of an axis of the grid, or [TimeAxis]
	XLabel  string   `json:"x_label,omitempty"` // "" is made of X
	Y       []string `json:"y,omitempty"`       // such as "worst-window", "p99 of latency" and "P(no-lost-update)"
	YLabel  string   `json:"y_label,omitempty"` // "" is made of Y
	Unit    string   `json:"unit,omitempty"`    // of y; "" is the measure's
	Series  string   `json:"series,omitempty"`  // the path of another axis of the grid, or ""
	Names   []string `json:"names,omitempty"`   // of the values of Series; without it of several Y, or else of X
	Log     string   `json:"log,omitempty"`     // the axes that are logarithmic: "", "x", "y" or "xy"
	Limit   string   `json:"limit,omitempty"`   // a value of y that is marked, or ""
	Within  string   `json:"within,omitempty"`  // over time: the sum of the values in the last this long, or ""
	Windows string   `json:"windows,omitempty"` // over time: fixed windows of this length, or ""
	Laws    []Law    `json:"laws,omitempty"`
}

// Law is a closed form of x that is drawn over what was simulated.
type Law struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
}

// Timed reports whether the plot needs the values of a run one by one.
func (p *Plot) Timed() bool { return p.X == TimeAxis || p.Kind == "cdf" }

// Measures are the indices of the measures of a program that a plot is about.
func (p *Plot) Measures(program *sim.Program) (list []int) {
	for _, y := range p.Y {
		if _, of, ok := strings.Cut(y, " of "); ok {
			y = of
		}
		if i := slices.IndexFunc(program.Measures, func(m sim.Measure) bool { return m.Name == y }); i >= 0 {
			list = append(list, i)
		}
	}
	return list
}
