package model

import "fencepost/sim"

// part is what all observers of this package are: a [Checker] that is called for what it looks at.
type part[M sim.Message] struct {
	Watch
	checker Checker[M]
	report  Report[M]
	reset   func()
}

// newPart is a part that looks at the notes of some kinds, if none are given at all notes, and puts a state back before
// each run.
func newPart[M sim.Message](c Checker[M], state any, on []sim.Kind) part[M] {
	return part[M]{Watch: newWatch(on), checker: c, reset: Restore(state)}
}

// Reset implements [sim.Observer].
func (p *part[M]) Reset(*sim.View[M]) { p.reset() }

// Observe implements [sim.Observer].
func (p *part[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	p.report.View, p.report.Observation = v, o
	p.checker.Check(&p.report)
}

// Join implements [sim.Joiner]: parts that follow one another are notified as one.
func (p *part[M]) Join(all []sim.Observer[M]) (list []sim.Observer[M]) {
	var parts joined[M]
	join := func() {
		if len(parts) > 0 {
			list, parts = append(list, parts), nil
		}
	}
	for _, o := range all {
		if q, ok := o.(interface{ itself() *part[M] }); ok {
			parts = append(parts, call[M]{q.itself().checker, &q.itself().report})
			continue
		}
		join()
		list = append(list, o)
	}
	join()
	return list
}

func (p *part[M]) itself() *part[M] { return p }

// joined is parts as one observer of a note: the checker of each is called, without the three calls that Observe of each takes.
type joined[M sim.Message] []call[M]

type call[M sim.Message] struct {
	checker Checker[M]
	report  *Report[M]
}

// Reset implements [sim.Observer]: the parts are reset one by one.
func (joined[M]) Reset(*sim.View[M]) {}

// Observe implements [sim.Observer].
func (j joined[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	for i := range j {
		r := j[i].report
		if r.Observation != o { // nearly always they have been set before
			r.View, r.Observation = v, o
		}
		j[i].checker.Check(r)
	}
}
