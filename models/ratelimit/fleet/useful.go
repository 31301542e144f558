package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// UsefulWork holds if a client that is admitted hears of it at most Within after it
// asked: an admission that is heard of later is of no use. It is checked if the scenario
// says answer-within. An answer that never comes is for one-answer, a rejection for none.
//
// Source: Beyer et al., "Site Reliability Engineering", 2016, chapter 22, deadlines.
type UsefulWork struct {
	Layout Layout

	sim.Check
	asked    questions
	id       uint64        // of the first violation
	took     time.Duration // its answer
	admitted int64
	late     int64
}

// Name implements [sim.Property].
func (p *UsefulWork) Name() string { return "useful-work" }

// Bound implements [sim.Bounded].
func (p *UsefulWork) Bound() sim.Bound {
	if p.Layout.Within == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: "what is admitted is answered within " + values.Length(p.Layout.Within), Worst: "added-latency"}
}

// Reset implements [sim.Observer].
func (p *UsefulWork) Reset(*sim.View[Msg]) {
	p.Clear()
	p.asked.reset(p.Layout.Clients)
	p.id, p.took, p.admitted, p.late = 0, 0, 0, 0
}

// Observe implements [sim.Observer].
func (p *UsefulWork) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if p.Layout.Within == 0 || o.Event != sim.Noted {
		return
	}
	switch m := &o.Msg; m.Kind {
	case Asked:
		p.asked.ask(m.ID, v.Now(), sim.NodeID(m.X))
	case Answered:
		q := p.asked.of(m.ID)
		if asked := q.asked; m.OK && asked >= 0 {
			p.answer(v, m.ID, v.Now().Sub(asked))
		}
		q.asked = answered
	}
}

// answer takes in how long the answer to an admitted request took.
func (p *UsefulWork) answer(v *sim.View[Msg], id uint64, took time.Duration) {
	p.Saw()
	p.admitted++
	if took <= p.Layout.Within {
		return
	}
	p.late++
	if p.Violate(v.Now(), clientOf(id)) {
		p.id, p.took = id, took
	}
}

// End implements [sim.Observer].
func (p *UsefulWork) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *UsefulWork) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("request %s of %s was admitted, and the answer came after %v; %d of %d such answers came later than %s", requestName(p.id), v.Name(clientOf(p.id)), p.took, p.late, p.admitted, values.Length(p.Layout.Within))
}
