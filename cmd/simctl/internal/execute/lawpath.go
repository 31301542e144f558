package execute

import (
	"context"
	"slices"
	"time"

	"fencepost/cmd/simctl/internal/conditions"
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
		to, step := slices.Clone(all), Grain
		if to[i] += step; l.crossed(to) {
			to[i], step = all[i]-Grain, -Grain
		}
		if to[i] < 0 {
			return nil, ErrNoPath
		}
		q, err := l.search(to[:len(values)], to[len(values)])
		if err != nil {
			return nil, err
		}
		_, list, _, err := q.Along(&found)
		if err != nil {
			return nil, ErrNoPath
		}
		moved, steps = append(moved, list), append(steps, int64(step))
	}
	if p, ok := conditions.NewPath(variables, late, at, moved, nanoseconds(all), steps); ok {
		return p, nil
	}
	return nil, ErrNoPath
}

// nanoseconds are durations as numbers.
func nanoseconds(values []time.Duration) []int64 {
	list := make([]int64, len(values))
	for i, v := range values {
		list[i] = int64(v)
	}
	return list
}
