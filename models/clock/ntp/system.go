package ntp

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Layout says which node is which, and what the observers have to know.
type Layout struct {
	Servers, Clients int // nodes 1 to Servers, and those after them
	Rate             int64
	Drift            int64         // what clients take for the most that a clock gains or loses
	Accuracy         time.Duration // of a server that is right
}

func (l *Layout) isClient(n sim.NodeID) bool { return int(n) > l.Servers }

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("ntp", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	return p.system()
}

// system is that of parameters that nobody has checked.
func (p *Params) system() sim.System[Msg] {
	d := p.discipline()
	layout := Layout{Servers: p.Servers, Clients: p.Clients, Rate: d.SlewPPB, Drift: int64(p.Drift), Accuracy: p.Accuracy}
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	for i := range p.Servers {
		system.Nodes = append(system.Nodes, sim.Place[Msg](fmt.Sprintf("server-%d", i+1), Server{Work: p.Work,
			Broadcast: p.Mode == "broadcast", First: sim.NodeID(p.Servers + 1), Last: sim.NodeID(p.Servers + p.Clients),
			Start: values.At(p.Start, 0, 0), Every: p.Poll, Polls: p.Polls}))
	}
	for i := range p.Clients {
		system.Nodes = append(system.Nodes, sim.Place[Msg](fmt.Sprintf("client-%d", i+1), p.client(i)))
	}
	system.Properties = []sim.Property[Msg]{
		&WithinBound{truth: truth{Layout: layout}},
		&BoundedError{truth: truth{Layout: layout}, Epsilon: p.Epsilon, Settle: sim.Time(p.Settle)},
		&Monotonic{truth: truth{Layout: layout}},
		&NoFalseticker{truth: truth{Layout: layout}},
		&BoundedRate{Layout: layout, Most: p.Drift},
	}
	meter := newMeter(layout, sim.Time(p.Settle))
	system.Measures, system.Meters = meter.measures(), []sim.Observer[Msg]{meter}
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newTeller(layout).tell }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail }
	return system
}

// client is the i-th client.
func (p *Params) client(i int) Client {
	return Client{Servers: p.Servers, Start: values.At(p.Start, i, 0), Poll: p.Poll, Timeout: p.timeout(), Polls: p.Polls,
		Broadcast: p.Mode == "broadcast", Assumed: p.Assumed, Drift: int64(p.Drift), Select: p.selection(), Faulty: p.faulty(),
		Discipline: p.discipline(), Corrects: p.Discipline != "none"}
}
