package execute

import (
	"context"
	"errors"
	"slices"
	"time"

	"fencepost/cmd/simctl/internal/conditions"
	"fencepost/sim/certify"
	"fencepost/sim/certify/bounds"
)

// pathNear is the path that violates the property just above the edge of a scenario. Where that is another one as soon as a term
// is not 0, such as the time that a lock is held after its write, it is the one where the term is not.
func (l *Laws) pathNear(ctx context.Context, values []time.Duration, edge time.Duration) (*conditions.Path, error) {
	for {
		p, other, err := l.path(ctx, values, edge)
		if !errors.Is(err, ErrNoPath) || other == len(values) || values[other] > 0 {
			return p, err
		}
		l.Terms[other].grown = true
		values = slices.Clone(values)
		if values[other] = Grain; l.crossed(values) {
			return nil, ErrNoPath
		}
		edge, err = l.edge(ctx, values, min(edge+2*Grain, l.Most))
		switch {
		case errors.Is(err, ErrNoEdge): // of that scenario: others may have paths
			return nil, ErrNoPath
		case err != nil:
			return nil, err
		}
	}
}

// path is the path that violates the property just above the edge of a scenario. With [ErrNoPath] it says which term's change makes
// another one of it, the number of terms if none does.
func (l *Laws) path(ctx context.Context, values []time.Duration, edge time.Duration) (p *conditions.Path, other int, err error) {
	pause := edge + beyond
	found, s, err := l.run(ctx, values, pause)
	switch {
	case err != nil:
		return nil, 0, err
	case !found.Found():
		return nil, len(values), ErrNoPath
	}
	variables, at, late, err := s.Along(&found)
	if err != nil {
		return nil, 0, err
	}
	var moved [][]bounds.Bound
	var steps []int64
	all := append(slices.Clone(values), pause)
	for i := range all {
		if i < len(l.Terms) && l.Terms[i].fixed {
			moved, steps = append(moved, at), append(steps, int64(Grain))
			continue
		}
		list, step, err := l.moved(&found, all, i, Grain)
		if err == nil && !conditions.Linear(at, list, step) {
			list, step, err = l.parted(&found, at, all, i)
		}
		if err != nil {
			return nil, i, err
		}
		moved, steps = append(moved, list), append(steps, step)
	}
	if p, ok := conditions.NewPath(variables, late, at, moved, nanoseconds(all), steps); ok {
		return p, 0, nil
	}
	return nil, len(values), ErrNoPath
}

// moved is the bounds of a path where a value is a step more, or a step less if that is not possible.
func (l *Laws) moved(found *certify.Result, all []time.Duration, i int, step time.Duration) ([]bounds.Bound, int64, error) {
	to := slices.Clone(all)
	if to[i] += step; l.crossed(to) {
		step = -step
		to[i] = all[i] + step
	}
	if to[i] < 0 {
		return nil, 0, ErrNoPath
	}
	last := len(to) - 1
	s, err := l.search(to[:last], to[last])
	if err != nil {
		return nil, 0, err
	}
	_, list, _, err := s.Along(found)
	if err != nil {
		return nil, 0, ErrNoPath
	}
	return list, int64(step), nil
}

// parted is the bounds of a path that depend on a part of a value, where that is a step more of which each part is whole. From then
// on the value is drawn so that its parts are whole.
func (l *Laws) parted(found *certify.Result, at []bounds.Bound, all []time.Duration, i int) ([]bounds.Bound, int64, error) {
	list, step, err := l.moved(found, all, i, conditions.Parts*Grain)
	if err != nil {
		return nil, 0, err
	}
	twice, _, err := l.moved(found, all, i, 2*conditions.Parts*Grain)
	if err != nil || !conditions.Doubled(at, list, twice) {
		return nil, 0, ErrNoPath
	}
	if i < len(l.Terms) {
		l.Terms[i].parted = true
	}
	return list, step, nil
}

// nanoseconds are durations as numbers.
func nanoseconds(values []time.Duration) []int64 {
	list := make([]int64, len(values))
	for i, v := range values {
		list[i] = int64(v)
	}
	return list
}
