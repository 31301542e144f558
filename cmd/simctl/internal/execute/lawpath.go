package execute

import (
	"context"
	"slices"
	"time"

	"fencepost/cmd/simctl/internal/conditions"
	"fencepost/sim/certify"
	"fencepost/sim/certify/bounds"
)

// path is the path that violates the property just above the edge of a scenario.
func (l *Laws) path(ctx context.Context, values []time.Duration, edge time.Duration) (*conditions.Path, error) {
	pause := edge + beyond
	found, s, err := l.run(ctx, values, pause)
	if err != nil {
		return nil, err
	}
	if !found.Found() {
		return nil, ErrNoPath
	}
	variables, at, late, err := s.Along(&found)
	if err != nil {
		return nil, err
	}
	var moved [][]bounds.Bound
	var steps []int64
	all := append(slices.Clone(values), pause)
	for i := range all {
		list, step, err := l.moved(&found, all, i, Grain)
		if err == nil && !conditions.Linear(at, list, step) {
			list, step, err = l.parted(&found, at, all, i)
		}
		if err != nil {
			return nil, err
		}
		moved, steps = append(moved, list), append(steps, step)
	}
	if p, ok := conditions.NewPath(variables, late, at, moved, nanoseconds(all), steps); ok {
		return p, nil
	}
	return nil, ErrNoPath
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
