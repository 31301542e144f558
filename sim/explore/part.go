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
	Together  int    `json:"together,omitempty"`
	Met       int    `json:"met,omitempty"`
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
	return &Part{Runs: r.Runs, Steps: r.Steps, Faulty: r.Faulty, Together: r.Together, Met: r.Met, Exercised: r.Exercised, Violated: r.Violated, Found: found}, nil
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
		r.Runs, r.Steps, r.Faulty = r.Runs+k.Runs, r.Steps+k.Steps, r.Faulty+k.Faulty
		r.Together, r.Met = r.Together+k.Together, r.Met+k.Met
		for i := range r.Exercised {
			r.Exercised[i] += k.Exercised[i]
			r.Violated[i] += k.Violated[i]
		}
		if k.Found {
			r.Bound = "found"
			last, err := s.again(p, r)
			if err == nil {
				err = s.ends(k, &last)
			}
			return r, err
		}
	}
	if r.Runs != s.Runs {
		return nil, fmt.Errorf("parts of %d runs: want %d", r.Runs, s.Runs)
	}
	return r, nil
}

// CheckPart says which number of a part of some runs cannot be their result. It does none of them again.
func (s *Search) CheckPart(k *Part, runs int) error {
	n := len(s.Program.Properties)
	least := runs
	if k.Found {
		least = 1
	}
	switch {
	case len(k.Exercised) != n || len(k.Violated) != n:
		return fmt.Errorf("checked and violated have %d and %d properties: want %d", len(k.Exercised), len(k.Violated), n)
	case k.Runs < least || k.Runs > runs:
		return fmt.Errorf("runs is %d: want %d to %d", k.Runs, least, runs)
	case k.Steps > maxSteps:
		return fmt.Errorf("steps is %d: want at most %d", k.Steps, uint64(maxSteps))
	case k.Faulty < 0 || k.Faulty > k.Runs:
		return fmt.Errorf("faulty is %d: want 0 to %d, the runs", k.Faulty, k.Runs)
	case k.Together < 0 || k.Together > k.Faulty || k.Together > 0 && s.Budget.Faults() < 2:
		return fmt.Errorf("together is %d: want 0 to %d, the runs with a fault, and 0 of a budget of one fault", k.Together, k.Faulty)
	case k.Met < 0 || k.Met > k.Together:
		return fmt.Errorf("met is %d: want 0 to %d, the runs with two faults", k.Met, k.Together)
	}
	for i := range n {
		most := k.Exercised[i]
		if s.targets()>>i&1 == 1 { // the first run with a violation is the last
			if most = min(most, 1); !k.Found {
				most = 0
			}
		}
		switch {
		case k.Exercised[i] < 0 || k.Exercised[i] > k.Runs:
			return fmt.Errorf("checked[%d] is %d: want 0 to %d, the runs", i, k.Exercised[i], k.Runs)
		case k.Violated[i] < 0 || k.Violated[i] > most:
			return fmt.Errorf("violated[%d] is %d: want 0 to %d", i, k.Violated[i], most)
		}
	}
	return nil
}

// maxSteps is more than any machine counts, and the steps of all parts add up without overflow.
const maxSteps = 1 << 46

// ends compares a part with its last run, done again.
func (s *Search) ends(k *Part, last *outcome) error {
	for i := range k.Violated {
		violated, checked := int(last.violated>>i&1), int(last.checked>>i&1)
		switch target := s.targets()>>i&1 == 1; {
		case k.Violated[i] < violated || target && k.Violated[i] != violated:
			return fmt.Errorf("violated[%d] is %d: want %d, as run %d of the part has it", i, k.Violated[i], violated, k.Runs)
		case k.Exercised[i] < checked:
			return fmt.Errorf("checked[%d] is %d: want at least 1, as run %d of the part has it", i, k.Exercised[i], k.Runs)
		}
	}
	if last.together && k.Together < 1 || last.met && k.Met < 1 {
		return fmt.Errorf("together and met are %d and %d: want at least 1 where run %d of the part has two faults, and where they meet", k.Together, k.Met, k.Runs)
	}
	if last.faulty && k.Faulty < 1 {
		return fmt.Errorf("faulty is %d: want at least 1, as run %d of the part has it", k.Faulty, k.Runs)
	}
	return nil
}
