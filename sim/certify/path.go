package certify

import "errors"

var errOtherPath = errors.New("certify: a path is not found again")

// retrace goes along the moves of a search once more, in the same space.
func (s *space) retrace(first *state, moves []move) (*recorder, error) {
	rec, at := s.beginPath(first)
	for _, m := range moves {
		next, err := s.move(rec, at, m)
		if err != nil {
			return nil, err
		}
		at = next
	}
	rec.finish(at.pending)
	return rec, nil
}

// beginPath is where a path begins.
func (s *space) beginPath(first *state) (*recorder, *state) {
	at := *first
	return newRecorder(len(at.pending)), &at
}

// move is one event of a path, -1 for the end of the run.
func (s *space) move(rec *recorder, at *state, m move) (*state, error) {
	rec.note(at, m)
	way := []byte(m.chosen)
	base := draft{memory: rec.memory, record: rec, follows: &way}
	var list []outcome
	var err error
	if m.event < 0 {
		list, err = s.end(at, base)
	} else {
		list, err = s.fire(at, m.event, base)
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) != 1 || len(way) > 0:
		return nil, errOtherPath
	}
	if to := places(m.to); len(to) > 0 {
		if err := s.place(list[0].draft, to); err != nil {
			return nil, err
		}
		rec.place(to)
	}
	return &list[0].state, nil
}
