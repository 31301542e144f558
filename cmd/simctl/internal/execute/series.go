package execute

import (
	"fmt"
	"slices"

	"fencepost/reports"
	"fencepost/scenarios"
	"fencepost/sim"
)

// maxSamples is how many values the series of a run may have together.
const maxSamples = 1_000_000

// plotsOf are the plots of a scenario as its report has them.
func plotsOf(s *scenarios.Scenario) (list []reports.Plot) {
	for _, p := range s.Plots {
		q := reports.Plot{
			File: p.File, Title: p.Title, Kind: p.Kind, X: p.X, XLabel: p.XLabel, Y: p.Y, YLabel: p.YLabel,
			Unit: p.Unit, Series: p.Series, Names: p.Names, Log: p.Log, Limit: p.Limit, Within: p.Within,
		}
		for _, l := range p.Laws {
			q.Laws = append(q.Laws, reports.Law(l))
		}
		list = append(list, q)
	}
	return list
}

// seriesOf runs the first run of a scenario again, for the values that its plots over
// time need; without such a plot it does nothing.
func seriesOf(s *scenarios.Scenario) ([]reports.Series, error) {
	var list []reports.Series
	at := map[int]int{} // the series of a measure
	for i := range s.Plots {
		if p := &s.Plots[i]; p.Timed() {
			for _, m := range p.Measures(&s.Program) {
				if _, ok := at[m]; !ok {
					at[m] = len(list)
					list = append(list, reports.Series{Metric: s.Program.Measures[m].Name, AtNS: []int64{}, Values: []int64{}})
				}
			}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	world, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	n := 0
	world.SetSamples(func(t sim.Time, v sim.Sample) {
		i, ok := at[v.Measure]
		if !ok {
			return
		}
		if n++; n > maxSamples {
			return
		}
		list[i].AtNS, list[i].Values = append(list[i].AtNS, int64(t)), append(list[i].Values, v.Value)
	})
	world.Run(s.Seed)
	if n > maxSamples {
		return nil, fmt.Errorf("%s: the plots over time are of %d values: want at most %d, as of a shorter run", s.Name, n, maxSamples)
	}
	return slices.Clip(list), nil
}
