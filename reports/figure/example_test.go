package figure_test

import (
	"bytes"
	"fmt"

	"fencepost/reports/figure"
)

// The points of a simulation with their intervals, and the law that they should follow,
// under one name.
func Example() {
	const name = "no check"
	f := figure.Figure{
		Title:    "A pause as long as the TTL breaks the lock in two runs of three",
		Subtitle: "lock/ttl, 400 runs for each point, seed 1",
		Caption:  "Dots: share of runs, with its 95% interval. Line: the law of the pause.",
		Panels: []figure.Panel{{
			X: figure.Axis{Label: "mean pause", Unit: figure.Nanoseconds, Marks: []figure.Mark{{At: 10e9, Label: "TTL"}}},
			Y: figure.Axis{Label: "runs in which two clients wrote", Unit: figure.Share},
			Plot: figure.Lines{Series: []figure.Series{
				{Name: name, X: []float64{0, 5e9, 10e9, 15e9}, Y: []float64{0, 0.39, 0.63, 0.78}},
				{
					Name: name, Style: figure.Points, X: []float64{5e9, 10e9}, Y: []float64{0.41, 0.62},
					Low: []float64{0.36, 0.57}, High: []float64{0.46, 0.67},
				},
			}},
		}},
	}
	var svg bytes.Buffer
	if err := f.WriteSVG(&svg); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Contains(svg.Bytes(), []byte(">TTL</text>")))

	f.Panels[0].X.Scale = figure.Log
	fmt.Println(f.WriteSVG(&svg))
	// Output:
	// true
	// figure: series 1 "no check": X[0] ("mean pause") is 0: want more than 0 on a log axis
}

// One panel for each series, the others in grey behind it.
func ExampleMultiples() {
	p := figure.Panel{
		X: figure.Axis{Label: "time", Unit: figure.Nanoseconds},
		Y: figure.Axis{Label: "requests admitted in the last 60 s", Unit: figure.Count},
		Plot: figure.Lines{Series: []figure.Series{
			{Name: "fixed window", Style: figure.Step, X: []float64{0, 60e9}, Y: []float64{100, 189}},
			{Name: "sliding log", Style: figure.Step, X: []float64{0, 60e9}, Y: []float64{100, 100}},
		}},
	}
	for _, p := range figure.Multiples(p) {
		fmt.Println(p.Title)
	}
	// Output:
	// fixed window
	// sliding log
}
