package ntp

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Layout says which node is which, and what the observers have to know.
type Layout struct {
	Servers, Clients int // nodes 1 to Servers, and those after them
	Rate             int64
	Drift            int64         // what clients take for the most that a clock gains or loses
	Accuracy         time.Duration // of a server that is right
}

func (l *Layout) isClient(n sim.NodeID) bool { return int(n) > l.Servers }

// number is which client a node is, from 0.
func (l *Layout) number(client sim.NodeID) int { return int(client) - 1 - l.Servers }

// client is the i-th client, from 0.
func (l *Layout) client(i int) sim.NodeID { return sim.NodeID(l.Servers + 1 + i) }

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if found := p.Problems(); len(found) > 0 {
		return description.System("ntp", found)
	}
	return p.system()
}

// system is that of parameters that are not checked.
func (p *Params) system() sim.System[Msg] {
	s := description.System("ntp", nil)
	l := Layout{Servers: p.Servers, Clients: p.Clients, Rate: p.discipline().SlewPPB, Drift: int64(p.Drift), Accuracy: p.Accuracy}
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDescriber(l).describe }
	model.Place(&s, "server", p.Servers, func(int) Server { return p.server() })
	model.Place(&s, "client", p.Clients, p.client)
	s.Properties = []sim.Property[Msg]{
		model.NewProperty("within-bound", &withinBound{Truth: newTruth(l)}, Polled, Sampled, Stepped, Slewed).AlsoFaults().Needs("a client takes a sample of a server"),
		model.NewProperty("bounded-error", &boundedError{Truth: newTruth(l), Epsilon: p.Epsilon, Settle: sim.Time(p.Settle)}).AlsoFaults().Needs("a client is up after `settle`"),
		model.NewProperty("monotonic", &monotonic{Truth: newTruth(l)}).AlsoFaults().Needs("a client takes a sample, or corrects its clock"),
		model.NewProperty("no-falseticker", &noFalseticker{Truth: newTruth(l)}, Polled, Sampled, Chosen, Stepped, Slewed).AlsoFaults().Needs("a client chooses among servers, most of which are right"),
		model.NewProperty("bounded-rate", &boundedRate{Layout: l, Most: p.Drift}, start).Also(sim.ClockChanged).Needs("a client is up"), // at no note
	}
	addMeter(&s, l, sim.Time(p.Settle))
	return s
}
