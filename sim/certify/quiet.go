package certify

import "fencepost/sim"

// A step that only remembers compares nothing, asks for nothing, and keeps no reading of its instant: when it happens
// does not matter, as long as no other step of its node comes in between. So no pause begins before it: one that
// begins before the next step that does more, and is the rest of it as long, does what this one does. And a node
// that is paused takes such a step at once, if nothing is to come before it.
//
// That is so where a pause may be as short as it likes, and where no node crashes, which loses what has waited.
//
// Source: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996, of transitions that
// are invisible, and independent of all others.

// quietens reports whether steps that only remember are told from others.
func (s *Search) quietens() bool {
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Do == sim.Crash || f.Do == sim.Pause && f.Least > 0 {
			return false
		}
	}
	return !s.PauseAll
}

// isQuiet reports whether a node only remembers an event, that comes next.
func (r *reaction) isQuiet(d *draft, e *event) (bool, error) {
	if !r.quietens || r.costs[e.to] > 0 {
		return false, nil
	}
	c, all := r.called(d, e)
	k, err := r.known(d, c, len(all), len(d.nodes[e.to-1].symbols))
	if err != nil {
		return false, err
	}
	if !k.root.known {
		if err := d.learns(func() error { return r.grow(&c, k, k.root) }); err != nil {
			return false, err
		}
	}
	return k.onlyRemembers(), nil
}

// onlyRemembers reports whether a step does nothing else.
func (k *known) onlyRemembers() bool {
	l := k.root.leaf
	if k.root.kind != atLeaf || l.panics != "" || len(l.effects) > 0 {
		return false
	}
	for _, s := range l.symbols {
		if s >= k.now {
			return false
		}
	}
	return true
}
