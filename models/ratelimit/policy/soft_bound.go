package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// softBound holds if no client is admitted more than the hard limit in any window, and
// above the nominal one only for the grace from the first such request on. It is checked
// by the first version of the rules.
type softBound struct {
	Judged        bool
	Nominal, Hard int64
	Grace         time.Duration

	Tally tally
	Above []excess // by client
}

// excess is when a client was admitted above the nominal limit, first and last, if it was.
type excess struct {
	above       bool
	first, last sim.Time
}

// Bound implements [sim.Bounded].
func (p *softBound) Bound() sim.Bound {
	if !p.Judged {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d in any %v, above %d for at most %v", p.Hard, p.Tally.book.window, p.Nominal, p.Grace)}
}

// Check implements [model.Checker].
func (p *softBound) Check(r *model.Report[Msg]) {
	sum := p.Tally.admitted(r.Now(), &r.Msg)
	if sum == 0 || !p.Judged {
		return
	}
	r.Saw()
	if sum <= p.Nominal {
		return
	}
	now, c := r.Now(), model.At(&p.Above, int(r.Msg.Client))
	if !c.above || c.last <= span(now, p.Tally.book.window) {
		c.above, c.first = true, now
	}
	c.last = now
	if over, client := now.Sub(c.first), p.Tally.client(&r.Msg); (over > p.Grace || sum > p.Hard) && r.Violated(client) {
		r.Why("%s is at %d, %v after it went above %d; allowed are %d for %v", r.Name(client), sum, over, p.Nominal, p.Hard, p.Grace)
	}
}
