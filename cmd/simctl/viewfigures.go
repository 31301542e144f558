package main

import (
	"bytes"
	"context"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports/page"
	"fencepost/reports/plot"
	"fencepost/scenarios/format"
)

// figuresOf draws the plots of a scenario that one run has all of. One over a grid or over many runs is left to simctl run.
func figuresOf(ctx context.Context, s *format.Scenario) (list []page.Figure, err error) {
	if len(s.Plots) == 0 {
		return nil, nil
	}
	one := *s
	one.Runs = 1
	r, err := execute.Run(ctx, &execute.Plan{Scenario: &one, Jobs: 1})
	if err != nil {
		return nil, err
	}
	for i := range r.Plots {
		fig, err := plot.Figure(r, &r.Plots[i])
		if err != nil {
			continue // of more than one run
		}
		var svg bytes.Buffer
		if err := fig.WriteSVG(&svg); err != nil {
			return nil, err
		}
		list = append(list, page.Figure{Title: page.Harmless(r.Plots[i].Title), SVG: svg.String()})
	}
	return list, nil
}
