package execute

import (
	"fmt"
	"slices"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// What may be kept of one run.
const (
	maxSamples = 1_000_000 // values of its series together
	maxMoments = 20_000    // spans and instants of its timeline
)

// watch runs the first run of a scenario again, for what its plots need of it; without
// such a plot it does nothing.
func watch(s *format.Scenario, o *reports.Outcome) error {
	series, of := seriesOf(s)
	draws := func(kind string) bool {
		return slices.ContainsFunc(s.Plots, func(p result.Plot) bool { return p.Kind == kind })
	}
	line, order := draws("timeline"), s.Program.Ordered && draws("matrix") && o.Order == nil
	if len(series) == 0 && !line && !order {
		return nil
	}
	world, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return err
	}
	n := 0
	watch := sim.Watch{Samples: func(t sim.Time, v sim.Sample) {
		if i, ok := of[v.Measure]; ok {
			if n++; n <= maxSamples {
				series[i].AtNS, series[i].Values = append(series[i].AtNS, int64(t)), append(series[i].Values, v.Value)
			}
		}
	}}
	moments := &sim.Timeline{Most: maxMoments}
	if line {
		watch.Timeline = moments
	}
	world.Watch(watch)
	result := world.Run(s.Seed)
	switch {
	case n > maxSamples:
		return fmt.Errorf("%s: the plots over time are of %d values: want at most %d, as of a shorter run", s.Name, n, maxSamples)
	case moments.More > 0:
		return fmt.Errorf("%s: the timeline is of more than %d spans and instants: want a shorter run, or fewer nodes", s.Name, maxMoments)
	}
	o.Series = slices.Clip(series)
	if line {
		o.Timeline = timelineOf(&s.Program, moments, result)
	}
	if order {
		if o.Order, err = orderOf(s.Program.Nodes, world.Order()); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// seriesOf are the series that the plots of a scenario need, still empty, and which is
// of which measure.
func seriesOf(s *format.Scenario) (list []reports.Series, of map[int]int) {
	of = map[int]int{}
	for i := range s.Plots {
		if p := &s.Plots[i]; p.Timed() {
			for _, m := range p.Measures(&s.Program) {
				if _, ok := of[m]; !ok {
					of[m] = len(list)
					list = append(list, reports.Series{Metric: s.Program.Measures[m].Name, AtNS: []int64{}, Values: []int64{}})
				}
			}
		}
	}
	return list, of
}

// timelineOf is a timeline as a report has it, with what the run violated.
func timelineOf(p *sim.Program, t *sim.Timeline, r *sim.Result) *reports.Timeline {
	out := &reports.Timeline{Nodes: []string{}, States: p.States, Exclusive: p.Exclusive, EndNS: int64(r.End),
		Spans: []reports.Span{}, Instants: []reports.Instant{}, Violations: []reports.Violation{}}
	name := func(id sim.NodeID) string {
		if id == sim.None {
			return ""
		}
		return p.Nodes[id-1]
	}
	for _, s := range t.Spans {
		out.Spans = append(out.Spans, reports.Span{Node: name(s.Node), State: s.State, FromNS: int64(s.From), ToNS: int64(s.To)})
	}
	for _, i := range t.Instants {
		out.Instants = append(out.Instants, reports.Instant{Node: name(i.Node), By: name(i.By), What: i.Mark, AtNS: int64(i.At)})
	}
	for i, f := range r.Properties {
		if f.Verdict == sim.Violated {
			v := &stats.Violation{Nodes: f.Nodes}
			out.Violations = append(out.Violations, reports.Violation{Property: p.Properties[i], Nodes: reports.Nodes(p, v), AtNS: int64(f.First)})
		}
	}
	if f := r.Panic; f != nil {
		out.Violations = append(out.Violations, reports.Violation{Property: reports.PanicViolation, Nodes: []string{f.Name}, AtNS: int64(f.At)})
	}
	for id := sim.NodeID(1); int(id) <= len(p.Nodes); id++ {
		if slices.ContainsFunc(t.Spans, func(s sim.Span) bool { return s.Node == id }) ||
			slices.ContainsFunc(t.Instants, func(i sim.Instant) bool { return i.Node == id || i.By == id }) ||
			slices.ContainsFunc(out.Violations, func(v reports.Violation) bool { return slices.Contains(v.Nodes, name(id)) }) {
			out.Nodes = append(out.Nodes, name(id))
		}
	}
	return out
}
