package idempotency

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// numbered is how many requests have measures of their own.
const numbered = 4

// answers records what each of the first requests that clients send, attempts of a call
// apart, is answered: the status, 0 if the client has stopped waiting; the body, 0 if the
// answer is not final or has none; and when that was.
type answers struct {
	Status, Body, At [numbered]model.Measure
	Asked            [numbered]sent
	Count            int
}

// sent is a request of a client.
type sent struct {
	client sim.NodeID
	number uint32
}

// declare adds the measures to a system.
func (a *answers) declare(s *sim.System[Msg]) {
	for i := range numbered {
		a.Status[i] = model.Declare(s, sim.Measure{Name: fmt.Sprintf("answer-%d", i+1), Unit: sim.Code, Total: true})
		a.Body[i] = model.Declare(s, sim.Measure{Name: fmt.Sprintf("body-%d", i+1), Unit: sim.Code, Total: true})
		a.At[i] = model.Declare(s, sim.Measure{Name: fmt.Sprintf("answered-at-%d", i+1), Unit: sim.Duration})
	}
}

// Observe implements [model.Recorder].
func (a *answers) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	m := &o.Msg
	switch m.Kind {
	case Asked:
		if a.Count < numbered {
			a.Asked[a.Count] = sent{o.Node, m.Call}
			a.Count++
		}
	case Answered, Retrying, GaveUp:
		a.answered(v, o)
	}
}

func (a *answers) answered(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m := &o.Msg
	for i, s := range a.Asked[:a.Count] {
		if s != (sent{o.Node, m.Call}) {
			continue
		}
		a.Status[i].Record(v, int64(m.Status))
		a.At[i].RecordDuration(v, v.Now().Sub(0))
		if m.Kind == Answered && m.body() != Null {
			a.Body[i].Record(v, int64(m.body()))
		}
	}
}
