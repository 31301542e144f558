package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// SoftBound holds if no client is admitted more than the hard limit in any window, and
// above the nominal one only for the grace from the first such request on. It is judged
// by the first version of the rules.
type SoftBound struct {
	Judged        bool
	Nominal, Hard int64
	Grace         time.Duration

	sim.Check
	tally       tally
	since, last []sim.Time // by client: of the requests that were admitted above the nominal limit
	sum         int64      // at the first violation
	late        time.Duration
}

// Name implements [sim.Property].
func (p *SoftBound) Name() string { return "soft-bound" }

// Bound implements [sim.Bounded].
func (p *SoftBound) Bound() sim.Bound {
	if !p.Judged {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d in any %v, above %d for at most %v", p.Hard, p.tally.book.window, p.Nominal, p.Grace)}
}

// Reset implements [sim.Observer].
func (p *SoftBound) Reset(*sim.View[Msg]) {
	p.Clear()
	p.tally.reset()
	if p.since == nil {
		p.since, p.last = make([]sim.Time, p.tally.clients), make([]sim.Time, p.tally.clients)
	}
	for i := range p.since {
		p.since[i], p.last[i] = -sim.Never, -sim.Never
	}
	p.sum, p.late = 0, 0
}

// Observe implements [sim.Observer].
func (p *SoftBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	sum := p.tally.admitted(v, o)
	if sum == 0 || !p.Judged {
		return
	}
	p.Saw()
	if sum <= p.Nominal {
		return
	}
	now, c := v.Now(), o.Msg.Client
	if p.last[c] <= span(now, p.tally.book.window) {
		p.since[c] = now
	}
	p.last[c] = now
	if over := now.Sub(p.since[c]); (over > p.Grace || sum > p.Hard) && p.Violate(now, p.tally.client(o)) {
		p.sum, p.late = sum, over
	}
}

// End implements [sim.Observer].
func (p *SoftBound) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *SoftBound) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s is at %d, %v after it went above %d; allowed are %d for %v", v.Name(p.Finding().Nodes[0]), p.sum, p.late, p.Nominal, p.Hard, p.Grace)
}
