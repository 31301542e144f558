package kv

import (
	"fmt"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// clientMeter records what each of the first clients sees: in a partition, what a side sees.
type clientMeter struct {
	By    []perClient // by number, from 1
	Since []sim.Time  // of the request, by node

	*Layout
}

// perClient are the measures of one client.
type perClient struct{ requests, writes, failedWrites, availability, latency model.Measure }

// maxMetered is how many clients have measures of their own.
const maxMetered = 8

// addClientMeter adds the measures of the first clients.
func addClientMeter(s *sim.System[core.Msg], l *Layout) {
	m := &clientMeter{Layout: l, By: make([]perClient, min(l.Clients, maxMetered)+1)}
	model.AddMeter(s, m)
	for c := 1; c < len(m.By); c++ {
		name := func(what string) string { return fmt.Sprintf("client-%d-%s", c, what) }
		m.By[c] = perClient{
			requests:     model.Declare(s, sim.Measure{Name: name("requests"), Total: true}),      // answered or failed
			writes:       model.Declare(s, sim.Measure{Name: name("writes"), Total: true}),        // acknowledged
			failedWrites: model.Declare(s, sim.Measure{Name: name("failed-writes"), Total: true}), // refused or not answered
			availability: model.Declare(s, sim.Measure{Name: name("availability"), Per: name("requests"), Most: 1}),
			latency:      model.Declare(s, sim.Measure{Name: name("latency"), Unit: sim.Duration}), // of what is answered
		}
	}
}

// Observe implements [model.Recorder].
func (m *clientMeter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	c := int(o.Node) - m.Nodes
	if o.Event != sim.Noted || c < 1 || c >= len(m.By) {
		return
	}
	by := &m.By[c]
	switch o.Msg.Kind {
	case core.Asked: // it counts when it ends: a request that is open at the end of the run has not failed
		*model.At(&m.Since, o.Node) = v.Now()
	case core.Answered:
		by.requests.Record(v, 1)
		by.availability.Record(v, 1)
		by.latency.RecordDuration(v, v.Now().Sub(m.Since[o.Node]))
		if o.Msg.Write != nil {
			by.writes.Record(v, 1)
		}
	case core.Failed:
		by.requests.Record(v, 1)
		if o.Msg.Status() == core.Mismatch { // that is an answer
			by.availability.Record(v, 1)
		} else if o.Msg.Write != nil {
			by.failedWrites.Record(v, 1)
		}
	}
}
