package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/threshold"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Boundary is a search along the values of one path of a scenario.
type Boundary struct {
	Range    amount.Range
	Property int
	// Chance, if not 0, is the share of violated runs that is looked for. Without, each
	// point is one run.
	Chance sim.Chance
	Jobs   int
	// Load loads the scenario with a value.
	Load func(value string) (*format.Scenario, error)
	// Command is the command that runs it again.
	Command func(value string, s *format.Scenario) string
	// Progress, if not nil, is told which point is next, from 1, and how far its runs are.
	Progress func(point int, value string, p Progress)
}

// A PointPanic is the panic of a model at a point.
type PointPanic struct{ Value, Said, Reproduce string }

func (p *PointPanic) Error() string {
	return fmt.Sprintf("at %s the model panics: %s\n  reproduce: %s", p.Value, p.Said, p.Reproduce)
}

// Find looks for the boundary and puts it, and the points looked at, into a report. If
// ctx ends before that, it returns what is done with the error of ctx.
func (b *Boundary) Find(ctx context.Context, r *searches.Boundary) error {
	points := map[int64]*searches.Neighbour{}
	f, err := threshold.Find(b.Range.Steps(), func(k int64) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := b.point(ctx, b.Range.At(k).String(), len(points)+1)
		if err != nil {
			return false, err
		}
		points[k] = n
		return n.Bad, nil
	})
	var places []int64
	for k := range points {
		places = append(places, k)
	}
	slices.Sort(places)
	for _, k := range places {
		r.Points = append(r.Points, points[k].BoundaryPoint)
	}
	if err != nil {
		r.Interrupted = ctx.Err() != nil
		return err
	}
	r.Monotone = f.Changes <= 1
	if f.Before < f.After {
		r.OK = true
		r.Neighbours = []*searches.Neighbour{points[f.Before], points[f.After]}
	} else if f.Odd >= 0 {
		r.Odd = &searches.Odd{Value: points[f.Odd].Value}
	}
	return nil
}

// point runs the scenario with a value.
func (b *Boundary) point(ctx context.Context, value string, number int) (*searches.Neighbour, error) {
	s, err := b.Load(value)
	if err != nil {
		return nil, err
	}
	p := &Plan{Scenario: s, Jobs: b.Jobs, Plain: true}
	if b.Progress != nil {
		p.Progress = func(g Progress) { b.Progress(number, value, g) }
	}
	n := &searches.Neighbour{Reproduce: b.Command(value, s)}
	r, err := Run(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, errors.New("nothing was run")
	case r.Panic != nil:
		return nil, &PointPanic{value, r.Panic.Value, n.Reproduce}
	}
	n.Value, n.Property = value, r.Properties[b.Property]
	n.Bad = n.Violated > 0
	if b.Chance > 0 {
		n.Bad = n.Runs > 0 && int64(n.Violated)*int64(sim.Certain) >= int64(b.Chance)*int64(n.Runs)
	} else {
		n.Logs = r.Logs
	}
	return n, nil
}
