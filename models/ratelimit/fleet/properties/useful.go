package properties

import (
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// usefulWork holds if a client that is admitted hears of it at most Within after it
// asked: an admission that is heard of later is of no use. It is checked if the scenario
// says answer-within. An answer that never comes is for one-answer, a rejection for none.
//
// Source: Beyer et al., "Site Reliability Engineering", 2016, chapter 22, deadlines.
type usefulWork struct {
	Layout core.Layout

	Asked    core.Questions
	Admitted int64
	Late     int64
	First    lateAnswer // that came too late
}

type lateAnswer struct {
	id   uint64
	took time.Duration
}

// NewUsefulWork makes the property useful-work: a client that is admitted hears of it in time.
func NewUsefulWork(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("useful-work", &usefulWork{Layout: l}, message.Asked, message.Answered).
		Needs("params.answer-within must be given, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *usefulWork) Bound() sim.Bound {
	if p.Layout.Within == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: "what is admitted is answered within " + values.Length(p.Layout.Within), Worst: "added-latency"}
}

// Begin implements [model.Checker].
func (p *usefulWork) Begin(*model.Report[message.Msg]) { p.Asked.Grow(p.Layout.Clients) }

// Check implements [model.Checker].
func (p *usefulWork) Check(r *model.Report[message.Msg]) {
	if p.Layout.Within == 0 {
		return
	}
	m := &r.Msg
	if m.Kind == message.Asked {
		p.Asked.Ask(m.ID, r.Now(), m.To())
		return
	}
	q := p.Asked.Of(m.ID)
	if m.OK && q.Asked >= 0 {
		p.answer(r, m.ID, r.Now().Sub(q.Asked))
	}
	q.Asked = core.Over
}

// answer takes in how long the answer to an admitted request took.
func (p *usefulWork) answer(r *model.Report[message.Msg], id uint64, took time.Duration) {
	r.Saw()
	p.Admitted++
	if took <= p.Layout.Within {
		return
	}
	p.Late++
	if r.Violated(message.ClientOf(id)) {
		p.First = lateAnswer{id, took}
		p.why(r)
	}
}

// End implements [model.Checker].
func (p *usefulWork) End(r *model.Report[message.Msg]) {
	if p.Late > 0 {
		p.why(r)
	}
}

// why tells of the first answer that came too late, and how many do by now.
func (p *usefulWork) why(r *model.Report[message.Msg]) {
	r.Why("request %s of %s was admitted, and the answer came after %v; %d of %d such answers came later than %s",
		message.RequestName(p.First.id), r.Name(message.ClientOf(p.First.id)), p.First.took, p.Late, p.Admitted, values.Length(p.Layout.Within))
}
