package certify

import (
	"slices"

	"fencepost/sim/certify/bounds"
)

// passed is a move of a path in whatever system it is: an event is the variable at which it happens, which has the same
// number on a path wherever that begins.
type passed struct {
	move
	at int // of an event that was pending
}

// note takes down a move from a state.
func (r *recorder) note(from *state, m move) {
	p := passed{move: m, at: -1}
	if m.event >= 0 && m.event < len(from.pending) {
		p.at = from.pending[m.event].at
	} else if m.event >= 0 {
		p.event -= len(from.pending)
	}
	r.moves = append(r.moves, p)
}

// in is the move from a state of another system.
func (p *passed) in(from *state) move {
	m := p.move
	switch {
	case p.at >= 0:
		m.event = slices.IndexFunc(from.pending, func(e event) bool { return e.at == p.at })
	case m.event >= 0:
		m.event += len(from.pending)
	}
	return m
}

// Along is the bounds of the path to a violation that another search found, in the system of this one: the same events
// in the same order, with other durations. It is how many instants there are, and all that bounds their differences: the path
// is one of this system where some satisfy all. The last ones, from late on, are of what comes too late to have
// an effect: where they alone are not satisfied, it may have none all the same.
func (s *Search) Along(found *Result) (variables int, list []bounds.Bound, late int, err error) {
	first, space, err := s.start()
	if err != nil {
		return 0, nil, 0, err
	}
	defer space.close()
	rec, at := space.beginPath(first)
	for _, p := range found.rec.moves {
		m := p.in(at)
		if p.at >= 0 && m.event < 0 {
			return 0, nil, 0, errOtherPath
		}
		if at, err = space.move(rec, at, m); err != nil {
			return 0, nil, 0, err
		}
	}
	rec.finish(at.pending)
	return rec.variables, rec.list(), len(rec.bounds), nil
}

// list is the bounds of a path.
func (r *recorder) list() []bounds.Bound {
	list := make([]bounds.Bound, 0, len(r.bounds)+len(r.late)+1)
	for _, of := range [][]constraint{r.bounds, r.late} {
		for i := range of {
			most, reached := of[i].b.Limit()
			list = append(list, bounds.Bound{X: of[i].x, Y: of[i].y, At: most, Strict: !reached})
		}
	}
	return list
}
