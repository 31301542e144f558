package explore

import (
	"context"
	"errors"
	"fmt"
)

// Part is the result of consecutive runs of a search by samples, which several machines
// can share: [Search.Part] does one, and [Search.Join] makes of all of them what [Find]
// returns.
type Part struct {
	Runs      int    `json:"runs"` // up to the one that was found
	Steps     uint64 `json:"steps"`
	Faulty    int    `json:"faulty"`
	Exercised []int  `json:"checked"`         // by property
	Violated  []int  `json:"violated"`        // by property
	Found     bool   `json:"found,omitempty"` // the last run is what is looked for
}

// errWhole is why an exhaustive search has no parts.
var errWhole = errors.New("an exhaustive search has no parts: which states it has seen decides where it goes next")

// Part does the runs from the index first to before end, and ends at the first that is
// what is looked for. If ctx ends before that, there is no part.
func (s Search) Part(ctx context.Context, first, end int) (*Part, error) {
	if s.Mode == Exhaustive {
		return nil, errWhole
	}
	if first < 0 || end <= first {
		return nil, fmt.Errorf("a part of the runs %d to before %d: there are none", first, end)
	}
	p, r, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	found, err := scan(ctx, &s, p, r, first, end)
	if err == nil && !found && r.Runs < end-first {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return &Part{Runs: r.Runs, Steps: r.Steps, Faulty: r.Faulty, Exercised: r.Exercised, Violated: r.Violated, Found: found}, nil
}

// Join is the report of [Find], of the parts of all its runs in their order, or of those up
// to one that found something.
func (s Search) Join(ctx context.Context, parts []*Part) (*Report, error) {
	if s.Mode == Exhaustive {
		return nil, errWhole
	}
	p, r, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	r.Depth, r.Bound = s.Depth, "runs"
	for _, k := range parts {
		if len(k.Exercised) != len(r.Exercised) || len(k.Violated) != len(r.Violated) {
			return nil, fmt.Errorf("a part of %d properties: want %d", len(k.Exercised), len(r.Exercised))
		}
		r.Runs, r.Steps, r.Faulty = r.Runs+k.Runs, r.Steps+k.Steps, r.Faulty+k.Faulty
		for i := range r.Exercised {
			r.Exercised[i] += k.Exercised[i]
			r.Violated[i] += k.Violated[i]
		}
		if k.Found {
			r.Bound = "found"
			return r, s.again(p, r)
		}
	}
	if r.Runs != s.Runs {
		return nil, fmt.Errorf("parts of %d runs: want %d", r.Runs, s.Runs)
	}
	return r, nil
}
